"""SGD with steps 1/(mu t): the average of all iterates has a gap of order log T/T, that of the last half 1/T.

Source: Rakhlin, Shamir, Sridharan, "Making Gradient Descent Optimal for Strongly Convex Stochastic Optimization", ICML
2012, Theorem 3 (lower bound) and Theorem 5 (suffix averaging); from memory. f(x) = x^2/2 + x on [0, 1], minimal at
the edge 0, gradients with noise +-2; from x = 1.

Level, derived here: t x_t is near the edge a walk that is reset to 0 below it, with steps +1 and -3; it has the
geometric law of ratio r, r + r^2 + r^3 = 1, and the mean C = r/(1 - r). So E x_t is C/t, the average of all C log T/T,
that of the last half 2 C log 2/T. Near misses: 1/T or log^2 T/T for the average of all, 1.5 times the level of the last
half, steps t^-0.9.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import workbench as wb

R = 0.5436890126920764  # r + r^2 + r^3 = 1
C = R / (1 - R)
State, Steps = wb.state("x"), wb.steps("power")


def step(s, t, c, oracle, draw, xp):
    eta = wb.ops.power(t, -c.power, xp)
    return State(wb.ops.clip(s.x - eta * oracle.grad(s.x, draw(0)), 0.0, 1.0, xp))


@dataclass(frozen=True)
class Edge:
    """f(x) = x^2/2 + x on [0, 1]; recorded are x_t and its mean."""

    COSTS: ClassVar = {"grad": {"gradient": 1}}
    RECORD: ClassVar = {"x": ("last", "mean")}

    def grad(self, x, xi, xp):
        return x + 1.0 + 2.0 * xi.sign(1)

    def metrics(self, s, t, xp):
        return {"x": s.x}


def gap(result):
    mean = result.table("x_mean")
    return mean**2 / 2 + mean  # f of the average of all iterates


STUDY = wb.Study(__name__, "SGD with averages", view=wb.as_recorded)
PARTS = {
    "problem": Edge(),
    "start": {"x": 1.0},
    "horizon": wb.profile(20_000, 100_000, 1_000_000),
    "runs": 2048,
}
SGD = STUDY.simulation(step, Steps(power=1.0), name="sgd", **PARTS)
LONG = STUDY.simulation(step, Steps(power=0.9), name="long", title="Steps t^-0.9", wrong="t^-0.9", **PARTS)
ALL = STUDY.reading("thm-3", SGD, metric=gap, claimed=-1)
LAST = STUDY.reading("thm-5", SGD, metric="x_mean", view=wb.window_means, claimed=-1)
CLAIMS = (
    ALL.logarithmic(power=-1, logs=1),
    ALL.caught(),
    ALL.logarithmic(power=-1, logs=2).caught(),
    LAST.level(lambda T, **_: C * np.log(T) / T, "2 C log 2/T"),
    LAST.level(lambda T, **_: 1.5 * C * np.log(T) / T, "1.5 times that").caught(),
    STUDY.reading("thm-5", LONG, metric="x_mean", view=wb.window_means, claimed=-1).caught(),
)
