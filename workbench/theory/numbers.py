"""Signs of numbers, from rigorous enclosures (Arb): no numeric evaluation by SymPy decides anything.

SymPy's own evaluation of finite sums gives 0 where their terms begin tiny, and wrong digits for geometric sums; what it
simplifies on the way (maxima, absolute values, roundings, declared signs) rests on it. Here a number is enclosed, sums
and products term by term, until its sign shows, or it stays undecided. SymPy is given the same enclosures for its sums
and products, and none for integrals, when this module is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy
from flint import arb, ctx, fmpq
from mpmath.libmp import from_man_exp, fzero
from sympy import Add, Dummy, Expr, Function, Max, Min, Mul, Piecewise, Pow, S, Symbol, ceiling, factor, floor
from sympy.core.evalf import evalf_table
from sympy.core.relational import Relational

BITS = (64, 256, 1024, 4096)  # precisions that are tried in turn
TERMS = 20_000  # of sums and products, all in all
CONSTANTS = {
    S.Pi: arb.pi,
    S.Exp1: arb.const_e,
    S.EulerGamma: arb.const_euler,
    S.Catalan: arb.const_catalan,
}
FUNCTIONS = {
    getattr(sympy, name): getattr(arb, name)
    for name in (
        *(
            "exp",
            "log",
            "sin",
            "cos",
            "tan",
            "sinh",
            "cosh",
            "tanh",
            "asin",
            "acos",
            "atan",
            "asinh",
            "atanh",
        ),
        *("floor", "gamma", "digamma", "zeta", "erf", "erfc"),
    )
} | {
    sympy.ceiling: arb.ceil,
    sympy.Abs: abs,
    sympy.factorial: lambda n: (n + 1).gamma(),
    sympy.harmonic: lambda n: (n + 1).digamma() + arb.const_euler(),
}


class Unknown(ValueError):
    """A number has no enclosure: a function without a rule, or a sum with too many terms."""


class Ball:
    """Enclosures of one expression at one precision. Raises Unknown.

    A function of `workbench.theory` has its own rule, `ball_rule(enclosure of an argument)`.
    """

    def __init__(self, index: Mapping[Symbol, int], budget: list[int]) -> None:
        self.index, self.budget = index, budget

    def of(self, e: Any) -> Any:
        value = self._of(e)
        if value is None or not value.is_finite():
            raise Unknown(f"no finite enclosure of {str(e)[:60]}")
        return value

    def _of(self, e: Any) -> Any:
        if e.is_Rational:
            return arb(fmpq(int(e.p), int(e.q)))
        if e.is_Float:
            return self._of(sympy.Rational(e))
        if e in self.index:
            return arb(self.index[e])
        if e in CONSTANTS:
            return CONSTANTS[e]()
        if isinstance(e, Pow):
            return self._power(e.base, e.exp)
        if isinstance(e, (sympy.Sum, sympy.Product)):
            return self._series(e)
        if isinstance(e, Piecewise):
            return next((self.of(value) for value, condition in e.args if self._true(condition)), None)
        values = [self.of(a) for a in e.args]
        if rule := getattr(e, "ball_rule", None):
            return rule(*values)
        if isinstance(e, (Add, Mul, Max, Min)):
            total = values[0]
            for v in values[1:]:
                total = {Add: arb.__add__, Mul: arb.__mul__, Max: arb.max, Min: arb.min}[e.func](total, v)
            return total
        return FUNCTIONS[e.func](*values) if e.func in FUNCTIONS and len(values) == 1 else None

    def _power(self, base: Expr, power: Expr) -> Any:
        x = self.of(base)
        if power.is_Integer and abs(power) < 10**6:
            return x ** int(power)
        if power is S.Half:
            return x.sqrt() if x >= 0 else None
        y = self.of(power)
        return arb(0) if x.is_zero() and y > 0 else x**y if x > 0 else None

    def _true(self, condition: Any) -> bool:
        if condition in (S.true, S.false):
            return bool(condition)
        if not isinstance(condition, Relational) or condition.rel_op not in ("<", "<=", ">", ">="):
            raise Unknown(f"condition {condition}")
        gap = self.of(condition.lhs) - self.of(condition.rhs)
        if not (gap > 0 or gap < 0 or gap.is_zero()):
            raise Unknown(f"condition {condition}")
        return bool({"<": gap < 0, "<=": gap <= 0, ">": gap > 0, ">=": gap >= 0}[condition.rel_op])

    def _series(self, e: Any) -> Any:
        """A sum or product over integer limits, term by term; the last limit is the outermost one."""
        *inner, (k, low, high) = e.limits
        ends = [self.of(end).unique_fmpz() for end in (low, high)]
        if None in ends or ends[1] < ends[0] - 1:
            raise Unknown(f"limits of {str(e)[:60]}")
        body = e.func(e.function, *inner) if inner else e.function
        total = arb(isinstance(e, sympy.Product))
        for i in range(int(ends[0]), int(ends[1]) + 1):
            self.budget[0] -= 1
            if self.budget[0] < 0:
                raise Unknown(f"more than {TERMS} terms in {str(e)[:60]}")
            term = Ball({**self.index, k: i}, self.budget).of(body)
            total = total * term if isinstance(e, sympy.Product) else total + term
        return total


def enclosure(e: Expr, bits: int) -> Any:
    """An Arb ball that contains the number e. Raises Unknown."""
    with ctx.workprec(bits):
        return Ball({}, [TERMS]).of(e)


@lru_cache(10_000)
def sign(e: Expr) -> int | None:
    """-1, 0 or 1: of a number by enclosures, of a symbolic constant from the declared signs; None if neither tells."""
    if e.is_Rational:
        return (int(e.p) > 0) - (int(e.p) < 0)
    if not e.free_symbols:
        for bits in BITS:
            try:
                ball = enclosure(e, bits)
            except Unknown:  # a narrower ball may lie in a function's domain, where this one does not
                continue
            if ball > 0 or ball < 0 or ball.is_zero():
                return int(ball > 0) - int(ball < 0)
        return None
    plain = symbolic(e)
    for c in (
        plain,
        factor(plain),
    ):  # factors show the sign of a rational function of h > 0, if it is constant
        if c.is_positive or c.is_negative or c.is_zero:
            return 1 if c.is_positive else -1 if c.is_negative else 0
    return None


def symbolic(e: Expr, names: dict[Expr, Dummy] | None = None) -> Expr:
    """e with a symbol of the same sign in place of every irrational number, so that SymPy evaluates none."""
    names = {} if names is None else names
    if not e.free_symbols:
        if e.is_Rational or not isinstance(e, Expr):
            return e
        if e not in names:
            signs: dict[int | None, dict[str, bool]] = {
                1: {"positive": True},
                -1: {"negative": True},
                0: {"zero": True},
                None: {},
            }
            names[e] = Dummy("c", **signs[sign(e)])
        return names[e]
    if not e.args:
        return e
    if isinstance(e, (Add, Mul)) and (numbers := [a for a in e.args if not a.free_symbols]):
        rest = [symbolic(a, names) for a in e.args if a.free_symbols]
        return e.func(symbolic(e.func(*numbers), names), *rest)
    return e.func(*(symbolic(a, names) for a in e.args))


def substitute(e: Any, values: Mapping[Any, Any]) -> Any:
    """e with values in place of symbols; what SymPy would decide of maxima and roundings is left to `sign`."""
    if not values:
        return e
    memo: dict[Any, Any] = dict(values)

    def put(x: Any) -> Any:
        if x not in memo:
            memo[x] = x
            if x.args and x.has(*values):
                args = [put(a) for a in x.args]
                memo[x] = _without_numerics(x.func, args) if x.func in KEPT else x.func(*args)
        return memo[x]

    return put(e)


KEPT = (Max, Min, ceiling, floor)


def _without_numerics(function: Any, args: list[Any]) -> Any:
    """A maximum, minimum or rounding; evaluated only if its arguments are rational, or infinite."""
    exact = all(a.is_Rational or a in (S.Infinity, S.NegativeInfinity) for a in args)
    return function(*args) if exact else function(*args, evaluate=False)


def to_float(e: Function, prec: int) -> Any:
    """For SymPy's evaluation of our own functions: a Float, or None if there is no enclosure."""
    number = _float(e, prec)
    return None if number is None else sympy.Float._new(number, prec)


def _float(e: Any, prec: int) -> Any:
    """A multi-precision number of SymPy with `prec` right bits; None if no enclosure is that narrow."""
    for bits in (prec + 20, 2 * prec + 200, 4 * prec + 2000):
        try:
            ball = enclosure(e, bits)
        except Unknown:
            continue
        if ball.is_zero():
            return fzero
        if ball.rel_accuracy_bits() > prec:
            man, exponent = ball.mid().man_exp()
            return from_man_exp(int(man), int(exponent), prec, "n")
    return None


def _evalf(e: Any, prec: int, options: Any) -> Any:
    """The entry of SymPy's table for sums and products."""
    number = None if isinstance(e, sympy.Integral) else _float(e.subs(options.get("subs") or {}), prec)
    if number is None:
        raise NotImplementedError  # then SymPy leaves the expression as it is
    return (None if number == fzero else number), None, prec, None


evalf_table.update(dict.fromkeys((sympy.Sum, sympy.Product, sympy.Integral), _evalf))
