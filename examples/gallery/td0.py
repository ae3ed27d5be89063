"""TD(0) in a table with steps beta/(t + t_0): E|V - V*|^2 is of order 1/t, with the constant of its linear equations.

Sources: Bhandari, Russo, Singal, "A Finite Time Analysis of Temporal Difference Learning with Linear Function
Approximation", COLT 2018 (arXiv 1806.02450), Theorem 2c; from memory. 16 states, the next one uniform, rewards
N(0, 1), gamma = 1/2, so that V* = 0; the state that is visited is updated.

Level, derived here: the mean of an update is -A e with A = (I - gamma P)/16, whose eigenvalues a are 1/32 once and
1/16; its noise has the covariance I/16. With beta = 64 that of V is beta^2/16/(2 beta a - 1)/t along an eigenvector:
in all 256 (1/3 + 15/7)/t. Near misses: t^-1.1, 1.5 times the level, steps of an eighth, for which 2 beta a = 1/2 once.
"""

from dataclasses import dataclass
from typing import ClassVar

from sympy import Rational

import workbench as wb

v = wb.vocabulary
State, Steps = wb.state("V", "state"), wb.steps("beta")


def step(s, t, c, oracle, draw, xp):
    after = draw(0).index(16, 1)
    here = xp.astype(s.state, xp.int64)
    target = draw(1).normal(1) + wb.ops.entry(s.V, after, xp) / 2.0
    change = c.beta / (t + 64.0) * (target - wb.ops.entry(s.V, here, xp))
    return State(wb.ops.add_at(s.V, here, change, xp), xp.astype(after, xp.float64))


@dataclass(frozen=True)
class Chain:
    """16 states; recorded is |V - V*|^2."""

    COSTS: ClassVar = {}
    RECORD: ClassVar = {"error": ("last",)}

    def metrics(self, s, t, xp):
        return {"error": wb.ops.sq(s.V, xp)}


STUDY = wb.Study(__name__, "TD(0)", metric="error", view=wb.as_recorded)
PARTS = {
    "problem": Chain(),
    "start": {"V": 16 * [0.5], "state": 0.0},
    "horizon": wb.profile(50_000, 100_000, 300_000),
    "runs": 32_768,
}
TD = STUDY.simulation(step, Steps(beta=64.0), name="td", **PARTS)
SHORT = STUDY.simulation(step, Steps(beta=8.0), name="short", title="Steps 8/t", wrong="steps 8/t", **PARTS)
LEVEL = Rational(256) * (Rational(1, 3) + Rational(15, 7))
CURVE = STUDY.reading("thm-2c", TD, claimed=-1, since=0.02)
CLAIMS = (
    CURVE.rate(),
    CURVE.tight(),
    CURVE.level(LEVEL / v.T, "256 (1/3 + 15/7)/t", rtol=0.05),
    CURVE.caught(claimed=-1.1),
    CURVE.level(3 * LEVEL / 2 / v.T, "1.5 times that").caught(),
    STUDY.reading("thm-2c", SHORT, claimed=-1).caught(),
)
