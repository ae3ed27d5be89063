"""Indicators of a noise level: `IsPositive(s)` is 1 where s > 0, `IsZero(s)` is 1 where s = 0 (s >= 0).

The theorems distinguish noisy from noiseless runs by indicators and by the convention 0/0 := 1. These two functions
express both in ordinary arithmetic: a substitution evaluates them, and compiled code evaluates them without a branch,
hence without a division by zero on the side that is not taken.
"""

from typing import Any, ClassVar

from sympy import Expr, Function, Integer, sign


class _Indicator(Function):
    """A 0/1 function of one nonnegative argument; `at_positive` is its value at positive arguments."""

    nargs = 1
    at_positive: ClassVar[int]
    relation: ClassVar[str]
    is_integer = True
    is_nonnegative = True
    is_finite = True

    @classmethod
    def eval(cls, s: Expr) -> Expr | None:
        if s.is_zero:
            return Integer(1 - cls.at_positive)
        if s.is_positive:
            return Integer(cls.at_positive)
        return None

    def _eval_evalf(self, prec: int) -> Expr:
        return type(self)(self.args[0]._eval_evalf(prec))

    def _as_sign(self) -> Expr:
        return sign(self.args[0]) if self.at_positive else 1 - sign(self.args[0])

    def _numpycode(self, printer: Any) -> str:
        return f"({printer._print(self._as_sign())})"

    _mpmathcode = _pythoncode = _numpycode

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = rf"\mathbb{{I}}\left({printer._print(self.args[0])}{self.relation}0\right)"
        return text if exp is None else f"{text}^{{{exp}}}"


class IsPositive(_Indicator):
    """I(s > 0) for s >= 0."""

    at_positive = 1
    relation = ">"


class IsZero(_Indicator):
    """I(s = 0) for s >= 0."""

    at_positive = 0
    relation = "="


def ratio(numerator: Expr, denominator: Expr) -> Expr:
    """numerator/denominator with 0/0 := 1, for nonnegative arguments.

    Valid only where the denominator is positive or both vanish; the caller must reject other arguments.
    """
    return (numerator + IsZero(numerator)) / (denominator + IsZero(denominator))
