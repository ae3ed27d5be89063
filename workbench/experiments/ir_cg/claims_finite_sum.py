"""What is claimed of Theorems 2 and 4 (IR-FSCG, convex), and what must be caught."""

from __future__ import annotations

from functools import partial

import numpy as np

from workbench import evidence
from workbench.experiments.build import Results, exponent_claims
from workbench.experiments.claims import Claim, Custom
from workbench.experiments.ir_cg.choices import (
    FINITE_SUM_P,
    INNER_2,
    LONG,
    OUTER_2,
    THEOREM_4,
    VARSIGMA,
    Q,
    caught,
    exponent,
    gap_bound,
    grows,
    late,
    limit_claim,
    read,
)
from workbench.experiments.ir_cg.finite_sum import SIMS
from workbench.experiments.records import Simulation
from workbench.instances.ir_cg.least_norm import hadamard_least_norm

SETTLED = 0.005  # share of the horizon from which the outer gap of FS-EXP is read
STALLED = 0.03  # and from which it no longer falls if the estimator is never refreshed
OF_SIM = {"fs-exp": Q, "fs-inner": Q, "fs-ls": 2}  # q of each simulation


def least_norm_level(values: np.ndarray, t: np.ndarray, metric: str, p: float) -> evidence.Finding:
    """The last iterate against the minimizer of sigma_t F + G, in closed form."""
    predicted = hadamard_least_norm().regularized(VARSIGMA * (t + 1.0) ** -p)[metric]
    return evidence.level(values, t, predicted)


def calls_claim(sim: Simulation, resource: str, full: bool) -> Claim:
    """Full passes: one every q iterations; batches: all others."""

    def check(results: Results) -> evidence.Finding:
        result = results[sim.key]
        passes = -(-result.horizon // Q)
        claimed = passes if full else result.horizon - passes
        measured = int(np.max(np.atleast_2d(result.calls[resource])[..., -1]))
        return evidence.complexity(measured, claimed, result.horizon, f"{resource} calls per run")

    return Custom(OUTER_2.key, "complexity", f"{sim.title}; {resource}", check, (sim.key,))


def bounds() -> list[Claim]:
    made = []
    for name, q in OF_SIM.items():
        for theorem, metric in ((OUTER_2, "outer_gap"), (INNER_2, "inner_gap")):
            for form in ("printed", "repaired", "own"):
                made.append(gap_bound(theorem, form, SIMS[name], metric, first=q, q=q))
        made.append(gap_bound(INNER_2, "own", SIMS[name], "last_inner_gap", first=q, q=q))
    return made


def tight_claims() -> list[Claim]:
    made = []
    for p in FINITE_SUM_P:
        where = {"p": p}
        outer = late(evidence.tight, exponent(OUTER_2, p), SETTLED, drift_tol=0.05)
        inner = late(evidence.tight, exponent(INNER_2, p), 0.02)
        made += [
            read(
                OUTER_2.key, "tight", SIMS["fs-exp"], outer, "outer_gap", where, residue=True, profiles=LONG
            ),
            read(INNER_2.key, "tight", SIMS["fs-inner"], inner, "inner_gap", where),
        ]
    for metric in ("inner_gap", "distance"):
        level = partial(least_norm_level, metric=metric, p=0.5)
        label, where = ", level", {"p": 0.5}
        named = f"last_{metric}"
        made.append(
            read(INNER_2.key, "tight", SIMS["fs-ls"], level, named, where, label=label, profiles=LONG)
        )
    return made


def rate_claims() -> list[Claim]:
    made = []
    for p in FINITE_SUM_P:
        for name in ("fs-inner", "fs-ls"):
            rate = late(evidence.rate, exponent(INNER_2, p))
            made.append(read(INNER_2.key, "rate", SIMS[name], rate, "inner_gap", {"p": p}))
        rate = late(evidence.rate, exponent(OUTER_2, p), SETTLED)
        made.append(
            read(
                OUTER_2.key, "rate", SIMS["fs-exp"], rate, "outer_gap", {"p": p}, residue=True, profiles=LONG
            )
        )
        error = late(evidence.rate, -1.0)
        made.append(
            read(OUTER_2.key, "rate", SIMS["fs-exp"], error, "error_g", {"p": p}, residue=True,
                 label=", estimator (Lemma 7)", profiles=LONG)
        )  # fmt: skip
    for metric in ("last_inner_gap", "last_outer_gap", "last_distance"):
        made.append(limit_claim(THEOREM_4, SIMS["fs-ls"], metric))
    return made


def falsifier_claims() -> list[Claim]:
    middle = {"p": 0.5}
    outer, inner = exponent(OUTER_2, 0.5), exponent(INNER_2, 0.5)
    gap = partial(read, OUTER_2.key, "falsifier", residue=True)
    return [
        gap(SIMS["fs-unrefreshed"], late(caught, outer, since=STALLED), "outer_gap", middle, profiles=LONG),
        grows(OUTER_2, SIMS["fs-unrecursive"], "outer_gap"),
        grows(OUTER_2, SIMS["fs-decay"], "outer_gap", profiles=LONG),
        read(INNER_2.key, "falsifier", SIMS["fs-sigma"], late(caught, inner, since=0.1), "inner_gap", middle),
    ]


CLAIMS = (
    *exponent_claims(OUTER_2, {}),
    *exponent_claims(INNER_2, {}),
    *bounds(),
    *tight_claims(),
    *rate_claims(),
    *(
        calls_claim(SIMS["fs-exp"], f"{kind}_{level}", kind == "pass")
        for kind in ("pass", "batch")
        for level in "fg"
    ),
    *falsifier_claims(),
)
