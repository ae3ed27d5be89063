"""The terms of Theorems 3.1, 3.2 and 4.1 in R^3, where the coordinates are coupled by A and Q (`instances.vector`).

A, C and D as on the scalar family: tilt, one-sided drift of the inner solution, signs that alternate. Here kappa_g is
4, y and z contract at three different speeds, and the box X does not lie along the axes of F.
"""

from __future__ import annotations

from functools import partial

from workbench.experiments.f2obo.adaptive_runs import HALF, STEEP, TOLERANCE, adaptive, constant, until
from workbench.experiments.f2obo.sine_runs import LARGE, STEP, double, single
from workbench.experiments.f2obo.study import (
    DRAWN,
    FAST,
    FORMS,
    LAM_OVER_LEAST,
    THEOREM_3_1,
    THEOREM_3_2,
    Scheduled,
    beginning,
    columns,
    compliant,
    falsifier,
    least,
    over,
    simulation,
)
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.sine import Oscillation
from workbench.instances.f2obo.vector import N, VectorSine

TILT = 0.3  # p: F_t bends at its minimum by sqrt(1 - q_i^2), q = p A 1
TAUS, SL_TAUS = (0.3, 0.75), (0.2, 0.3)
DRIFTS = ((0.2, 0.3), (0.1, 0.5))  # (tau, b); at larger tau the lag settles beyond the default horizon
FLAT = 0.3  # tau that the single loop with constant lambda pretends to have
BOUND_CASES = ({"p": TILT, "h": 0.0}, {"p": 0.0, "h": 0.3})  # A and C, with h as on the scalar family
OSCILLATING = VectorSine(oscillates=True, phi=Oscillation().phi)  # D

begin = partial(beginning, d=N)
in_r3 = partial(adaptive, instance=OSCILLATING, begin=begin)

RUNS = profile(4, 8, 16)
NEAR = f"{DRAWN}^{N}"
PRACTICAL = f"gamma_1 = {FAST:g}/L_F, {least(LAM_OVER_LEAST)}, {NEAR}"
COMPLIANT = f"everything from the theorem; {NEAR}"

SIMULATIONS = (
    simulation(
        "vector-bias", "F2OBO on A in R^3", "f2obo", double(over("tau", TAUS), VectorSine(p=TILT), FAST, begin),
        powers(9, 15, 18), RUNS, chosen=PRACTICAL,
    ),
    simulation(
        "vector-sl-bias", "F2OBO-SL on A in R^3", "f2obo",
        single(over("tau", SL_TAUS), VectorSine(p=TILT), FAST, begin), powers(12, 16, 20), RUNS, chosen=PRACTICAL,
    ),
    simulation(
        "vector-sl-drift", "F2OBO-SL on C in R^3", "f2obo",
        single(over("tau b", DRIFTS), columns(VectorSine, "b", h=STEP), begin=begin, over_least=LARGE),
        powers(13, 18, 20), RUNS, chosen=f"gamma_1 = 1/(2 L_F), {least(LARGE)}, {NEAR}",
    ),
    compliant(
        "vector-oscillation", "AF2OBO on D in R^3", "af2obo", in_r3(until("tau", HALF, STEEP)), powers(9, 13, 16),
        RUNS, chosen=COMPLIANT,
    ),
    *(
        compliant(
            f"vector-bound-{key}-{form}", f"{name} on A and C in R^3, all of Theorem {key} ({form})", "f2obo",
            Scheduled(theorem, form, [{"tau": tau, **case} for tau in taus for case in BOUND_CASES],
                      columns(VectorSine, "p h"), part=None, begin=begin),
            powers(8, 11, 14), RUNS, chosen=COMPLIANT,
        )
        for key, name, theorem, taus in (
            ("3.1", "F2OBO", THEOREM_3_1, (0.5, 1.0)), ("3.2", "F2OBO-SL", THEOREM_3_2, (0.2, 0.4)),
        )
        for form in FORMS
    ),
    falsifier(
        "wrong-vector-constant-lambda", "F2OBO-SL on A in R^3, constant lambda", "f2obo",
        single(over("tau", [FLAT]), VectorSine(p=TILT), FAST, begin, wrong={"tau": 0.0, "b": 0.0}), powers(12, 16, 18),
        RUNS, chosen=f"lambda_t = lambda_1; tau = {FLAT:g} claimed",
    ),
    falsifier(
        "wrong-vector-constant-tolerances", "AF2OBO on D in R^3, constant tolerances", "af2obo",
        in_r3(until("tau", STEEP), wrong=constant), powers(9, 12, 14), RUNS,
        chosen=f"delta_y = delta_z = {TOLERANCE:g} whatever the horizon; {NEAR}",
    ),
)  # fmt: skip
