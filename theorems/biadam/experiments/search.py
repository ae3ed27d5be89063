"""Instances of Theorem 1 in which the worst one is searched for: TRIG with its curvature, coupling, noise and start."""

from __future__ import annotations

from dataclasses import replace

from workbench import Batch, Grid, Result
from workbench.claims import Family, Parameter, Point

from ..methods import biadam
from ..problems.trig import Trig
from ..theory.common import values_at_limits
from ..theory.paper import PAPER
from .study import COMPLIANT, FREE, LIMITS, THEOREM_1, D

FORM = "repaired"  # its conditions: the printed ones are not enough (O-1)


def instance_at(point: Point) -> Trig:
    noise = dict.fromkeys(("sigma_x", "sigma_y", "sigma_g"), point["sigma"])
    return replace(COMPLIANT, a=point["a"], s=point["s"], **noise)


def make(point: Point, horizon: int, runs: int) -> Batch:
    """All parameters at the limits of the repaired conditions at this horizon; y_1 = 1."""
    grid = Grid([dict(point)], runs)
    start = {"x": grid.full(point["x_1"], D), "y": grid.full(1.0, D)}
    constants = {
        n: float(v.max()) if hasattr(v, "max") else float(v) for n, v in _constants(point, start).items()
    }
    at = {**constants, **LIMITS, "T": float(horizon), "sigma": 1.0}
    steps = THEOREM_1.steps(FORM, **values_at_limits(THEOREM_1, FORM, **at))
    instance = replace(instance_at(point), gamma=steps["gamma"], rho=steps["rho"])
    return Batch(instance, biadam.Steps(**steps), start, grid)


def _constants(point: Point, start: dict) -> dict:
    return instance_at(point).constants(start)


def known(result: Result) -> dict:
    """The free parameters, and sigma of the instance for the K in use; b_t = b_l = b_u = 1 and A_t = I."""
    point = {name: column[0] for name, column in result.params.items()}
    sigma = instance_at(point).deviation(D, int(result.steps["K"].max()))
    return {**LIMITS, **{n: result.steps[n] for n in FREE}, "sigma": sigma}


FAMILIES = (
    Family(
        name="trigs",
        title="BiAdam on TRIG",
        theorem=THEOREM_1,
        form=FORM,
        algorithm=f"{PAPER.key}.biadam",
        metric="metric_mean",
        make=make,
        parameters=(
            Parameter("a", 0.02, 0.3, logarithmic=True),
            Parameter("s", 0.02, 0.3, logarithmic=True),
            Parameter("sigma", 0.01, 1.0, logarithmic=True),
            Parameter("x_1", 0.2, 8.0, logarithmic=True),
        ),
        usual={"a": 0.1, "s": 0.15, "sigma": 0.1, "x_1": 1.0},
        claimed=lambda point: float(THEOREM_1.case("rate").claimed),
        known=known,
    ),
)
