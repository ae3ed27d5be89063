"""What is claimed in R^3 with coupled coordinates: the bias, the drift of the single loop, AF2OBO under oscillation.

Levels have closed forms there too. That of the bias needs A and Q; that of the lag only L_g1: y falls L_g1 Q^-1 times
the drift of y* behind z, and grad_x g multiplies by Q.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from theorems.f2obo import witness
from workbench import evidence
from workbench.evidence import Finding, rates
from workbench.experiments.build import curve_claim
from workbench.experiments.f2obo import vector_runs as runs
from workbench.experiments.f2obo.checks import bound_claim, caught, horizon_claim, slope, window
from workbench.experiments.f2obo.choices import (
    LAM_OVER_LEAST,
    LONG,
    REGRET,
    THEOREM_3_1,
    THEOREM_3_2,
    THEOREM_4_1,
    claimed,
)
from workbench.experiments.f2obo.claims_4_1 import (
    bound_in_horizon,
    count_claims,
    iteration_claims,
    level_in_horizon,
    loose,
    regret,
    slope_in_horizon,
)
from workbench.experiments.f2obo.sine_runs import LARGE, STEP
from workbench.experiments.records import Claim
from workbench.instances.f2obo.vector import N, VectorSine

SIMS = {s.key.removeprefix("f2obo/sim-"): s for s in runs.SIMULATIONS}
LEAST = 2.0  # 2 L_f1/mu_g


def bias_level(values: np.ndarray, marks: np.ndarray, tau: float, coupled: bool = True) -> Finding:
    """Increments on A against their closed form; not coupled: the form that leaves Q out, which must fail."""
    q, e = VectorSine(p=runs.TILT).at_rest()
    level = np.linalg.norm(witness.coupled_level.value(q_i=q, e_i=e if coupled else q))
    increments, at = rates.dyadic_increments(values, marks)
    size = {"level": level, "lam_1": LAM_OVER_LEAST * LEAST, "tau": tau}
    predicted = witness.level_regret.value(**size, T=at) - witness.level_regret.value(**size, T=at / 2)
    finding = evidence.level(increments, at, predicted, window=window(at))
    return finding if coupled else evidence.falsifier(finding)


def lag_level(values: np.ndarray, marks: np.ndarray, tau: float, b: float) -> Finding:
    """|grad F(x_t)|^2 on C against the lag of y and z behind their targets: no Q but through L_g1."""
    instance, t = VectorSine(h=STEP, b=b), marks.astype(float)
    known = instance.constants({"x": np.zeros((1, N))})
    moved = (instance.shift(t, np) - instance.shift(np.maximum(t - 1.0, 0.0), np)) * np.sqrt(N)
    size = {"mu": known["mu_g"], "epsilon": 1.0, "kappa_g": known["L_g1"] / known["mu_g"]}  # A is orthogonal
    predicted = (LARGE * LEAST * t**tau * witness.drift_level.value(**size, d_step=moved)) ** 2
    return evidence.level(values, marks, predicted, 0.05, window=window(marks))


def bias_claims() -> list[Claim]:
    """T^(1 - 2 tau) of both loops, its level, and the level that forgets Q."""
    made = []
    for theorem, name, taus in (
        (THEOREM_3_1, "vector-bias", runs.TAUS),
        (THEOREM_3_2, "vector-sl-bias", runs.SL_TAUS),
    ):
        for tau in taus:
            sim, where = SIMS[name], {"tau": tau}
            made.append(slope(theorem.key, "tight", sim, claimed(theorem, tau=tau), where, profiles=LONG))
            for kind, coupled, label in (
                ("tight", True, ", level of the penalty's bias"),
                ("falsifier", False, ", level without Q"),
            ):
                measure = partial(bias_level, tau=tau, coupled=coupled)
                made.append(
                    curve_claim(theorem.key, kind, sim, measure, REGRET, where, label=label, profiles=LONG)
                )
    flat = claimed(THEOREM_3_2, tau=runs.FLAT)
    made.append(caught(THEOREM_3_2.key, SIMS["wrong-vector-constant-lambda"], flat, {}, profiles=LONG))
    return made


def drift_claims() -> list[Claim]:
    """T^(2 tau) P_T of the single loop; the rate of the double loop, without T^(2 tau), must fail."""
    made, sim, key = [], SIMS["vector-sl-drift"], THEOREM_3_2.key
    for tau, b in runs.DRIFTS:
        where = {"tau": tau, "b": b}
        term = claimed(THEOREM_3_2, term="h", tau=tau, h=b)
        double = claimed(THEOREM_3_1, term="h", tau=tau, h=b)
        made += [
            slope(key, "tight", sim, term, where, profiles=LONG),
            caught(key, sim, double, where, label=", claimed: H_2,T without T^(2 tau)", profiles=LONG),
            curve_claim(
                key, "tight", sim, partial(lag_level, tau=tau, b=b), "regret", where,
                label=", level of the lag", profiles=LONG,
            ),
        ]  # fmt: skip
    return made


def adaptive_claims() -> list[Claim]:
    """Regret that stops growing, inner steps of order T log T, both bounds."""
    sim, key, where = SIMS["vector-oscillation"], THEOREM_4_1.key, {"tau": 1.0}
    wrong = SIMS["wrong-vector-constant-tolerances"]
    still = partial(slope_in_horizon, claimed=0.0)
    return [
        horizon_claim(key, "rate", sim, "regret", regret, still, where, LONG),
        horizon_claim(key, "tight", sim, "regret", regret, level_in_horizon, where, LONG),
        *(bound_in_horizon(sim, form) for form in ("printed", "repaired")),
        *iteration_claims(sim, 1.0),
        *count_claims(sim),
        horizon_claim(key, "falsifier", wrong, "regret", regret, loose, where, LONG),
    ]


def bound_claims() -> list[Claim]:
    """Regret under both forms of the bounds; one of the four in the quick profile."""
    made = []
    for theorem in (THEOREM_3_1, THEOREM_3_2):
        for form in ("printed", "repaired"):
            claim = bound_claim(theorem, form, SIMS[f"vector-bound-{theorem.key[-3:]}-{form}"])
            short = theorem is THEOREM_3_2 and form == "repaired"
            made.append(claim if short else replace(claim, profiles=LONG))
    return made


CLAIMS = (
    *bias_claims(),
    *drift_claims(),
    *(replace(claim, profiles=LONG) for claim in adaptive_claims()),
    *bound_claims(),
)
