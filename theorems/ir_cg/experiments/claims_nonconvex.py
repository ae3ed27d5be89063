"""Claims about Theorems 5 and 6 (non-convex outer level) and about this project's sharper rates, and falsifiers.

The engine's sums over its iterations 1..m are the paper's over i = 0..m-1. Theorem 6 is stated for t >= q: the printed
bounds are read from t = q + 2 on, which its proof covers, the repaired ones from q on (I19). On NC both lie thousands
of times above at t = q and q + 1, so that they are also read on LIN, where only the start counts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from workbench import LONG, Result, iterates
from workbench.claims import Bound, Readings, View, caught, doubling_pairs, exponents

from . import finite_sum, one_sample
from .joint import Both, jointly
from .study import (
    INNER_5,
    INNER_6,
    INNER_OWN,
    INNER_OWN_FS,
    OUTER_5,
    OUTER_6,
    OUTER_OWN,
    OUTER_OWN_FS,
    STUDY,
    Q,
    bounds,
    known_values,
)

SIMS = one_sample.SIMS | finite_sum.SIMS
THEOREMS = (OUTER_5, INNER_5, OUTER_6, INNER_6, OUTER_OWN, INNER_OWN, OUTER_OWN_FS, INNER_OWN_FS)
C_NONCONVEX = 1.0  # of the concentration inequality in the proof of Theorem 5; admissible for bounded noise


def weighted_calF(result: Result) -> np.ndarray:
    """(rows, M): sum sigma_i calF(x_i) / sum sigma_i over i <= t."""
    return result.data["weighted_calF_sum"] / result.data["weight_sum"]


def weighted_calF_beta(result: Result) -> np.ndarray:
    """The same with the weights beta_i of Theorem 6 (L1067), which differ from sigma_i for i <= q.

    The marks of these runs include 1..q+1, so calF is recorded at t = 0..q.
    """
    steps = {name: np.asarray(value).item(0) for name, value in result.steps.items()}
    alpha, sigma_0 = steps["alpha_0"], steps["varsigma"] * (steps["hold"] + 1.0) ** -steps["p"]
    beta = sigma_0 * (Q + 1.0) ** steps["omega"] * alpha * (1.0 - alpha) ** (Q - np.arange(Q + 1))
    early = result.data["calF"][:, [result.at(m) for m in range(1, Q + 2)]]
    top = result.data["weighted_calF_sum"] + (early * (beta - sigma_0)).sum(axis=1, keepdims=True)
    bottom = result.data["weight_sum"] + (beta - sigma_0).sum()
    return top / bottom


def _block_means(result: Result, table: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Averages over (T/2, T] with weights sigma_i: the mean over all i forgets its start slowly."""
    k, j = doubling_pairs(result.marks.astype(float))
    top, bottom = table[mask], result.data["weight_sum"][mask]
    return (top[:, j] - top[:, k]) / (bottom[:, j] - bottom[:, k]), result.marks[j].astype(float)


blocks: dict[str, Any] = {"metric": "weighted_calF_sum", "view": View(_block_means), "shown": "block_calF"}
reading = partial(STUDY.reading, case="rate")
merit = partial(reading, **blocks, profiles=LONG)
inner = partial(reading, metric="last_inner_gap")
bounds_5 = partial(bounds, known=partial(known_values, c=C_NONCONVEX))
bounds_6, from_q = partial(bounds, first=Q + 2), partial(bounds, first=Q)

MERIT_5 = merit(OUTER_5, SIMS["nc"], tol=0.05, drift_tol=0.1)
MERIT_6 = merit(OUTER_6, SIMS["fs-nc"], tol=0.08)
MERIT = Readings(
    (
        MERIT_5,
        MERIT_6,
        merit(OUTER_OWN, SIMS["nc-own"], tol=0.05, drift_tol=0.1),
        merit(OUTER_OWN_FS, SIMS["fs-nc-own"], tol=0.08),
    )
)
INNER = Readings(
    (
        inner(INNER_5, SIMS["nc"], profiles=LONG),
        inner(INNER_5, SIMS["exp-5"]),
        inner(INNER_6, SIMS["fs-exp-6"]),
        inner(INNER_OWN, SIMS["nc-own"], profiles=LONG),
    )
)
# On EXP the inner gap follows sigma_t, so the sharper theorem's exponent is attained.
ON_EXP, ON_EXP_FS = inner(INNER_OWN, SIMS["exp-own"]), inner(INNER_OWN_FS, SIMS["fs-exp-own"])

