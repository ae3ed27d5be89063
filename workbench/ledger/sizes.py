"""How long a statement becomes when its sums and products are written out, counted before anything is built."""

from __future__ import annotations

from math import inf
from typing import Any

from workbench.ledger.certificate import instance, sides
from workbench.ledger.intervals import MOST_TERMS
from workbench.ledger.subboxes import LONG
from workbench.ledger.trees import Tree, children

MOST_WRITTEN = 4000  # terms and factors that become a tree
Ends = dict[str, tuple[Any, Any]]


def too_long(s: dict[str, Any]) -> str:
    """One sentence if an inequality, or the base of an induction, has more terms than are added; else nothing.

    Sums without end are left to what decides on them.
    """
    if s["kind"] not in ("inequality", "induction"):
        return ""
    start = f"the induction starts at {s['start']}: " if s["kind"] == "induction" else ""
    s = instance(s, s["start"]) if start else s
    at: Ends = {name: side[:2] for name, side in sides(s["box"]).items()}
    parts = [s["lhs"], s["rhs"], *(tree for tree, _ in s["given"])]
    for count, most in (
        (sum(terms(part, at) for part in parts), MOST_TERMS),
        (sum(terms(part, at, trees_alone=True) for part in parts), MOST_WRITTEN),
    ):
        if most < count < inf:
            return f"{start}sums and products with {count} terms, at most {most} are computed"
    return ""


def terms(tree: Tree, at: Ends, trees_alone: bool = False) -> Any:
    """Terms and factors in sums and products, inner ones counted each time; at: the ends of variables and indices.

    trees_alone: only those that are written out, which long sums are not.
    """
    if isinstance(tree, str):
        return 0
    if tree[0] not in ("sum", "prod"):
        return sum(terms(part, at, trees_alone) for part in children(tree))
    head, index, low, high, body = tree
    first, last = ends(low, at), ends(high, at)
    count = max(last[1] - first[0] + 1, 0)
    inner = terms(body, {**at, index: (first[0], last[1])}, trees_alone)
    return inner if trees_alone and head == "sum" and count > LONG else count * (1 + inner) if count else 0


def ends(tree: Tree, at: Ends) -> tuple[Any, Any]:
    """The least and the largest value of a limit: sums and products of numbers and integer variables."""
    if isinstance(tree, str):
        return at[tree]
    if tree[0] == "q":
        return int(tree[1]), int(tree[1])
    low, high = ends(tree[1], at)
    for part in tree[2:]:
        a, b = ends(part, at)
        if tree[0] == "+":
            low, high = low + a, high + b
        else:
            products = [0 if 0 in (x, y) else x * y for x in (low, high) for y in (a, b)]
            low, high = min(products), max(products)
    return low, high
