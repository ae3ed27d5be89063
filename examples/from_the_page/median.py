"""Robbins-Monro for the median of N(0, 1): with the best steps c/t, c = 1/f(0), E x_T^2 is pi/(2 T).

Source: Robbins, Monro 1951; Sacks 1958 (variance c^2/(4 (2 c f(0) - 1) T)); from memory. 64 copies at once; recorded is
their sum. False versions: the variance 1/T of the mean; steps of a fifth, which lose the rate.
"""

from dataclasses import dataclass
from math import pi, sqrt
from typing import ClassVar

import workbench as wb

State, Steps = wb.state("x"), wb.steps("c")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.c / t * xp.where(draw(0).normal(64) < s.x, 0.5, -0.5))


@dataclass(frozen=True)
class Median:
    COSTS: ClassVar = {}
    RECORD: ClassVar = {"square": ("last",)}

    def metrics(self, s, t, xp):
        return {"square": wb.ops.sq(s.x, xp)}


STUDY = wb.Study(__name__, "SGD for the median", metric="square", view=wb.as_recorded)
PARTS = {"problem": Median(), "start": {"x": 64 * [0.5]}, "horizon": 4_000}
BEST = STUDY.simulation(step, Steps(c=sqrt(2 * pi)), runs=4096, **PARTS)
SHORT = STUDY.simulation(
    step, Steps(c=0.5), name="short", title="A fifth of the steps", wrong="c", runs=256, **PARTS
)
CURVE = STUDY.reading("variance", BEST, claimed=-1, tol=0.05)
CLAIMS = (
    CURVE.rate(),
    CURVE.level(lambda T, **_: 32 * pi / T, "pi/(2 T)"),
    CURVE.level(lambda T, **_: 64 / T, "1/T", tag="false", refutes="false version: the variance of the mean"),
    STUDY.reading("variance", SHORT, claimed=-1, tol=0.05).caught(),
)
