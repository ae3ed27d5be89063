"""Claims about Remark 1: the exponent of eps in the number of oracle calls that bring both gaps below eps.

A cost eps^-c means that the larger gap decreases like N^(-1/c) in the calls N. The claim is tested by the slope of this
curve, inverted. The witnesses are those on which the outer rate is attained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sympy import Expr

from workbench import FULL, LONG, Claimed, Custom, Result, calls_of, evidence, iterates
from workbench.claims import Claim, Complexity, Results, Simulation, View, caught, over_calls
from workbench.evidence import Finding

from ..theory import constants as k
from ..theory.remark_1 import FINITE_SUM, ONE_SAMPLE, Cost
from . import finite_sum, one_sample
from .finite_sum import N
from .study import AWAY, STUDY, Q

SIMS = one_sample.SIMS | finite_sum.SIMS


def larger_gap(result: Result) -> np.ndarray:
    return np.maximum(result.data["outer_gap"], result.data["inner_gap"])


def samples(result: Result, batch: int, n: int) -> np.ndarray:
    """(M,) oracle calls of one run up to each mark: samples of both levels, n for a full pass."""
    sizes = {"batch_f": batch, "batch_g": batch, "pass_f": n, "pass_g": n}
    return sum(size * calls_of(name)(result).max(axis=0) for name, size in sizes.items())


@dataclass(frozen=True)
class Method:
    """How Remark 1 is read on one witness.

    batch, n: samples of a batch and of a full pass. view: of the curve over t, before calls replace t. cheaper: an
    exponent of eps that is too good and must be rejected.
    """

    remark: Cost
    sim: Simulation
    batch: int
    n: int
    view: View
    cheaper: Expr
    deciding_profiles: tuple[str, ...] = LONG

    def calls(self, result: Result) -> np.ndarray:
        return samples(result, self.batch, self.n)

    def cost(self, exponent: Expr, profiles: tuple[str, ...] = LONG) -> Claim:
        """Is the larger of both gaps below eps after O(eps^exponent) calls, as far as the horizon shows?"""
        p = float(self.remark.p)
        gap = STUDY.reading(
            self.remark.theorem, self.sim, {"p": p}, metric=larger_gap, view=over_calls(self.view, self.calls, 1),
            claimed=Claimed(1 / float(exponent), f"O(eps^{exponent}) calls, inverted"),
        )  # fmt: skip
        name = f"{self.sim.title}; p = {p:g}, calls for eps on both levels"
        return Complexity(gap.rate(), name, profiles=profiles)

    def in_all(self, results: Results) -> Finding:
        """Calls of one run over the whole horizon: the remark's average in full periods, then the last one."""
        result = results[self.sim.key]
        periods, has_begun = divmod(result.horizon, Q)
        per_level = periods * Q * int(self.remark.calls.subs(k.q, Q))
        per_level += self.n + self.batch * (has_begun - 1) if has_begun else 0
        count = int(samples(result, self.batch, self.n)[-1])
        return evidence.complexity(count, 2 * per_level, result.horizon, "samples of both levels")

    def claims(self) -> tuple[Claim, ...]:
        remark, key = self.remark, self.remark.theorem.key
        cheap = self.cost(self.cheaper)
        return (
            Custom(
                key,
                "exponent",
                f"of eps, p = {remark.p}",
                exact(remark.exponent_at(remark.p), remark.exponent),
                tag="eps",
            ),
            Custom(
                key, "exponent", "the p at which both rates meet", exact(remark.best_p(), remark.p), tag="p"
            ),
            self.cost(remark.exponent, self.deciding_profiles),
            caught(cheap, name=f"{cheap.experiment}, O(eps^{self.cheaper})"),
            Custom(
                key,
                "complexity",
                f"{self.sim.title}; calls in all",
                self.in_all,
                (self.sim.key,),
                tag="calls",
            ),
        )


def exact(derived: Expr, claimed: Expr) -> Callable[[Results], Finding]:
    return lambda results: evidence.exponent(derived, claimed)


ON_HC = Method(ONE_SAMPLE, SIMS["hc-middle"], 1, 1, iterates(), ONE_SAMPLE.exponent + 1, FULL)
ON_FS_EXP = Method(FINITE_SUM, SIMS["fs-exp"], Q, N, iterates(1, Q, AWAY), FINITE_SUM.exponent * 3 / 4)
CLAIMS = (*ON_HC.claims(), *ON_FS_EXP.claims())
