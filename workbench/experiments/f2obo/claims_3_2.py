"""What is claimed of Theorem 3.2 (the single loop), each term on the instance that shows it."""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.f2obo import witness
from workbench import evidence
from workbench.evidence import Finding, rates
from workbench.experiments.build import count_claim, curve_claim, exponent_claims
from workbench.experiments.f2obo import sine_runs, wrong_runs
from workbench.experiments.f2obo.checks import bound_claim, caught, slope, window
from workbench.experiments.f2obo.choices import LAM_OVER_LEAST, LONG, REGRET, THEOREM_3_2, claimed
from workbench.experiments.records import Claim
from workbench.instances.f2obo.sine import Bias, Drift

KEY = THEOREM_3_2.key
SIMS = {s.key.removeprefix("f2obo/sim-"): s for s in (*sine_runs.SIMULATIONS, *wrong_runs.SIMULATIONS)}
LEAST = 2.0  # 2 L_f1/mu_g on the scalar family


def bias_level(regret: np.ndarray, marks: np.ndarray, tau: float) -> Finding:
    """Increments on A: the single loop has the same limit as the double loop."""
    a, (values, at) = Bias(), rates.dyadic_increments(regret, marks)
    size = {"v": a.v, "w": a.w, "mu": a.mu, "epsilon": a.epsilon, "p": a.p}
    size |= {"lam_1": LAM_OVER_LEAST * LEAST, "tau": tau}
    predicted = witness.bias_regret.value(**size, T=at) - witness.bias_regret.value(**size, T=at / 2)
    return evidence.level(values, at, predicted, window=window(at))


def lag_level(regret: np.ndarray, marks: np.ndarray, tau: float, b: float) -> Finding:
    """F'(x_t)^2 on C against the lag of y behind its drifting target."""
    instance, t = Drift(b=b, h=sine_runs.STEP), marks.astype(float)
    moved = instance.shift(t, np) - instance.shift(np.maximum(t - 1.0, 0.0), np)
    lam = sine_runs.LARGE * LEAST * t**tau
    size = {"mu": instance.mu, "epsilon": instance.epsilon, "kappa_g": 1.0 + instance.epsilon**2}
    predicted = (lam * witness.drift_level.value(**size, d_step=moved)) ** 2
    return evidence.level(regret, marks, predicted, 0.05, window=window(marks))


def term_claims() -> list[Claim]:
    """T^(1 - 2 tau) on A, T^(2 tau) P_T on C, T^tau V_T on E."""
    made = [
        slope(KEY, "rate", SIMS["sl-fast"], claimed(THEOREM_3_2, tau=tau), {"tau": tau})
        for tau in sine_runs.FAST_TAUS
    ]
    tau, b = sine_runs.SHORT_DRIFT.values()
    made.append(slope(KEY, "rate", SIMS["sl-fast-drift"], claimed(THEOREM_3_2, term="h", tau=tau, h=b), {}))
    for tau in sine_runs.SL_TAUS:
        made.append(
            slope(KEY, "tight", SIMS["sl-bias"], claimed(THEOREM_3_2, tau=tau), {"tau": tau}, profiles=LONG)
        )
        if tau > 0.1:
            level = partial(bias_level, tau=tau)
            label = ", level of the penalty's bias"
            made.append(
                curve_claim(
                    KEY, "tight", SIMS["sl-bias"], level, REGRET, {"tau": tau}, label=label, profiles=LONG
                )
            )
    for tau, b in sine_runs.SL_DRIFTS:
        where = {"tau": tau, "b": b}
        # p = 0 leaves no bias (trap D2): the term of H_2,T is alone.
        made.append(
            slope(
                KEY,
                "tight",
                SIMS["sl-drift"],
                claimed(THEOREM_3_2, term="h", tau=tau, h=b),
                where,
                profiles=LONG,
            )
        )
        level = partial(lag_level, tau=tau, b=b)
        made.append(
            curve_claim(
                KEY,
                "tight",
                SIMS["sl-drift"],
                level,
                "regret",
                where,
                label=", level of the lag",
                profiles=LONG,
            )
        )
    for tau, a in sine_runs.SL_JUMPS:
        where = {"tau": tau, "a": a}
        made.append(
            slope(
                KEY,
                "rate",
                SIMS["sl-jumps"],
                claimed(THEOREM_3_2, term="v", tau=tau, v=a),
                where,
                0.08,
                profiles=LONG,
            )
        )
    return made


tau, b = wrong_runs.UNSTABLE
mild, slow = wrong_runs.MILD

CLAIMS = (
    *exponent_claims(THEOREM_3_2, {}),
    *(bound_claim(THEOREM_3_2, form, SIMS[f"bound-3.2-{form}"]) for form in ("printed", "repaired")),
    *term_claims(),
    count_claim(KEY, SIMS["sl-fast"], "gradient", lambda r: 6),
    caught(KEY, SIMS["wrong-sl-constant-lambda"], claimed(THEOREM_3_2, tau=wrong_runs.FLAT), {}),
    caught(
        KEY, SIMS["wrong-constant-gamma"], claimed(THEOREM_3_2, term="h", tau=tau, h=b), {}, profiles=LONG
    ),
    caught(KEY, SIMS["wrong-sl-steep"], claimed(THEOREM_3_2, term="h", tau=mild, h=slow), {}),
)
