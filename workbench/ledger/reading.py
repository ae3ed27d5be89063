"""Every exact line as its author wrote it and as the re-checker read it, for a person who compares the two."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.ledger import certificate, outcomes
from workbench.ledger.unicode_text import plain
from workbench.theory.lemma import MEASURED, Check, Identity, Induction, Lemma, LinearProgram


def lines(lemma: Lemma) -> Iterator[str]:
    """The printed statement with its source; for each exact check the record, what was certified of it, and how."""
    yield f"{lemma.key}, {lemma.source}: {plain(lemma.statement)}"
    for check in lemma.checks:
        if isinstance(check, MEASURED):
            continue
        outcome = outcomes.outcome(check)
        yield f"  {check.name} ({check.form}): {outcome.verdict}, {outcome.method}"
        yield f"    written  {record_line(check)}"
        if outcome.certificate is None:
            yield "    read as  (no certificate)"
        else:
            yield f"    read as  {certificate.shown(outcome.certificate)}"


def record_line(check: Check) -> str:
    """The line of a record, in SymPy's notation."""
    if isinstance(check, LinearProgram):
        return f"{check.sense} {check.objective} {check.relation} {check.claimed}"
    if isinstance(check, Induction):
        return f"{check.total} <= {check.bound} for {check.n} >= {check.start}"
    relation = "=" if isinstance(check, Identity) else "<="
    given = "; ".join(str(g) for g in getattr(check, "given", ()))
    constants = ", ".join(f"{c.symbol} = {c.printed}" for c in getattr(check, "constants", ()))
    return (
        f"{check.lhs} {relation} {check.rhs}"
        + f", given {given}" * bool(given)
        + f", {constants}" * bool(constants)
    )
