"""The terms of Theorems 3.1, 3.2 and 4.1 in R^3, where the coordinates are coupled by A and Q (`instances.vector`).

A, C and D as on the scalar family: tilt, one-sided drift of the inner solution, signs that alternate. Here kappa_g is
4, y and z contract at three different speeds, and the box X does not lie along the axes of F.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.f2obo.f2obo import Steps
from workbench.arrays.random import Draws
from workbench.engine.records import Grid
from workbench.experiments.f2obo.adaptive_runs import adaptive
from workbench.experiments.f2obo.sine_runs import FAST, LARGE, STEP
from workbench.experiments.f2obo.study import GAMMA_PART, STARTS, STUDY, THEOREM_3_1, THEOREM_3_2, schedule
from workbench.experiments.records import Batch
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.sine import Oscillation
from workbench.instances.f2obo.vector import N, VectorSine

TILT = 0.3  # p: F_t bends at its minimum by sqrt(1 - q_i^2), q = p A 1
TAUS, SL_TAUS = (0.3, 0.75), (0.2, 0.3)
DRIFTS = ((0.2, 0.3), (0.1, 0.5))  # (tau, b); at larger tau the lag settles beyond the default horizon
ADAPTIVE_TAUS = (0.5, 1.0)
FLAT = 0.3  # tau that the single loop with constant lambda pretends to have
BOUND_STEP = 0.3  # h of the runs under the bounds, as on the scalar family
RUNS = profile(4, 8, 16)


def beginning(grid: Grid) -> dict[str, np.ndarray]:
    """x_1 = y_1 = z_1, (rows, N), each coordinate drawn from `STARTS`."""
    low, high = STARTS
    x = low + (high - low) * Draws(0, grid.run_ids, np).at(0)(0).uniform(N)
    return {"x": x, "y": x, "z": x}


def batch(
    theorem: Any, form: str, instance: VectorSine, grid: Grid, part: float | None, **free: Any
) -> Batch:
    """part: gamma L_F, None for the theorem's own gamma; the regret uses the gamma_t of the method."""
    start = beginning(grid)
    steps = schedule(theorem, form, instance, start, part, **free)
    return Batch(replace(instance, gamma=steps["gamma"], gamma_p=steps["p"]), Steps(**steps), start, grid)


def tilted(theorem: Any, form: str, taus: tuple[float, ...], horizon: int, runs: int) -> Batch:
    """A: nothing moves."""
    grid = Grid([{"tau": tau} for tau in taus], runs)
    return batch(theorem, form, VectorSine(p=TILT), grid, FAST, tau=grid["tau"], T=horizon)


def drifting(horizon: int, runs: int) -> Batch:
    """C in the single loop, lambda_1 well above its least value (see `sine_runs.LARGE`)."""
    grid = Grid([{"tau": tau, "b": b} for tau, b in DRIFTS], runs)
    instance = VectorSine(h=STEP, b=grid["b"])
    known = instance.constants(beginning(grid))
    lam_1 = LARGE * 2 * known["L_f1"] / known["mu_g"]
    return batch(THEOREM_3_2, "repaired", instance, grid, GAMMA_PART, tau=grid["tau"], T=horizon, lam_1=lam_1)


def compliant(theorem: Any, form: str, taus: tuple[float, ...], horizon: int, runs: int) -> Batch:
    """Every parameter from the theorem, on A and C."""
    cases = ({"p": TILT, "h": 0.0}, {"p": 0.0, "h": BOUND_STEP})
    grid = Grid([{"tau": tau, **case} for tau in taus for case in cases], runs)
    instance = VectorSine(p=grid["p"], h=grid["h"])
    return batch(theorem, form, instance, grid, None, tau=grid["tau"], T=horizon)


def constant_lambda(horizon: int, runs: int) -> Batch:
    """F2OBO-SL on A with lambda_t = lambda_1."""
    right = tilted(THEOREM_3_2, "repaired", (FLAT,), horizon, runs)
    return replace(right, steps=right.steps._replace(tau=0.0, b=0.0))


def oscillating() -> VectorSine:
    """D."""
    return VectorSine(oscillates=True, phi=Oscillation().phi)


NEAR = f"starts drawn from [{STARTS[0]:g}, {STARTS[1]:g}]^{N}"
PRACTICAL = f"gamma_1 = {FAST:g}/L_F, lambda_1 = 1.05 times its least value, {NEAR}"
COMPLIANT = f"everything from the theorem; {NEAR}"

SIMULATIONS = (
    STUDY.simulation(
        "vector-bias", "F2OBO on A in R^3", "f2obo", partial(tilted, THEOREM_3_1, "anytime", TAUS), powers(9, 15, 18),
        RUNS, chosen=PRACTICAL,
    ),
    STUDY.simulation(
        "vector-sl-bias", "F2OBO-SL on A in R^3", "f2obo", partial(tilted, THEOREM_3_2, "repaired", SL_TAUS),
        powers(12, 16, 20), RUNS, chosen=PRACTICAL,
    ),
    STUDY.simulation(
        "vector-sl-drift", "F2OBO-SL on C in R^3", "f2obo", drifting, powers(13, 18, 20), RUNS,
        chosen=f"gamma_1 = 1/(2 L_F), lambda_1 = {LARGE:g} times its least value, {NEAR}",
    ),
    STUDY.simulation(
        "vector-oscillation", "AF2OBO on D in R^3", "af2obo",
        partial(adaptive, oscillating, ADAPTIVE_TAUS, begin=beginning), powers(9, 13, 16), RUNS, kind="compliant",
        chosen=COMPLIANT,
    ),
    *(
        STUDY.simulation(
            f"vector-bound-{key}-{form}", f"{name} on A and C in R^3, all of Theorem {key} ({form})", "f2obo",
            partial(compliant, theorem, form, taus), powers(8, 11, 14), RUNS, kind="compliant", chosen=COMPLIANT,
        )
        for key, name, theorem, taus in (
            ("3.1", "F2OBO", THEOREM_3_1, (0.5, 1.0)), ("3.2", "F2OBO-SL", THEOREM_3_2, (0.2, 0.4)),
        )
        for form in ("printed", "repaired")
    ),
    STUDY.simulation(
        "wrong-vector-constant-lambda", "F2OBO-SL on A in R^3, constant lambda", "f2obo", constant_lambda,
        powers(12, 16, 18), RUNS, kind="falsifier", chosen=f"lambda_t = lambda_1; tau = {FLAT:g} claimed",
    ),
    STUDY.simulation(
        "wrong-vector-constant-tolerances", "AF2OBO on D in R^3, constant tolerances", "af2obo",
        partial(adaptive, oscillating, (1.0,), wrong="constant", begin=beginning), powers(9, 12, 14), RUNS,
        kind="falsifier", chosen=f"delta_y = delta_z = 0.1 whatever the horizon; {NEAR}",
    ),
)  # fmt: skip
