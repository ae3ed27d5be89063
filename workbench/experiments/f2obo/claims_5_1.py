"""What is claimed of Theorem 5.1 and Corollary 5.2 (SF2OBO): each variance term, the bias, the bound."""

from __future__ import annotations

from typing import Any

from theorems.f2obo.theorem_5_1 import THEOREMS
from workbench.experiments.build import exponent_claims
from workbench.experiments.f2obo import stochastic_runs as runs
from workbench.experiments.f2obo.checks import bound_claim, caught, slope
from workbench.experiments.f2obo.choices import LONG, THEOREM_5_1, claimed
from workbench.experiments.records import Claim

KEY = THEOREM_5_1.key
SIMS = {s.key.removeprefix("f2obo/sim-"): s for s in runs.SIMULATIONS}
TOL = 0.08
O_8D = (
    "O-8 (d): with T^(2 tau) pulled out of the sum, the bound misses the claimed power for b + B_2 - tau > 1"
)
FINDINGS = {(form, "very large inner batch"): O_8D for form in ("printed", "repaired")}


def terms(point: dict[str, float]) -> float:
    """The largest exponent of the noise terms at a grid point; without bias (p = 0)."""
    known: Any = {name: point[name] for name in ("tau", "a", "b", "B_1", "B_2")}
    return max(claimed(THEOREM_5_1, "regret", batch, **known) for batch in ("B_1", "B_2"))


def noise_claims() -> list[Claim]:
    """Each term of sigma^2 max{...}. Where y and z have different exponents, the smaller is still seen beside it."""
    made = []
    for name, kind, point in (
        ("upper", "tight", runs.UPPER),
        ("inner", "tight", runs.INNER),
        ("inner-y", "rate", runs.INNER_Y),
        ("inner-z", "rate", runs.INNER_Z),
    ):
        sim, where = SIMS[f"sf-{name}"], dict(point)
        made.append(slope(KEY, kind, sim, terms(point), where, TOL, profiles=LONG))
    cancelled = terms(runs.ADDITIVE) - 2 * runs.ADDITIVE["tau"]
    made.append(
        slope(
            KEY, "tight", SIMS["sf-upper"], cancelled, dict(runs.ADDITIVE), TOL, profiles=LONG,
            note="additive noise cancels in line 10: the upper term loses lambda_t^2 (trap D5)",
        )
    )  # fmt: skip
    return made


COROLLARY = THEOREMS[-1]
BIAS = claimed(THEOREM_5_1, "regret, noiseless", tau=runs.COROLLARY["tau"])

CLAIMS = (
    *exponent_claims(THEOREM_5_1, FINDINGS),
    *(claim for theorem in THEOREMS if theorem is not THEOREM_5_1 for claim in exponent_claims(theorem, {})),
    *(bound_claim(THEOREM_5_1, form, SIMS[f"sf-bound-{form}"]) for form in ("printed", "repaired")),
    *noise_claims(),
    *(bound_claim(COROLLARY, form, SIMS[f"sf-bound-{form}"]) for form in ("printed", "repaired")),
    *(
        slope(COROLLARY.key, kind, SIMS["sf-corollary"], terms(runs.COROLLARY), {}, TOL, profiles=LONG)
        for kind in ("rate", "tight")
    ),
    *(
        claim
        for key in (KEY, COROLLARY.key)
        for claim in (
            slope(key, "rate", SIMS["sf-quiet"], BIAS, {}, TOL),
            caught(key, SIMS["sf-constant-lambda"], BIAS, {}),
        )
    ),
    *(
        slope(KEY, "tight", SIMS["sf-noiseless"], claimed(THEOREM_5_1, "regret, noiseless", tau=tau), {"tau": tau}, TOL,
              profiles=LONG)
        for tau in runs.NOISELESS_TAUS
    ),
    caught(KEY, SIMS["sf-constant-batch"], terms(runs.UPPER), {}, profiles=LONG),
    caught(KEY, SIMS["sf-slow-beta-early"], claimed(THEOREM_5_1, "regret, noiseless", tau=runs.EARLY), {}),
    caught(KEY, SIMS["sf-slow-beta-corollary"], BIAS, {}, profiles=LONG),
)  # fmt: skip
