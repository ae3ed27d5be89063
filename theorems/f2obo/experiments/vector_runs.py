"""The terms of Theorems 3.1, 3.2 and 4.1 in R^3, where A and Q couple the coordinates (`instances.f2obo.vector`).

A, C and D are as on the scalar family: tilt, one-sided drift of the inner solution, alternating signs. Here kappa_g =
4, y and z contract at three different rates, and the box X is not aligned with the axes of F.
"""

from __future__ import annotations

from functools import partial

from workbench.claims import named, over, powers

from ..problems.bent import BentSine
from ..problems.sine import Oscillation
from ..problems.vector import N, VectorSine
from .adaptive_runs import HALF, STEEP, TOLERANCE, adaptive, constant, until
from .sine_runs import LARGE, STEP, double, single
from .study import (
    DRAWN,
    FAST,
    LAM_OVER_LEAST,
    RUNS,
    THEOREM_3_1,
    THEOREM_3_2,
    Points,
    beginning,
    columns,
    compliant,
    falsifier,
    least,
    simulation,
    under_bound,
)

TILT = 0.3  # p: the curvatures of F_t at its minimum are sqrt(1 - q_i^2), q = p A 1
TAUS, SL_TAUS = (0.3, 0.75), (0.2, 0.3)
DRIFTS = ((0.2, 0.3), (0.1, 0.5))  # (tau, b); at larger tau the lag settles beyond the default horizon
FLAT = 0.3  # tau claimed for the single loop with constant lambda
BOUND_CASES = ({"p": TILT, "h": 0.0}, {"p": 0.0, "h": 0.3})  # A and C, with h as on the scalar family
OSCILLATING = VectorSine(oscillates=True, phi=Oscillation().phi)  # D

begin = partial(beginning, d=N)
in_r3 = partial(adaptive, instance=OSCILLATING, begin=begin)


def cases(*taus: float) -> Points:
    return [{"tau": tau, **case} for tau in taus for case in BOUND_CASES]


NEAR = f"{DRAWN}^{N}"
PRACTICAL = f"gamma_1 = {FAST:g}/L_F, {least(LAM_OVER_LEAST)}, {NEAR}"
COMPLIANT = f"everything from the theorem; {NEAR}"
bounded = partial(
    under_bound, algorithm="f2obo", instance=columns(VectorSine, "p h"), horizon=powers(8, 11, 14), runs=RUNS,
    chosen=COMPLIANT, begin=begin,
)  # fmt: skip

SIMS = named(
    simulation(
        "vector-bias", "F2OBO on A in R^3", "f2obo", double(over("tau", TAUS), VectorSine(p=TILT), FAST, begin),
        powers(9, 13, 18), RUNS, chosen=PRACTICAL,
    ),
    simulation(
        "vector-sl-bias", "F2OBO-SL on A in R^3", "f2obo",
        single(over("tau", SL_TAUS), VectorSine(p=TILT), FAST, begin), powers(12, 15, 20), RUNS, chosen=PRACTICAL,
    ),
    simulation(
        "vector-sl-drift", "F2OBO-SL on C in R^3", "f2obo",
        single(over("tau b", DRIFTS), columns(VectorSine, "b", h=STEP), begin=begin, over_least=LARGE),
        powers(13, 17, 20), RUNS, chosen=f"gamma_1 = 1/(2 L_F), {least(LARGE)}, {NEAR}",
    ),
    compliant(
        "vector-oscillation", "AF2OBO on D in R^3", "af2obo", in_r3(until("tau", HALF, STEEP)), powers(9, 11, 16),
        RUNS, chosen=COMPLIANT,
    ),
    *bounded(THEOREM_3_1, "vector-bound-3.1", "F2OBO on A and C in R^3", points=cases(0.5, 1.0)),
    *bounded(THEOREM_3_2, "vector-bound-3.2", "F2OBO-SL on A and C in R^3", points=cases(0.2, 0.4)),
    *bounded(THEOREM_3_1, "bent-bound-3.1", "F2OBO on A and C in R^3 with L_g2 > 0", points=cases(0.5, 1.0),
             instance=columns(BentSine, "p h")),
    falsifier(
        "wrong-vector-constant-lambda", "F2OBO-SL on A in R^3, constant lambda", "f2obo",
        single(over("tau", [FLAT]), VectorSine(p=TILT), FAST, begin, wrong={"tau": 0.0, "b": 0.0}), powers(12, 16, 18),
        RUNS, chosen=f"lambda_t = lambda_1; tau = {FLAT:g} claimed",
    ),
    falsifier(
        "wrong-vector-constant-tolerances", "AF2OBO on D in R^3, constant tolerances", "af2obo",
        in_r3(until("tau", STEEP), wrong=constant), powers(9, 12, 14), RUNS,
        chosen=f"delta_y = delta_z = {TOLERANCE:g} at every horizon; {NEAR}",
    ),
)  # fmt: skip
