"""F2OBO (Theorem 3.1, K_t of order log t) and F2OBO-SL (Theorem 3.2, K_t = 1) on the scalar family.

Each simulation isolates one term of a bound. Theorem 3.1 fixes K from the horizon; the slopes use its "anytime" form
(K_t from t, same constants), so that one run gives the whole curve.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.f2obo.f2obo import Steps
from workbench.engine.records import Grid
from workbench.experiments.f2obo.study import (
    GAMMA_PART,
    STARTS,
    STUDY,
    THEOREM_3_1,
    THEOREM_3_2,
    beginning,
    constants,
    schedule,
)
from workbench.experiments.records import Batch
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.sine import Bias, Drift, Jumps, Ripple, Sine

STEP = 0.005  # h of Drift in the single loop: larger lags leave the linear part of the sine
LARGE = 10.0  # lambda_1 over its least value there: the level of the lag has a correction of order 1/lambda_t
TAUS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)
SL_TAUS = (0.1, 0.2, 0.3, 0.4)
FAST_TAUS = (0.2, 0.3)
NEAR = (0.5, 0.56)  # about the minimum pi/6 of A
SL_DRIFTS = ((0.1, 0.3), (0.2, 0.3), (0.3, 0.1), (0.35, 0.2))  # (tau, b)
SL_JUMPS = ((0.1, 0.5), (0.2, 0.5))  # (tau, a)
FAST = 2.0  # gamma L_F of the jump runs: F_t is 9 times smoother than L_F, and a jump must be over before the next
CRITICAL_BETA = 0.05  # beta_t lambda_t L_g1 of the critical runs
SHORT_DRIFT, SHORT_LARGE, SHORT_STEP = {"tau": 0.1, "b": 0.5}, 3.0, 0.02  # settled within a thousand rounds
MOVING_TAU = 0.75  # of what moves: the bias is then summable
RIPPLES, JUMPS, CRITICAL = (
    (0.4, 0.6, 0.8),
    (0.5, 0.6),
    (0.3, 0.5, 0.9),
)  # exponents of V_T on B and E, of H_2,T on C
SHORT_TAU, SHORT_V = 0.2, 0.8  # V_T of order T^v; a small tau needs few inner steps
RUNS = profile(4, 4, 16)
SL_RUNS = profile(4, 8, 16)


def measured_with(instance: Sine, steps: dict[str, Any]) -> Sine:
    """The instance whose regret uses the gamma_t of the method."""
    from dataclasses import replace

    return replace(instance, gamma=steps["gamma"], gamma_p=steps["p"])


def batch(theorem: Any, form: str, instance: Sine, grid: Grid, part: float | None, **free: Any) -> Batch:
    """part: gamma L_F, None for the theorem's own gamma. Fast runs start near the minimum of A: no way to go."""
    start = beginning(grid, *(NEAR if part == FAST and instance.__class__ is Bias else STARTS))
    steps = schedule(theorem, form, instance, start, part, **free)
    return Batch(measured_with(instance, steps), Steps(**steps), start, grid)


def multi(
    horizon: int,
    runs: int,
    points: list[dict[str, float]],
    make: Callable[[Grid], Sine],
    part: float = GAMMA_PART,
) -> Batch:
    """Theorem 3.1 with K_t of order log t; a point's ``tau`` is the schedule's. part: gamma L_F."""
    grid = Grid(points, runs)
    return batch(THEOREM_3_1, "anytime", make(grid), grid, part, tau=grid["tau"], T=horizon)


def single(
    horizon: int, runs: int, points: list[dict[str, float]], make: Callable[[Grid], Sine], **chosen: float
) -> Batch:
    """Theorem 3.2, one inner step. chosen: ``part`` = gamma L_F, ``large`` = lambda_1 over its least value."""
    grid = Grid(points, runs)
    part, free = chosen.get("part", GAMMA_PART), {}
    if "large" in chosen:
        known = make(grid).constants(beginning(grid))
        free["lam_1"] = chosen["large"] * 2 * known["L_f1"] / known["mu_g"]
    return batch(THEOREM_3_2, "repaired", make(grid), grid, part, tau=grid["tau"], T=horizon, **free)


def ripple(grid: Grid) -> Ripple:
    """Phases from two uniform numbers of each run."""
    from workbench.arrays.random import Draws

    unit = Draws(1, grid.run_ids, np).at(0)(0)
    return Ripple(grow=grid["a"], u_0=unit.uniform(1), u_1=unit.uniform(1, 1))


def critical(horizon: int, runs: int) -> Batch:
    """Theorem 3.1 on C with K_t as small as the algebra allows: lambda_t^2 (1 - r/kappa_g)^(2 K_t) = c (trap D4).

    1 - r/kappa_g is the true factor of a step of y with beta_t lambda_t L_g1 = r; the theorem's rho is
    1 - r/(2 kappa_g), and its K_t makes lambda_t^2 rho^K_t <= c: four times as many steps as the square of the error
    needs.
    """
    grid = Grid([{"b": b, "tau": MOVING_TAU} for b in CRITICAL], runs)
    instance, start = Drift(b=grid["b"]), beginning(grid)
    free = {"r_beta": CRITICAL_BETA, "tau": grid["tau"], "T": horizon}
    steps = schedule(THEOREM_3_1, "anytime", instance, start, GAMMA_PART, **free)
    known = constants(instance, start)
    kept = 2 * np.log(1 - CRITICAL_BETA * known["mu_g"] / known["L_g1"])
    steps |= {"K": 1.0, "K_0": -2 * np.log(known["lam_1"]) / kept, "K_log": -2 * grid["tau"] / kept}
    return Batch(measured_with(instance, steps), Steps(**steps), start, grid)


