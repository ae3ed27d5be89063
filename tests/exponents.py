"""Compares derived exponents with claimed ones, with limits and with slopes, for the tests of theorems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import mpmath
from sympy import Expr, Float, Symbol, lambdify, limit, log, oo, simplify

from workbench.theory.asymptotics import Growth, Undecided
from workbench.theory.record import Theorem

Key = tuple[str, str, str]  # theorem (without its paper), form, case


def check_exponents(theorems: Iterable[Theorem], other: Mapping[Key, Expr | int]) -> None:
    """Asserts that every case that a form covers has the claimed exponent, or the one that ``other`` gives instead."""
    left = dict(other)
    for theorem in theorems:
        for form in theorem.forms:
            for case in theorem.cases:
                if theorem.covers(case, form.name):
                    key = (theorem.key.split("/")[1], form.name, case.name)
                    expected = left.pop(key, case.claimed)
                    assert simplify(theorem.exponent(case, form.name) - expected) == 0, key
    assert left == {}, "no such theorem, form and case"


def exponent_by_limit(expr: Expr, x: Symbol) -> Expr:
    """The same power as lim log(expr)/log(x), by SymPy's limit. Slow: a cross-check for small expressions."""
    value = limit(log(expr) / log(x), x, oo)
    if not value.is_number:
        raise Undecided(f"SymPy cannot evaluate the limit {value}")
    return simplify(value)


def local_exponent(expr: Expr, x: Symbol, at: object, digits: int = 50) -> mpmath.mpf:
    """d log(expr) / d log(x) at x = `at`, by a central difference in `digits` digits.

    All other symbols must have been replaced by numbers. `at` may be as large as 1e400.
    """
    value = lambdify([x], expr, modules="mpmath")
    with mpmath.workdps(digits):
        point = mpmath.mpf(at)
        step = mpmath.mpf(10) ** (-digits // 4)
        up, down = value(point * mpmath.exp(step)), value(point * mpmath.exp(-step))
        return (mpmath.log(up) - mpmath.log(down)) / (2 * step)


def predicted_local_exponent(leading: Growth, at: object) -> mpmath.mpf:
    """d log / d log x of x^e0 (log x)^e1 (log log x)^e2 ... at x = `at`: the pre-asymptotic slope."""
    total, chain, scale = mpmath.mpf(0), mpmath.mpf(1), mpmath.mpf(at)
    for e in leading.exponents:
        total += mpmath.mpf(str(Float(e, 30))) * chain
        scale = mpmath.log(scale)
        chain /= scale
    return total
