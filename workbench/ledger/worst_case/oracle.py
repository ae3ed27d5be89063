"""The oracle of a traced step: an answer is a new basis vector, and each point at which it is asked is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from workbench.ledger.worst_case.scalars import NotLinear, Program, Scalar
from workbench.ledger.worst_case.vectors import Vector
from workbench.ledger.worst_cases import OPERATORS, WITHOUT_VALUES

WEIGHT_ERROR = 1e-9  # by which the weights of points may miss 1 in floating point
POINTS = ("x", "y", "lmo", "image")  # basis vectors that are points (minus the reference), not directions


class NoClass(Exception):
    """What is declared of the class of functions does not fit the step. The message says what is missing."""


@dataclass
class Call:
    """One answer. x: the point, g: the answer, both as vectors; value: the name of the function value, or ""."""

    x: Vector
    g: Vector
    value: str


@dataclass
class Calls:
    """Everything that a step has asked. classes: oracle method -> class; points: class -> calls."""

    program: Program
    classes: dict[str, str]
    basis: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    points: dict[str, list[Call]] = field(default_factory=dict)
    anywhere: bool = False  # only differences of points matter, so that the start is 0
    order: list[tuple[str, Vector, Vector]] = field(
        default_factory=list
    )  # (method, argument, answer), for a replay

    def __post_init__(self) -> None:
        self.points = {name: [] for name in dict.fromkeys(self.classes.values())}

    def fresh(self, kind: str, side: str = "") -> Vector:
        """A new basis vector."""
        name = kind if kind in ("x", "reference") else f"{kind}{len(self.basis)}"
        self.basis.append(name)
        return Vector(self.program, {name: self.program.scalar(1)}, side)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self.classes:
            names = ", ".join(self.classes)
            raise NoClass(
                f"the step asks the oracle for {name!r}, whose class is not declared; declared are: {names}"
            )

        def ask(*given: Any, **_: Any) -> Any:
            vectors = [x for x in given if isinstance(x, Vector)]
            numbers = [x for x in given if isinstance(x, Scalar | int | float)]
            if len(vectors) == 2 and vectors[0].side != vectors[1].side:
                return self._pair(name, *vectors)
            if len(vectors) != 1:
                raise NotLinear(f"it asks {name} with {len(vectors)} vectors")
            return self._answer(name, vectors[0], numbers)

        return ask

    def _answer(self, name: str, x: Vector, numbers: list[Any]) -> Vector:
        if name.startswith(("prox", "resolvent")):
            if not numbers:
                raise NotLinear(f"it asks {name} without a step size")
            answer = self._implicit(name, x, self.program.scalar(numbers[0]))
        elif name.startswith("project"):
            answer = self._implicit(name, x, self.program.scalar(1))
        elif name.startswith("lmo"):
            answer = self.fresh("lmo")
            self._keep(name, answer, -x)
        else:
            answer = self.at(self.classes[name], x).g
        self.order.append((name, x, answer))
        return answer

    def _pair(self, name: str, x: Vector, y: Vector) -> tuple[Vector, Vector]:
        """(grad_x, grad_y) of a saddle function, which are the halves of the operator (grad_x, -grad_y)."""
        if x.texts != y.texts:
            raise NotLinear("it treats the two halves of a pair differently")
        g = self.at(self.classes[name], Vector(self.program, x.coefficients)).g
        self.order.append((name, Vector(self.program, x.coefficients), g))
        return Vector(self.program, g.coefficients, "x"), -Vector(self.program, g.coefficients, "y")

    def _implicit(self, name: str, x: Vector, step: Scalar) -> Vector:
        """The point p = x - step g with g the answer at p."""
        for call in self.points[self.classes[name]]:
            if (call.x + call.g * step).texts == x.texts:
                return call.x
        self.check_point(x)
        g = self.fresh("g")
        p = x - g * step
        self._keep(name, p, g)
        return p

    def _keep(self, name: str, x: Vector, g: Vector) -> Call:
        of_class = self.classes[name]
        value = "" if of_class in WITHOUT_VALUES else f"f{len(self.values)}"
        if value:
            self.values.append(value)
        call = Call(x, g, value)
        self.points[of_class].append(call)
        return call

    def at(self, of_class: str, x: Vector) -> Call:
        """The answer of a function at a point, which is the same whenever it is asked there."""
        self.check_point(x)
        if of_class != "linear losses":
            for call in self.points[of_class]:
                if call.x.texts == x.texts:
                    return call
        name = next(n for n, c in self.classes.items() if c == of_class)
        return self._keep(name, x, self.fresh("image" if of_class == "nonexpansive" else "g"))

    def check_point(self, x: Vector) -> None:
        """Raises NotLinear for a vector that is no affine combination of points: it depends on the origin."""
        if self.anywhere:
            return
        shares = [c for n, c in x.coefficients.items() if n.rstrip("0123456789") in POINTS]
        weight: Any = sum(c.value for c in shares)
        if all(c.fraction is not None for c in shares):
            weight = sum(c.fraction for c in shares)
        if abs(weight - 1) > (0 if isinstance(weight, Fraction) else WEIGHT_ERROR):
            raise NotLinear(
                f"it asks at {float(weight):.6g} times a point, which depends on where the origin lies"
            )

    @property
    def is_operator(self) -> bool:
        return any(name in OPERATORS for name in self.points)
