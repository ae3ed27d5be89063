"""What the searchers share: statements over sub-boxes, by enclosures with Arb numbers (`enclosure`).

A piece is settled here by the reasons that `workbench.ledger.certificate` accepts; that module checks them again with
arithmetic of its own.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from sys import float_info
from typing import Any

from workbench.ledger.enclosure import NEG_INF, Pair, Tape, Tree, Undefined, rational, set_precision
from workbench.ledger.trees import Wrong, constant, differentiate, operation, replace

LEVELS = (80, 200, 600)  # precisions in bits, tried in turn when comparing at a point
LONG = 60  # terms of a sum that is not written out


def multiply_out(statement: dict[str, Any]) -> dict[str, Any]:
    """The statement with sums of less than LONG terms, and all products, written out."""
    given = [[written_out(g), sign] for g, sign in statement["given"]]
    return {
        **statement,
        "lhs": written_out(statement["lhs"]),
        "rhs": written_out(statement["rhs"]),
        "given": given,
    }


def written_out(tree: Tree) -> Tree:
    if isinstance(tree, str) or tree[0] == "q":
        return tree
    head, *args = tree
    if head not in ("sum", "prod"):
        return [head, *(a if isinstance(a, str) and head in ("^", "call") else written_out(a) for a in args)]
    index, low, high, body = args[0], constant(args[1]), constant(args[2]), args[3]
    if low is None or high is None or (head == "sum" and high - low >= LONG):
        return [head, *args[:3], written_out(body)]
    terms = [written_out(replace(body, {index: ["q", str(low + i)]})) for i in range(int(high - low) + 1)]
    return operation("+" if head == "sum" else "*", terms)


def difference(statement: dict[str, Any], form: str = "difference") -> Any:
    """The tree that must be >= 0: rhs - lhs, or log rhs - log lhs (for positive sides)."""
    lhs, rhs = statement["lhs"], statement["rhs"]
    if form == "logarithm":
        lhs, rhs = ["log", lhs], ["log", rhs]
    elif form != "difference":
        raise Wrong(f"unknown form {form!r}")
    return ["+", rhs, ["*", ["q", "-1"], lhs]]


def like_terms(tree: Tree) -> Tree:
    """A sum with equal terms collected, so that enclosures do not lose by what cancels."""
    terms: dict[str, tuple[Fraction, list[Tree]]] = {}

    def take(t: Tree, c: Fraction) -> None:
        if not isinstance(t, str) and t[0] == "+":
            for part in t[1:]:
                take(part, c)
            return None
        factors = [t]
        if not isinstance(t, str) and t[0] == "*":
            values = [constant(f) for f in t[1:]]
            for value in values:
                c = c if value is None else c * value
            factors = [f for f, value in zip(t[1:], values, strict=True) if value is None]
            if len(factors) == 1 and not isinstance(factors[0], str) and factors[0][0] == "+":
                return take(factors[0], c)
        elif (value := constant(t)) is not None:
            c, factors = c * value, []
        key = repr(factors)
        terms[key] = (terms.get(key, (Fraction(0), []))[0] + c, factors)
        return None

    take(tree, Fraction(1))
    remaining = [(c, factors) for c, factors in terms.values() if c]
    return operation(
        "+", [operation("*", [*([["q", str(c)]] if c != 1 or not f else []), *f]) for c, f in remaining]
    )


def _within(value: Fraction, side: list[Any]) -> bool:
    low, high, low_open, high_open, integer = side
    if low != "-oo" and (value < Fraction(low) or (low_open and value == Fraction(low))):
        return False
    if high != "oo" and (value > Fraction(high) or (high_open and value == Fraction(high))):
        return False
    return not integer or value.denominator == 1


def point_refutes(statement: dict[str, Any], point: dict[str, str]) -> bool:
    """Do enclosures prove lhs > rhs, and the conditions, at a rational point of the box? Raises Undefined."""
    names = sorted(statement["box"])
    values = {n: Fraction(point[n]) for n in names}
    if not all(_within(values[n], statement["box"][n]) for n in names):
        return False
    given = statement["given"]
    exact = cache(lambda k: constant(given[k][0], values))  # at whatever precision
    for bits in LEVELS:
        set_precision(bits)  # of the point, too: 1/3 lies between two numbers of this precision
        try:
            if not all(_holds(g, exact(k), names, values) for k, g in enumerate(given)):
                continue
            if Tape(difference(statement), names).value([rational(values[n]) for n in names])[1] < 0:
                return True
        finally:
            set_precision()
    return False


def _holds(given: list[Any], exact: Fraction | None, names: list[str], values: dict[str, Fraction]) -> bool:
    """Does a condition hold at a point? exact: its value, where it is rational by its form."""
    low: Any = exact
    high = low
    if exact is None:
        low, high = Tape(given[0], names).value([rational(values[n]) for n in names])
    if given[1] == "=":
        return bool(low == high == 0)
    return bool(low > 0 or (low >= 0 and given[1] == ">="))


class Pieces:
    """A statement over sub-boxes; ends are Fractions or "oo", "-oo"."""

    def __init__(self, names: list[str], main: Tree, given: list[Any], sides: list[Tree]) -> None:
        self.names, self.tree = names, main
        self.main = Tape(main, names)
        self.given = [(Tape(g[0], names), g[1]) for g in given]
        self.sides = [Tape(side, names) for side in sides]  # must be >= 0 for the form to be equivalent

    @classmethod
    def of(cls, statement: dict[str, Any], form: str, forms: list[Tree] | None = None) -> Pieces:
        sides = [statement["lhs"], statement["rhs"]] if form == "logarithm" else []
        main = difference(statement, form)
        return cls(sorted(statement["box"]), main, statement["given"], sides)._as(
            forms, statement["given"], sides
        )

    def slope(self, name: str, up: bool, forms: list[Tree] | None = None) -> Pieces:
        """The statement that a partial derivative is >= 0 (up) or <= 0; no conditions, since a path may leave them."""
        main = differentiate(self.tree, name)
        main = main if up else ["*", ["q", "-1"], main]
        return Pieces(self.names, main, [], [])._as(forms, [], [])

    def bare(self) -> Pieces:
        return Pieces(self.names, self.tree, [], [])

    def _as(self, forms: list[Tree] | None, given: list[Any], sides: list[Tree]) -> Pieces:
        """Replaces the tree by the numerator of [numerator, denominator]; the denominator must be >= 0."""
        if not forms:
            return self
        top, bottom = forms
        return Pieces(self.names, top, given, [*sides, bottom])

    @staticmethod
    def pairs(box: list[tuple]) -> list[Pair]:
        return [(rational(a)[0], rational(b)[1]) for a, b in box]

    def proves(self, box: list[tuple], reason: Any) -> bool:
        """Does the reason settle this piece? "v": by enclosure; "m": by enclosure on the faces that monotonicity
        permits; a number: this condition fails on the whole piece."""
        try:
            if isinstance(reason, int):
                return self._infeasible(self.pairs(box), reason)
            if not self.comparable(box):
                return False
            at = self.pairs(box)
            return bool(self._lower(at, reason == "m") >= 0)
        except Undefined:
            return False

    def comparable(self, box: list[tuple]) -> bool:
        """Are the sides that must be >= 0 nonnegative on the whole piece, so that the form is equivalent there?"""
        at = self.pairs(box)
        return all(side.value(at)[0] >= 0 for side in self.sides)

    def _infeasible(self, at: list[Pair], k: int) -> bool:
        tape, sign = self.given[k]
        low, high = tape.value(at)
        return bool(high < 0 or (sign == ">" and high <= 0) or (sign == "=" and low > 0))

    def _lower(self, at: list[Pair], monotone: bool) -> Any:
        for _ in range(3 if monotone else 0):
            slopes, has_moved = self.main.slopes(at), False
            for i, (low, high) in enumerate(slopes):
                a, b = at[i]
                if not a < b or not (low >= 0 or high <= 0):
                    continue
                end = a if low >= 0 else b
                if end.is_finite():
                    at[i], has_moved = (end, end), True
            if not has_moved:
                break
        return max(self.main.value(at)[0], self._centre_form(at)) if monotone else self.main.value(at)[0]

    def _centre_form(self, at: list[Pair]) -> Any:
        """Centred form f(middle) + sum of slope * (x - middle), a sharper enclosure on small boxes."""
        if not all(a.is_finite() and b.is_finite() for a, b in at):
            return NEG_INF
        middle = [(m, m) for m in (((a + b) / 2).mid() for a, b in at)]
        low = self.main.value(middle)[0]
        for (a, b), (m, _), slope in zip(at, middle, self.main.slopes(at), strict=True):
            reach = (max(b - m, m - a)).upper()
            low = (low - max(abs(slope[0]), abs(slope[1])) * reach).lower() if reach > 0 else low
        return low if not low.is_nan() else NEG_INF


def double(q: Fraction) -> float:
    """The nearest number in double precision; for what lies beyond them, the largest one."""
    try:
        return float(q)
    except OverflowError:
        return float_info.max if q > 0 else -float_info.max


def _end(text: str) -> Any:
    return text if text in ("oo", "-oo") else Fraction(text)


def halves(box: list[tuple], i: int) -> tuple[list[tuple], list[tuple]]:
    """The two halves of the box, split along variable i. Raises Wrong if the side is a single point."""
    low, high = box[i]
    if low == high:
        raise Wrong("a side of length 0 cannot be split")
    m = middle(low, high)
    return [*box[:i], (low, m), *box[i + 1 :]], [*box[:i], (m, high), *box[i + 1 :]]


def middle(low: Any, high: Any) -> Fraction:
    """The splitting point; on a logarithmic scale for sides that span orders of magnitude."""
    if low == "-oo" or high == "oo":
        if low == "-oo":
            return Fraction(0) if high == "oo" or high > 0 else (Fraction(-1) if high == 0 else high * 4)
        return Fraction(0) if low < 0 else (Fraction(1) if low == 0 else low * 4)
    if low < 0 < high:
        return Fraction(0) if low + high else (low + high) / 2
    if high <= 0:
        return -middle(-high, -low)
    if low > 0 and high > 16 * low:
        exponent = (_log2(low) + _log2(high)) // 2
        return Fraction(2) ** exponent if low < Fraction(2) ** exponent < high else (low + high) / 2
    return high / 16 if low == 0 and high > 1 else (low + high) / 2


def _log2(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()


def face(box: list[tuple], i: int, up: bool) -> list[tuple]:
    """The side of the box where variable i is smallest (where the function rises, `up`) or largest."""
    end = box[i][0] if up else box[i][1]
    return [*box[:i], (end, end), *box[i + 1 :]]


def root_box(statement: dict[str, Any]) -> list[tuple]:
    return [(_end(side[0]), _end(side[1])) for _, side in sorted(statement["box"].items())]


def positive_names(names: list[str], box: list[tuple]) -> frozenset[str]:
    """Variables that SymPy may assume positive, since identities of analytic expressions extend to the closure."""
    return frozenset(n for n, (low, _) in zip(names, box, strict=True) if low != "-oo" and low >= 0)
