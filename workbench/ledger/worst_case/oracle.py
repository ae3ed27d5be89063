"""The oracle of a traced step: an answer is a new basis vector, and each point at which it is asked is kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from workbench.ledger.worst_case.scalars import NotLinear, Program, Scalar
from workbench.ledger.worst_case.vectors import Vector
from workbench.ledger.worst_cases import OPERATORS, QUADRATICS, WITHOUT_VALUES

# Gradients at the reference are at most so large, where a step has roots and nothing else bounds them: no round number,
# so that nothing that a theorem declares is taken for it.
FAR = 999_999_937
WEIGHT_ERROR = 1e-9  # by which the weights of points may miss 1 in floating point
POINTS = ("x", "y", "lmo", "image")  # basis vectors that are points (minus the reference), not directions


FINITE_SUM = (
    "finite sum of "  # begins the class of (1/n) sum f_i, of which an answer is that of one f_i, drawn
)
OUTER = "outer "  # begins the class of a function that is minimized over the minimizers of the others
NAMED = re.compile(r"(.*\S) \((\w+ = \w+(?:, \w+ = \w+)*)\)")  # smooth convex (L = L_f)


class NoClass(Exception):
    """What is declared of the class of functions does not fit the step. The message says what is missing."""


class Part(NamedTuple):
    """A function or an operator. of: its class. number: which of a finite sum.

    outer: of a problem of two levels. names: (a constant of the class, the theorem's symbol for it).
    """

    of: str
    number: int = 0
    outer: bool = False
    names: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_text(cls, text: str, number: int = 0) -> Part:
        """What a declaration says, as "outer smooth convex (L = L_f)"."""
        names: tuple[tuple[str, str], ...] = ()
        if match := NAMED.fullmatch(text):
            text = match[1]
            pairs = (pair.partition(" = ") for pair in match[2].split(", "))
            names = tuple((constant, symbol) for constant, _, symbol in pairs)
        if text.startswith(FINITE_SUM):
            return cls(text.removeprefix(FINITE_SUM), number, names=names)
        return cls(text.removeprefix(OUTER), number, text.startswith(OUTER), names)


class Sample:
    """What a draw gives: it says which function of a finite sum answers, and has no numbers of its own."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotLinear("it uses random numbers itself")


@dataclass
class Call:
    """One answer. x: the point, g: the answer, both as vectors; value: the name of the function value, or ""."""

    x: Vector
    g: Vector
    value: str


@dataclass
class Calls:
    """Everything that a step has asked. classes: oracle method -> class; points: part -> calls.

    n: how many functions a finite sum has; index: the one that is drawn.
    """

    program: Program
    classes: dict[str, str]
    n: int = 1
    basis: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    points: dict[Part, list[Call]] = field(default_factory=dict)
    index: int | None = None
    anywhere: bool = False  # only differences of points matter, so that the start is 0
    order: list[tuple[str, Vector, Vector]] = field(
        default_factory=list
    )  # (method, argument, answer), for a replay

    def __post_init__(self) -> None:
        for name in dict.fromkeys(self.classes.values()):
            count = self.n if name.startswith(FINITE_SUM) else 1
            self.points |= {Part.from_text(name, k): [] for k in range(count)}

    def fresh(self, kind: str, side: str = "") -> Vector:
        """A new basis vector."""
        name = kind if kind in ("x", "reference") else f"{kind}{len(self.basis)}"
        self.basis.append(name)
        return Vector(self.program, {name: self.program.scalar(1)}, side)

    def part(self, name: str, given: Iterable[Any] = ()) -> Part:
        """What an oracle method asks, of a finite sum the function that is drawn."""
        of = self.classes[name]
        if not of.startswith(FINITE_SUM):
            return Part.from_text(of)
        if self.index is None or not any(isinstance(x, Sample) for x in given):
            raise NotLinear(f"it asks {name} of a finite sum without a sample draw(0) of the step")
        return Part.from_text(of, self.index)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self.classes:
            names = ", ".join(self.classes)
            raise NoClass(
                f"the step asks the oracle for {name!r}, whose class is not declared; declared are: {names}"
            )

        def ask(*given: Any, **keywords: Any) -> Any:
            part = self.part(name, (*given, *keywords.values()))
            vectors = [x for x in given if isinstance(x, Vector)]
            numbers = [x for x in given if isinstance(x, Scalar | int | float)]
            if len(vectors) == 2 and vectors[0].side != vectors[1].side:
                return self._pair(name, part, *vectors)
            if len(vectors) == 2 and name.startswith("pair"):
                return tuple(self._answer(name, part, x, numbers) for x in vectors)
            if len(vectors) != 1:
                raise NotLinear(f"it asks {name} with {len(vectors)} vectors")
            return self._answer(name, part, vectors[0], numbers)

        return ask

    def _answer(self, name: str, part: Part, x: Vector, numbers: list[Any]) -> Vector:
        if part.of in QUADRATICS and name.startswith(("prox", "resolvent", "project", "lmo")):
            raise NoClass(f"a quadratic is asked for gradients, not by {name}")
        if name.startswith(("prox", "resolvent")):
            if not numbers:
                raise NotLinear(f"it asks {name} without a step size")
            answer = self._implicit(part, x, self.program.scalar(numbers[0]))
        elif name.startswith("project"):
            answer = self._implicit(part, x, self.program.scalar(1))
        elif name.startswith("lmo"):
            answer = self.fresh("lmo")
            self.keep(part, answer, -x)
        else:
            answer = self.at(part, x).g
        self.order.append((name, x, answer))
        return answer

    def _pair(self, name: str, part: Part, x: Vector, y: Vector) -> tuple[Vector, Vector]:
        """(grad_x, grad_y) of a saddle function, which are the halves of the operator (grad_x, -grad_y)."""
        if x.texts != y.texts:
            raise NotLinear("it treats the two halves of a pair differently")
        g = self.at(part, Vector(self.program, x.coefficients)).g
        self.order.append((name, Vector(self.program, x.coefficients), g))
        return Vector(self.program, g.coefficients, "x"), -Vector(self.program, g.coefficients, "y")

    def _implicit(self, part: Part, x: Vector, step: Scalar) -> Vector:
        """The point p = x - step g with g the answer at p."""
        for call in self.points[part]:
            if (call.x + call.g * step).texts == x.texts:
                return call.x
        self.check_point(x)
        g = self.fresh("g")
        p = x - g * step
        self.keep(part, p, g)
        return p

    def keep(self, part: Part, x: Vector, g: Vector) -> Call:
        """A point with a new answer."""
        call = Call(x, g, "" if part.of in WITHOUT_VALUES else self.fresh_value())
        self.points[part].append(call)
        return call

    def fresh_value(self) -> str:
        """The name of a new function value."""
        self.values.append(f"f{len(self.values)}")
        return self.values[-1]

    def at(self, part: Part, x: Vector) -> Call:
        """The answer of a function at a point, which is the same whenever it is asked there."""
        self.check_point(x)
        if part.of != "linear losses":
            for call in self.points[part]:
                if call.x.texts == x.texts:
                    return call
        return self.keep(part, x, self.fresh("image" if part.of == "nonexpansive" else "g"))

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
        return any(part.of in OPERATORS for part in self.points)
