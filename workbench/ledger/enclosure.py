"""Enclosures of expressions over boxes: interval arithmetic with Arb numbers as ends, rounded outward.

An expression is a portable tree, plain JSON: "x" is a variable, ["q", "1/3"] a rational, ["pi"], ["e"], and
["+" | "*" | "max" | "min", a, b, ...], ["^", a, "p/q"], ["exp" | "log" | "abs" | "sin" | "cos" | "tanh", a],
... (see `trees`). A `Tape` is such a tree as
straight-line code in which each common subexpression occurs once. It is evaluated over a box in one forward sweep, and
its partial derivatives in a second, backward sweep.

An interval is a pair (low, high) of exact Arb numbers, infinite ends allowed. A result that is not defined on the whole
box raises `Undefined`: the box must be split, or the statement is wrong.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from workbench.ledger.trees import constant

PRECISION = 80  # bits
INF, NEG_INF, ZERO, ONE = arb("inf"), arb("-inf"), arb(0), arb(1)
Pair = tuple[Any, Any]
Tree = Any


class Undefined(ArithmeticError):
    """An expression has no value somewhere on the box."""


def _low(x: Any) -> Any:
    lower = x.lower()
    return lower if not lower.is_nan() else NEG_INF


def _high(x: Any) -> Any:
    upper = x.upper()
    return upper if not upper.is_nan() else INF


def rational(text: str | int | Fraction) -> Pair:
    """The tightest interval around a rational number; "oo" and "-oo" are the infinities."""
    if text in ("oo", "-oo"):
        end = INF if text == "oo" else NEG_INF
        return end, end
    q = Fraction(text)
    ball = arb(fmpq(q.numerator, q.denominator))
    return ball.lower(), ball.upper()


def add(a: Pair, b: Pair) -> Pair:
    return _low(a[0] + b[0]), _high(a[1] + b[1])


def neg(a: Pair) -> Pair:
    return -a[1], -a[0]


def _times(x: Any, y: Any) -> Any:
    """The product with 0 * oo = 0, since an infinite end is never attained."""
    return ZERO if x == 0 or y == 0 else x * y


def mul(a: Pair, b: Pair) -> Pair:
    if a[0] >= 0 and b[0] >= 0:
        return _low(_times(a[0], b[0])), _high(_times(a[1], b[1]))
    ends = [_times(x, y) for x in a for y in b]
    return min(map(_low, ends)), max(map(_high, ends))


def inverse(a: Pair) -> Pair:
    if a[0] < 0 < a[1] or (a[0] == 0 and a[1] == 0):
        raise Undefined("division by an interval that contains 0")
    low = ZERO if a[1] == INF else (NEG_INF if a[1] == 0 else _low(ONE / a[1]))
    high = ZERO if a[0] == NEG_INF else (INF if a[0] == 0 else _high(ONE / a[0]))
    return low, high


def power(a: Pair, p: Fraction) -> Pair:
    """a^p for a rational p; a fractional power needs a >= 0 on the whole box."""
    if p < 0:
        return inverse(power(a, -p))
    if p.denominator == 1:
        n = p.numerator
        if n % 2 == 0 and a[0] < 0:
            a = (ZERO, max(-a[0], a[1])) if a[1] > 0 else neg(a)
        return _low(_whole(a[0], n)), _high(_whole(a[1], n))
    if a[0] < 0:
        raise Undefined("a fractional power of a negative number")
    return _low(_root(a[0], p)), _high(_root(a[1], p))


def _whole(x: Any, n: int) -> Any:
    return x if n == 1 else (ONE if n == 0 else (x**n if x.is_finite() else (x if n % 2 else abs(x))))


def _root(x: Any, p: Fraction) -> Any:
    if x == 0 or not x.is_finite():
        return x
    return x.sqrt() ** p.numerator if p.denominator == 2 else x ** arb(fmpq(p.numerator, p.denominator))


def exponential(a: Pair) -> Pair:
    low = ZERO if a[0] == NEG_INF else max(ZERO, _low(a[0].exp()))
    return low, INF if a[1] == INF else _high(a[1].exp())


def logarithm(a: Pair) -> Pair:
    if a[0] < 0 or a[1] <= 0:
        raise Undefined("a logarithm of a number that need not be positive")
    return NEG_INF if a[0] == 0 else _low(a[0].log()), INF if a[1] == INF else _high(a[1].log())


def absolute(a: Pair) -> Pair:
    return a if a[0] >= 0 else (neg(a) if a[1] <= 0 else (ZERO, max(-a[0], a[1])))


def tanh(a: Pair) -> Pair:
    ends = [x.tanh() if x.is_finite() else (ONE if x > 0 else -ONE) for x in a]
    return _low(ends[0]), _high(ends[1])


def sine(a: Pair, cosine: bool = False) -> Pair:
    if not (a[0].is_finite() and a[1].is_finite()):
        return -ONE, ONE
    ball = a[0].union(a[1])
    value = ball.cos() if cosine else ball.sin()
    return max(-ONE, _low(value)), min(ONE, _high(value))


def hull(a: Pair, b: Pair) -> Pair:
    return min(a[0], b[0]), max(a[1], b[1])


FUNCTIONS = {
    "exp": exponential,
    "log": logarithm,
    "abs": absolute,
    "tanh": tanh,
    "sin": sine,
    "cos": lambda a: sine(a, cosine=True),
}


class Tape:
    """Straight-line code of a tree over named variables.

    Raises ValueError for a node outside this language and for a variable that is not in ``names``.
    """

    def __init__(self, tree: Tree, names: list[str]) -> None:
        self.names = names
        self._code: list[tuple] = []
        self._indices: dict[tuple, int] = {}
        self.root = self._add(tree)

    def __len__(self) -> int:
        return len(self._code)

    def _emit(self, *op: Any) -> int:
        if op not in self._indices:
            self._indices[op] = len(self._code)
            self._code.append(op)
        return self._indices[op]

    def _add(self, tree: Tree) -> int:
        if isinstance(tree, str):
            if tree not in self.names:
                raise ValueError(f"the variable {tree} has no domain")
            return self._emit("var", self.names.index(tree))
        head, *args = tree
        if head == "q":
            return self._emit("const", Fraction(args[0]))
        if head in ("pi", "e"):
            return self._emit(head)
        if head in ("+", "*", "max", "min"):
            index = self._add(args[0])
            for other in args[1:]:
                index = self._emit(head, index, self._add(other))
            return index
        if head == "^":
            return self._emit("^", self._add(args[0]), Fraction(args[1]))
        if head in ("sum", "prod"):
            first, last = constant(args[1]), constant(args[2])
            if first is None or last is None or head == "prod":
                raise ValueError(f"no enclosure for a {head} over {args[0]}")
            return self._emit(
                "sum", len(self._code), Tape(args[3], [*self.names, args[0]]), int(first), int(last)
            )
        if head == "pow":
            return self._add(["exp", ["*", args[1], ["log", args[0]]]])
        if head in ("if", "sure"):
            return self._emit(head, *(self._add(a) for a in args))
        if head in FUNCTIONS and len(args) == 1:
            return self._emit(head, self._add(args[0]))
        raise ValueError(f"no enclosure for {head!r}")

    def values(self, box: list[Pair]) -> list[Pair]:
        """Enclosures of all intermediate results. Raises Undefined."""
        out: list[Pair] = []
        for op in self._code:
            out.append(_forward(op, out, box))
        return out

    def value(self, box: list[Pair]) -> Pair:
        return self.values(box)[self.root]

    def slopes(self, box: list[Pair]) -> list[Pair]:
        """Enclosures of the partial derivatives (of the generalized gradient at kinks of max, min and abs).

        Raises Undefined.
        """
        v = self.values(box)
        bar: list[Pair | None] = [None] * len(v)
        bar[self.root] = (ONE, ONE)
        out: list[Pair] = [(ZERO, ZERO)] * len(self.names)
        for k in range(self.root, -1, -1):
            weight = bar[k]
            if weight is None:
                continue
            op = self._code[k]
            if op[0] == "var":
                out[op[1]] = add(out[op[1]], weight)
            for i, factor in _backward(op, v, k):
                term = mul(weight, factor)
                bound = bar[i]
                bar[i] = term if bound is None else add(bound, term)
        return out


def _forward(op: tuple, v: list[Pair], box: list[Pair]) -> Pair:
    head = op[0]
    if head == "var":
        return box[op[1]]
    if head == "const":
        return rational(op[1])
    if head == "+":
        return add(v[op[1]], v[op[2]])
    if head == "*":
        return mul(v[op[1]], v[op[2]]) if op[1] != op[2] else power(v[op[1]], Fraction(2))
    if head == "^":
        return power(v[op[1]], op[2])
    if head == "max":
        return max(v[op[1]][0], v[op[2]][0]), max(v[op[1]][1], v[op[2]][1])
    if head == "min":
        return min(v[op[1]][0], v[op[2]][0]), min(v[op[1]][1], v[op[2]][1])
    if head in ("if", "sure"):
        d, a, b = (v[i] for i in op[1:])
        if head == "sure" and d[0] < 0 <= d[1]:
            raise Undefined("a case distinction is not decided on the box")
        return a if d[0] >= 0 else (b if d[1] < 0 else hull(a, b))
    if head == "sum":
        total = (ZERO, ZERO)
        for k in range(op[3], op[4] + 1):
            total = add(total, op[2].value([*box, rational(k)]))
        return total
    if head in ("pi", "e"):
        ball = arb.pi() if head == "pi" else arb(1).exp()
        return ball.lower(), ball.upper()
    return FUNCTIONS[head](v[op[1]])


def _backward(op: tuple, v: list[Pair], k: int) -> list[tuple[int, Pair]]:
    """(argument, partial derivative of the operation with respect to it)."""
    head = op[0]
    if head in ("var", "const", "pi", "e"):
        return []
    if head == "sum":
        raise Undefined("derivatives of a long sum are not supported")
    i = op[1]
    if head == "+":
        return [(i, (ONE, ONE)), (op[2], (ONE, ONE))]
    if head == "*":
        return [(i, v[op[2]]), (op[2], v[i])]
    if head == "^":
        p = op[2]
        return [(i, mul(rational(p), power(v[i], p - 1)))] if p != 0 else []
    if head in ("max", "min"):
        return _choice(op, v)
    if head in ("if", "sure"):
        d = v[i]
        if d[0] >= 0 or d[1] < 0:
            return [(op[2] if d[0] >= 0 else op[3], (ONE, ONE))]
        raise Undefined("a case distinction is not decided on the box")
    if head == "exp":
        return [(i, v[k])]
    if head == "log":
        return [(i, inverse(v[i]))]
    if head == "abs":
        return [(i, (ONE, ONE) if v[i][0] >= 0 else ((-ONE, -ONE) if v[i][1] <= 0 else (-ONE, ONE)))]
    if head == "tanh":
        return [(i, add((ONE, ONE), neg(power(v[k], Fraction(2)))))]
    return [(i, sine(v[i], cosine=True) if head == "sin" else neg(sine(v[i])))]


def _choice(op: tuple, v: list[Pair]) -> list[tuple[int, Pair]]:
    i, j = op[1:] if op[0] == "max" else (op[2], op[1])  # for a minimum the roles are swapped
    if v[i][0] >= v[j][1]:
        return [(op[1], (ONE, ONE))]
    if v[j][0] >= v[i][1]:
        return [(op[2], (ONE, ONE))]
    return [(op[1], (ZERO, ONE)), (op[2], (ZERO, ONE))]


def set_precision(bits: int = PRECISION) -> None:
    """Arb's working precision, for this process."""
    ctx.prec = bits


set_precision()
