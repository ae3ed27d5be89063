"""Negative controls of F2OBO: a line or a schedule changed, on the instance A where the claimed slope is known.

A has no stationary point at an end of X (trap D1), so a broken method cannot park without regret.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.f2obo.f2obo import Steps
from workbench.engine.records import Grid
from workbench.experiments.f2obo.sine_runs import FAST, RUNS, measured_with
from workbench.experiments.f2obo.study import GAMMA_PART, STUDY, THEOREM_3_1, THEOREM_3_2, beginning, schedule
from workbench.experiments.records import Batch, Mutation
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.sine import Bias, Drift, Sine

STEEP, FLAT = 1.0, 0.4  # tau of the controls that need a fast multiplier, and of the others
ENDS = (0.7, 0.8)  # about where A ends with lambda_t = lambda_1
UNSTABLE = (0.4, 0.1)  # (tau, b) of the single loop with constant gamma (trap D6)
MILD, TOO_STEEP = (0.2, 0.1), 0.6  # (tau, b) that the single loop with tau = 0.6 pretends to have
FAR_STEP = 1.0  # h there
LAG = 0.5  # b of the double loop with constant K

MUTATIONS = {
    "frozen-z": Mutation("z is not moved", "z_next", becomes="z"),
    "swapped": Mutation(
        "y and z exchanged in line 9",
        "h",
        part="oracle.grad_x_g(t, s.x, y) - oracle.grad_x_g(t, s.x, z)",
        becomes="oracle.grad_x_g(t, s.x, z) - oracle.grad_x_g(t, s.x, y)",
    ),
    "half-weight": Mutation("half the multiplier in line 9", "h", part="s.lam", becomes="0.5 * s.lam"),
    "log-lambda": Mutation(
        "lambda_t of order log t", "lam", becomes="column(c.lam * (1.0 + xp.log(1.0 + t)), s.x, xp)"
    ),
}


def changed(tau: float, horizon: int, runs: int, tilt: float = 0.3, **changes: Any) -> Batch:
    """F2OBO of Theorem 3.1 (anytime) on A with some fields of its Steps replaced.

    The tilt is below 1/2: half the multiplier acts like twice the tilt, which at 1 has no interior minimum.
    """
    grid = Grid([{"tau": tau}], runs)
    instance, start = Bias(p=tilt), beginning(grid)
    steps = schedule(THEOREM_3_1, "anytime", instance, start, FAST, tau=grid["tau"], T=horizon)
    steps |= changes
    return Batch(measured_with(instance, steps), Steps(**steps), start, grid)


def quadratic_beta(horizon: int, runs: int) -> Batch:
    """beta_t = lambda_1/(2 lambda_t^2 L_g1): meets every printed condition, but no constant rho (O-3)."""
    return changed(STEEP, horizon, runs, b=2 * STEEP)


def constant_lambda(horizon: int, runs: int) -> Batch:
    """lambda_t = lambda_1, and beta with it; K as for the growing one."""
    batch = changed(FLAT, horizon, runs, b=0.0, **FIXED)
    return dataclasses.replace(batch, steps=batch.steps._replace(tau=0.0))


def constant_lambda_single(horizon: int, runs: int) -> Batch:
    """F2OBO-SL on A with lambda_t = lambda_1."""
    grid = Grid([{"tau": FLAT}], runs)
    instance, start = Bias(), beginning(grid, *ENDS)
    steps = schedule(THEOREM_3_2, "repaired", instance, start, FAST, tau=grid["tau"], T=horizon)
    steps |= {"tau": 0.0, "b": 0.0}
    return Batch(measured_with(instance, steps), Steps(**steps), start, grid)


def constant_gamma(horizon: int, runs: int) -> Batch:
    """F2OBO-SL on C with gamma_t = FAST / L_F: gamma lambda_t passes the edge of stability, 10.6, near t = 2500."""
    tau, b = UNSTABLE
    grid = Grid([{"tau": tau, "b": b}], runs)
    instance: Sine = Drift(b=b)
    start = beginning(grid)
    steps = schedule(THEOREM_3_2, "repaired", instance, start, FAST, tau=grid["tau"], T=horizon)
    steps["p"] = np.float64(0.0)
    return Batch(measured_with(instance, steps), Steps(**steps), start, grid)


def steep_single(horizon: int, runs: int) -> Batch:
    """F2OBO-SL on C with tau = 0.6 in lambda_t, beta_t and gamma_t: the lag of y times lambda_t outgrows F'.

    No tau from 1/2 on has a sublinear T^(2 tau) P_T, however slow the drift. h is large, so that the end of the growth,
    where the sine is left, comes within a few hundred rounds; at tau = 0.2 the same instance keeps its slope.
    """
    tau, b = MILD
    grid = Grid([{"tau": tau, "b": b}], runs)
    instance, start = Drift(b=b, h=FAR_STEP), beginning(grid)
    steps = schedule(THEOREM_3_2, "repaired", instance, start, FAST, tau=grid["tau"], T=horizon)
    steps |= dict.fromkeys(("tau", "b", "p"), TOO_STEEP)
    return Batch(measured_with(instance, steps), Steps(**steps), start, grid)


def drift_constant_k(horizon: int, runs: int) -> Batch:
    """F2OBO on C with K inner steps whatever t: lambda_t times the lag of y grows until the sine is left."""
    grid = Grid([{"tau": 0.75, "b": LAG}], runs)
    instance, start = Drift(b=LAG), beginning(grid)
    steps = schedule(THEOREM_3_1, "anytime", instance, start, GAMMA_PART, tau=grid["tau"], T=horizon)
    steps |= {**FIXED, "K": 5.0}
    return Batch(measured_with(instance, steps), Steps(**steps), start, grid)


SHORT = powers(12, 16, 17)
MORE = profile(10, 10, 16)
LONG_RUN = powers(12, 19, 20)
FIXED: Mapping[str, Any] = {"K": 10.0, "K_0": 0.0, "K_log": 0.0}  # enough for tau = 0.4 at these horizons

SIMULATIONS = (
    *(
        STUDY.simulation(
            f"wrong-{name}", f"F2OBO on A, {m.name}", "f2obo",
            partial(changed, FLAT, **FIXED) if name != "log-lambda" else partial(changed, FLAT, b=0.1),
            SHORT, RUNS, mutation=m,
        )
        for name, m in MUTATIONS.items()
    ),
    *(
        STUDY.simulation(
            f"wrong-{name}", f"F2OBO on A, {what}", "f2obo", make, SHORT, RUNS, kind="falsifier",
            chosen=f"{what}; tau = {tau:g}"
        )
        for name, what, tau, make in (
            ("constant-lambda", "constant lambda", FLAT, constant_lambda),
            ("constant-k", "five inner steps at tau = 1", STEEP, partial(changed, STEEP, **{**FIXED, "K": 5.0})),
            ("quadratic-beta", "beta_t of order lambda_t^-2", STEEP, quadratic_beta),
            ("constant-beta", "constant beta", FLAT, partial(changed, FLAT, b=0.0)),
        )
    ),
    STUDY.simulation(
        "wrong-sl-constant-lambda", "F2OBO-SL on A, constant lambda", "f2obo", constant_lambda_single,
        powers(12, 14, 16), MORE, kind="falsifier", chosen=f"lambda_t = lambda_1; tau = {FLAT:g} claimed",
    ),
    STUDY.simulation(
        "wrong-constant-gamma", "F2OBO-SL on C, constant gamma", "f2obo", constant_gamma, LONG_RUN,
        profile(2, 4, 4), kind="falsifier", chosen=f"gamma = {FAST:g}/L_F, tau = 0.4, b = 0.1",
    ),
    STUDY.simulation(
        "wrong-sl-steep", f"F2OBO-SL on C, tau = {TOO_STEEP:g}", "f2obo", steep_single, powers(11, 16, 18), MORE,
        kind="falsifier", chosen=f"tau = {TOO_STEEP:g} beyond the theorem's 1/2; gamma_1 = {FAST:g}/L_F, "
        f"h = {FAR_STEP:g}",
    ),
    STUDY.simulation(
        "wrong-drift-constant-k", "F2OBO on C, five inner steps", "f2obo", drift_constant_k, powers(8, 16, 18), MORE,
        kind="falsifier", chosen="K = 5 whatever t; tau = 0.75",
    ),
)  # fmt: skip
