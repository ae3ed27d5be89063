"""The choices of this paper's experiments: problems, parameters, and the rule that chooses windows and runs.

Readings are means over (T/2, T] of a running mean. Their windows, and the claims that a profile leaves out, come from
pilot runs (`workbench.claims.plan`). The tolerance is 0.03 in the exponent and 0.03 in a level, with twice as much
for the drift between the halves of a window. Where no start was admissible at the default horizon (see `windows`), it
is the least multiple of 0.01 for which there was one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sympy import Float

from workbench import Batch, Grid, Result, Study, Theorem, window_means
from workbench.evidence import TOL

from ..methods import biadam, matrices, vr_biadam
from ..problems.bent import Bent
from ..problems.coupled import Coupled
from ..problems.squares import Squares
from ..problems.trig import Trig
from ..theory import theorem_1, theorem_2, theorems_3_4
from ..theory.common import LENGTH, values_at_limits
from ..theory.paper import PAPER

THEOREM_1, THEOREM_2 = theorem_1.THEOREM, theorem_2.THEOREM
THEOREM_3, THEOREM_4 = theorems_3_4.THEOREM_3, theorems_3_4.THEOREM_4
METHODS = {THEOREM_1.key: biadam, THEOREM_2.key: vr_biadam}

D, WIDE = 2, 3  # coordinates; of the coupled lower problem
BEGIN = 2.0  # every coordinate of x_1 and y_1 under chosen constants
STEPS: dict[str, Any] = {
    "gamma": 1.0, "lam": 1.0, "k": 1.0, "m": 8.0, "c_1": 2.0, "c_2": 2.0, "K": 1, "L_g": 1.0, "rho": 1.0,
}  # fmt: skip
LONGER: dict[str, Any] = {"K": 6, "L_g": 1.5}  # of the sum (6), for noise in the Hessian
SHORTER: dict[str, Any] = {"K": 1, "L_g": 3.0}  # a biased sum: (1 - h/L_g)^K = 2/3
# calG_t of VR-BiAdam is |x~ - x| over gamma, which falls like t^-1/2, and two errors, which fall like t^-1/3. At these
# constants the first is c_2 eta/(2 gamma a) of the square of the error of w, 4 % of the whole at t = 2^16 (`levels`).
SETTLED: dict[str, Any] = {"gamma": 2.0, "lam": 2.0, "c_1": 1.0, "c_2": 1.0, "m": 64.0}
MANY = 8  # coordinates there: a run is worth four of those in two
GROWING: dict[str, Any] = {**SETTLED, "L_g": 1.5}  # an upper bound of the curvature 1: (6) needs many terms
# A_t of (4) and b_t of (5), which stays in [1/2, 2] and varies there: |grad_y g| is about 0.7 when y has settled.
ADAPTIVE: dict[str, Any] = {
    "adapt_x": matrices.GRADIENT, "adapt_y": matrices.MEAN_NORM, "b_0": 1.0, "epsilon": 0.1, "b_low": 0.5,
    "b_high": 2.0,
}  # fmt: skip

TUNED = Trig()
MULTIPLICATIVE = Trig(s_x=0.8, sigma_y=0.5, s_g=0.3)
BENT = Bent(s_g=0.3, sigma_y=0.5)
COUPLED = Coupled(s_g=0.3, sigma_y=0.5)
NARROW = 0.15  # B of the active box: the minimum of F on R^d is at 0.34
BEYOND = 3.0  # B of the inactive box: the minimum lies inside, and only early steps are cut off
BOXED = Trig(sigma_x=0.3)  # less noise: the projection cuts off ever fewer of its own samples
DECOUPLED, SINGLE = Squares(), Trig(c=0.0, s=0.0)  # x alone: a linear problem with additive noise
LEVELS = ({"c_2": 2.0, "gamma": 1.0}, {"c_2": 4.0, "gamma": 0.5})

# Compliant: L_0^2/mu^2 <= 0.216, so that c_1 <= 4.5 and m is affordable. mu = 1, L_g = 1.2, L_f = 0.15.
COMPLIANT = Trig(a=0.1, s=0.15, c=0.25, h=1.1, sigma_x=0.1, sigma_y=0.1, sigma_g=0.1, s_x=0.05, s_g=0.1)
# Grid points by name; the second upper problem is not convex (theta omega = 2) and has the same L_f and L_0.
CASES: dict[str, dict[str, float]] = {
    "convex": {"a": 0.1, "theta": 0.0, "s_x": 0.05, "x_1": 1.0},
    "nonconvex": {"a": 0.04, "theta": 2.0, "s_x": 0.03, "x_1": 4.0},
}
LIMITS: dict[str, float] = {"rho": 1.0, "b_l": 1.0, "b_u": 1.0, "b_1": 1.0, "k": 1.0}  # A_t >= I, b_t = 1
SPREAD = (
    1.1  # b_u/b_l where b_t varies; |grad_y g| falls from 1.2 to about 0.15, so that (5) covers [b_l, b_u]
)
VARYING: dict[str, Any] = {
    "adapt_x": matrices.GRADIENT, "adapt_y": matrices.MEAN_NORM, "b_0": 0.2, "epsilon": 0.83, "b_low": 1.0,
    "b_high": SPREAD,
}  # fmt: skip
FREE = ("gamma", "lam", "k", "m", "c_1", "c_2", "rho")


def trig(points: Mapping[str, Any] | Grid) -> Trig:
    """The compliant problem with a column per parameter of the case."""
    return replace(COMPLIANT, **{name: points[name] for name in ("a", "theta", "s_x")})


def known(result: Result) -> dict[str, Any]:
    """What bounds need besides the instance's constants: free parameters, sigma, the limits of b_t, and A_rms.

    A_rms is measured: the mean square of |A_t| up to each mark, over the runs of one grid point.
    """
    steps = result.steps
    varies = bool(np.any(steps["adapt_y"] != matrices.CONSTANT))
    first = result.data["b"][:, :1]
    b_l, b_u = (steps["b_low"], steps["b_high"]) if varies else (first, first)
    square = result.data["A_squared_mean"].reshape(-1, result.runs, len(result.marks))
    squares = np.repeat(square.mean(axis=1), result.runs, axis=0)
    sigma = trig(_points_of(result)).deviation(D, int(np.max(steps["K"])))
    return {
        **{name: steps[name] for name in FREE},
        "sigma": sigma, "b_l": b_l, "b_u": b_u, "b_1": first, "A_rms": np.sqrt(squares),
    }  # fmt: skip


def _points_of(result: Result) -> Any:
    return {name: column[:, None] for name, column in result.params.items()}


STUDY = Study(
    PAPER,
    metric="metric_mean",
    view=window_means,
    drift_tol=2 * TOL,
    known=known,
    chosen="A_t = I, b_t = 1; k, m, c_1, c_2, gamma, lambda chosen so that the rate shows early",
)
# What the theorems and their proofs speak of: means over the iterations, and the matrices that the bounds depend on.
MEANS = (
    "metric_mean",
    "mapping_mean",
    "grad_norm_mean",
    "error_w_mean",
    "dist_y_mean",
    "A_squared_mean",
    "b",
)
OF_MEANS = replace(STUDY, record=MEANS)


def tuned(theorem: Theorem, instance: Trig, horizon: int, runs: int, d: int = D, **change: Any) -> Batch:
    """The theorem's schedule with constants outside its conditions, started at x_1 = y_1 = 2.

    On a box x starts at the end that is far from the minimum.
    """
    grid = Grid([{}], runs)
    steps = METHODS[theorem.key].Steps(**{**STEPS, **change})
    first = -float(instance.B) if np.isfinite(instance.B) else BEGIN
    start = {"x": grid.full(first, d), "y": grid.full(BEGIN, d)}
    return Batch(instance, steps, start, grid)


def terms(horizon: int, d: int) -> int:
    """K of the theorems for TRIG with the L_g of `GROWING` at this horizon."""
    constants = TUNED.constants({name: np.zeros((1, d)) for name in ("x", "y")})
    at = {"L_g": GROWING["L_g"], "T": float(horizon), **{n: constants[n] for n in ("mu_g", "C_gxy", "C_fy")}}
    _, formula = LENGTH
    return int(formula.xreplace({s: Float(np.max(at[s.name])) for s in formula.free_symbols}))


def swept(
    theorem: Theorem, instance: Trig, points: Sequence[Mapping[str, float]], horizon: int, runs: int
) -> Batch:
    """The same, with entries of ``Steps`` by grid point."""
    grid = Grid(points, runs)
    columns: dict[str, Any] = {name: grid[name] for name in grid.params}
    steps = METHODS[theorem.key].Steps(**{**STEPS, **columns})
    return Batch(instance, steps, {name: grid.full(BEGIN, D) for name in ("x", "y")}, grid)


def compliant(theorem: Theorem, horizon: int, runs: int, **adaptive: Any) -> Batch:
    """All parameters at the limits of the repaired form at this horizon, on each of `CASES`; y_1 = 1.

    adaptive: the rules for A_t and b_t, with b_low and b_high.
    """
    grid = Grid(list(CASES.values()), runs)
    start = {"x": grid["x_1"] * np.ones((1, D)), "y": grid.full(1.0, D)}
    constants = {n: float(np.max(v)) for n, v in trig(grid).constants(start).items()}
    limits = {**LIMITS, "b_u": adaptive.get("b_high", LIMITS["b_u"])}
    at = {**constants, **limits, "T": float(horizon), "sigma": 1.0}
    steps = theorem.steps("repaired", **values_at_limits(theorem, "repaired", **at))
    instance = replace(trig(grid), gamma=steps["gamma"], rho=steps["rho"])
    return Batch(instance, METHODS[theorem.key].Steps(**steps, **adaptive), start, grid)


# O-2: rule (5) with b_1 far below the later b_t, on a deterministic problem with x_1 = x* that leaves only y.
RISING: dict[str, Any] = {
    "adapt_y": matrices.MEAN_NORM,
    "beta": 0.9999,
    "b_0": 1e-6,
    "epsilon": 1e-8,
    "b_high": 1.0,
}
STILL = Trig(a=0.15, s=0.0, c=0.25, sigma_x=0.0, sigma_g=0.0)


def rising(theorem: Theorem, k: float, horizon: int, runs: int) -> Batch:
    """All parameters at the limits of the printed form with b_l = b_1 and b_u = b_high; x_1 = 0 and y_1 = 1, d = 1."""
    grid = Grid([{}], runs)
    start = {"x": grid.full(0.0, 1), "y": grid.full(1.0, 1)}
    constants = {n: float(np.max(v)) for n, v in STILL.constants(start).items()}
    b_1 = first_b(RISING)
    at = {
        **constants,
        "rho": 1.0,
        "b_l": b_1,
        "b_u": 1.0,
        "b_1": b_1,
        "k": k,
        "T": float(horizon),
        "sigma": 0.0,
    }
    steps = theorem.steps("printed", **values_at_limits(theorem, "printed", **at))
    instance = replace(STILL, gamma=steps["gamma"], rho=steps["rho"])
    return Batch(instance, METHODS[theorem.key].Steps(**steps, **RISING), start, grid)


def first_b(rule: Mapping[str, float]) -> float:
    """b_1 of (5) at |grad_y g(x_1, y_1)| = 1."""
    return rule["beta"] * rule["b_0"] + (1.0 - rule["beta"]) + rule["epsilon"]


def known_rising(result: Result) -> dict[str, Any]:
    """Without noise, with the b_1 of the runs and the declared b_u."""
    b_1 = result.data["b"][:, :1]
    free = {name: result.steps[name] for name in FREE}
    return {**free, "sigma": 0.0, "b_l": b_1, "b_u": result.steps["b_high"], "b_1": b_1, "A_rms": 1.0}
