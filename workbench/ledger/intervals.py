"""Enclosures in exact rational arithmetic: outward rounding, elementary functions from their series.

An interval is (low, high, low is not attained, high is not attained) with rational ends or infinities; numbers that are
short stay exact, so that ties stay ties. Re-checking trusts this file. Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any

from workbench.ledger.trees import Tree, children, require

Interval = tuple[Any, Any, bool, bool]
BITS = 90  # binary digits of rounded numbers
MOST_BITS = 10**6  # of a power
MOST_TERMS = 20_000  # of the sums in an expression


class Undefined(ArithmeticError):
    """An expression has no value somewhere on the box."""


def to_fixed(x: Fraction, bits: int, up: bool) -> int:
    """x in fixed point: x 2^bits, rounded to an integer."""
    n, d = (x.numerator << bits, x.denominator) if bits >= 0 else (x.numerator, x.denominator << -bits)
    return -(-n // d) if up else n // d


def from_fixed(m: int, bits: int) -> Fraction:
    return Fraction(m, 1 << bits) if bits >= 0 else Fraction(m << -bits)


def round_outward(x: Any, bits: int, up: bool) -> Any:
    """x itself if it is short, else a neighbour of at most `bits` binary digits."""
    if x in (inf, -inf) or max(x.numerator.bit_length(), x.denominator.bit_length()) <= bits:
        return x
    shift = bits - x.numerator.bit_length() + x.denominator.bit_length()
    return from_fixed(to_fixed(x, shift, up), shift)


def plus(x: Any, y: Any) -> Any:
    return x if x in (inf, -inf) else (y if y in (inf, -inf) else x + y)


def times(x: Any, y: Any) -> Any:
    """The product with 0 oo = 0, since an infinite end is never attained."""
    if x == 0 or y == 0:
        return Fraction(0)
    if x in (inf, -inf) or y in (inf, -inf):
        return inf if (x > 0) == (y > 0) else -inf
    return x * y


def exp_of(x: Any, bits: int, up: bool) -> Any:
    """A bound of e^x: Taylor's series of x/2^j in fixed point, squared j times."""
    if x == 0 or x == -inf:
        return Fraction(x == 0)
    if x < 0:
        bound = exp_of(-x, bits, not up)
        return Fraction(0) if bound == inf else 1 / bound
    if x > 16384:
        return inf if up else exp_of(Fraction(16384), bits, up)
    j = max(0, int(x).bit_length() + 1)
    work = bits + 3 * j + 20
    y = to_fixed(x, work - j, up)
    term = total = 1 << work
    k = 1
    while term > 1:
        term = (term * y >> work) // k + up
        total, k = total + term, k + 1
    total += 2 * up * k  # the rest of the series is less than its last term
    for _ in range(j):
        total = (total * total >> work) + up
    return from_fixed(total, work)


def artanh_of(z: Fraction, bits: int, up: bool) -> Fraction:
    """A bound of 2 artanh(z), 0 <= z <= 1/2."""
    y = to_fixed(z, bits, up)
    power, total, k = y, 0, 1
    while power > 1:
        total += 2 * power // k + up
        power, k = (power * y * y >> 2 * bits) + up, k + 2
    return from_fixed(total + 8 * up, bits)


def log_of(x: Any, bits: int, up: bool) -> Any:
    """A bound of log x = e log 2 + log m for x = 2^e m with 2/3 <= m <= 4/3."""
    if x == inf or x == 0:
        return inf if x else -inf
    if x == 1:
        return Fraction(0)
    e = x.numerator.bit_length() - x.denominator.bit_length()
    e += x / Fraction(2) ** e > Fraction(4, 3)
    e -= x / Fraction(2) ** e < Fraction(2, 3)
    z = (x / Fraction(2) ** e - 1) / (x / Fraction(2) ** e + 1)
    work = bits + 20 + (x.denominator.bit_length() if e == 0 else abs(e).bit_length())
    near = artanh_of(z, work, up) if z >= 0 else -artanh_of(-z, work, not up)
    return e * artanh_of(Fraction(1, 3), work, up == (e > 0)) + near


