"""The outcome of one check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from workbench.evidence.verdicts import Verdict


@dataclass(frozen=True)
class Outcome:
    """A verdict with its justification.

    method: the method that decided it. witness: the refuting point (name -> rational as text). certificate: JSON that
    `workbench.ledger.certificate` re-checks (from a searcher: its proof alone, which `decide` completes). decides: what
    would decide an inconclusive outcome.
    """

    verdict: Verdict
    method: str
    note: str = ""
    witness: dict[str, str] | None = None
    certificate: dict[str, Any] | None = None
    decides: str = ""
    seconds: float = 0.0

    def record(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": str(self.verdict)}

    @classmethod
    def read(cls, record: dict[str, Any]) -> Outcome:
        """The outcome in a record. Raises TypeError or ValueError for a malformed one."""
        return cls(**{**record, "verdict": Verdict(record["verdict"])})


def holds(method: str, note: str = "", proof: dict[str, Any] | None = None) -> Outcome:
    return Outcome(Verdict.HOLDS, method, note, certificate=proof)


def refuted(method: str, point: dict[str, str], note: str = "") -> Outcome:
    """Violated, with the point as proof."""
    at = ", ".join(f"{n} = {v}" for n, v in sorted(point.items()))
    proof = {"by": "point", "point": point}
    return Outcome(Verdict.VIOLATED, method, note or f"fails at {at}", witness=point, certificate=proof)


def undecided(method: str, note: str, decides: str) -> Outcome:
    return Outcome(Verdict.INCONCLUSIVE, method, note, decides=decides)
