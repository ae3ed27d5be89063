"""What is claimed of Remark 1: the exponent of eps in the oracle calls that bring both gaps below eps.

A cost eps^-c is the rate N^(-1/c) of the larger gap over the calls N, and is read as such: by the slope over the runs,
turned over. The witnesses are those on which the outer rate is attained.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theorems.ir_cg import constants as k
from theorems.ir_cg.remark_1 import FINITE_SUM, ONE_SAMPLE, Cost
from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import Finding
from workbench.experiments.build import Results
from workbench.experiments.claims import Claim, Custom
from workbench.experiments.ir_cg import finite_sum, one_sample
from workbench.experiments.ir_cg.choices import AWAY, LONG, Q
from workbench.experiments.ir_cg.finite_sum import N
from workbench.experiments.records import Simulation

HC, FS_EXP = one_sample.SIMS["hc"], finite_sum.SIMS["fs-exp"]
SETTLED = {HC.key: 0.0015, FS_EXP.key: 0.005}  # share of the calls from which the curves are read


def samples(result: Result, batch: int, n: int) -> np.ndarray:
    """(M,) oracle calls of one run up to each mark: samples of both levels, a full pass being n of them."""
    sizes = {"batch_f": batch, "batch_g": batch, "pass_f": n, "pass_g": n}
    counted = [
        size * np.atleast_2d(result.calls[name]).max(axis=0)
        for name, size in sizes.items()
        if name in result.calls
    ]
    return np.sum(counted, axis=0)


def turned(found: Finding) -> Finding:
    """The finding that the gap is O(N^s), s < 0, as one that the calls are O(eps^(1/s))."""

    def inverse(low: float, high: float) -> tuple[float, float]:
        return (1.0 / high if high < 0.0 else -np.inf), (1.0 / low if low < 0.0 else -np.inf)

    low, high = inverse(found.low, found.high)
    limits = found.limits
    return dataclasses.replace(
        found,
        evidence="complexity",
        claimed=1.0 / found.claimed,
        value=1.0 / found.value,
        low=low,
        high=high,
        note=f"exponent of eps in the oracle calls, from the slope {found.value:.4f} over them; {found.note}",
        limits=None if limits is None else lambda side: inverse(*limits(side)),
    )


def cost(
    sim: Simulation, p: float, claimed: float, batch: int, n: int, residue: bool
) -> Callable[[Results], Finding]:
    """Is the larger of both gaps below eps after O(eps^claimed) calls, as far as the horizon shows?"""

    def check(results: Results) -> Finding:
        result = results[sim.key]
        keep = (result.marks - 1) % Q == AWAY if residue else result.marks > 1
        gap = np.maximum(result.curve("outer_gap", p=p), result.curve("inner_gap", p=p))[:, keep]
        calls = samples(result, batch, n)[keep].astype(float)
        window = (SETTLED[sim.key] * calls[-1], calls[-1])
        return turned(evidence.rate(gap, calls, 1.0 / claimed, window=window))

    return check


def in_all(remark: Cost, sim: Simulation, batch: int, n: int, results: Results) -> Finding:
    """Calls of one run over the whole horizon: the remark's average over full periods, then what is begun."""
    result = results[sim.key]
    periods, begun = divmod(result.horizon, Q)
    per_level = periods * Q * int(remark.calls.subs(k.q, Q)) + (n + batch * (begun - 1) if begun else 0)
    return evidence.complexity(
        int(samples(result, batch, n)[-1]), 2 * per_level, result.horizon, "samples of both levels"
    )


def claims(remark: Cost, sim: Simulation, batch: int, n: int, cheaper: Any, residue: bool) -> list[Claim]:
    """cheaper: an exponent of eps that the method does not reach, and that must be refused."""
    key, p = remark.theorem.key, float(remark.p)

    def exact(derived: Any, claimed: Any, _: Results) -> Finding:
        return evidence.exponent(derived, claimed)

    measured = partial(cost, sim, p, batch=batch, n=n, residue=residue)
    name = f"{sim.title}; p = {p:g}, calls for eps on both levels"
    return [
        Custom(
            key,
            "exponent",
            f"of eps, p = {remark.p}",
            partial(exact, remark.derived(remark.p), remark.exponent),
        ),
        Custom(key, "exponent", "the p at which both rates meet", partial(exact, remark.best_p(), remark.p)),
        Custom(key, "complexity", name, measured(claimed=float(remark.exponent)), (sim.key,), profiles=LONG),
        Custom(
            key,
            "falsifier",
            f"{name}, O(eps^{cheaper})",
            lambda results: evidence.falsifier(measured(claimed=float(cheaper))(results)),
            (sim.key,),
            profiles=LONG,
        ),
        Custom(
            key,
            "complexity",
            f"{sim.title}; calls in all",
            partial(in_all, remark, sim, batch, n),
            (sim.key,),
        ),
    ]


CLAIMS = (
    *claims(ONE_SAMPLE, HC, 1, 1, ONE_SAMPLE.exponent + 1, False),
    *claims(FINITE_SUM, FS_EXP, Q, N, FINITE_SUM.exponent * 3 / 4, True),
)
