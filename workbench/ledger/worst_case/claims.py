"""Worst cases as claims, so that `workbench verify` treats them like any other evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.claims.claims import Claim, Results
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.worst_cases import WorstCase
from workbench.evidence.verdicts import Finding
from workbench.homes.usage import UsageError
from workbench.run import catalog

if TYPE_CHECKING:  # what solves is loaded where there is a worst case
    from workbench.ledger.worst_case.report import NotCovered, Report

_answers: dict[tuple[Any, ...], Report] = {}
FOLDER = "worst_cases"  # in the store
KEPT = "certificates"  # the folder beside a paper's file


@dataclass(frozen=True)
class Certified(WorstCase):
    """A declared worst case, decided by certificates."""

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        """Raises UsageError where the step or the class is not covered."""
        from workbench.ledger.worst_case import report

        outcome = _report_of(self, None)
        slacks = {} if self.sim is None else report.slacks(self, results[self.sim.key])
        return finding(report.Report(self, outcome.answers, slacks))


def certified(claim: Claim) -> Claim:
    """A claim as it is decided: a declared worst case by the ledger."""
    if not isinstance(claim, WorstCase) or isinstance(claim, Certified):
        return claim
    return Certified(**{f.name: getattr(claim, f.name) for f in fields(claim)})


def settle(claims: Iterable[Claim], folder: Path | None) -> None:
    """Certifies the worst cases among the claims; certificates are read from and stored in the folder."""
    for claim in claims:
        if isinstance(claim, Certified):
            _settle(claim, folder)


def _settle(claim: Certified, folder: Path | None) -> Report | NotCovered:
    from workbench.ledger.worst_case import report

    name = (claim.key, claim.id, claim.horizons, str(claim.values), claim.method)
    if name not in _answers:
        try:
            _answers[name] = report.of_claim(claim, folders_of(claim, folder), {})
        except report.NotCovered as reason:
            return reason
    return _answers[name]


def _report_of(claim: Certified, folder: Path | None) -> Report:
    if isinstance(outcome := _settle(claim, folder), Exception):
        raise UsageError(str(outcome))
    return outcome


def folders_of(claim: WorstCase, folder: Path | None) -> list[Path]:
    """Where certificates are: in the store, where new ones are written, and beside the paper's file."""
    own = getattr(catalog.algorithms().get(claim.method), "__file__", None)
    beside = [] if own is None else [Path(own).parent / KEPT]
    return [*([folder / FOLDER] if folder else []), *beside]


def finding(outcome: Report) -> Finding:
    """The bound covers the worst case at every horizon, or not at one, or neither is shown. Exact."""
    last = outcome.answers[-1]
    covers = [a.covers for a in outcome.answers]
    low, high = last.shares
    nan = float("nan")
    return Finding(
        "bound",
        claimed=1.0,
        value=nan if high is None else high,
        low=nan if low is None else low,
        high=nan if high is None else high,
        p_if_wrong=float(not all(c is True for c in covers)),
        p_if_right=float(False not in covers),
        horizon=float(last.T),
        slack=nan if not high else 1 / high,
        exact=True,
        note=" ".join(_notes(outcome)),
        decides="" if None not in covers else _decides(outcome),
    )


def _notes(outcome: Report) -> list[str]:
    notes = outcome.sentences()
    split = [a for a in outcome.answers if a.T in outcome.slacks and outcome.of_theorem(a)]
    for last in split[-1:]:  # of the largest T that the runs have recorded
        slack, theorem = outcome.slacks[last.T], outcome.of_theorem(last) or 1.0
        notes.append(
            f"Slack {slack:.4g} at T = {last.T} = {theorem:.4g} (of the theorem) x {slack / theorem:.4g} (of the"
            " instance)."
        )
    return notes


def _decides(outcome: Report) -> str:
    from workbench.ledger.worst_case import solve

    reasons = [a.why for a in outcome.answers if a.why]
    return solve.INSTALL if solve.INSTALL in reasons else (reasons[0] if reasons else "a sharper certificate")