def whole_root(n: int, q: int) -> int:
    """The integer part of n^(1/q), by Newton's method from above."""
    x = 1 << -(-n.bit_length() // q)
    while n and (y := ((q - 1) * x + n // x ** (q - 1)) // q) < x:
        x = y
    return x if n else 0


def root_of(x: Any, p: Fraction, bits: int, up: bool) -> Any:
    """A bound of x^p for x >= 0, p > 0; exact where the root is rational."""
    if x == inf:
        return x
    y, q = round_outward(x**p.numerator, 4 * bits, up), p.denominator
    n, d = whole_root(y.numerator, q), whole_root(y.denominator, q)
    if n**q == y.numerator and d**q == y.denominator:
        return Fraction(n, d)
    shift = bits + max(0, (y.denominator.bit_length() - y.numerator.bit_length()) // q + 1)
    return from_fixed(whole_root(to_fixed(y, q * shift, False), q) + up, shift)


def cos_of(x: Fraction, bits: int) -> tuple[Any, Any]:
    """Bounds of cos x by Taylor's series in fixed point, with one unit of error per term."""
    if x == 0 or abs(x) > 64:
        return (Fraction(1),) * 2 if x == 0 else (Fraction(-1), Fraction(1))
    work = bits + 110
    square = to_fixed(x * x, work, False)
    term = total = 1 << work
    k = 0
    while abs(term) > 1 or k < 100:
        k += 2
        term = -(term * square >> work) // ((k - 1) * k)
        total += term
    slack = (
        1 << 104
    )  # terms of at most e^64 < 2^93, each wrong by less than 2^93 / 2^work, fewer than 2^11 of them
    return max(Fraction(-1), from_fixed(total - slack, work)), min(
        Fraction(1), from_fixed(total + slack, work)
    )


@cache
def pi_of(bits: int, up: bool) -> Fraction:
    """A bound of pi = 16 arctan(1/5) - 4 arctan(1/239): alternating series, ended on the wanted side."""

    def arctan(n: int, up: bool) -> Fraction:
        terms = bits // 2 * 2 + up
        return sum((Fraction((-1) ** i, (2 * i + 1) * n ** (2 * i + 1)) for i in range(terms)), Fraction(0))

    return round_outward(16 * arctan(5, up) - 4 * arctan(239, not up), bits, up)


def sides(box: dict[str, Any]) -> dict[str, Interval]:
    """The sides of a statement's box as intervals."""

    def end(text: str) -> Any:
        return {"oo": inf, "-oo": -inf}[text] if text in ("oo", "-oo") else Fraction(text)

    return {n: (end(low), end(high), bool(a), bool(b)) for n, (low, high, a, b, _) in box.items()}


def point(q: Any) -> Interval:
    return Fraction(q), Fraction(q), False, False


def neg(a: Interval) -> Interval:
    return -a[1], -a[0], a[3], a[2]


class Enclosure:
    """Enclosures of trees over a box; every method raises Undefined where a value need not exist.

    sides: name -> Interval; "A[3]" is the third number of the sequence A. rules: see `Algebra`.
    """

    def __init__(
        self,
        sides: dict[str, Interval],
        bits: int = BITS,
        rules: Sequence[Any] = (),
        n: Any = None,
        start: Any = None,
    ) -> None:
        self.sides, self.bits, self.rules = sides, bits, (rules, n, start)
        self.budget = [MOST_TERMS]  # terms of sums that may still be added; sums inside one another share it
        self.memo: dict[int, tuple[Tree, Interval]] = {}

    def value(self, tree: Tree) -> Interval:
        if isinstance(tree, str):
            return self.sides[tree]
        if id(tree) not in self.memo:
            low, high, *flags = self.compute(tree)
            self.memo[id(tree)] = (
                tree,
                (round_outward(low, self.bits, False), round_outward(high, self.bits, True), *flags),
            )
        return self.memo[id(tree)][1]

    def compute(self, tree: Tree) -> Interval:
        head, *args = tree
        if head == "q":
            return point(args[0])
        if head in ("sum", "prod"):
            return self.series(tree)
        if head == "at":
            return self.element(*args)
        if head == "^":
            return self.power(self.value(args[0]), Fraction(args[1]))
        if head in ("pi", "e"):
            low, high = (
                pi_of(self.bits, up) if head == "pi" else exp_of(Fraction(1), self.bits, up)
                for up in (False, True)
            )
            return low, high, True, True
        values = [self.value(part) for part in children(tree)]
        if head == "call":  # any function: a value, but nothing is known of it
            return -inf, inf, True, True
        if head in ("if", "sure"):
            d, a, b = values
            if d[0] >= 0 or d[1] < 0 or (head == "if" and d[1] <= 0 and d[3]):
                return a if d[0] >= 0 else b
            if head == "sure":
                raise Undefined("a case distinction is not decided")
            return min(a[0], b[0]), max(a[1], b[1]), False, False
        total = values[0]
        for v in values[1:]:
            total = {
                "+": self.add,
                "*": self.mul,
                "max": self.larger,
                "min": self.smaller,
                "pow": self.symbolic_power,
            }[head](total, v)
        return total if head in ("+", "*", "max", "min", "pow") else getattr(self, head)(total)

    def add(self, a: Interval, b: Interval) -> Interval:
        return plus(a[0], b[0]), plus(a[1], b[1]), a[2] or b[2], a[3] or b[3]

    def mul(self, a: Interval, b: Interval) -> Interval:
        if a[0] < 0 and a[1] <= 0:
            return neg(self.mul(neg(a), b))
        if b[0] < 0 and b[1] <= 0:
            return neg(self.mul(a, neg(b)))
        if a[0] < 0 <= b[0]:
            return self.mul(b, a)
        low, high = times(a[0], b[0]), times(a[1], b[1])
        if b[0] >= 0:  # both are >= 0
            never = (a[2] or b[2]) if low else ((a[0] or a[2]) and (b[0] or b[2]))
            return low, high, bool(never), bool(high) and (a[3] or b[3])
        if a[0] >= 0:
            some = bool(a[1])
            return times(a[1], b[0]), high, some and (a[3] or b[2]), some and (a[3] or b[3])
        return min(times(a[0], b[1]), times(a[1], b[0])), max(low, high), False, False

    def larger(self, a: Interval, b: Interval) -> Interval:
        low, never = max((a[0], a[2]), (b[0], b[2]))
        high, ever = max((a[1], not a[3]), (b[1], not b[3]))
        return low, high, never, not ever

    def smaller(self, a: Interval, b: Interval) -> Interval:
        return neg(self.larger(neg(a), neg(b)))

    def inverse(self, a: Interval) -> Interval:
        if a[0] < 0 and a[1] <= 0:
            return neg(self.inverse(neg(a)))
        if a[0] < 0 or (a[0] == 0 and not a[2]):
            raise Undefined("a division by something that may be 0")
        low, high = (Fraction(0) if a[1] == inf else 1 / a[1]), (1 / a[0] if a[0] else inf)
        return low, high, a[3], a[2]

    def power(self, a: Interval, p: Fraction) -> Interval:
        """a^p, p rational and not 0; a fractional power needs a >= 0."""
        if p < 0:
            return self.inverse(self.power(a, -p))
        if p.denominator > 1 and a[0] < 0:
            raise Undefined("a root of something that may be negative")
        if p.denominator == 1 and p.numerator % 2 == 0:
            a = self.abs(a)
        ends = []
        bits = max(
            (max(x.numerator.bit_length(), x.denominator.bit_length()) for x in a[:2] if abs(x) != inf),
            default=0,
        )
        if bits * p.numerator > MOST_BITS:
            raise Undefined("a power is a huge number")
        for x, up in ((a[0], False), (a[1], True)):
            if p.denominator > 1:
                ends.append(root_of(x, p, self.bits, up))
            else:
                ends.append(x if x in (inf, -inf) else x**p.numerator)
        return ends[0], ends[1], a[2], a[3]

    def symbolic_power(self, a: Interval, p: Interval) -> Interval:
        if p[0] == p[1] and p[0].denominator == 1:
            if p[0] == 0:
                self.inverse(a)  # 0^0 has no value
                return point(1)
            return self.power(a, p[0])
        return self.exp(self.mul(p, self.log(a)))

    def exp(self, a: Interval) -> Interval:
        return exp_of(a[0], self.bits, False), exp_of(a[1], self.bits, True), a[2], a[3]

    def log(self, a: Interval) -> Interval:
        if a[0] < 0 or (a[0] == 0 and not a[2]):
            raise Undefined("a logarithm of something that may be 0 or negative")
        return log_of(a[0], self.bits, False), log_of(a[1], self.bits, True), a[2], a[3]

    def abs(self, a: Interval) -> Interval:
        return a if a[0] >= 0 else (neg(a) if a[1] <= 0 else (Fraction(0), max(-a[0], a[1]), False, False))

    def tanh(self, a: Interval) -> Interval:
        reciprocal = self.inverse(self.add(point(1), self.exp(self.mul(point(2), a))))
        return self.add(point(1), self.mul(point(-2), reciprocal))

    def cos(self, a: Interval) -> Interval:
        if inf in (a[1], -a[0]) or a[1] - a[0] > 4:
            return point(-1)[0], point(1)[0], False, False
        low, high = cos_of((a[0] + a[1]) / 2, self.bits)
        reach = (a[1] - a[0]) / 2
        return max(-point(1)[0], low - reach), min(point(1)[0], high + reach), False, False

    def sin(self, a: Interval) -> Interval:
        if a[0] == a[1] == 0:
            return a
        quarter = (-pi_of(self.bits, True) / 2, -pi_of(self.bits, False) / 2, False, False)
        return self.cos(self.add(a, quarter))

    def whole(self, tree: Tree) -> int:
        low, high = self.value(tree)[:2]
        if low != high or low.denominator != 1:
            raise Undefined("a limit or an index is no integer")
        return low.numerator

    def series(self, tree: Tree) -> Interval:
        head, index, low, high, body = tree
        first, last = self.whole(low), self.whole(high)
        require(last >= first - 1, "a sum's upper limit lies below its empty range")
        self.budget[0] -= last - first + 1
        require(self.budget[0] >= 0, "a sum has too many terms")
        total = point(head == "prod")
        for k in range(first, last + 1):
            inner = Enclosure({**self.sides, index: point(k)}, self.bits, *self.rules)
            inner.budget = self.budget
            term = inner.value(body)
            low_, high_, *flags = (self.add if head == "sum" else self.mul)(total, term)
            total = (round_outward(low_, self.bits, False), round_outward(high_, self.bits, True), *flags)
        return total

    def element(self, name: str, index: Tree) -> Interval:
        """One number of a sequence: given, or by the rule that defines it."""
        k, (rules, n, start) = self.whole(index), self.rules
        for sequence, at, value in rules:
            if sequence == name and (k == at if at is not None else k > start):
                return Enclosure({**self.sides, n: point(k - 1)}, self.bits, *self.rules).value(value)
        if f"{name}[{k}]" not in self.sides:
            raise Undefined(f"{name}[{k}] has no value")
        return self.sides[f"{name}[{k}]"]
