"""What is claimed of Theorems 1 and 3 (IR-SCG, convex), and what must be caught."""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.ir_cg.absolute import THEOREM as ABSOLUTE
from workbench import evidence
from workbench.engine.records import Result
from workbench.experiments.build import count_claim, exponent_claims
from workbench.experiments.claims import Claim
from workbench.experiments.ir_cg.choices import (
    C_STORM,
    INNER_1,
    LONG,
    ONE_SAMPLE_P,
    OUTER_1,
    THEOREM_3,
    VARSIGMA,
    caught,
    exponent,
    gap_bound,
    grows,
    late,
    limit_claim,
    read,
)
from workbench.experiments.ir_cg.one_sample import SIMS
from workbench.instances.ir_cg.witness import Exponential


def absolute_outer_gap(result: Result) -> np.ndarray:
    return np.abs(result.data["outer_gap"])


def exponential_level(values: np.ndarray, t: np.ndarray, p: float) -> evidence.Finding:
    return evidence.level(values, t, Exponential().regularized_gap(VARSIGMA * (t + 1.0) ** -p, 1))


def bounds() -> list[Claim]:
    """Both gaps against both bounds, in every form; printed and repaired ones with the constant that is admissible."""
    made = []
    for name in ("hc", "exp", "ls"):
        for theorem, metric in ((OUTER_1, "outer_gap"), (INNER_1, "inner_gap")):
            for form in ("printed", "repaired", "own"):
                made.append(gap_bound(theorem, form, SIMS[name], metric, c=C_STORM))
        made.append(gap_bound(INNER_1, "own", SIMS[name], "last_inner_gap"))
    made.append(gap_bound(ABSOLUTE, "own", SIMS["ls"], absolute_outer_gap))
    return made


def tight_claims() -> list[Claim]:
    made = []
    for p in ONE_SAMPLE_P:
        where = {"p": p}
        outer = late(evidence.tight, exponent(OUTER_1, p), tol=0.04, drift_tol=0.05)
        inner = late(evidence.tight, exponent(INNER_1, p), 0.02)
        level = partial(exponential_level, p=p)
        made += [
            read(OUTER_1.key, "tight", SIMS["hc"], outer, "outer_gap", where, profiles=LONG),
            read(INNER_1.key, "tight", SIMS["exp"], inner, "inner_gap", where),
            read(INNER_1.key, "tight", SIMS["exp"], level, "last_inner_gap", where, label=", level"),
        ]
    return made


def rate_claims() -> list[Claim]:
    made = []
    for p in ONE_SAMPLE_P:
        where = {"p": p}
        # At p = 0.1 the denominator 1 + m sigma_t of least norm still moves at every horizon that is run.
        for name in ("hc", "exp", "ls") if p > 0.1 else ("hc", "exp"):
            rate = late(evidence.rate, exponent(INNER_1, p))
            made.append(read(INNER_1.key, "rate", SIMS[name], rate, "inner_gap", where))
        rate = late(evidence.rate, exponent(OUTER_1, p), tol=0.04)
        made.append(read(OUTER_1.key, "rate", SIMS["hc"], rate, "outer_gap", where, profiles=LONG))
        half = late(evidence.tight, -0.5)
        made.append(
            read(
                OUTER_1.key,
                "tight",
                SIMS["hc"],
                half,
                "error_g",
                where,
                label=", estimator (Lemma 3)",
                profiles=LONG,
            )
        )
    for metric in ("last_inner_gap", "last_outer_gap"):
        made += [limit_claim(THEOREM_3, SIMS[name], metric) for name in ("hc", "ls")]
    made.append(limit_claim(THEOREM_3, SIMS["ls"], "last_distance"))
    return made


def falsifier_claims() -> list[Claim]:
    middle = {"p": 0.25}
    outer, inner = exponent(OUTER_1, 0.25), exponent(INNER_1, 0.25)
    return [
        read(
            OUTER_1.key,
            "falsifier",
            SIMS["hc-plain"],
            late(caught, outer),
            "outer_gap",
            middle,
            profiles=LONG,
        ),
        grows(OUTER_1, SIMS["hc-heavy"], "outer_gap", profiles=LONG),
        read(
            OUTER_1.key,
            "falsifier",
            SIMS["hc-uncorrected"],
            late(caught, -0.5),
            "error_g",
            middle,
            profiles=LONG,
        ),
        read(
            INNER_1.key, "falsifier", SIMS["hc-step"], late(caught, inner), "inner_gap", middle, profiles=LONG
        ),
        read(
            INNER_1.key, "falsifier", SIMS["exp-sigma"], late(caught, inner, since=0.1), "inner_gap", middle
        ),
        grows(OUTER_1, SIMS["hc-decay"], "outer_gap", profiles=LONG),
    ]


CLAIMS = (
    *exponent_claims(OUTER_1, {}),
    *exponent_claims(INNER_1, {}),
    *bounds(),
    *tight_claims(),
    *rate_claims(),
    *(
        count_claim(OUTER_1.key, SIMS["hc"], resource, lambda r: 1)
        for resource in ("batch_f", "batch_g", "lmo")
    ),
    *falsifier_claims(),
)
