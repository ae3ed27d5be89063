"""Statements of checks: a line of a proof with its constants at their printed values, or at others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.ledger import trees
from workbench.theory.lemma import Check, Exact

NOTHING: Mapping[str, Any] = MappingProxyType({})


def statement(check: Check, values: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """The statement of an exact check. values: trees in place of the printed values of constants, by name.

    Raises ValueError for a line that is measured along runs.
    """
    if not isinstance(check, Exact):
        raise ValueError(f"{check.name!r} is measured along runs and is no statement for a re-checker")
    return with_values(check.statement, {**check.constants, **values})


def with_values(s: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """A statement with trees in place of names."""
    new = dict(s)
    if over and s["kind"] != "program":
        for part in ("lhs", "rhs", "term", "bound"):
            if part in s:
                new[part] = trees.replace(s[part], dict(over))
        if "given" in s:
            new["given"] = [[trees.replace(tree, dict(over)), sign] for tree, sign in s["given"]]
        if "rules" in s:
            new["rules"] = [[q, k, trees.replace(tree, dict(over))] for q, k, tree in s["rules"]]
    return new


def parts(s: Mapping[str, Any]) -> list[Any]:
    """The trees of a statement."""
    own = [s[part] for part in ("lhs", "rhs", "term", "bound") if part in s]
    return [*own, *(tree for tree, _ in s.get("given", ())), *(tree for _, _, tree in s.get("rules", ()))]
