"""Worst cases as claims, so that `workbench verify` treats them like any other evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from workbench.claims.claims import Claim, Results
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.worst_cases import WorstCase
from workbench.evidence.verdicts import Finding
from workbench.homes.usage import UsageError
from workbench.ledger.worst_case import report, solve
from workbench.ledger.worst_case.report import NotCovered, Report
from workbench.run import catalog

_answers: dict[str, Report | NotCovered] = {}
KEPT = "certificates"  # the folder beside a paper's file


@dataclass(frozen=True)
class Certified(WorstCase):
    """A declared worst case, decided by certificates."""

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        """Raises UsageError where the step or the class is not covered."""
        answered = _answered(self, None)
        slacks = {} if self.sim is None else report.slacks(self, results[self.sim.key])
        return finding(Report(self, answered.answers, slacks))


def certified(claim: Claim) -> Claim:
    """A claim as it is decided: a declared worst case by the ledger."""
    if not isinstance(claim, WorstCase) or isinstance(claim, Certified):
        return claim
    return Certified(**{f.name: getattr(claim, f.name) for f in fields(claim)})


def settle(claims: Iterable[Claim], folder: Path | None) -> None:
    """Certifies the worst cases among the claims; certificates are read from and stored in the folder."""
    for claim in claims:
        if isinstance(claim, Certified):
            _settled(claim, folder)


def _settled(claim: Certified, folder: Path | None) -> Report | NotCovered:
    if claim.id not in _answers or isinstance(_answers[claim.id], NotCovered):
        try:
            _answers[claim.id] = report.of_claim(claim, folders_of(claim, folder), {})
        except NotCovered as reason:
            _answers[claim.id] = reason
    return _answers[claim.id]


def _answered(claim: Certified, folder: Path | None) -> Report:
    if isinstance(outcome := _settled(claim, folder), NotCovered):
        raise UsageError(str(outcome))
    return outcome


def folders_of(claim: WorstCase, folder: Path | None) -> list[Path]:
    """Where certificates are: in the store, where new ones are written, and beside the paper's file."""
    own = getattr(catalog.algorithms().get(claim.method), "__file__", None)
    beside = [] if own is None else [Path(own).parent / KEPT]
    return [*([folder / report.FOLDER] if folder else []), *beside]


def finding(made: Report) -> Finding:
    """The bound covers the worst case at every horizon, or not at one, or neither is shown. Exact."""
    last = made.answers[-1]
    covers = [a.covers for a in made.answers]
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
        note=" ".join(_notes(made)),
        decides="" if None not in covers else _decides(made),
    )


def _notes(made: Report) -> list[str]:
    notes = made.sentences()
    last = made.answers[-1]
    if (slack := made.slacks.get(last.T)) and (theorem := made.of_theorem(last)):
        notes.append(
            f"Slack {slack:.4g} at T = {last.T} = {theorem:.4g} (of the theorem) x {slack / theorem:.4g} (of the"
            " instance)."
        )
    return notes


def _decides(made: Report) -> str:
    reasons = [a.why for a in made.answers if a.why]
    return solve.INSTALL if solve.INSTALL in reasons else (reasons[0] if reasons else "a sharper certificate")
