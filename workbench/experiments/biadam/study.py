"""The choices of this paper's experiments: the tuned and the compliant problem, and their schedules."""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.biadam import theorem_1, theorem_2, theorems_3_4
from theorems.biadam.common import values_at_limits
from theorems.biadam.paper import PAPER
from theorems.record import Theorem
from workbench.algorithms.biadam import biadam, vr_biadam
from workbench.engine.records import Grid, Result
from workbench.experiments.records import Batch
from workbench.experiments.study import Study
from workbench.experiments.views import window_means
from workbench.instances.biadam.trig import Trig

THEOREM_1, THEOREM_2 = theorem_1.THEOREM, theorem_2.THEOREM
THEOREM_3, THEOREM_4 = theorems_3_4.THEOREM_3, theorems_3_4.THEOREM_4
METHODS = {THEOREM_1.key: biadam, THEOREM_2.key: vr_biadam}

D = 2
TUNED = Trig()
TUNED_STEPS = {
    "gamma": 1.0,
    "lam": 1.0,
    "k": 1.0,
    "m": 8.0,
    "c_1": 2.0,
    "c_2": 2.0,
    "K": 1,
    "L_g": 1.0,
    "rho": 1.0,
}
MULTIPLICATIVE = Trig(s_x=0.8, sigma_y=0.5, s_g=0.3)
LONGER: dict[str, Any] = {"K": 6, "L_g": 1.5}  # of the sum (6), for noise in the Hessian
COMPLIANT = Trig(a=0.1, s=0.15, c=0.25, h=1.1, sigma_x=0.1, sigma_y=0.1, sigma_g=0.1, s_x=0.05, s_g=0.1)
FIXED = {"rho": 1.0, "b_l": 1.0, "b_u": 1.0, "b_1": 1.0, "k": 1.0}  # A_t = I, B_t = I
FREE = ("gamma", "lam", "k", "m", "c_1", "c_2", "rho")


def known(result: Result) -> dict[str, Any]:
    """The values that bounds need besides the instance's constants: A_t = rho I, b_t = b_0 throughout."""
    steps = result.steps
    b = steps["b_0"]
    free = {name: steps[name] for name in FREE}
    deviation = COMPLIANT.deviation(D, int(np.max(steps["K"])))
    return {**free, "sigma": deviation, "b_l": b, "b_u": b, "b_1": b, "A_rms": steps["rho"]}


STUDY = Study(
    PAPER,
    metric="metric_mean",
    view=window_means,
    known=known,
    chosen="A_t = I, b_t = 1; k, m, c_1, c_2, gamma, lambda chosen so that the rate shows early",
)


def tuned(theorem: Theorem, instance: Trig, horizon: int, runs: int, **change: Any) -> Batch:
    """The theorem's schedule with constants outside its conditions, started at x_1 = y_1 = 2."""
    grid = Grid([{}], runs)
    steps = METHODS[theorem.key].Steps(**{**TUNED_STEPS, **change})
    return Batch(instance, steps, {name: grid.full(2.0, D) for name in ("x", "y")}, grid)


def compliant(theorem: Theorem, horizon: int, runs: int) -> Batch:
    """All parameters at the limits of the repaired form at this horizon, started at x_1 = y_1 = 1."""
    grid = Grid([{}], runs)
    start = {name: grid.full(1.0, D) for name in ("x", "y")}
    constants = {n: float(np.max(v)) for n, v in COMPLIANT.constants(start).items()}
    at = {**constants, **FIXED, "T": float(horizon), "sigma": 1.0}
    steps = theorem.steps("repaired", **values_at_limits(theorem, "repaired", **at))
    instance = Trig(**{**vars(COMPLIANT), "gamma": steps["gamma"], "rho": steps["rho"]})
    return Batch(instance, METHODS[theorem.key].Steps(**steps), start, grid)
