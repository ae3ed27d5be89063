"""Unadjusted Langevin: with step h the law converges to a biased one; the bias in the variance of a Gaussian is h/2.

Sources: Dalalyan, "Theoretical guarantees for approximate sampling from smooth and log-concave densities", JRSS B 79
(2017); Durmus, Moulines, Bernoulli 25 (2019), Theorem 3 (bias that vanishes with the step). From memory. Target: N(0,
1) in each coordinate; x <- (1 - h) x + sqrt(2 h) noise.

Level, derived here: E x^2 tends to 2 h/(1 - (1 - h)^2) = 1/(1 - h/2), so that the bias is of exact order h. Near
misses: a bias of order h^1.1, 1.5 times the bias, noise sqrt h.
"""

from dataclasses import dataclass
from typing import ClassVar

import workbench as wb

State, Steps = wb.state("x"), wb.steps("h")


def step(s, t, c, oracle, draw, xp):
    noise = xp.sqrt(2.0 * c.h) * draw(0).normal(64)
    return State(s.x - c.h * s.x + noise)


@dataclass(frozen=True)
class Gaussian:
    """f = |x|^2/2; the mean of x_j^2 is recorded."""

    COSTS: ClassVar = {}
    RECORD: ClassVar = {"variance": ("last",)}

    def metrics(self, s, t, xp):
        return {"variance": wb.ops.sq(s.x, xp) / 64.0}


STUDY = wb.Study(__name__, "Langevin", metric="variance", view=wb.as_recorded)
PARTS = {
    "steps": lambda problem, start, grid: Steps(h=grid["h"]),
    "problem": Gaussian(),
    "start": {"x": 64 * [2.0]},
    "grid": {"h": [0.2]},
    "horizon": wb.profile(3_000, 10_000, 30_000),
    "runs": 1024,
}
CHAIN = STUDY.simulation(step, name="chain", **PARTS)
LESS = wb.Mutation("noise sqrt h", "noise", becomes="xp.sqrt(c.h)", part="xp.sqrt(2.0 * c.h)")
WRONG = STUDY.simulation(step, name="less", title="Noise sqrt h", mutation=LESS, **PARTS)


def bias(n):
    """E x^2 - 1 of the stationary law with h = 1/n, from the recursion of the second moment."""
    square, h = 1.0, 1 / n
    for _ in range(40 * n):
        square = (1 - h) ** 2 * square + 2 * h
    return square - 1


SIZES = [2**k for k in range(3, 13)]
BIAS = STUDY.exact_curve(bias, at=SIZES, name="bias", metric="bias", title="Bias, h = 1/n")
CURVE, IN_H = STUDY.reading("thm-3", CHAIN, h=0.2), STUDY.reading("bias", BIAS, claimed=-1)
CLAIMS = (
    CURVE.limit(to=1 / 0.9, within=0.03),
    CURVE.misses(to=1),
    IN_H.tight(),
    IN_H.level(lambda T, **_: 1 / (2 * T), "h/2"),
    IN_H.caught(claimed=-1.1),
    IN_H.level(lambda T, **_: 0.75 / T, "1.5 times that").caught(),
    STUDY.reading("thm-3", WRONG, h=0.2).limit(to=1 / 0.9, within=0.03).caught(),
)
