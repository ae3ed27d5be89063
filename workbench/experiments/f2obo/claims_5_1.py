"""Claims of Theorem 5.1 and Corollary 5.2 (SF2OBO): each variance term, the bias, the bound."""

from __future__ import annotations

import dataclasses

from theorems.f2obo.theorem_5_1 import THEOREMS
from workbench.experiments.claims import exponents
from workbench.experiments.f2obo import stochastic_runs as runs
from workbench.experiments.f2obo.study import FORMS, STUDY, THEOREM_5_1, over
from workbench.experiments.readings import Claimed
from workbench.experiments.study import FULL, LONG, named

SIMS = named(runs)
COROLLARY = THEOREMS[-1]
O_8D = (
    "O-8 (d): with T^(2 tau) pulled out of the sum, the bound misses the claimed power for b + B_2 - tau > 1"
)
FINDINGS = {(form, "very large inner batch"): O_8D for form in FORMS}

# Noise is isolated by p = 0: no bias. Where the exponents of y and z differ, the smaller term still has an influence.
noise = STUDY.reader(THEOREM_5_1, law="regret", absent=("bias",), tol=0.08, profiles=LONG)
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
    COROLLARY, SIMS["sf-corollary"], law="regret", absent=("bias",), tol=0.08, profiles=LONG
)
BIAS = quiet(SIMS["sf-noiseless"], over("tau", runs.NOISELESS_TAUS), tol=0.08)
QUIET = quiet(SIMS["sf-quiet"], at=runs.COROLLARY, tol=0.08)
FLAT = quiet(SIMS["sf-constant-lambda"], at=runs.COROLLARY)
# The corollary has no noiseless law; in its law the bias is as large as the variances.
quiet_at_corollary = STUDY.reader(COROLLARY, law="regret", term="bias", profiles=LONG)
QUIET_AT_COROLLARY = quiet_at_corollary(SIMS["sf-quiet"], tol=0.08)
FLAT_AT_COROLLARY = quiet_at_corollary(SIMS["sf-constant-lambda"])

BOUNDS = tuple(STUDY.bound(THEOREM_5_1, form, SIMS[f"sf-bound-{form}"]) for form in FORMS)

CLAIMS = (
    *exponents(THEOREM_5_1, FINDINGS),
    *(claim for theorem in THEOREMS if theorem is not THEOREM_5_1 for claim in exponents(theorem)),
    *BOUNDS,
    *(dataclasses.replace(b, theorem=COROLLARY) for b in BOUNDS),
    *UPPER.tight(),
    *INNER.tight(),
    *INNER_Y.rate(),
    *INNER_Z.rate(),
    *ADDITIVE.tight(),
    *AT_COROLLARY.rate(),
    *AT_COROLLARY.tight(),
    *(QUIET + QUIET_AT_COROLLARY).every_profile().rate(),
    *(FLAT + FLAT_AT_COROLLARY).every_profile().caught(),
    *BIAS.tight(),
    *noise(SIMS["sf-constant-batch"], at=EXPONENTS, tol=0.04).caught(),
    *quiet(SIMS["sf-slow-beta-early"], at={"tau": runs.EARLY}).every_profile().caught(),
    *quiet(SIMS["sf-slow-beta-corollary"], at=runs.COROLLARY).caught(),
)  # fmt: skip
