"""Ledger checks as claims, so that `workbench verify` treats lemmas like any other evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from workbench.claims import identifiers
from workbench.claims.claims import Claim
from workbench.claims.interim_analyses import failed_behind
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.probes import Sampler
from workbench.claims.records import Simulation
from workbench.claims.usable_rows import unless_failed_behind
from workbench.engine.records import Result
from workbench.evidence.verdicts import Finding, Verdict
from workbench.ledger import certificate, outcomes
from workbench.ledger.outcome import Outcome, undecided
from workbench.theory.lemma import MEASURED, AlongTrajectory, Check, InExpectation, Lemma, WithProbability


@dataclass(frozen=True)
class LemmaClaim(Claim):
    """One check of a lemma."""

    lemma: Lemma
    item: Check

    @property
    def key(self) -> str:
        return self.lemma.key

    evidence: ClassVar[str] = "lemma"

    @property
    def experiment(self) -> str:
        return self.item.name if self.item.form == "printed" else f"{self.item.name} ({self.item.form})"

    @property
    def id(self) -> str:
        """Lemma, check and, unless it is as printed, the form."""
        form = "" if self.item.form == "printed" else self.item.form
        return identifiers.join(
            identifiers.statement(self.key), identifiers.part(self.item.name), form, self.tag
        )


@dataclass(frozen=True)
class ExactCheck(LemmaClaim):
    """A check that needs no simulation."""

    def finding(self, results: Mapping[str, Result], plan: Plan = UNPLANNED) -> Finding:
        beside = "arithmetic beside the statement" if self.item.shows == "arithmetic" else ""
        return replace(exact_finding(outcomes.outcome(self.item)), void=beside)


@dataclass(frozen=True)
class MeasuredCheck(LemmaClaim):
    """A check measured along runs."""

    item: AlongTrajectory | InExpectation | WithProbability
    simulations: Mapping[str, Simulation]
    samplers: Mapping[str, Sampler]

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(n for n in self.item.on if n in self.simulations)

    @property
    def missing(self) -> list[str]:
        """Names in `on` that are neither a simulation nor a sampler."""
        return [n for n in self.item.on if n not in self.samplers and n not in self.simulations]

    def finding(self, results: Mapping[str, Result], plan: Plan = UNPLANNED) -> Finding:
        from workbench.ledger import trajectories

        if self.missing:
            why = f"no simulation or sampler is named {self.missing[0]}"
            return exact_finding(undecided("none", why, "a simulation or a sampler of that name"))
        finding = trajectories.finding(self.lemma, self.item, self.records(results, plan.seed))
        return unless_failed_behind(finding, sum(failed_behind(results[key]) for key in self.needs))

    def records(self, results: Mapping[str, Result], seed: int = 0) -> dict[str, Any]:
        """seed: the user's, for samplers."""
        from workbench.ledger import trajectories

        records: dict[str, Any] = {}
        for name in self.item.on:
            if name in self.samplers:
                records[name] = trajectories.from_sampler(self.samplers[name], seed)
            else:
                records[name] = trajectories.from_result(results[name], self.simulations[name])
        return records


def exact_finding(outcome: Outcome) -> Finding:
    """An outcome as a finding outside the statistical family; its note ends with the statement as it was read."""
    note = f"{outcome.method}: {outcome.note}" if outcome.note else outcome.method
    if outcome.certificate is not None:
        note += f"; read as: {certificate.to_text(outcome.certificate)}"
    holds, violated = outcome.verdict == Verdict.HOLDS, outcome.verdict == Verdict.VIOLATED
    return Finding(
        "lemma",
        claimed=np.nan,
        value=np.nan,
        low=np.nan,
        high=np.nan,
        p_if_wrong=float(not holds),
        p_if_right=float(not violated),
        exact=True,
        note=note,
        decides=outcome.decides,
    )


def claims(
    lemmas: Iterable[Lemma], simulations: Mapping[str, Simulation], samplers: Mapping[str, Sampler]
) -> list[LemmaClaim]:
    """One claim per check of the lemmas."""
    out: list[LemmaClaim] = []
    for lemma in lemmas:
        for item in lemma.checks:
            note = "; ".join(part for part in (item.erratum, item.note) if part)
            if isinstance(item, MEASURED):
                out.append(
                    MeasuredCheck(lemma, item, simulations, samplers, expected=item.expected, note=note)
                )
            else:
                out.append(ExactCheck(lemma, item, expected=item.expected, note=note))
    return out


def settle(claims: Iterable[Claim], folder: Path | None, jobs: int | None = None) -> None:
    """Decides all exact checks among the claims in parallel, and stores their certificates in the folder."""
    outcomes.ensure(((c.lemma, c.item) for c in claims if isinstance(c, ExactCheck)), folder, jobs)


def exact_verdicts(lemmas: Iterable[Lemma], folder: Path | None, jobs: int | None = None) -> dict:
    """(lemma key, check name) -> verdict of every exact check, from stored certificates if available."""
    items = [(x, c) for x in lemmas for c in x.checks if not isinstance(c, MEASURED)]
    return {name: str(outcome.verdict) for name, outcome in outcomes.ensure(items, folder, jobs).items()}
