"""Claims of Theorem 5.1 and Corollary 5.2 (SF2OBO): each variance term, both drifts, the bias, the bound."""

from __future__ import annotations

import numpy as np

from workbench import FULL, LONG, Claimed, Result, over
from workbench.claims import exponents

from ..theory.theorem_5_1 import THEOREMS
from . import stochastic_runs as runs
from .compared_runs import samples_per_round
from .study import FORMS, STUDY, THEOREM_5_1

SIMS = runs.SIMS
COROLLARY = THEOREMS[-1]
O_8D = (
    "O-8 (d): with T^(2 tau) pulled out of the sum, the bound misses the claimed power for b + B_2 - tau > 1"
)
NOISY = 0.08  # tolerance where increments scatter
FINDINGS = {(form, "very large inner batch"): O_8D for form in FORMS}

# Noise is isolated by p = 0: no bias. Where the exponents of y and z differ, the smaller term still has an influence.
noise = STUDY.reader(
    THEOREM_5_1, law="regret", absent=("bias",), tol=NOISY, drift_tol=2 * NOISY, profiles=LONG
)
# Without noise, at any exponents.
quiet = STUDY.reader(THEOREM_5_1, law="regret, noiseless", profiles=LONG)

EXPONENTS = {name: runs.UPPER[name] for name in runs.COROLLARY}  # without omega, which is the instance's
UPPER = noise(SIMS["sf-upper"], [runs.UPPER])
INNER = noise(SIMS["sf-inner"], [runs.INNER])
# Too noisy to exclude slower terms: they need ten to thirty times the runs.
INNER_Y = noise(SIMS["sf-inner-y"], [runs.INNER_Y], profiles=FULL)
INNER_Z = noise(SIMS["sf-inner-z"], [runs.INNER_Z], profiles=FULL)
WITHOUT_LAMBDA = Claimed(
    UPPER[0].claimed.value - 2 * runs.ADDITIVE["tau"], "the upper variance without lambda_t^2 (pitfall D5)"
)
ADDITIVE = noise(
    SIMS["sf-upper"], [runs.ADDITIVE], claimed=WITHOUT_LAMBDA,
    note="additive noise cancels in line 10: the upper term loses lambda_t^2 (pitfall D5)",
)  # fmt: skip
AT_COROLLARY = STUDY.readings(
    COROLLARY,
    SIMS["sf-corollary"],
    law="regret",
    absent=("bias",),
    tol=NOISY,
    drift_tol=2 * NOISY,
    profiles=LONG,
)
# V_T under noise on B, where it exceeds the variances; no method can follow there.
DRIFT = STUDY.readings(
    COROLLARY, SIMS["sf-ripple"], law="regret", term="value drift", at={"v": runs.GROW}, absent=("bias",), tol=NOISY,
    drift_tol=2 * NOISY, profiles=LONG,
)  # fmt: skip
# V_T on E, where the method must follow, and H_2,T on C, where it is visible with critical K_t only (pitfall D4).
moving = STUDY.reader(
    THEOREM_5_1,
    law="regret",
    at={**runs.CALM, "v": runs.JUMPING},
    term="value drift",
    tol=NOISY,
    drift_tol=2 * NOISY,
    profiles=LONG,
)
lagging = STUDY.reader(
    THEOREM_5_1,
    law="regret",
    at={**runs.CALM, "h": runs.LAGGING},
    term="inner drift",
    absent=("bias",),
    tol=NOISY,
    drift_tol=2 * NOISY,
    profiles=LONG,
)
JUMPS = moving(SIMS["sf-jumps"])
LAG = lagging(SIMS["sf-critical"])
NOISE_ALONE = Claimed(runs.THIRD, "the variances, as if H_2,T were absent")
INVISIBLE = lagging(
    SIMS["sf-drift"],
    claimed=NOISE_ALONE,
    note="with the theorem's own K_t the regret grows like the variances, as if H_2,T were 0 (pitfall D4)",
)
# L64, L297: V_T and H_2,T of order T^(2/3), as are the bias and the variances.
BOTH = STUDY.readings(
    COROLLARY,
    SIMS["sf-both"],
    case="drift",
    tol=NOISY,
    drift_tol=2 * NOISY,
    profiles=LONG,
)
BIAS = quiet(SIMS["sf-noiseless"], over("tau", runs.NOISELESS_TAUS))
# The corollary has no noiseless law; in its law the bias is as large as the variances.
quiet_at_corollary = STUDY.reader(COROLLARY, law="regret", term="bias", profiles=LONG)
QUIET = quiet_at_corollary(SIMS["sf-quiet"])
FLAT = quiet_at_corollary(SIMS["sf-constant-lambda"])


def samples(result: Result) -> np.ndarray:
    """(rows, M): points drawn so far, 2 K_t B_t + 2 B^_t per round, from the algorithm's own sequences."""
    points = np.cumsum(samples_per_round(result.steps, result.horizon))[result.marks - 1]
    return np.broadcast_to(points, (result.size, len(points)))


# L295, Table 2: T^(5/3) log T samples.
SAMPLES = STUDY.readings(
    COROLLARY, SIMS["sf-corollary"], claimed=Claimed(5 / 3, "L295: T^(5/3) log T"), metric=samples, log_power=1.0,
    shown="", label="; samples, T^(5/3) log T", profiles=LONG,
)  # fmt: skip
BOUNDS = tuple(STUDY.bound(THEOREM_5_1, form, SIMS[f"sf-bound-{form}"]) for form in FORMS)
# With the instance's own V_T and H_2,T in the formula.
MOVING_BOUNDS = tuple(STUDY.bound(THEOREM_5_1, form, SIMS[f"sf-moving-bound-{form}"]) for form in FORMS)

CLAIMS = (
    *exponents(THEOREM_5_1, FINDINGS),
    *(claim for theorem in THEOREMS if theorem is not THEOREM_5_1 for claim in exponents(theorem)),
    *BOUNDS,
    *MOVING_BOUNDS,
    *UPPER.tight(),
    *INNER.tight(),
    *INNER_Y.rate(),
    *INNER_Z.rate(),
    *ADDITIVE.tight(),
    *AT_COROLLARY.rate(),
    *SAMPLES.tight(),
    *DRIFT.tight(),
    *JUMPS.tight(),
    *LAG.tight(),
    *INVISIBLE.rate(),
    *BOTH.tight(),
    *AT_COROLLARY.tight(),
    *QUIET.rate(),
    *FLAT.every_profile().caught(),
    *BIAS.tight(),
    *noise(SIMS["sf-constant-batch"], at=EXPONENTS, tol=0.04).caught(),
    *moving(SIMS["sf-jumps-shrinking"]).every_profile().caught(),
    *lagging(SIMS["sf-half-critical"]).every_profile().caught(),
    *quiet(SIMS["sf-slow-beta-early"], at={"tau": runs.EARLY}).every_profile().caught(),
    *quiet(SIMS["sf-slow-beta-corollary"], at=runs.COROLLARY).caught(),
)  # fmt: skip
