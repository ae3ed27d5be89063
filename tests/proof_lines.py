"""Lines of a paper's proofs: as SymPy, for tests that put numbers in, and with one part changed, which must fail."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Symbol

from workbench.evidence.verdicts import Verdict
from workbench.ledger import rewriting, trees
from workbench.ledger.decide import decide_statement
from workbench.ledger.statements import statement
from workbench.run import catalog


def sides(key: str, name: str) -> tuple[Expr, Expr]:
    """(left, right) of the check with a name of the link with a key."""
    s = statement(catalog.lemmas()[key].check(name))
    return of(s["lhs"]), of(s["rhs"])


def of(tree: Any) -> Expr:
    """A tree, with positive symbols."""
    return rewriting.expression(tree, frozenset(trees.names_in(tree)))


def symbol(name: str) -> Symbol:
    """The symbol of a name in `sides`."""
    return Symbol(name, positive=True)


def line(key: str, name: str) -> dict[str, Any]:
    """The statement of the check with a name of the link with a key."""
    return statement(catalog.lemmas()[key].check(name))


def verdict(key: str, name: str, **changed: Any) -> Verdict:
    """The verdict on a line with some parts of its statement replaced."""
    return decide_statement(line(key, name) | changed, catalog.lemmas()[key].check(name).budget).verdict


def times(q: str, tree: Any) -> Any:
    """A number times a tree."""
    return ["*", ["q", q], tree]


def without_one(given: list[Any]) -> list[list[Any]]:
    """All conditions but one, for each of them."""
    return [given[:i] + given[i + 1 :] for i in range(len(given))]
