"""Vectors of a traced step: combinations of the start and of what oracles answered, and their array namespace."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workbench.ledger.worst_case.scalars import Arithmetic, NotLinear, Program, Scalar


class Shape:
    """Of an iterate: the number of runs is of no use but for `zeros((runs, 1))`, and the dimension is not known."""

    def __getitem__(self, axis: Any) -> Shape:
        if axis == 0:
            return self
        raise NotLinear("it uses the dimension of an iterate or an answer")


class Vector(Arithmetic):
    """A combination of basis vectors. side: "x" or "y" where points are pairs, else ""."""

    def __init__(self, program: Program, coefficients: dict[str, Scalar], side: str = "") -> None:
        self.program, self.side = program, side
        self.coefficients = {n: c for n, c in coefficients.items() if c.fraction != 0}

    @property
    def texts(self) -> dict[str, str]:
        """As a statement has it."""
        return {name: c.text for name, c in sorted(self.coefficients.items())}

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Vector):
            other = self.program.scalar(other)
            if not self.coefficients:
                return other  # zeros that serve as a number
            if other.fraction == 0:
                return self
            raise NotLinear("it adds a number to every coordinate of an iterate")
        if self.coefficients and other.coefficients and self.side != other.side:
            raise NotLinear("it adds the two halves of a pair")
        total = dict(self.coefficients)
        for name, c in other.coefficients.items():
            total[name] = total[name] + c if name in total else c
        return Vector(self.program, total, self.side if self.coefficients else other.side)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Vector):
            if not (self.coefficients and other.coefficients):
                return self if not self.coefficients else other
            raise NotLinear("it multiplies two vectors that both depend on iterates or answers")
        other = self.program.scalar(other)
        return Vector(self.program, {n: c * other for n, c in self.coefficients.items()}, self.side)

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, power: Any) -> Any:
        raise NotLinear("it takes a power of an iterate or an answer")

    def __rtruediv__(self, other: Any) -> Any:
        raise NotLinear("it divides by an iterate or an answer")

    @property
    def shape(self) -> Shape:
        return Shape()

    def __bool__(self) -> bool:
        raise NotLinear("it decides by the value of an iterate or an answer")

    def __eq__(self, other: object) -> bool:
        return self.__bool__()

    __ne__ = __eq__
    __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: self.__bool__()
    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotLinear(f"it uses .{name} of an iterate or an answer")

    def __getitem__(self, key: Any) -> Any:
        raise NotLinear("it takes single coordinates")


class Namespace:
    """``xp`` of a traced step: what keeps combinations linear, and functions of numbers that no iterate enters."""

    float64 = float

    def __init__(self, program: Program) -> None:
        self._program = program

    def asarray(self, value: Any, *_: Any, **__: Any) -> Any:
        return value if isinstance(value, Vector) else self._program.scalar(value)

    def astype(self, value: Any, *_: Any) -> Any:
        return value

    def zeros_like(self, value: Any) -> Any:
        side = value.side if isinstance(value, Vector) else ""
        return Vector(self._program, {}, side) if isinstance(value, Vector) else self._program.scalar(0)

    def zeros(self, shape: Any) -> Any:
        if isinstance(shape, Shape):
            return Vector(self._program, {})
        if isinstance(shape, tuple) and len(shape) == 2 and isinstance(shape[0], Shape) and shape[1] == 1:
            return self._program.scalar(0)
        raise NotLinear("it makes an array of another shape than that of an iterate")

    def pow(self, value: Any, power: Any) -> Any:
        return self._program.scalar(self._number(value)) ** self._number(power)

    def ones_like(self, value: Any) -> Any:
        return self._program.scalar(1)

    def full_like(self, value: Any, number: Any) -> Any:
        return self._program.scalar(number)

    def sqrt(self, value: Any) -> Any:
        if isinstance(value, Vector):
            raise NotLinear("it takes a root of an iterate or an answer")

        return self._program.scalar(value) ** Fraction(1, 2)

    def maximum(self, a: Any, b: Any) -> Any:
        a, b = self._program.scalar(self._number(a)), self._program.scalar(self._number(b))
        return a if a >= b else b

    def minimum(self, a: Any, b: Any) -> Any:
        a, b = self._program.scalar(self._number(a)), self._program.scalar(self._number(b))
        return a if a <= b else b

    def _number(self, value: Any) -> Any:
        if isinstance(value, Vector):
            raise NotLinear("it compares iterates or answers")
        return value

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(condition, bool):
            return a if condition else b
        raise NotLinear("it decides by the value of an iterate or an answer")

    def __getattr__(self, name: str) -> Any:
        def refuse(*_: Any, **__: Any) -> Any:
            raise NotLinear(f"it calls {name}, which is not linear in iterates and answers")

        return refuse
