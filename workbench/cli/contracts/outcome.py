"""The outcome of one contract for one paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Status = Literal["kept", "noted", "broken", "skipped"]  # noted: something is said, and nothing is forbidden


class Skipped(Exception):
    """A contract that says nothing of this subject; the message says why."""


@dataclass(frozen=True)
class Outcome:
    """findings: one sentence each, or the reason why the contract was skipped. count: subjects looked at."""

    contract: str
    paper: str
    status: Status
    findings: tuple[str, ...]
    count: int


def line(outcome: Outcome) -> str:
    """The contract, whether it is kept, and what to do: further findings on lines of their own."""
    first, *others = outcome.findings or (f"{outcome.count} looked at",)
    word = "BROKEN" if outcome.status == "broken" else outcome.status
    head = f"{outcome.contract:<26}{word:<9}"
    return "\n".join([f"{head}{first}", *(" " * len(head) + other for other in others)])


def summary(outcomes: Sequence[Outcome]) -> str:
    count = {s: sum(o.status == s for o in outcomes) for s in get_args(Status)}
    counts = (f"{n} {s}" for s, n in count.items() if n or s != "noted")
    return f"{len(outcomes)} contracts: {', '.join(counts)}."
