"""The outcome of one check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from workbench.evidence.verdicts import Verdict


class Reason(StrEnum):
    """Why an outcome is open, where that is no matter of the statement alone."""

    OUTSIDE = "outside"  # the method is not made for such statements, and was not asked
    ENDED = "ended"  # the checker's process was killed
    LATE = "late"  # it was killed here, since it gave no answer in time
    OVER = "over"  # it took more processor time or memory than any statement gets


@dataclass(frozen=True)
class Outcome:
    """A verdict with its justification.

    method: the method that decided it. witness: the refuting point (name -> rational as text). certificate: JSON that
    `workbench.ledger.certificate` re-checks (from a searcher: its proof alone, which `decide` completes). decides: what
    would decide an inconclusive outcome, reason: why it is one, if that is one of `Reason`.
    """

    verdict: Verdict
    method: str
    note: str = ""
    witness: dict[str, str] | None = None
    certificate: dict[str, Any] | None = None
    decides: str = ""
    reason: Reason | None = None
    seconds: float = 0.0

    def record(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": str(self.verdict)}

    @classmethod
    def read(cls, record: dict[str, Any]) -> Outcome:
        """The outcome in a record. Raises KeyError, TypeError or ValueError for a malformed one."""
        reason = record["reason"] and Reason(record["reason"])
        return cls(**{**record, "verdict": Verdict(record["verdict"]), "reason": reason})


def holds(method: str, note: str = "", proof: dict[str, Any] | None = None) -> Outcome:
    return Outcome(Verdict.HOLDS, method, note, certificate=proof)


def refuted(method: str, point: dict[str, str], note: str = "") -> Outcome:
    """Violated, with the point as proof."""
    at = ", ".join(f"{n} = {v}" for n, v in sorted(point.items()))
    proof = {"by": "point", "point": point}
    return Outcome(Verdict.VIOLATED, method, note or f"fails at {at}", witness=point, certificate=proof)


def undecided(method: str, note: str, decides: str, reason: Reason | None = None) -> Outcome:
    return Outcome(Verdict.INCONCLUSIVE, method, note, decides=decides, reason=reason)


def over_limit(what: str) -> Outcome:
    """Open, since the search took more than any statement gets; `what` says of what."""
    return undecided("limits", what, "another form: shorter sums, smaller exponents", Reason.OVER)
