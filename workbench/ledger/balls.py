"""Real numbers as short intervals in fixed point, and matrices of them: is one positive definite?

A `Ball` is [low, high] / 2^BITS with integers, rounded outward by every operation, so that what holds for all numbers
in it holds for the number that it stands for. Where no root is taken, `Fraction` serves in its place and nothing is
rounded. Re-checking trusts this file. Standard library only.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

from workbench.ledger.trees import Tree, number, require

BITS = 256
LARGEST_POWER = 8  # numerator of an exponent
Number = Any  # Ball or Fraction
Matrix = list[list[Number]]


class Ball:
    """[low, high] / 2^BITS."""

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    @classmethod
    def of(cls, x: Number) -> Ball:
        if isinstance(x, Ball):
            return x
        numerator = x.numerator << BITS
        return cls(numerator // x.denominator, -(-numerator // x.denominator))

    def __add__(self, other: Ball) -> Ball:
        return Ball(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Ball) -> Ball:
        return Ball(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Ball) -> Ball:
        a, b, c, d = self.low, self.high, other.low, other.high
        if a >= 0 and c >= 0:
            low, high = a * c, b * d
        else:
            ends = (a * c, a * d, b * c, b * d)
            low, high = min(ends), max(ends)
        return Ball(low >> BITS, -(-high >> BITS))

    def inverse(self) -> Ball:
        require(self.low > 0 or self.high < 0, "a division by what may be zero")
        one = 1 << 2 * BITS
        return Ball(one // self.high, -(-one // self.low))

    def root(self) -> Ball:
        require(self.low > 0, "a root of what may be negative")
        return Ball(isqrt(self.low << BITS), isqrt(self.high << BITS) + 1)

    @property
    def positive(self) -> bool:
        return self.low > 0

    @property
    def nonnegative(self) -> bool:
        return self.low >= 0


def is_rational(trees: list[Tree]) -> bool:
    """Does no number of a list take a root?"""
    return all(tree[0] != "^" or "/" not in tree[2] for tree in trees)


def values(trees: list[Tree], exact: bool) -> dict[str, Number]:
    """The numbers n0, n1, ..., each of which is a sum, product or power of rational numbers and earlier ones.

    exact: as fractions. Raises Wrong for other trees, and where one may have no value.
    """
    table: dict[str, Number] = {}
    for k, tree in enumerate(trees):
        require(isinstance(tree, list) and len(tree) == 3, "a number is made of two parts")
        head, first = tree[0], number_of(tree[1], table, exact)
        if head == "^":
            table[f"n{k}"] = _power(first, number(tree[2]))
        else:
            require(head in ("+", "*"), f"a number cannot be made by {head!r}")
            second = number_of(tree[2], table, exact)
            table[f"n{k}"] = first + second if head == "+" else first * second
    return table


def number_of(text: Any, table: dict[str, Number], exact: bool) -> Number:
    """The number that a text stands for: a fraction, or the name of one that is known."""
    require(isinstance(text, str), f"{str(text)[:40]!r} is no number")
    if text in table:
        return table[text]
    return number(text) if exact else Ball.of(number(text))


def _power(base: Number, exponent: Fraction) -> Number:
    p, q = exponent.numerator, exponent.denominator
    require(q in (1, 2) and 0 < abs(p) <= LARGEST_POWER, f"the power {exponent} is not covered")
    if isinstance(base, Fraction):
        require(q == 1 and (p > 0 or base), "a power without an exact value")
        return base**p
    if q == 2:
        base = base.root()
    product = base
    for _ in range(abs(p) - 1):
        product = product * base
    return product if p > 0 else product.inverse()


def is_definite(rows: Matrix) -> bool:
    """Is it shown, by an elimination in intervals, that a symmetric matrix of balls is positive definite?"""
    matrix = [list(row) for row in rows]
    for k, pivot_row in enumerate(matrix):
        if not pivot_row[k].positive:
            return False
        inverse = pivot_row[k].inverse()
        for i in range(k + 1, len(matrix)):
            entry = pivot_row[i]
            if entry.low == entry.high == 0:
                continue
            factor, row = entry * inverse, matrix[i]
            for j in range(i, len(matrix)):
                row[j] = row[j] - factor * pivot_row[j]
    return True


def is_semidefinite(rows: list[list[Fraction]]) -> bool:
    """Is a symmetric matrix of fractions positive semidefinite? Exact: a pivot 0 needs a row of zeros."""
    matrix = [list(row) for row in rows]
    for k, pivot_row in enumerate(matrix):
        pivot = pivot_row[k]
        if pivot < 0 or (pivot == 0 and any(pivot_row[k:])):
            return False
        for i in range(k + 1, len(matrix)) if pivot else ():
            if factor := pivot_row[i] / pivot:
                row = matrix[i]
                for j in range(i, len(matrix)):
                    row[j] -= factor * pivot_row[j]
    return True
