"""Worst cases over quadratics: the curvature that has the largest metric, and the halvings that prove the bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from workbench.ledger import balls, quadratics
from workbench.ledger.balls import Ball
from workbench.ledger.trees import Wrong, number
from workbench.ledger.worst_case import solve
from workbench.ledger.worst_cases import Setting

MARGINS = (
    Fraction(0),
    *(Fraction(1, 10**k) for k in (10, 9, 8, 7, 6, 5)),
)  # above the largest value that was found
GRID, ZOOMS = 8, 12  # points a step, and refinements of the best
LEAVES = 20_000
DEEPEST = 60
DENOMINATOR = 1 << 60

Proof = dict[str, Any]


def is_quadratic(statement: dict[str, Any]) -> bool:
    return any(part["class"] in quadratics.QUADRATICS for part in statement["parts"])


def proof_below(statement: dict[str, Any]) -> Proof:
    """An example of one coordinate: a curvature and the largest start that is allowed. Raises NoSolution for none."""
    low, high = quadratics.ends(statement["parts"][0])
    s, m = _sides(statement)
    bound = number(statement["start"][0]["constant"])
    h = _largest(s, m, low, high)
    size = isqrt(int(bound / _value(s, h) * DENOMINATOR**2))  # of the start, rounded down
    return {
        "by": "matrix",
        "matrix": [[str(h)]],
        "shift": ["0"],
        "vectors": {"x": [str(Fraction(size, DENOMINATOR))]},
        "values": {},
    }


def proofs_above(statement: dict[str, Any]) -> Iterator[tuple[Fraction, Proof]]:
    """(bound, proof), each bound a little further above the largest value that was found."""
    part, exact = statement["parts"][0], balls.is_rational(statement["numbers"])
    setting = Setting(statement, exact)
    of = (lambda x: x) if exact else Ball.of
    low, high = quadratics.ends(part)
    s, m = _sides(statement)
    h = _largest(s, m, low, high)
    largest = setting.metrics[0].constant + setting.start[0].constant * _value(m, h) / _value(s, h)
    for margin in MARGINS:
        claimed = largest * (1 + margin)
        polynomial = quadratics.excess(setting, part, claimed, of)
        if tree := _tree(quadratics.bernstein(polynomial, low, high, of)):
            yield claimed, {"by": "halvings", "tree": tree}


def _tree(b: list[int]) -> str:
    """Halvings after which no Bernstein coefficient is negative, or "" where a value is, or too many are needed."""
    waiting, out = [(b, 0)], ""
    while waiting:
        mine, depth = waiting.pop()
        if min(mine[0], mine[-1]) < 0 or depth > DEEPEST or len(out) > LEAVES:
            return ""
        if min(mine) >= 0:
            out += "0"
        else:
            out += "1"
            waiting.extend((half, depth + 1) for half in quadratics.halves(mine)[::-1])
    return out


def _sides(statement: dict[str, Any]) -> tuple[list[Fraction], list[Fraction]]:
    """The polynomials of start and metric, roots rounded."""
    exact = balls.is_rational(statement["numbers"])
    of = (lambda x: x) if exact else Ball.of
    try:
        pair = quadratics.sides(Setting(statement, exact), statement["parts"][0], of)
    except Wrong as error:
        raise solve.NoSolution(str(error)) from None
    s, m = ([x if exact else Fraction(x.low + x.high, 2 << balls.BITS) for x in p] for p in pair)
    return s, m


def _value(p: list[Fraction], h: Fraction) -> Fraction:
    total = Fraction(0)
    for c in reversed(p):
        total = total * h + c
    return total


def _largest(s: list[Fraction], m: list[Fraction], low: Fraction, high: Fraction) -> Fraction:
    """The curvature at which metric / start is nearly largest: the best of a grid, refined."""
    count = GRID * len(m)
    nodes = (1 - np.cos(np.linspace(0, np.pi, count + 1))) / 2
    grid = [low + (high - low) * Fraction(float(u)).limit_denominator(DENOMINATOR) for u in nodes]
    grid = [h for h in grid if _value(s, h) > 0]
    if not grid:
        raise solve.NoSolution("the start is not bounded")
    ratio = {h: _value(m, h) / _value(s, h) for h in grid}
    best = max(grid, key=ratio.__getitem__)
    k = grid.index(best)
    a, b = grid[max(0, k - 1)], grid[min(len(grid) - 1, k + 1)]
    for _ in range(ZOOMS):
        inside = [a + (b - a) * Fraction(i, 16) for i in range(17)]
        inside = [h.limit_denominator(DENOMINATOR) for h in inside]
        values = [_value(m, h) / _value(s, h) for h in inside]
        k = max(range(17), key=values.__getitem__)
        best, a, b = inside[k], inside[max(0, k - 1)], inside[min(16, k + 1)]
    return best
