"""Limits without a rate (Theorems 3, 4): the supremum of a gap over a late decade is below that over an early one."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from workbench import Custom, Theorem, evidence
from workbench.claims import Results, Simulation
from workbench.evidence import Finding, NotEnough


def limit(theorem: Theorem, sim: Simulation, metric: str, relation: str = "below", **options: Any) -> Custom:
    """Each run's supremum of |metric| over (T/10, T] is below that over (T/1000, T/100]. relation: in the name."""
    name = f"{sim.title}; sup of |{metric}| over (T/10, T] {relation} that over (T/1000, T/100]"
    return Custom(
        theorem.key,
        "rate",
        name,
        partial(_shrinks, sim, metric),
        (sim.key,),
        (metric,),
        tag=metric,
        **options,
    )


def _shrinks(sim: Simulation, metric: str, results: Results) -> Finding:
    result = results[sim.key]
    t, T = result.marks, result.horizon
    values, before = np.abs(result.table(metric)), (t > T / 1000) & (t <= T / 100)
    if not before.any():
        raise NotEnough(f"no mark in (T/1000, T/100] for T = {T}")
    late = values[:, t > T / 10].max(axis=1, keepdims=True)
    early = values[:, before].max(axis=1, keepdims=True)
    ratios = result.by_run(late / early)
    return evidence.bound(ratios, np.ones_like(ratios), np.full(ratios.shape[1], float(T)), "expectation")
