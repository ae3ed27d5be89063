"""Indicators `IsZero(s)` and `IsPositive(s)` have a value for s >= 0 alone: a statement must show that its own do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from sympy import Expr

from workbench.ledger import algebra
from workbench.ledger.certificate import sides
from workbench.ledger.from_sympy import tree
from workbench.ledger.intervals import Enclosure
from workbench.ledger.trees import Tree, Wrong, names_in
from workbench.theory.indicator import IsPositive, IsZero


def require_values(formulas: Iterable[Expr], s: dict[str, Any]) -> None:
    """Raises Wrong if an indicator in a formula of a statement has an argument that may be negative on the box."""
    box = sides(
        s.get("box", {}) | ({s["n"]: [str(s["start"]), "oo", False, True, True]} if s.get("n") else {})
    )
    given = [condition for condition, _ in s.get("given", ())]
    for indicator in sorted({a for e in formulas for a in e.atoms(IsPositive, IsZero)}, key=str):
        argument = tree(indicator.args[0])
        if argument not in given and not _never_negative(argument, box):
            raise Wrong(
                f"{indicator} has a value for {indicator.args[0]} >= 0 alone, which the box does not show"
            )


def _never_negative(argument: Tree, box: dict[str, Any]) -> bool:
    with contextlib.suppress(Wrong, ArithmeticError):
        if algebra.sign(argument, box) >= 1:
            return True
    with contextlib.suppress(Wrong, ArithmeticError):
        return names_in(argument) <= set(box) and bool(Enclosure(box).value(argument)[0] >= 0)
    return False
