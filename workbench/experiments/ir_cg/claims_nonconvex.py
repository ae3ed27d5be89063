"""What is claimed of Theorems 5 and 6 (non-convex outer level) and of this project's sharper rate, and what is caught.

The engine's sums over its iterations 1..m are the paper's over i = 0..m-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import rates
from workbench.experiments.build import exponent_claims
from workbench.experiments.claims import Claim
from workbench.experiments.ir_cg import finite_sum, one_sample
from workbench.experiments.ir_cg.choices import (
    INNER_5,
    INNER_6,
    INNER_OWN,
    INNER_OWN_FS,
    LONG,
    OUTER_5,
    OUTER_6,
    OUTER_OWN,
    OUTER_OWN_FS,
    VARSIGMA,
    Q,
    caught,
    gap_bound,
    late,
    read,
)
from workbench.experiments.records import PROFILES

NC, NC_OWN, EXP_OWN, NC_WRONG = (one_sample.SIMS[n] for n in ("nc", "nc-own", "exp-own", "nc-decay"))
FS_NC, FS_NC_OWN, FS_EXP_OWN = (finite_sum.SIMS[n] for n in ("fs-nc", "fs-nc-own", "fs-exp-own"))
C_NONCONVEX = 1.0  # of the concentration inequality in the proof of Theorem 5: admissible for bounded noise


THEOREMS = (OUTER_5, INNER_5, OUTER_6, INNER_6, OUTER_OWN, INNER_OWN, OUTER_OWN_FS, INNER_OWN_FS)


def weighted_calF(result: Result) -> np.ndarray:
    """(rows, M): sum sigma_i calF(x_i) / sum sigma_i over i <= t."""
    return result.data["weighted_calF_sum"] / result.data["weight_sum"]


def weighted_calF_beta(result: Result, theorem: Any = OUTER_6) -> np.ndarray:
    """The same with the weights beta_i of Theorem 6 (L1067), which differ from sigma_i for i <= q.

    calF at t = 0..q is recorded there: the marks hold 1..q+1.
    """
    steps = theorem.steps(theorem.forms[-1].name, varsigma=VARSIGMA, q=Q)
    alpha, sigma_0 = steps["alpha_0"], VARSIGMA * (steps["hold"] + 1.0) ** -steps["p"]
    beta = sigma_0 * (Q + 1.0) ** steps["omega"] * alpha * (1.0 - alpha) ** (Q - np.arange(Q + 1))
    early = result.data["calF"][:, [result.at(m) for m in range(1, Q + 2)]]
    top = result.data["weighted_calF_sum"] + (early * (beta - sigma_0)).sum(axis=1, keepdims=True)
    bottom = result.data["weight_sum"] + (beta - sigma_0).sum()
    return top / bottom


def weighted_calF_own(result: Result) -> np.ndarray:
    return weighted_calF_beta(result, OUTER_OWN_FS)


def block_calF(result: Result, where: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Averages over (T/2, T] of calF(x_i) with weights sigma_i: (runs, M') and T."""
    k, j = rates.doubling_pairs(result.marks.astype(float))
    rows = result.rows(**where)
    top, bottom = (result.data[f"{name}_sum"][rows] for name in ("weighted_calF", "weight"))
    return (top[:, j] - top[:, k]) / (bottom[:, j] - bottom[:, k]), result.marks[j].astype(float)


def claimed(theorem: object) -> float:
    return float(theorem.case("rate").claimed)  # type: ignore[attr-defined]


def bounds() -> list[Claim]:
    made = [gap_bound(OUTER_5, form, NC, weighted_calF, c=C_NONCONVEX) for form in ("printed", "own")]
    for form in ("printed", "repaired", "own"):
        made.append(gap_bound(INNER_5, form, NC, "last_inner_gap", c=C_NONCONVEX))
    made += [
        gap_bound(OUTER_6, form, FS_NC, weighted_calF_beta, first=Q + 2, q=Q)
        for form in ("printed", "repaired")
    ]
    made.append(gap_bound(INNER_6, "printed", FS_NC, "last_inner_gap", first=Q + 2, q=Q))
    made += [
        gap_bound(OUTER_OWN, "own", NC_OWN, weighted_calF),
        gap_bound(INNER_OWN, "own", NC_OWN, "last_inner_gap"),
        gap_bound(OUTER_OWN_FS, "own", FS_NC_OWN, weighted_calF_own, first=Q + 2, q=Q),
        gap_bound(INNER_OWN_FS, "own", FS_NC_OWN, "last_inner_gap", first=Q + 2, q=Q),
    ]
    return made


def rate_claims() -> list[Claim]:
    """One-sided on the last inner gap; two-sided on block averages of the merit function."""
    made = []
    for theorem, sim in (
        (INNER_5, NC),
        (INNER_6, finite_sum.SIMS["fs-exp-6"]),
        (INNER_OWN, NC_OWN),
        (INNER_OWN, EXP_OWN),
        (INNER_OWN_FS, FS_EXP_OWN),
    ):
        rate = late(evidence.rate, claimed(theorem))
        made.append(read(theorem.key, "rate", sim, rate, "last_inner_gap", {}))
    for theorem, sim, tol in (
        (OUTER_5, NC, 0.05),
        (OUTER_OWN, NC_OWN, 0.05),
        (OUTER_6, FS_NC, 0.08),
        (OUTER_OWN_FS, FS_NC_OWN, 0.08),
    ):
        share = 0.02 if sim in (FS_NC, FS_NC_OWN) else 0.001
        rate = late(evidence.rate, claimed(theorem), share, tol=tol)
        tight = late(evidence.tight, claimed(theorem), share, tol=tol, drift_tol=tol)
        made.append(read(theorem.key, "rate", sim, rate, block_calF, {}, profiles=LONG))
        made.append(read(theorem.key, "tight", sim, tight, block_calF, {}, profiles=LONG))
    for theorem, sim in ((INNER_OWN, EXP_OWN), (INNER_OWN_FS, FS_EXP_OWN)):
        tight = late(evidence.tight, claimed(theorem), 0.02)
        profiles = LONG if sim is FS_EXP_OWN else PROFILES  # its slope still moves at the quick horizon
        made.append(read(theorem.key, "tight", sim, tight, "last_inner_gap", {}, profiles=profiles))
    return made


CLAIMS = (
    *(claim for theorem in THEOREMS for claim in exponent_claims(theorem, {})),
    *bounds(),
    *rate_claims(),
    read(
        OUTER_5.key,
        "falsifier",
        NC_WRONG,
        late(caught, claimed(OUTER_5), since=0.001),
        block_calF,
        {},
        profiles=LONG,
    ),
)
