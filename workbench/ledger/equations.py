"""Identities as statements alone: proved by the re-checker's own algebra, or refuted at a rational point.

`identity` does the same for a record, and asks SymPy where this does not suffice.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from workbench.ledger import certificate, summation
from workbench.ledger.intervals import sides
from workbench.ledger.outcome import Outcome, holds, refuted, undecided
from workbench.ledger.trees import ONE, ZERO, Tree, Wrong, children, elements, minus, replace

POINTS = 60
SEED = 7
ELEMENTS = 12  # of a sequence that get a value
FIRST_TERMS = 5  # values of n at which an induction is tested
SCALES = (Fraction(1), Fraction(10), Fraction(1, 10), Fraction(1, 1000), Fraction(1000))


def decide(s: dict[str, Any]) -> Outcome:
    """Holds, violated or inconclusive, for a well-formed identity."""
    some = {} if certificate.everywhere(s) else {"example": _example(s)}
    for proof in _proofs(s):
        with contextlib.suppress(Wrong, ArithmeticError):
            certificate.identity(s, proof | some)
            where = " wherever both sides have a value" if some else ""
            method = "algebra" if proof["by"] == "algebra" else "induction"
            return holds(method, f"the difference is zero{where}", proof | some)
    for point in _points(s):
        with contextlib.suppress(Wrong, ArithmeticError):
            certificate.refute(s, point)
            return refuted("exact values", point)
    return undecided("algebra", "the difference is not shown to be zero", "a form in powers, exp and log")


def _proofs(s: dict[str, Any]) -> list[dict[str, Any]]:
    """Candidates: lhs - rhs is multiplied by 1, by the last factor of a product or by a recursion's own factor."""
    if (n := s["n"]) is None:
        return [{"by": "algebra"}]
    factors = [ONE]
    for op, index, _, high, term in _series(s["lhs"]) + _series(s["rhs"]):
        if op == "prod" and high == n:
            factors.append(replace(term, {index: ["+", n, ONE]}))
    for name, k, value in s["rules"]:
        if k is None and any(pair == (name, n) for pair in elements(value)):
            factors.append(minus(*(_with(value, ["at", name, n], at) for at in (ONE, ZERO))))
    proofs: list[dict[str, Any]] = [{"by": "induction", "multiplier": factor} for factor in factors]
    middle = summation.in_closed_form(s["rhs"], sides(s["box"]))
    if middle != s["rhs"]:
        for first in list(proofs):
            parts = {"first": first, "second": proofs[0]}
            proofs.append({"by": "chain", "through": middle, "parts": parts})
    return proofs


def _series(tree: Tree) -> list[Tree]:
    if isinstance(tree, str):
        return []
    return [tree] * (tree[0] in ("sum", "prod")) + [own for part in children(tree) for own in _series(part)]


def _with(tree: Tree, element: Tree, value: Tree) -> Tree:
    """The tree with a value in place of an element of a sequence."""
    if tree == element:
        return value
    return (
        [_with(part, element, value) if isinstance(part, list) else part for part in tree]
        if tree[1:]
        else tree
    )


def _example(s: dict[str, Any]) -> dict[str, str]:
    """A point at which both sides have a value; empty if none is found."""
    for point in _points(s):
        with contextlib.suppress(Wrong, ArithmeticError):
            certificate.check_values(s, point)
            return point
    return {}


def _points(s: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Random rational points of the box, with values of the first elements of every sequence."""
    rng = random.Random(SEED)
    trees = [s["lhs"], s["rhs"], *(tree for _, _, tree in s["rules"])]
    free = sorted({name for tree in trees for name, _ in elements(tree)})
    for k in range(POINTS):
        scale = SCALES[k % len(SCALES)]
        point = {name: str(_inside(side, rng, scale)) for name, side in s["box"].items()}
        point |= {
            f"{name}[{i}]": str(_inside(["-oo", "oo"] + [True] * 2 + [False], rng, scale))
            for name in free
            for i in range(ELEMENTS)
        }
        if s["n"] is not None:
            point[s["n"]] = str(s["start"] + k % FIRST_TERMS)
        yield point


def _inside(side: list[Any], rng: random.Random, scale: Fraction) -> Fraction:
    """A point of a side; where it is infinite, about as far from its finite end as the scale says."""
    low, high, _, _, integer = side
    part = Fraction(rng.randint(1, 16), 17)
    if integer:
        first = int(low) if low != "-oo" else (int(high) - 9 if high != "oo" else -4)
        last = min(int(high), first + 9) if high != "oo" else first + 9
        return Fraction(rng.randint(first, last))
    if low != "-oo" and high != "oo":
        return Fraction(low) + part * (Fraction(high) - Fraction(low))
    if low == "-oo" and high == "oo":
        return (2 * part - 1) * 4 * scale
    return Fraction(low) + 4 * part * scale if low != "-oo" else Fraction(high) - 4 * part * scale
