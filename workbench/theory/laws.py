"""Powers of one variable with symbolic exponents: sums become maxima, and claims are compared by exact LPs.

If all terms of a bound are positive, its order x^p (log x)^(...) as x -> oo follows from a simple algebra: products add
exponents, sums take their maximum, powers multiply. With symbolic exponents (tau, or V_T = T^v) the result is a maximum
of linear forms. Whether one such maximum is below another on a polytope is a linear program.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from sympy import Add, Dummy, Expr, Max, Min, Mul, Pow, Rational, S, Symbol, ceiling, log, sympify
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan

from workbench.theory.asymptotics import Undecided, growth
from workbench.theory.numbers import sign, symbolic
from workbench.theory.simplex import Row, solve
from workbench.theory.special import PowerSum


def power(e: Expr, x: Symbol) -> Expr:
    """p with e = x^p up to logarithms as x -> oo: a maximum of expressions in the symbols of e.

    Every term of a sum must be nonnegative for large x (declared signs, or a positive number), except in parts where x
    is the only symbol, which follow the rules of `workbench.theory.asymptotics`.
    Raises Undecided if a term can be negative, and for functions without a rule.
    """
    if not e.has(x):
        if sign(e) in (0, 1) or symbolic(e).is_nonnegative:
            return S.Zero
        raise Undecided(f"{e} is not known to be positive")
    if e.free_symbols == {x} and _rational(alone := growth(e, x).power):
        return alone
    if isinstance(e, Mul):
        return Add(*[power(f, x) for f in e.args])
    if isinstance(e, Add):
        return Max(*[power(f, x) for f in e.args])
    if isinstance(e, Pow) and not e.exp.has(x) and _rational(e.exp):
        return e.exp * power(e.base, x)
    if isinstance(e, Max):
        return Max(*[power(f, x) for f in e.args])
    if isinstance(e, Min):
        return Min(*[power(f, x) for f in e.args])
    if isinstance(e, PowerSum) and not e.args[1].has(x) and _rational(e.args[1]):  # sum of t^-p for t <= n
        return power(e.args[0], x) * Max(0, 1 - e.args[1])
    if isinstance(e, ceiling):
        return Max(0, power(e.args[0], x))
    if isinstance(e, log) and all(power(f, x).is_nonnegative for f in Add.make_args(e.args[0])):
        return S.Zero
    raise Undecided(f"no rule for the power of {x} in {e}")


def _rational(e: Expr) -> bool:
    """Are all numbers of an exponent rational? SymPy compares those exactly when it forms a maximum."""
    return all(n.is_Rational for n in e.atoms() if n.is_number)


def forms(e: Expr) -> list[Expr]:
    """The linear forms whose maximum is e; e is built from +, Max, and products with nonnegative numbers."""
    if isinstance(e, Max):
        return [f for a in e.args for f in forms(a)]
    if isinstance(e, Add):
        return [Add(*pick) for pick in product(*[forms(a) for a in e.args])]
    if isinstance(e, Mul) and e.has(Max):
        number, rest = e.as_coeff_Mul()
        if number < 0:
            raise Undecided(f"{e} is not a maximum of linear forms")
        return [number * f for f in forms(rest)]
    return [e]


def exceeds(exponent: Expr, claimed: Expr, ranges: Iterable[Relational] = ()) -> dict[Symbol, Expr] | None:
    """A point of the closed polytope where exponent > claimed (maxima of linear forms); None if there is none.

    The polytope is given by `ranges` (linear inequalities) and the declared signs of the symbols. Since both sides are
    continuous, exponent <= claimed on an open polytope is equivalent to the same on its closure. Exact.
    """
    exponent, claimed = sympify(exponent), sympify(claimed)
    symbols = sorted({s for e in (exponent, claimed, *ranges) for s in e.free_symbols}, key=str)
    polytope = [_nonpositive(r) for r in ranges if r not in (True, S.true)]
    polytope += [-s for s in symbols if s.is_nonnegative]
    gap = Dummy("gap")  # maximized subject to the claim's forms, and at most 1
    for a in forms(exponent):
        rows, right = _rows([*(gap - (a - b) for b in forms(claimed)), gap - 1, *polytope], [gap, *symbols])
        solution = solve([Fraction(1)] + [Fraction(0)] * len(symbols), rows, right, [False] * len(rows))
        if isinstance(solution, str):  # not "unbounded": gap <= 1
            raise Undecided("the ranges of the exponents contradict each other")
        best, point, _ = solution
        if best > 0:
            return {s: Rational(v) for s, v in zip(symbols, point[1:], strict=True)}
    return None


def _rows(nonpositive: list[Expr], variables: list[Symbol]) -> tuple[list[Row], Row]:
    """(A, b): the expressions are <= 0 where A x <= b. Raises Undecided for others than linear rational ones."""
    rows, right = [], []
    for e in nonpositive:
        constant, *row = (e.xreplace(dict.fromkeys(variables, S.Zero)), *(e.diff(x) for x in variables))
        if not all(c.is_Rational for c in (constant, *row)):
            raise Undecided(f"{e} is not linear with rational coefficients")
        rows.append([Fraction(c.p, c.q) for c in row])
        right.append(Fraction(-constant.p, constant.q))
    return rows, right


def _nonpositive(r: Relational) -> Expr:
    """The closed inequality, as an expression that is <= 0."""
    if not isinstance(r, (LessThan, StrictLessThan, GreaterThan, StrictGreaterThan)):
        raise Undecided(f"a range is an inequality, not {r}")
    return r.lts - r.gts
