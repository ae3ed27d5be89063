"""Indicators `IsZero(s)` and `IsPositive(s)` have a value for s >= 0 alone: a statement must show that its own do."""

from __future__ import annotations

import contextlib
from typing import Any

from sympy import Basic

from workbench.ledger import algebra
from workbench.ledger.certificate import sides
from workbench.ledger.intervals import Enclosure
from workbench.ledger.portable import Untranslatable, tree
from workbench.ledger.trees import Tree, Wrong, names_in
from workbench.theory.indicator import IsPositive, IsZero
from workbench.theory.lemma import Check, Induction, Inequality


def require_values(check: Check, s: dict[str, Any]) -> None:
    """Raises Wrong for an inequality or induction with an indicator whose argument may be negative on the box."""
    if not isinstance(check, (Inequality, Induction)):
        return
    own = (check.lhs, check.rhs) if isinstance(check, Inequality) else (check.total, check.bound)
    box = sides(s["box"] | ({s["n"]: [str(s["start"]), "oo", False, True, True]} if "n" in s else {}))
    given = [condition for condition, _ in s["given"]]
    for indicator in sorted(_indicators(*own, *check.given), key=str):
        with contextlib.suppress(
            Untranslatable
        ):  # which `portable.statement` has refused, unless it is a constant
            argument = tree(indicator.args[0])
            if argument not in given and not _never_negative(argument, box):
                raise Wrong(
                    f"{indicator} has a value for {indicator.args[0]} >= 0 alone, which the box does not show"
                )


def _indicators(*expressions: Basic) -> set[Any]:
    return {a for e in expressions for a in e.atoms(IsPositive, IsZero)}


def _never_negative(argument: Tree, box: dict[str, Any]) -> bool:
    with contextlib.suppress(Wrong, ArithmeticError):
        if algebra.sign(argument, box) >= 1:
            return True
    with contextlib.suppress(Wrong, ArithmeticError):
        return names_in(argument) <= set(box) and bool(Enclosure(box).value(argument)[0] >= 0)
    return False
