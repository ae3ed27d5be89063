"""Claims about Remarks 1 and 2 and Table 1: the exponent of eps in the calls, and the calls of an iteration."""

from __future__ import annotations

import numpy as np

from workbench import LONG, Claimed, Custom, Result, Theorem, as_recorded, calls_of, evidence, window_means
from workbench.claims import Claim, Complexity, Count, Reading, Readings, Results, caught, over_calls
from workbench.evidence import Finding

from ..theory.table_1 import TABLE_1, samples
from .claims import GRADIENT, SIMS
from .runs import GROWING_LENGTHS
from .study import LONGER, STUDY, THEOREM_1, THEOREM_2, THEOREM_3, THEOREM_4

ROWS = {row.method: row for row in TABLE_1}
GRADIENTS = ("gradient_x_f", "gradient_y_f", "gradient_y_g", "jacobian_vector")
METHODS = (  # row of the table, theorems, simulation, evaluations of each estimate in an iteration
    ("BiAdam", (THEOREM_1, THEOREM_3), "noisy", 1),
    ("VR-BiAdam", (THEOREM_2, THEOREM_4), "noisy-vr", 2),
)


def calls(result: Result) -> np.ndarray:
    """(M,) metered calls of an average run: gradients, and products by sampled second derivatives."""
    return sum(table.mean(axis=0) for table in result.calls.values())


def over(theorem: Theorem, name: str, metric: str, power: int) -> Reading:
    """The metric over calls, where O(eps^-power) calls are claimed."""
    return STUDY.reading(
        theorem, SIMS[name], metric=metric, view=over_calls(window_means, calls),
        claimed=Claimed(-1 / power, f"O(eps^-{power}) calls, inverted"),
    )  # fmt: skip


# What the figure draws, both methods on one problem.
METRICS = Readings(
    (over(THEOREM_1, "noisy", "metric_mean", 4), over(THEOREM_2, "noisy-vr", "metric_mean", 3))
)
GRADIENTS_OF_F = Readings((over(THEOREM_3, "noisy", GRADIENT, 4), over(THEOREM_4, "noisy-vr", GRADIENT, 3)))


def cost(theorem: Theorem, name: str, metric: str, power: int) -> Claim:
    """Is the metric below eps after O(eps^-power) calls, as far as the horizon shows?"""
    title = f"{SIMS[name].title}; calls for {metric} below eps, O(eps^-{power})"
    return Complexity(over(theorem, name, metric, power).rate(), title, profiles=LONG)


def products(theorem: Theorem, name: str, evaluations: int) -> Claim:
    """On average each evaluation of (6) takes (K - 1)/2 products by a sampled Hessian."""
    each = evaluations * (LONGER["K"] - 1) / 2
    return STUDY.reading(
        theorem, SIMS[name], metric=calls_of("hessian_vector"), view=as_recorded,
        claimed=Claimed(1.0, "a fixed number per iteration"), known=lambda result: {},
    ).level(lambda T, **_: each * T, "(K - 1)/2 products per evaluation", rtol=0.01)  # fmt: skip


def exact(theorem: Theorem, method: str) -> Claim:
    """The power of 1/eps that follows from the theorem's rate is the one of the table."""
    return Custom(
        theorem.key, "exponent", "samples for eps, Table 1",
        lambda results: evidence.exponent(samples(theorem), ROWS[method].samples), tag="samples",
    )  # fmt: skip


def of_method(
    method: str, theorems: tuple[Theorem, Theorem], name: str, evaluations: int
) -> tuple[Claim, ...]:
    power = int(ROWS[method].samples)
    constrained, free = theorems
    return (
        *(exact(theorem, method) for theorem in theorems),
        cost(constrained, name, "metric_mean", power),
        cost(free, name, GRADIENT, power),
        caught(cost(constrained, name, "metric_mean", power - 1)),
        caught(cost(free, name, GRADIENT, power - 1)),
        *(Count(constrained, SIMS[name], resource, evaluations) for resource in GRADIENTS),
        products(constrained, name, evaluations),
    )


def with_growing_sums(results: Results) -> Finding:
    """The exponent of metered calls in the mean of calG_t over (T/2, T], where K grows with the horizon T.

    K and the variance of (6) are of order log T, which the order of the table leaves out: hence the tolerance.
    """
    columns, counts = [], []
    for sim in GROWING:
        result = results[sim.key]
        values, _ = window_means.read(result, result.table("metric_mean"), np.ones(result.size, bool))
        columns.append(values[:, -1])
        counts.append(float(calls(result)[-1]))
    claimed = float(-1 / ROWS["VR-BiAdam"].samples)
    return evidence.scaling(np.stack(columns, axis=1), counts, claimed)


GROWING = tuple(SIMS[f"growing-{length}"] for length in GROWING_LENGTHS)
OF_GROWING = Custom(
    THEOREM_2.key,
    "scaling",
    "VR-BiAdam on TRIG, K as the theorem says; exponent of metered calls in the mean of calG_t over (T/2, T]",
    with_growing_sums,
    tuple(sim.key for sim in GROWING),
    ("metric_mean",),
    profiles=LONG,
    tag="growing",
)

CLAIMS = (*(claim for row in METHODS for claim in of_method(*row)), OF_GROWING)
