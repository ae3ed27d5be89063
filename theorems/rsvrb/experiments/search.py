"""Instances of Theorem 1 in which the worst one is searched for: one task with its curvatures, noise and start."""

from __future__ import annotations

from dataclasses import replace

from workbench import Batch, Grid
from workbench.claims import Family, Parameter, Point

from ..methods import svrb
from ..theory import theorem_1
from ..theory.paper import PAPER
from .study import GENTLE, QUIET, THEOREM_1, begin, known_one

NOISES = ("s_u", "s_v", "s_w", "s_V", "s_H")


def make(point: Point, horizon: int, runs: int) -> Batch:
    """All parameters of Theorem 1, repaired, from y_0 = y*(x_0), with c = 1."""
    grid = Grid([dict(point)], runs)
    noise = dict.fromkeys(NOISES, point["noise"])
    instance = replace(GENTLE, h=point["h"], a=point["a"], **noise)
    start = begin(grid, point["x_0"], instance.a, d=1)
    constants = {**instance.constants(start), "delta_y": 0.0, "delta_0": 0.0}
    constants |= theorem_1.parameters(1.0, **constants)
    return Batch(instance, svrb.Steps(**THEOREM_1.steps("repaired", **constants)), start, grid)


FAMILIES = (
    Family(
        name="one task",
        title="SVRB on one quadratic task",
        theorem=THEOREM_1,
        form="repaired",
        algorithm=f"{PAPER.key}.svrb",
        metric="grad_sq_mean",
        make=make,
        parameters=(
            Parameter("h", 0.3, 2.0, logarithmic=True),
            Parameter("a", 0.05, 0.8),
            Parameter("noise", 0.001, 0.1, logarithmic=True),
            Parameter("x_0", 0.3, 2.9),
        ),
        usual={"h": GENTLE.h, "a": GENTLE.a, "noise": QUIET, "x_0": 2.0},
        claimed=lambda point: float(THEOREM_1.case("rate").claimed),
        known=known_one,
        shift=-1,
    ),
)
