"""What is exported: one exact line with its statement, its words and what the ledger says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workbench.ledger import printer
from workbench.ledger.trees import Tree


@dataclass(frozen=True)
class Line:
    """key, name: of its lemma and of the line, or of a typed statement. words: what the paper says, and where.

    method: how it was decided. proof: that of its certificate, empty for an open line.
    """

    key: str
    name: str
    words: str
    statement: dict[str, Any]
    verdict: str
    method: str
    proof: dict[str, Any]

    @property
    def text(self) -> str:
        """The statement in the grammar of `docs/statements.md`."""
        return printer.statement(self.statement)


def of_record(key: str, name: str, words: str, statement: dict[str, Any], outcome: dict[str, Any]) -> Line:
    """A line from the record of an `Outcome`."""
    proof = (outcome.get("certificate") or {}).get("proof", {})
    return Line(key, name, words, statement, str(outcome["verdict"]), outcome["method"], proof)


def of_lemmas(lemmas: Iterable[Any], prose: Callable[[str], str]) -> Iterator[Line]:
    """The exact lines of lemmas whose outcomes are known. prose: what becomes of the words of a lemma."""
    from workbench.ledger import outcomes, statements
    from workbench.theory.lemma import MEASURED

    for lemma in lemmas:
        for check in lemma.checks:
            if isinstance(check, MEASURED):
                continue
            outcome = outcomes.outcome(check).record()
            statement = statements.statement(check)
            words = f"{lemma.source}: {prose(lemma.statement)}"
            yield of_record(lemma.key, check.name, words, statement, outcome)


def linear(row: dict[str, str], constant: str) -> Tree:
    """A row of a linear program, and a constant, as a tree."""
    parts: list[Tree] = [["*", ["q", q], name] if q != "1" else name for name, q in sorted(row.items())]
    parts += [["q", constant]] if constant != "0" or not parts else []
    return parts[0] if len(parts) == 1 else ["+", *parts]


def divisor(tree: Tree) -> Tree | None:
    """b for the factor 1/b, b^p for b^(-p); None for another factor."""
    if isinstance(tree, str) or tree[0] != "^" or Fraction(tree[2]) >= 0:
        return None
    p = -Fraction(tree[2])
    return tree[1] if p == 1 else ["^", tree[1], str(p)]
