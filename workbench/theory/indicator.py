"""Indicators of a noise level: `IsPositive(s)` is 1 where s > 0, `IsZero(s)` is 1 where s = 0 (s >= 0).

The theorems distinguish noisy from noiseless runs by indicators and by the convention 0/0 := 1. These two functions
express both in ordinary arithmetic: a substitution evaluates them, and compiled code evaluates them without a branch,
hence without a division by zero on the side that is not taken.
"""

from typing import Any, ClassVar

from flint import arb
from sympy import Expr, Function, Integer, sign

from workbench.theory.numbers import sign as sign_of
from workbench.theory.numbers import to_float


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
        value = sign_of(s)
        return None if value not in (0, 1) else Integer(cls.at_positive if value else 1 - cls.at_positive)

    def ball_rule(self, value: Any) -> Any:
        """Used by `workbench.theory.numbers`."""
        return arb(self.at_positive) if value > 0 else arb(1 - self.at_positive) if value.is_zero() else None

    _eval_evalf = to_float

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
