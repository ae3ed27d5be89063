"""Searches for a smaller bound of a sum or product to induct on: its closed form, or a constant less the rest.

Nothing rests on this file: what it proposes is proved like any other bound.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from workbench.ledger import counterexample, normal
from workbench.ledger.algebra import Algebra, Form
from workbench.ledger.intervals import Interval, sides
from workbench.ledger.trees import ONE, ZERO, Tree, Wrong, minus, names_in, operation, replace

HIGHEST = 4  # power of the index beside a geometric factor
FAR = 10**5  # where the decay of a term is measured
DENOMINATORS = 4  # of the powers with which a term may decay


def smaller_bounds(s: dict[str, Any]) -> Iterator[Tree]:
    """Bounds of an induction's sum or product that may have a step where its own has none."""
    with contextlib.suppress(Wrong, ArithmeticError):
        if s["op"] == "sum":
            closed = closed_form(s["index"], s["low"], s["n"], s["term"], sides(s["box"]))
            if closed is not None:
                yield closed
        for rest in _rests(s) if s["n"] not in names_in(s["bound"]) else ():
            if s["op"] == "sum":
                yield minus(s["bound"], rest)
            else:
                yield ["*", s["bound"], ["exp", ["*", ["q", "-1"], rest]]]


def in_closed_form(tree: Tree, box: dict[str, Interval]) -> Tree:
    """The tree with its sums in closed form, where they have one that is known here."""
    if isinstance(tree, str) or tree[0] == "q":
        return tree
    if tree[0] == "sum" and tree[2][0] == "q":
        with contextlib.suppress(Wrong, ArithmeticError):
            return closed_form(tree[1], int(tree[2][1]), tree[3], tree[4], box) or tree
    return [tree[0], *(in_closed_form(part, box) if isinstance(part, list) else part for part in tree[1:])]


def closed_form(k: str, low: int, high: Tree, term: Tree, box: dict[str, Interval]) -> Tree | None:
    """The sum of p(k) r^k for k from low to high, with a polynomial p and an r without k; None if it is another.

    r may be a product of powers, such as 2^(-1) x.
    """
    algebra = Algebra({**box, k: (Fraction(low), math.inf, False, True)})
    by_base: dict[tuple, dict[int, Form]] = {}
    for m, c in algebra.form(term).items():
        powers = [g for g, e in m if algebra.unknowns[g][0] == "power" and k in algebra.uses[g]]
        if not powers:
            return None
        bases = tuple((algebra.unknowns[g][1], dict(m)[g]) for g in powers)
        ((index, _),) = next(iter(algebra.form(k)))
        degree = dict(m).get(index, Fraction(0))
        rest = tuple((g, e) for g, e in m if g not in (*powers, index))
        others = {name for g, _ in (*rest, *bases) for name in algebra.uses[g]}
        if (
            any(algebra.unknowns[g][2] != ((index, Fraction(1)),) for g in powers)
            or k in others
            or degree.denominator > 1
            or not 0 <= degree <= HIGHEST
        ):
            return None
        by_base.setdefault(bases, {}).setdefault(int(degree), {})[rest] = c
    parts = []
    for bases, coefficients in by_base.items():
        r = operation("*", [normal.power(normal.tree_of_unknown(algebra, g), e) for g, e in bases])
        q = _antidifference(r, {j: normal.tree_of(algebra, form) for j, form in coefficients.items()})
        parts.append(minus(_at(q, r, ["+", high, ONE]), _at(q, r, ["q", str(low)])))
    return ["+", *parts] if len(parts) > 1 else (parts[0] if parts else None)


def _antidifference(r: Tree, p: dict[int, Tree]) -> list[Tree]:
    """The coefficients of q with r q(k + 1) - q(k) = p(k)."""
    inverse = ["^", minus(r, ONE), "-1"]
    q: dict[int, Tree] = {}
    for j in range(max(p), -1, -1):
        higher = [["*", ["q", str(-math.comb(i, j))], r, q[i]] for i in q]
        q[j] = ["*", ["+", p.get(j, ZERO), *higher], inverse]
    return [q[j] for j in sorted(q)]


def _at(q: list[Tree], r: Tree, k: Tree) -> Tree:
    """q(k) r^k"""
    powers = [ONE if j == 0 else ["^", k, str(j)] for j in range(len(q))]
    geometric = ["^", r, k[1]] if k[0] == "q" and k[1] != "0" else ONE if k == ZERO else ["pow", r, k]
    value = ["+", *(["*", c, power] for c, power in zip(q, powers, strict=True))] if k != ZERO else q[0]
    return ["*", value, geometric]


def _rests(s: dict[str, Any]) -> Iterator[Tree]:
    """About the sum of all terms after n: n, or n + 1, times the term (of a product: less 1), divided by one less than
    the power with which that decays."""
    term = s["term"] if s["op"] == "sum" else minus(s["term"], ONE)
    if names_in(term) - {s["index"]}:
        return
    near, far = (float(counterexample.evaluate(term, {s["index"]: float(k)})) for k in (FAR, 2 * FAR))
    if not near > far > 0:
        return
    power = Fraction(math.log(near / far, 2)).limit_denominator(DENOMINATORS)
    if power > 1:
        for n in (s["n"], ["+", s["n"], ONE]):
            yield ["*", ["q", str(1 / (power - 1))], n, replace(term, {s["index"]: s["n"]})]
