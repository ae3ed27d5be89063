"""What the experiments of paper `f2obo` choose where its theorems leave a number free, and how Steps are made.

Compliant runs take gamma from the theorem, as large as it allows: then gamma is about 1e-3 (3.1) to 1e-5 (3.2, 5.1),
the transient lasts 1/(gamma F'') rounds, and only the bound can be tested. Practical runs keep every schedule and
exponent, and choose gamma = `GAMMA_PART` / L_F; with GAMMA_PART = 1/2 that is the smoothness part of every cap.

Exponents are read off increments R(T) - R(T/2), over six octaves. A law's drift exponents v, h, e, g that a reading
does not name belong to terms that must be absent: the drift sums that a result carries are then 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from theorems.f2obo.paper import PAPER
from theorems.f2obo.theorem_3_1 import THEOREM as THEOREM_3_1
from theorems.f2obo.theorem_3_2 import THEOREM as THEOREM_3_2
from theorems.f2obo.theorem_4_1 import THEOREM as THEOREM_4_1
from theorems.f2obo.theorem_5_1 import THEOREM as THEOREM_5_1
from workbench.engine.records import Grid, Result
from workbench.experiments.study import Study
from workbench.experiments.views import increments

__all__ = ["PAPER", "STUDY", "THEOREM_3_1", "THEOREM_3_2", "THEOREM_4_1", "THEOREM_5_1"]

FREE: dict[str, Any] = {"c": 1.0, "r_alpha": 1.0, "r_beta": 0.5, "r_gamma": 1.0}
LAM_OVER_LEAST = 1.05  # lambda_1 over its least admissible value 2 L_f1/mu_g
GAMMA_PART = 0.5
STARTS = (0.3, 0.9)  # x_1 = y_1 = z_1, drawn uniformly: noiseless runs differ in nothing else
SCHEDULE = ("tau", "a", "b", "B_1", "B_2")  # grid parameters that are the theorem's, where a grid has them


def known(result: Result) -> dict[str, Any]:
    """What bounds and levels need beside the instance's constants: the free ones, lambda_1, the grid's exponents."""
    columns = {n: result.params[n][:, None] for n in SCHEDULE if n in result.params}
    return {**FREE, "lam_1": result.steps["lam"], **columns}


STUDY = Study(
    PAPER,
    chosen="gamma = 1/(2 L_F), lambda_1 = 1.05 times its least value, starts drawn from [0.3, 0.9]",
    metric="regret_sum",
    view=increments,
    since=1 / 64,
    tol=0.04,
    known=known,
    vanishing={
        "bias": "tilt",
        "value drift": "V_T",
        "inner drift": "H_2T",
        "upper gradient drift": "E_fT",
        "lower gradient drift": "E_gT",
    },
)


def constants(instance: Any, start: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The instance's constants with lambda_1 a little above 2 L_f1/mu_g."""
    found = instance.constants(start)
    return {**FREE, **found, "lam_1": LAM_OVER_LEAST * 2 * found["L_f1"] / found["mu_g"]}


def schedule(
    theorem: Any,
    form: str,
    instance: Any,
    start: Mapping[str, np.ndarray],
    part: float | None = None,
    **free: Any,
) -> dict[str, Any]:
    """The theorem's Steps for this instance; with ``part`` gamma is part / L_F instead of the theorem's.

    Raises ValueError, naming the condition, for parameters outside the theorem's range, for a drift that the
    instance does not cover, and for a start outside X.
    """
    if hasattr(instance, "check"):
        instance.check()
    if np.any(instance.project(start["x"], np) != start["x"]):
        raise ValueError(
            f"x_1 must lie in X; the farthest start has |x_1| = {np.max(np.abs(start['x'])):.4g}"
        )
    values = {**constants(instance, start), **free}
    steps = theorem.steps(form, **values)
    if part is not None:
        still = {name: 0.0 for name in ("V_T", "H_2T", "E_fT", "E_gT") if name not in values}
        steps["gamma"] = part / theorem.constants(form, **{**values, **still})["L_F"]
    return steps


def beginning(grid: Grid, low: float = STARTS[0], high: float = STARTS[1]) -> dict[str, np.ndarray]:
    """x_1 = y_1 = z_1 drawn from [low, high]."""
    x = grid.random_start(low, high)
    return {"x": x, "y": x, "z": x}
