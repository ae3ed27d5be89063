"""Growth of an expression as one variable tends to infinity, by exact rules over the expression tree.

A bound is built from powers, logarithms, maxima and sums. Each such expression is asymptotic to

    c * x^e0 * (log x)^e1 * (log log x)^e2 * ...,      c != 0,

a `Growth`. Products add exponents, a sum keeps its largest term, a logarithm shifts the exponents one place to the
right. Everything the rules cannot decide raises `Undecided`: leading terms that cancel, unknown signs, functions
without a rule. A wrong exponent is worse than none: signs of numbers come from rigorous enclosures (`numbers`).

Exponents may contain symbols that are known only to lie in an open interval (`ranges`). Each such symbol p is replaced
by (low + high h)/(1 + h) with h > 0, so that SymPy can see the sign of an expression that is constant in sign on the
interval.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from sympy import (
    Abs,
    Add,
    Dummy,
    Expr,
    Max,
    Min,
    Mul,
    Piecewise,
    Pow,
    S,
    Symbol,
    cancel,
    ceiling,
    exp,
    expand_log,
    floor,
    log,
    simplify,
)
from sympy.core.relational import Equality, Relational, Unequality

from workbench.theory.numbers import sign, substitute


class Undecided(ValueError):
    """The rules cannot decide the growth of an expression."""


class NotCovered(Undecided):
    """The statement does not cover this case (outside its assumptions, or a constant without a value)."""


@dataclass(frozen=True)
class Growth:
    """coefficient * x^e0 * (log x)^e1 * ...; `exponents` = (e0, e1, ...) without trailing zeros."""

    exponents: tuple[Expr, ...]
    coefficient: Expr

    @property
    def power(self) -> Expr:
        """Exponent of x."""
        return self.exponents[0] if self.exponents else S.Zero

    @property
    def log_power(self) -> Expr:
        """Exponent of log x."""
        return self.exponents[1] if len(self.exponents) > 1 else S.Zero

    @property
    def sign(self) -> int:
        """Sign of the leading coefficient."""
        return _sign(self.coefficient)

    @property
    def direction(self) -> int:
        """+1 if the absolute value tends to infinity, -1 if to zero, 0 if to a nonzero constant."""
        return _sign(self.exponents[_first(self)]) if self.exponents else 0

    def times(self, other: "Growth") -> "Growth":
        return _make(_add(self.exponents, other.exponents), self.coefficient * other.coefficient)

    def to(self, r: Expr) -> "Growth":
        """The r-th power; a negative expression has none unless r is an integer."""
        if not r.is_integer and self.sign < 0:
            raise Undecided(f"power {r} of a negative expression")
        return _make(tuple(e * r for e in self.exponents), self.coefficient**r)


Ranges = Mapping[Symbol, tuple[Expr, Expr]]  # symbol -> ends of its open interval


def growth(expr: Expr, x: Symbol, ranges: Ranges | None = None) -> Growth:
    """Leading behaviour of `expr` as x -> oo. Other symbols are constants with their declared signs.

    The result holds for all values of the symbols in `ranges`; if it depends on them, raises `Undecided`.
    """
    inside, outside = _half_lines(ranges or {})
    expr = substitute(expr, inside)
    if not x.is_positive:  # x is positive near infinity, which indicators of noise levels need to know
        z = Dummy(x.name, positive=True)
        x, expr = z, substitute(expr, {x: z})
    leading = _Rules(x).of(expr)
    if not outside:
        return leading
    exponents = tuple(cancel(e.xreplace(outside)) for e in leading.exponents)
    return Growth(exponents, leading.coefficient.xreplace(outside))


def exponent(expr: Expr, x: Symbol, ranges: Ranges | None = None) -> Expr:
    """Exact power of x in the leading behaviour of `expr` as x -> oo; logarithms count as power 0."""
    return growth(expr, x, ranges).power


def sign_on(expr: Expr, ranges: Ranges) -> int:
    """The sign (-1, 0, 1) of `expr` throughout the ranges. Raises `Undecided` if the sign is not constant."""
    inside, _ = _half_lines(ranges)
    value = _lowest(substitute(expr, inside))
    return 0 if value == 0 else _sign(value)


def _half_lines(ranges: Ranges) -> tuple[dict[Symbol, Expr], dict[Symbol, Expr]]:
    """Substitutions p -> (low + high h)/(1 + h) with h > 0, and their inverses."""
    inside, outside = {}, {}
    for symbol, (low, high) in ranges.items():
        h = Dummy(f"h_{symbol.name}", positive=True)
        inside[symbol] = (low + high * h) / (1 + h)
        outside[h] = (symbol - low) / (high - symbol)
    return inside, outside


class _Rules:
    """The rules for one variable, memoized over shared subexpressions."""

    def __init__(self, x: Symbol) -> None:
        self.x = x
        self.memo: dict[Expr, Growth] = {}

    def of(self, e: Expr) -> Growth:
        if e not in self.memo:
            self.memo[e] = self._of(e)
        return self.memo[e]

    def _of(self, e: Expr) -> Growth:
        if not e.has(self.x):
            return _make((), e)
        if e == self.x:
            return Growth((S.One,), S.One)
        if isinstance(e, Mul):
            return self._product(e.args)
        if isinstance(e, Add):
            return _sum([self.of(a) for a in e.args], e)
        if isinstance(e, Pow):
            return self._power(e.base, e.exp)
        if isinstance(e, exp):
            return self._power(S.Exp1, e.args[0])
        if isinstance(e, log):
            return self._log(e.args[0])
        return self._function(e)

    def _function(self, e: Expr) -> Growth:
        if isinstance(e, (ceiling, floor)):
            inner = self.of(e.args[0])
            if inner.direction > 0:
                return inner
            raise Undecided(f"rounding of a bounded expression: {e}")
        if isinstance(e, Abs):
            inner = self.of(e.args[0])
            return Growth(inner.exponents, inner.coefficient * inner.sign)
        if isinstance(e, (Max, Min)):
            best = e.args[0]
            for other in e.args[1:]:
                ahead = self._sign_of_difference(other, best)
                if (ahead > 0) == isinstance(e, Max) and ahead != 0:
                    best = other
            return self.of(best)
        if isinstance(e, Piecewise):
            return self._piecewise(e)
        rule = getattr(
            e, "growth_rule", None
        )  # functions of `workbench.theory.special` define their own growth
        leading = rule(self) if rule is not None else None
        if leading is not None:
            return leading
        raise Undecided(f"no rule for {e.func.__name__}")

    def _product(self, factors: Iterable[Expr]) -> Growth:
        total = Growth((), S.One)
        for f in factors:
            total = total.times(self.of(f))
        return total

    def _power(self, base: Expr, power: Expr) -> Growth:
        if not power.has(self.x):
            return self.of(base).to(power)
        if base.has(self.x):
            return self._power(S.Exp1, power * log(base))
        # b^(a + c log x + ...): every term is a constant or a constant times an (iterated) logarithm.
        factors = [self._exponential(term * log(base)) for term in Add.make_args(power.expand())]
        total = Growth((), S.One)
        for f in factors:
            total = total.times(f)
        return total

    def _exponential(self, term: Expr) -> Growth:
        """exp(term) for one term of the exponent."""
        if not term.has(self.x):
            return _make((), exp(term))
        if self.of(term).direction < 0:
            return Growth((), S.One)
        for inner in sorted(term.atoms(log), key=lambda a: a.count_ops()):
            rate = cancel(term / inner)
            if inner.has(self.x) and not rate.has(self.x):
                return self.of(inner.args[0]).to(_exact(rate))
        falls = self.of(term).sign < 0
        raise Undecided(
            f"exp({term}) {'falls' if falls else 'grows'} faster than every power of {self.x}, so it has no exponent; "
            "claim a rate or a bound of it"
        )

    def _log(self, inner: Expr) -> Growth:
        g = self.of(inner)
        if g.sign < 0:
            raise Undecided(f"log of a negative expression: {inner}")
        if g.exponents:
            i = _first(g)
            return _make((S.Zero,) * (i + 1) + (S.One,), g.exponents[i])
        if g.coefficient == 1:
            return self.of(inner - 1)  # log(1 + u) ~ u as u -> 0
        return _make((), log(g.coefficient))

    def _sign_of_difference(self, a: Expr, b: Expr) -> int:
        """Sign of a - b for large x; 0 if they are equal."""
        if a == b:
            return 0
        if S.Zero in (a, b):  # zero has no growth
            return self.of(a).sign if b == 0 else -self.of(b).sign
        of_a, of_b = self.of(a), self.of(b)
        order = _compare(of_a.exponents, of_b.exponents)
        if order != 0:
            return of_a.sign if order > 0 else -of_b.sign
        return _sign(of_a.coefficient - of_b.coefficient)

    def _piecewise(self, e: Piecewise) -> Growth:
        for value, condition in e.args:
            if condition is S.true or condition == True:  # noqa: E712  (a SymPy Boolean, not a bool)
                return self.of(value)
            if not isinstance(condition, Relational) or isinstance(condition, (Equality, Unequality)):
                raise Undecided(f"condition {condition}")
            s = self._sign_of_difference(condition.lhs, condition.rhs)
            if s == 0:
                raise Undecided(f"condition {condition} on its boundary")
            if (s > 0) == (">" in condition.rel_op):
                return self.of(value)
        raise Undecided(f"no branch of {e} applies")


def _make(exponents: tuple[Expr, ...], coefficient: Expr) -> Growth:
    """A growth with trailing zeros dropped."""
    exponents = tuple(_lowest(e) for e in exponents)
    while exponents and exponents[-1] == 0:
        exponents = exponents[:-1]
    if not coefficient.free_symbols and not sign(coefficient):
        raise Undecided(f"a vanishing factor has no growth: {str(coefficient)[:80]}")
    if coefficient.is_zero:
        raise Undecided("a vanishing factor has no growth")
    return Growth(exponents, coefficient)


def _add(a: tuple[Expr, ...], b: tuple[Expr, ...]) -> tuple[Expr, ...]:
    return tuple(p + q for p, q in zip_longest(a, b, fillvalue=S.Zero))


def _first(g: Growth) -> int:
    """Index of the first nonzero exponent."""
    return next(i for i, e in enumerate(g.exponents) if e != 0)


def _compare(a: tuple[Expr, ...], b: tuple[Expr, ...]) -> int:
    """Lexicographic comparison of two exponent tuples."""
    for p, q in zip_longest(a, b, fillvalue=S.Zero):
        if p != q and _lowest(p - q) != 0:
            return _sign(p - q)
    return 0


def _sum(terms: list[Growth], e: Expr) -> Growth:
    """The sum of the largest terms. Raises Undecided if they cancel."""
    best = terms[0].exponents
    for g in terms[1:]:
        if _compare(g.exponents, best) > 0:
            best = g.exponents
    leading = [g.coefficient for g in terms if _compare(g.exponents, best) == 0]
    total = Add(*leading)
    if len(leading) > 1 and not sign(total):
        raise Undecided(f"leading terms cancel, or their sign is unknown, in {e}")
    return _make(best, total)


def _sign(c: Expr) -> int:
    """Sign of a number or of a symbolic constant, which is not 0. Raises Undecided."""
    value = sign(c)
    if not value:
        raise Undecided(f"sign of {c}")
    return value


def _lowest(e: Expr) -> Expr:
    """An exponent in lowest terms, so that zero is recognised."""
    return cancel(e) if e.free_symbols else e


def _exact(rate: Expr) -> Expr:
    """A constant exponent in lowest terms: ratios of logarithms of rationals are reduced where possible."""
    return rate if rate.is_Rational else simplify(expand_log(rate, force=True))
