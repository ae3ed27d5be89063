"""Decides an exact check of a record; apart from `decide`, so that a typed statement needs no record and no SymPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.ledger.decide import decide_statement
from workbench.ledger.outcome import Outcome
from workbench.ledger.statements import NOTHING, statement
from workbench.ledger.trees import Wrong
from workbench.theory.lemma import Check, Exact


def decide(check: Check, budget: float | None = None, values: Mapping[str, Any] = NOTHING) -> Outcome:
    """The outcome of an exact (not measured) check, as `decide_statement` gives it.

    values: trees in place of printed constants, by name. Raises ValueError for a line that is measured, or not
    well-formed.
    """
    if not isinstance(check, Exact):
        raise ValueError(f"{check.name!r} is measured along runs and cannot be decided exactly")
    seconds = check.budget if budget is None else budget
    try:
        return decide_statement(statement(check, values), seconds, {} if values else check.witness)
    except Wrong as reason:
        raise ValueError(f"{check.name!r}: {reason}") from None