# What the theorems bound: the averages over all i, which still contain the start.
cumulative = partial(reading, profiles=LONG, tol=0.05)
AVERAGES = Readings(
    (
        cumulative(OUTER_5, SIMS["nc"], metric=weighted_calF),
        cumulative(OUTER_6, SIMS["fs-nc"], metric=weighted_calF_beta, view=iterates(Q + 1)),
        cumulative(OUTER_OWN, SIMS["nc-own"], metric=weighted_calF),
        cumulative(OUTER_OWN_FS, SIMS["fs-nc-own"], metric=weighted_calF_beta, view=iterates(Q + 1)),
    )
)
OUTER_BOUNDS_5 = bounds_5(OUTER_5, ("printed", "own"), SIMS["nc"], weighted_calF)
INNER_BOUNDS_5 = bounds_5(INNER_5, ("printed", "repaired", "own"), SIMS["nc"], "last_inner_gap")
OUTER_BOUNDS_6 = bounds_6(OUTER_6, ("printed",), SIMS["fs-nc"], weighted_calF_beta)
INNER_BOUNDS_6 = bounds_6(INNER_6, ("printed",), SIMS["fs-nc"], "last_inner_gap")


def repaired_6(name: str) -> tuple[Bound, Bound]:
    """The bounds of Theorem 6 from t = q on, outer and inner level."""
    (outer,) = from_q(OUTER_6, ("repaired",), SIMS[name], weighted_calF_beta)
    (inner_level,) = from_q(INNER_6, ("repaired",), SIMS[name], "last_inner_gap")
    return outer, inner_level


OUTER_FROM_Q, INNER_FROM_Q = repaired_6("fs-nc")
OUTER_AT_Q = repaired_6("fs-linear-outer")
_, INNER_AT_Q = repaired_6("fs-linear-inner")
_, FORGETS_LESS = repaired_6("fs-linear-steps")
TOO_SMALL = 20.0  # times smaller, the outer bound on LIN fails

CLAIMS = (
    *(claim for theorem in THEOREMS for claim in exponents(theorem)),
    *jointly(OUTER_BOUNDS_5, INNER_BOUNDS_5, "printed"),
    *INNER_BOUNDS_5,
    *jointly(OUTER_BOUNDS_6, INNER_BOUNDS_6, "printed"),
    *INNER_BOUNDS_6,
    Both(OUTER_FROM_Q, INNER_FROM_Q),
    INNER_FROM_Q,
    Both(*OUTER_AT_Q),
    INNER_AT_Q,
    *bounds(OUTER_OWN, ("own",), SIMS["nc-own"], weighted_calF),
    *bounds(INNER_OWN, ("own",), SIMS["nc-own"], "last_inner_gap"),
    *bounds_6(OUTER_OWN_FS, ("own",), SIMS["fs-nc-own"], weighted_calF_beta),
    *bounds_6(INNER_OWN_FS, ("own",), SIMS["fs-nc-own"], "last_inner_gap"),
    *MERIT.rate(),
    *MERIT.tight(),
    *AVERAGES.rate(),
    *INNER.rate(),
    ON_EXP.rate(),
    ON_EXP.tight(),
    ON_EXP_FS.rate(),
    ON_EXP_FS.tight(profiles=LONG),  # its slope still moves at the quick horizon
    merit(OUTER_5, SIMS["nc-decay"]).caught(),
    merit(OUTER_6, SIMS["fs-nc-decay"]).caught(),
    caught(FORGETS_LESS),
    caught(
        replace(OUTER_AT_Q[0], over=TOO_SMALL),
        name=f"{OUTER_AT_Q[0].experiment} over {TOO_SMALL:g}, t = q and q + 1",
    ),
)
