"""Near misses: a claim made a little wrong, which results that are worth something must call violated.

An exponent 0.1 off, one logarithm more or less, a constant 1.5 times too small or too large, a geometric rate of which
the logarithm is a tenth off. Of an upper bound only what is stronger is a near miss. Such a statement may be true all
the same, where the method is better than its theorem on the instance; then it holds, and says that the claim is not
attained there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import Any

import numpy as np
from sympy import Expr
from sympy import Rational as Quotient

from workbench.claims.claims import Bound, Caught, Claim
from workbench.claims.exact_claims import Exactly
from workbench.claims.kinds import Bounded, Geometric, Limit, Logarithmic
from workbench.claims.readings import Claimed, Level, Rate, Tight
from workbench.claims.scaling import Scaling
from workbench.theory.record import Statement

OFF = 0.1  # of an exponent, and of the logarithm of a factor, relatively
FACTOR = Fraction(3, 2)  # of a constant
NO_LOGARITHM = ("_sum", "_mean")  # of views that drop one
NearMiss = tuple[str, Claim]


def near_misses(claim: Claim) -> tuple[NearMiss, ...]:
    """(in words, the claim that is a little wrong), of a claim that is to hold; none of any other."""
    if claim.expected != "holds" or isinstance(claim, Caught):
        return ()
    makers: dict[type, Callable[[Any], Iterator[NearMiss]]] = {
        Rate: _of_exponent,
        Tight: _of_exponent,
        Level: _of_level,
        Exactly: _of_comparison,
        Bound: _of_bound,
        Scaling: _of_scaling,
        Geometric: _of_factor,
        Logarithmic: _of_logarithms,
        Bounded: _of_bounded,
        Limit: _of_limit,
    }
    maker = makers.get(type(claim))
    return () if maker is None else tuple(maker(claim))


def in_every_window(miss: Claim) -> tuple[Claim, ...]:
    """The near miss as its claim is read, and, where that is a window of its author's, over the last three decades."""
    if not isinstance(miss, Rate | Tight | Level) or miss.reading.since is None:
        return (miss,)
    return miss, replace(miss, reading=replace(miss.reading, since=None))


def _with_sign(number: float) -> str:
    return f"{'+' if number > 0 else '-'}{abs(number):g}"


def _of_exponent(claim: Rate | Tight) -> Iterator[NearMiss]:
    reading, both = claim.reading, isinstance(claim, Tight)
    for off in (-OFF, OFF)[: 1 + both]:
        value = reading.claimed.value + off
        if value >= reading.view.floor:
            other = replace(reading, claimed=Claimed(value, "near miss"))
            yield f"exponent {_with_sign(off)}", replace(claim, reading=other)
    yield "one logarithm less", replace(claim, reading=replace(reading, log_power=reading.log_power - 1))
    if both and (reading.log_power or reading.view.of in NO_LOGARITHM):
        yield "one logarithm more", replace(claim, reading=replace(reading, log_power=reading.log_power + 1))
    elif both:  # the sharper test of a logarithm
        yield "one logarithm more", Logarithmic(reading, power=reading.claimed.value, logs=1.0)


def _times(formula: Any, factor: Fraction) -> Any:
    """A formula, or a function that gives numbers, times a constant."""
    if isinstance(formula, Statement):
        formula = formula.formula
    if isinstance(formula, Expr):
        return formula * Quotient(factor.numerator, factor.denominator)
    return partial(_product, formula, factor)


def _product(formula: Callable[..., Any], factor: Fraction, *given: Any, **options: Any) -> Any:
    value = formula(*given, **options)
    return value * factor if isinstance(value, Rational) else np.asarray(value, float) * float(factor)


def _of_level(claim: Level) -> Iterator[NearMiss]:
    for words, factor in (("constant / 1.5", 1 / FACTOR), ("constant * 1.5", FACTOR)):
        yield words, replace(claim, formula=_times(claim.formula, factor))


def _of_comparison(claim: Exactly) -> Iterator[NearMiss]:
    for words, factor in (("constant / 1.5", 1 / FACTOR), ("constant * 1.5", FACTOR))[: 1 + claim.equal]:
        yield words, replace(claim, formula=_times(claim.formula, factor))


def _of_bound(claim: Bound) -> Iterator[NearMiss]:
    yield "constant / 1.5", replace(claim, over=claim.over * float(FACTOR), expected="violated")


def _of_scaling(claim: Scaling) -> Iterator[NearMiss]:
    for off in (-OFF, OFF):
        yield f"exponent {_with_sign(off)}", replace(claim, claimed=claim.claimed + off)


def _of_factor(claim: Geometric) -> Iterator[NearMiss]:
    if claim.factor is None:
        return
    for power in (1 + OFF, 1 - OFF)[: 1 if claim.or_faster else 2]:
        yield f"factor^{power:g}", replace(claim, factor=claim.factor**power)


def _of_logarithms(claim: Logarithmic) -> Iterator[NearMiss]:
    yield f"exponent {_with_sign(-OFF)}", replace(claim, power=claim.power - OFF)
    if not claim.or_less:
        yield f"exponent {_with_sign(OFF)}", replace(claim, power=claim.power + OFF)
        yield "one logarithm more", replace(claim, logs=claim.logs + 1)
    if claim.logs > 1:
        yield "one logarithm less", replace(claim, logs=claim.logs - 1)
    elif claim.power == 0:
        yield "one logarithm less", Bounded(claim.reading)
    elif claim.logs == 1:
        other = replace(claim.reading, claimed=Claimed(claim.power, "near miss"), log_power=0.0)
        yield "one logarithm less", Rate(other)


def _of_bounded(claim: Bounded) -> Iterator[NearMiss]:
    if claim.reverse:
        yield "bounded", replace(claim, reverse=False)
    else:
        yield "one logarithm more", Logarithmic(claim.reading, power=0.0, logs=1.0)


def _of_limit(claim: Limit) -> Iterator[NearMiss]:
    if claim.to and not claim.reverse:
        for words, factor in (("limit / 1.5", 1 / FACTOR), ("limit * 1.5", FACTOR)):
            yield words, replace(claim, to=claim.to * float(factor))
