"""UCB1: the regret grows like log T, at most 8 log T/Delta + (1 + pi^2/3) Delta, and no slower.

Sources: Auer, Cesa-Bianchi, Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning 47
(2002), Theorem 1; the lower bound of order log T: Lai, Robbins (1985). Two arms with Gaussian rewards of variance 1/16
and means 0 and -1 (Delta = 1; sub-Gaussian with a smaller constant than rewards in an interval of length 1). The index
is the mean plus sqrt(2 log t/n). Level, derived here: the worse arm is drawn until sqrt(2 log t/n) is Delta, about 2
log t times.

Near misses: a bounded regret, a power of T less; and a bonus sqrt(sqrt(t)/n), with which the worse arm is drawn about
sqrt(t) times.
"""

from dataclasses import dataclass
from typing import ClassVar

import workbench as wb

State = wb.state("n", "m", "a", "b", "regret")  # draws of both arms, sums of their rewards


def init(start, c, oracle, draw, xp):
    one, noise = xp.ones_like(start["x"]), draw(0).normal(2) / 4.0
    return State(one, one, noise[:, 0:1], noise[:, 1:2] - 1.0, one)


def step(s, t, c, oracle, draw, xp):
    wide = 2.0 * xp.log(t + 2.0)
    good, bad = s.a / s.n + xp.sqrt(wide / s.n), s.b / s.m + xp.sqrt(wide / s.m)
    second = wb.ops.indicator(bad > good, xp)
    reward = draw(0).normal(1) / 4.0 - second
    first = 1.0 - second
    return State(s.n + first, s.m + second, s.a + first * reward, s.b + second * reward, s.regret + second)


@dataclass(frozen=True)
class Bandit:
    """Two arms; what is recorded is the regret."""

    COSTS: ClassVar = {}
    RECORD: ClassVar = {"regret": ("last",)}

    def metrics(self, s, t, xp):
        return {"regret": s.regret}


STUDY = wb.Study(__name__, "UCB1", metric="regret", view=wb.as_recorded)
PARTS = {
    "problem": Bandit(),
    "start": {"x": 0.0},
    "horizon": wb.profile(100_000, 300_000, 1_000_000),
    "runs": 2048,
}
UCB = STUDY.simulation(step, name="ucb", **PARTS)
WIDE = wb.Mutation("a wide bonus", "wide", becomes="xp.sqrt(t)")
WRONG = STUDY.simulation(step, name="wide", title="A wide bonus", mutation=WIDE, **PARTS)
CURVE = STUDY.reading("thm-1", UCB)
CLAIMS = (
    CURVE.logarithmic(power=0, logs=1, or_less=True),
    CURVE.bounded().caught(),
    CURVE.diverges(),
    CURVE.logarithmic(power=-0.1, logs=1, or_less=True, tag="exponent").caught(),
    STUDY.reading("thm-1", WRONG).logarithmic(power=0, logs=1, or_less=True).caught(),
)