def compliant(theorem: Any, form: str, taus: tuple[float, ...], horizon: int, runs: int) -> Batch:
    """Every parameter from the theorem, gamma as large as it allows, on A, C and E."""
    cases = [{"p": p, "h": h, "a": a} for p, h, a in BOUND_CASES.values()]
    grid = Grid([{"tau": tau, **case} for tau in taus for case in cases], runs)
    instance = Sine(p=grid["p"], h=grid["h"], a=grid["a"], b=0.5)
    return batch(theorem, form, instance, grid, None, tau=grid["tau"], T=horizon)


MULTI, SHORT = powers(12, 16, 20), powers(9, 12, 16)
SINGLE = powers(13, 20, 22)
BOUND_CASES = {"A": (0.5, 0.0, 0.0), "C": (0.0, 0.3, 0.0), "E": (0.3, 0.0, 0.5)}  # (p, h, a)

SIMULATIONS = (
    STUDY.simulation(
        "bias", "F2OBO on A, K_t of order log t", "f2obo",
        partial(multi, points=[{"tau": tau} for tau in TAUS], make=lambda grid: Bias()), MULTI, RUNS,
    ),
    STUDY.simulation(
        "ripple", "F2OBO on B, K_t of order log t", "f2obo",
        partial(multi, points=[{"a": a, "tau": MOVING_TAU} for a in RIPPLES], make=ripple),
        powers(11, 14, 18), profile(16, 24, 64),
    ),
    STUDY.simulation(
        "ripple-short", "F2OBO on B, short", "f2obo",
        partial(multi, points=[{"a": SHORT_V, "tau": SHORT_TAU}], make=ripple), powers(7, 8, 10),
        profile(256, 128, 256),
    ),
    STUDY.simulation(
        "jumps", "F2OBO on E, K_t of order log t", "f2obo",
        partial(multi, points=[{"a": a, "tau": MOVING_TAU} for a in JUMPS], make=lambda g: Jumps(a=g["a"]), part=FAST),
        MULTI, RUNS, chosen=f"gamma = {FAST:g}/L_F",
    ),
    STUDY.simulation(
        "fast", "F2OBO on A, K_t of order log t, larger gamma", "f2obo",
        partial(multi, points=[{"tau": 0.3}], make=lambda grid: Bias(), part=FAST), powers(10, 13, 16), SL_RUNS,
        chosen=f"gamma = {FAST:g}/L_F: short transients, for short horizons",
    ),
    STUDY.simulation("critical", "F2OBO on C, critical K_t", "f2obo", critical, MULTI, RUNS),
    STUDY.simulation(
        "drift", "F2OBO on C, K_t of order log t", "f2obo",
        partial(multi, points=[{"b": 0.5, "tau": MOVING_TAU}], make=lambda g: Drift(b=g["b"])), MULTI, RUNS,
    ),
    STUDY.simulation(
        "sl-bias", "F2OBO-SL on A", "f2obo",
        partial(single, points=[{"tau": tau} for tau in SL_TAUS], make=lambda grid: Bias()), SINGLE, SL_RUNS,
    ),
    STUDY.simulation(
        "sl-fast", "F2OBO-SL on A, larger gamma", "f2obo",
        partial(single, points=[{"tau": tau} for tau in FAST_TAUS], make=lambda grid: Bias(), part=FAST),
        powers(12, 14, 16), SL_RUNS, chosen=f"gamma_1 = {FAST:g}/L_F: short transients, for short horizons",
    ),
    STUDY.simulation(
        "sl-drift", "F2OBO-SL on C", "f2obo",
        partial(single, points=[{"tau": t, "b": b} for t, b in SL_DRIFTS], make=lambda g: Drift(b=g["b"], h=STEP),
                large=LARGE),
        SINGLE, SL_RUNS, chosen=f"gamma_1 = 1/(2 L_F), lambda_1 = {LARGE:g} times its least value",
    ),
    STUDY.simulation(
        "sl-fast-drift", "F2OBO-SL on C, larger gamma", "f2obo",
        partial(single, points=[SHORT_DRIFT], make=lambda g: Drift(b=g["b"], h=SHORT_STEP), part=FAST,
                large=SHORT_LARGE),
        powers(11, 14, 16), profile(10, 10, 16),
        chosen=f"gamma_1 = {FAST:g}/L_F, lambda_1 = {SHORT_LARGE:g} times its least value: short transients",
    ),
    STUDY.simulation(
        "sl-jumps", "F2OBO-SL on E", "f2obo",
        partial(single, points=[{"tau": t, "a": a} for t, a in SL_JUMPS], make=lambda g: Jumps(a=g["a"]), part=FAST),
        SINGLE, SL_RUNS, chosen=f"gamma_1 = {FAST:g}/L_F",
    ),
    *(
        STUDY.simulation(
            f"bound-{key}-{form}", f"{name} on A, C, E, all of Theorem {key} ({form})", "f2obo",
            partial(compliant, theorem, form, taus), SHORT, RUNS, kind="compliant",
            chosen="c = 1, lambda_1 = 1.05 times its least value",
        )
        for key, name, theorem, taus in (
            ("3.1", "F2OBO", THEOREM_3_1, (0.25, 0.5, 1.0)), ("3.2", "F2OBO-SL", THEOREM_3_2, (0.2, 0.4)),
        )
        for form in ("printed", "repaired")
    ),
)  # fmt: skip
