"""The claim that a run calls the oracle as often as the listing says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench import evidence
from workbench.claims import identifiers
from workbench.claims.claims import Claim, Results
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.records import Simulation
from workbench.engine.records import Result, Status
from workbench.evidence._common import rare_runs_note
from workbench.evidence.verdicts import Finding
from workbench.theory.record import Theorem


@dataclass(frozen=True)
class Count(Claim):
    """Metered calls per run over the whole horizon against the paper's listing.

    listed: calls per iteration, or a function from the result to the total, a number or (rows,). theorem: the theorem
    the listing belongs to, or a key if the count comes from a table of the paper. If runs differ, the one farthest
    from the listing counts. Runs that failed are left out: what they call from then on says nothing.
    """

    theorem: Theorem | str
    sim: Simulation
    resource: str
    listed: float | Callable[[Result], float | np.ndarray]

    @property
    def key(self) -> str:
        return self.theorem if isinstance(self.theorem, str) else self.theorem.key

    evidence: ClassVar[str] = "complexity"

    @property
    def experiment(self) -> str:
        return f"{self.sim.title}; {self.resource}"

    @property
    def parts(self) -> tuple[str, ...]:
        return (identifiers.simulation(self.sim.key), identifiers.part(self.resource))

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.sim.key,)

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        result = results[self.sim.key]
        given = self.listed(result) if callable(self.listed) else self.listed * result.horizon
        counts = result.calls.get(self.resource, np.zeros((1, 1)))[:, -1]
        calls, expected, ok = np.broadcast_arrays(
            counts, np.asarray(given, float), result.status == Status.OK
        )
        if not ok.any():
            raise evidence.NotEnough(f"{self.experiment}: every run failed", "runs that do not fail")
        calls, expected = calls[ok], expected[ok]
        if np.any(expected != np.round(expected)):
            raise ValueError(
                f"{self.experiment}: {expected.flat[0]:g} calls are listed, which is no whole number"
            )
        # The worst row; of equally bad ones, the one with the most calls.
        row = np.lexsort((expected, np.abs(calls - expected)))[-1]
        what = f"{self.resource} calls per run"
        if len(calls) < len(ok):
            what += f"; {len(ok) - len(calls)} of {len(ok)} runs failed and are left out"
        random = len(counts) > 1  # counts that were kept run by run
        if random:
            what += rare_runs_note(len(calls))
        return evidence.complexity(int(calls[row]), int(expected[row]), result.horizon, what, random)
