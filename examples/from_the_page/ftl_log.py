"""Follow the leader on f_t(x) = (x - z_t)^2/2, z_t = +-1: regret of order log T (Shalev-Shwartz 2012; from memory).

x_t is the mean of z_1, ..., z_{t-1}: the expected regret is the sum of (1/2)(1/t) up to constants, (log T)/2."""

from dataclasses import dataclass
from typing import ClassVar

import workbench as wb

State = wb.state("x", "loss", "total", "squares")


def step(s, t, c, oracle, draw, xp):
    z = oracle.target(draw(0), xp=xp)
    loss = s.loss + (s.x - z) ** 2 / 2.0
    total = s.total + z
    return State(total / t, loss, total, s.squares + z**2)


@dataclass(frozen=True)
class Coin:
    COSTS: ClassVar = {"target": {"round": 1}}
    RECORD: ClassVar = {"regret": ("last",)}

    def target(self, xi, xp):
        return xi.sign(1)

    def metrics(self, s, t, xp):
        n = xp.maximum(t - 1.0, 1.0)
        return {"regret": s.loss - (s.squares - s.total**2 / n) / 2.0}


STUDY = wb.Study(__name__, "Follow the leader", metric="regret", view=wb.iterates())
FTL = STUDY.simulation(
    step,
    problem=Coin(),
    start={"x": 0.0, "loss": 0.0, "total": 0.0, "squares": 0.0},
    horizon=20_000,
    runs=1024,
)
CURVE = STUDY.reading("thm", FTL)
CLAIMS = (
    CURVE.logarithmic(power=0, logs=1),
    CURVE.bounded().caught(),
    CURVE.logarithmic(power=0, logs=2).caught(),
    CURVE.diverges(),
)
