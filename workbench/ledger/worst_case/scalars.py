"""Scalars of a traced step: fractions, or numbers with a name whose making is kept for the re-checker."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Add, Expr, Mul, Pow, Rational


class NotLinear(Exception):
    """A step is not linear in past iterates and answers. The message says what it does."""


class Program:
    """The numbers n0, n1, ... of a trace, each made once from earlier ones."""

    def __init__(self) -> None:
        self.trees: list[list[str]] = []
        self._names: dict[tuple[str, str, str], str] = {}

    def name(self, head: str, first: str, second: str) -> str:
        """Of a sum, product or power of two texts."""
        key = (head, first, second)
        if key not in self._names:
            self._names[key] = f"n{len(self.trees)}"
            self.trees.append([head, first, second])
        return self._names[key]

    def scalar(self, value: Any) -> Scalar:
        """A number of Python, NumPy or SymPy as a scalar; floats are taken as the fractions they stand for."""
        if isinstance(value, Scalar):
            return value
        if isinstance(value, Expr):
            return self._of_sympy(value)
        if isinstance(value, np.ndarray):
            if len(set(value.ravel().tolist())) != 1:
                raise NotLinear("a parameter differs between coordinates or runs")
            value = value.ravel()[0]
        return Scalar(self, exact(value), float(value))

    def _of_sympy(self, e: Expr) -> Scalar:
        if isinstance(e, Rational):
            return Scalar(self, Fraction(int(e.p), int(e.q)), float(e))
        if isinstance(e, Add | Mul):
            total, *rest = map(self._of_sympy, e.args)
            for x in rest:
                total = total + x if isinstance(e, Add) else total * x
            return total
        if isinstance(e, Pow) and isinstance(e.exp, Rational):
            return self._of_sympy(e.base) ** Fraction(int(e.exp.p), int(e.exp.q))
        raise NotLinear(f"the number {e} is no fraction, root, sum or product of such")


def exact(value: Any) -> Fraction:
    """0.1 is 1/10. Raises NotLinear for what is no number."""
    if isinstance(value, Fraction | int):
        return Fraction(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise NotLinear(f"it computes with a {type(value).__name__}") from None
    if not math.isfinite(number):
        raise NotLinear(f"it computes with {number}")
    near = Fraction(number).limit_denominator(10**6)
    return near if math.isclose(near, number, rel_tol=1e-15) else Fraction(number)


class Arithmetic(ABC):
    """What follows from sums, products and powers. program: makes a `Scalar` of a number."""

    __array_ufunc__ = None  # NumPy's numbers leave operations to this class
    program: Program

    @abstractmethod
    def __add__(self, other: Any) -> Any: ...

    @abstractmethod
    def __mul__(self, other: Any) -> Any: ...

    @abstractmethod
    def __pow__(self, power: Any) -> Any: ...

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -1 * other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        if _is_vector(other):
            raise NotLinear("it divides by an iterate or an answer")
        return self * self.program.scalar(other) ** -1


class Scalar(Arithmetic):
    """A number of a step that depends on no iterate: `fraction`, or None and a name in the program."""

    def __init__(self, program: Program, fraction: Fraction | None, value: float, name: str = "") -> None:
        self.program, self.fraction, self.value = program, fraction, value
        self.text = str(fraction) if fraction is not None else name

    def _combine(self, head: str, other: Any, fractions: Any) -> Scalar:
        other = self.program.scalar(other)
        value = fractions(self.value, other.value)
        if self.fraction is not None and other.fraction is not None:
            return Scalar(self.program, fractions(self.fraction, other.fraction), value)
        first, second = sorted((self.text, other.text))
        return Scalar(self.program, None, value, self.program.name(head, first, second))

    def __add__(self, other: Any) -> Any:
        if _is_vector(other):
            return NotImplemented
        other = self.program.scalar(other)
        if self.fraction == 0 or other.fraction == 0:
            return other if self.fraction == 0 else self
        return self._combine("+", other, lambda a, b: a + b)

    def __mul__(self, other: Any) -> Any:
        if _is_vector(other):
            return NotImplemented
        other = self.program.scalar(other)
        for a, b in ((self, other), (other, self)):
            if a.fraction in (0, 1):
                return a if a.fraction == 0 else b
        return self._combine("*", other, lambda a, b: a * b)

    def __pow__(self, power: Any) -> Scalar:
        p = exact(power.fraction if isinstance(power, Scalar) else power)
        if p == 0:
            return self.program.scalar(1)
        if self.fraction is not None:
            root = Fraction(1) if p.denominator == 1 else None
            if p.denominator == 1:
                if not self.fraction and p < 0:
                    raise NotLinear("it divides by zero")
                return Scalar(self.program, self.fraction**p.numerator, self.value**p.numerator)
            if p.denominator == 2 and (root := _root(self.fraction)) is not None:
                return self.program.scalar(root) ** p.numerator
        if p.denominator > 2 and p.denominator % 2 == 0:
            return (self ** Fraction(1, 2)) ** (2 * p)
        if p.denominator > 2 or self.value <= 0 < p.denominator - 1:
            raise NotLinear(f"it takes the power {p} of a number")
        return Scalar(self.program, None, self.value ** float(p), self.program.name("^", self.text, str(p)))

    __radd__, __rmul__ = __add__, __mul__

    def __rtruediv__(self, other: Any) -> Any:
        return self**-1 * other

    def __bool__(self) -> bool:
        return bool(self._certain() != 0)

    def __float__(self) -> float:
        return self.value

    def _certain(self) -> Fraction:
        if self.fraction is None:
            raise NotLinear("it compares a number that is no fraction")
        return self.fraction

    def __lt__(self, other: Any) -> bool:
        return self._certain() < self.program.scalar(other)._certain()

    def __le__(self, other: Any) -> bool:
        return self._certain() <= self.program.scalar(other)._certain()

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scalar | int | float | Fraction)
            and self.text == self.program.scalar(other).text
        )

    def __hash__(self) -> int:
        return hash(self.text)


def _root(x: Fraction) -> Fraction | None:
    """The square root of a fraction, if it is one."""
    if x < 0:
        return None
    p, q = math.isqrt(x.numerator), math.isqrt(x.denominator)
    return Fraction(p, q) if p * p == x.numerator and q * q == x.denominator else None


def _is_vector(other: Any) -> bool:
    return hasattr(other, "coefficients")
