"""Runs a method on combinations of its start and its answers, and writes the worst case of a metric as a statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from workbench.ledger.balls import is_rational
from workbench.ledger.worst_case.oracle import FAR, FINITE_SUM, Call, Calls, NoClass, Part, Sample
from workbench.ledger.worst_case.scalars import NotLinear, Program
from workbench.ledger.worst_case.vectors import Namespace, Vector
from workbench.ledger.worst_cases import CLASSES, CURVATURE, OPERATORS, QUADRATICS, WITHOUT_VALUES

Form = dict[str, Any]
SETS = ("convex set", "bounded convex set")
WITHOUT_REFERENCE = ("linear losses", "smooth bounded below")  # classes in which no point is a minimizer
IN_EXPECTATION = ("gap", "gap_mean", "dist_sq")  # metrics of a finite sum
LEVELS = ("inner_gap", "outer_gap", "last_inner_gap", "last_outer_gap")  # metrics of two levels
PATHS = 64  # at most so many sequences of drawn functions
ROOTS = ("grad_norm", "residual", "dist", "operator_norm", "x_norm")  # metrics whose square is bounded


@dataclass(frozen=True)
class Question:
    """What is asked of a method after some steps.

    method: has ``step``, ``init`` and ``State``. steps: field of its ``Steps`` -> number (float, fraction or SymPy).
    classes: oracle method -> class. constants: symbol -> exact number. metric: as recorded by a problem. distance, gap:
    of the start from the reference, squared, and in value, or None. starts: name of a starting point -> "x", "y" (the
    other half of a pair) or "0". noise: of a finite sum, the mean of |grad f_i|^2 at the minimizer, or None. depth: of
    two levels, how far the outer function falls below its value at the solution, or None where nothing bounds it.
    """

    method: Any
    steps: Mapping[str, Any]
    classes: Mapping[str, str]
    constants: Mapping[str, Fraction]
    metric: str
    distance: Fraction | None
    gap: Fraction | None
    starts: Mapping[str, str] = field(default_factory=lambda: {"x": "x"})
    noise: Fraction | None = None
    depth: Fraction | None = None


@dataclass(frozen=True)
class Path:
    """One run. order: what it asked, as (method, argument, answer)."""

    states: list[Any]
    order: list[tuple[str, Vector, Vector]]


@dataclass(frozen=True)
class Traced:
    """A statement without what is claimed; for a replay what it was made of.

    paths: one run, or of a finite sum one for each sequence of drawn functions, all equally likely.
    """

    statement: dict[str, Any]
    calls: Calls
    starts: dict[str, Vector]
    paths: list[Path]


def trace(question: Question, count: int) -> Traced:
    """The statement on a run of ``count`` steps.

    Raises NotLinear for a step that is not linear in past iterates and answers, NoClass for a class or a metric that
    is not covered.
    """
    run = _Run(question)
    paths = run.paths(count)
    metric = METRICS.get(question.metric)
    if metric is None:
        raise NoClass(
            f"no worst case of the metric {question.metric!r} is known; there are {', '.join(METRICS)}"
        )
    forms = metric(run, paths[0].states)
    if run.is_quadratic and len(forms) > 1:
        raise NoClass(f"of quadratics no worst case of the minimum {question.metric!r} is known")
    if run.is_sum:
        forms = [_mean([metric(run, path.states)[0] for path in paths])]
    statement = {
        "kind": "worst case",
        "numbers": run.program.trees,
        "basis": run.calls.basis,
        "values": run.calls.values,
        "start": run.start_forms(),
        "parts": run.parts(),
        "metric": forms,
    }
    return Traced(statement, run.calls, run.starts(), paths)


class _Run:
    """One traced run."""

    def __init__(self, question: Question) -> None:
        for name in question.classes.values():
            _check_class(name)
        self.question, self.program = question, Program()
        self.is_sum = any(name.startswith(FINITE_SUM) for name in question.classes.values())
        self.calls = Calls(self.program, dict(question.classes), self._size() if self.is_sum else 1)
        self.is_quadratic = any(part.of in QUADRATICS for part in self.calls.points)
        if self.is_quadratic and len(self.calls.points) > 1:
            raise NoClass("a quadratic is the only class of a step")
        self._check_levels()
        self.moves = all(
            part.of in WITHOUT_REFERENCE for part in self.calls.points
        )  # only differences of points matter
        self.start = Vector(self.program, {}) if self.moves else self.calls.fresh("x")
        self.calls.anywhere = self.moves
        self.reference: Vector | None = None  # the answer at the reference point, where it is not zero
        # Minimizer of the outer function, and the answer there.
        self.lowest: tuple[Vector, Vector] | None = None

    def _check_levels(self) -> None:
        """Raises NoClass where the classes have no reference point that the conditions describe."""
        outer = [part.of for part in self.calls.points if part.outer]
        metric = self.question.metric
        if not outer and metric in LEVELS:
            raise NoClass(
                f"the metric {metric!r} is of two levels: say which function is minimized over the minimizers of the"
                " others, as 'outer smooth convex'"
            )
        if outer and metric not in LEVELS:
            raise NoClass(f"of two levels the metric is one of {', '.join(LEVELS)}, not {metric!r}")
        if len(outer) > 1 or (outer and not self.functions()):
            raise NoClass("two levels have one outer function and another that it is minimized over")
        if outer and any(part.of in CURVATURE for part in self.functions()):
            raise NoClass(
                "of two levels the inner function is convex: else a stationary point is no minimizer"
            )
        if any(of in (*WITHOUT_VALUES, *WITHOUT_REFERENCE) for of in outer):
            raise NoClass(f"the class {outer[0]!r} is none of an outer function")
        _check_reference([part.of for part in self.calls.points if not part.outer], self.is_sum)

    def _size(self) -> int:
        """How many functions a finite sum has. Raises NoClass where it is no such sum as is covered."""
        q = self.question
        (name, *others) = dict.fromkeys(q.classes.values())
        base = Part.from_text(name).of
        if others or base in (*WITHOUT_VALUES, *WITHOUT_REFERENCE):
            raise NoClass("a finite sum is that of one class of functions that have a minimizer")
        if q.metric not in IN_EXPECTATION:
            raise NoClass(f"of a finite sum the metric is one of {', '.join(IN_EXPECTATION)}")
        n = self._constant("n", name)
        if n.denominator != 1 or not 2 <= n <= PATHS:
            raise NoClass(f"a finite sum has from 2 to {PATHS} functions, not n = {n}")
        return int(n)

    def paths(self, count: int) -> list[Path]:
        """All sequences of drawn functions; one run where nothing is drawn."""
        if self.calls.n**count > PATHS:
            raise NoClass(f"n = {self.calls.n} and {count} steps have more than {PATHS} sequences of draws")
        out = []
        for path in product(range(self.calls.n), repeat=count):
            self.calls.order = []
            out.append(Path(self.states(path), self.calls.order))
        return out

    def _draw(self, k: Any = 0, *_: Any, **__: Any) -> Sample:
        if self.is_sum and k != 0:
            raise NotLinear("it draws twice in a step; of a finite sum one function is drawn, by draw(0)")
        return Sample()

    def states(self, path: tuple[int, ...]) -> list[Any]:
        """The states before each step, and the last. path: the function that is drawn in each step."""
        q, xp, draw = self.question, Namespace(self.program), self._draw
        Steps = getattr(q.method, "Steps", None)
        numbers = {name: self.program.scalar(value) for name, value in q.steps.items()}
        c = Steps(**numbers) if Steps is not None else None
        try:
            self.calls.index = None
            states = [q.method.init(self.starts(), c, self.calls, draw, xp)]
            for t, self.calls.index in enumerate(path, 1):
                states.append(q.method.step(states[-1], self.program.scalar(t), c, self.calls, draw, xp))
        except (NotLinear, NoClass):
            raise
        except Exception as error:  # whatever a step does with what is no array
            raise NotLinear(f"it ends with {type(error).__name__} on combinations: {error}") from error
        return states

    def starts(self) -> dict[str, Vector]:
        """Name -> starting point."""
        out = {}
        for name, where in self.question.starts.items():
            side = {"x": "x", "y": "y"}.get(where, "") if self.is_pair else ""
            out[name] = Vector(self.program, {} if where == "0" else self.start.coefficients, side)
        return out

    @property
    def is_pair(self) -> bool:
        return "y" in self.question.starts.values() and self.calls.is_operator

    def output(self, state: Any) -> Vector:
        """The average that a state keeps, else its point."""
        x = getattr(state, "z", getattr(state, "x", None))
        if x is None:
            raise NoClass("the state has neither x nor an average z")
        if not isinstance(x, Vector):
            raise NotLinear("its output is a number")
        if self.is_pair:
            y = getattr(state, "w" if hasattr(state, "z") else "y")
            if y.texts != x.texts:
                raise NotLinear("it treats the two halves of a pair differently")
        return Vector(self.program, x.coefficients)

    def point(self, state: Any) -> Vector:
        """The iterate itself."""
        if not isinstance(x := getattr(state, "x", None), Vector):
            raise NoClass("the state has no point x")
        return Vector(self.program, x.coefficients)

    def functions(self, outer: bool = False) -> list[Part]:
        return [p for p in self.calls.points if p.of not in WITHOUT_VALUES and p.outer == outer]

    def operator(self) -> Part:
        """The only operator or function whose answers are bounded. Raises NoClass if there are several."""
        bounded = (*OPERATORS, *QUADRATICS)
        smooth = [p for p in self.calls.points if p.of in bounded or p.of not in WITHOUT_VALUES]
        if len(smooth) != 1:
            raise NoClass(f"the metric {self.question.metric!r} needs one function or operator")
        return smooth[0]

    def gap(self, x: Vector, outer: bool = False) -> Form:
        """The sum of the functions at a point (of a finite sum the mean), minus the minimum. Sets have no values.

        outer: of that function instead, minus its value at the reference.
        """
        if self.is_quadratic:
            call = self.calls.at(self.operator(), x)
            return form(products=[["1/2", call.x.texts, call.g.texts]])
        share = str(Fraction(1, self.calls.n))
        return form(values={self.calls.at(part, x).value: share for part in self.functions(outer)})

    # ------------------------------------------------------------------------------------------ the statement

    def start_forms(self) -> list[Form]:
        q, forms = self.question, []
        x = self.start.texts
        if q.distance is not None:
            forms.append(form(str(q.distance), products=[["-1", x, x]]))
        if q.gap is not None:
            gap = self.gap(Vector(self.program, self.start.coefficients))
            values = {n: str(-Fraction(c)) for n, c in gap["values"].items()}
            forms.append(form(str(q.gap), values, [[f"-{c}", u, v] for c, u, v in gap["products"]]))
        if q.noise:
            at_minimizer = [references[0]["g"] for references in self.references]
            share = str(Fraction(-1, self.calls.n))
            forms.append(form(str(q.noise), products=[[share, g, g] for g in at_minimizer]))
        if q.depth is not None and (outer := self.functions(outer=True)):
            none = Vector(self.program, {})
            at = self.calls.fresh("lowest") if q.depth else none
            self.lowest = at, self.calls.fresh("outer") if self.has_set else none
            if q.depth:
                call = self.calls.keep(outer[0], *self.lowest)
                forms.append(form(str(q.depth), {call.value: "1"}))
        if not is_rational(self.program.trees) and not self.is_sum:
            answers = [own[0]["g"] for own in self.references if own and self.functions()]
            free = [
                g for g in answers if list(g.values()) == ["1"]
            ]  # of a function on a set, or of an outer one
            forms += [form(str(FAR**2), products=[["-1", g, g]]) for g in free]
        return forms

    @property
    def has_set(self) -> bool:
        return any(part.of in SETS for part in self.calls.points)

    def parts(self) -> list[dict[str, Any]]:
        return [
            {
                "class": part.of,
                "constants": {
                    c: str(self._constant(dict(part.names).get(c, c), part.of)) for c in CLASSES[part.of]
                },
                "points": [*references, *map(_record, calls)],
            }
            for (part, calls), references in zip(self.calls.points.items(), self.references, strict=True)
        ]

    def _constant(self, name: str, of_class: str) -> Fraction:
        if name not in self.question.constants:
            raise NoClass(
                f"the class {of_class!r} needs {name}, which has no value, a fraction, in the theorem's `generic`"
            )
        return self.question.constants[name]

    @cached_property
    def references(self) -> list[list[dict[str, Any]]]:
        """The reference point of each part: a minimizer of the sum, a zero, a fixed point, or any point of a set."""
        return self._of_sum() if self.is_sum else self._of_others()

    def _of_sum(self) -> list[list[dict[str, Any]]]:
        """The answers and values of the functions at the minimizer, which have the sum 0 each."""
        n, zero = self.calls.n, self.question.noise == 0
        answers = [Vector(self.program, {}) if zero else self.calls.fresh("e") for _ in range(n - 1)]
        values = [{self.calls.fresh_value(): "1"} for _ in range(n - 1)]
        answers.append(-sum(answers, Vector(self.program, {})))
        values.append({name: "-1" for value in values for name in value})
        return [[{"x": {}, "g": g.texts, "f": f}] for g, f in zip(answers, values, strict=True)]

    def _of_others(self) -> list[list[dict[str, Any]]]:
        names = [part.of for part in self.calls.points if not part.outer]
        with_reference = [n for n in names if n != "linear losses"]
        opposite = (
            len(with_reference) == 2 and "linear losses" not in names
        )  # their answers at a minimizer cancel
        if opposite:
            self.reference = self.reference or self.calls.fresh("reference")
        out: list[list[dict[str, Any]]] = []
        for name, _, outer, _ in self.calls.points:
            g: Any = {}
            if outer:
                at_reference = self.lowest if self.question.depth == 0 else None
                g = (at_reference[1] if at_reference else self.calls.fresh("outer")).texts
            elif self.reference is not None:
                sign = -1 if opposite and name == with_reference[1] else 1
                g = (self.reference * sign).texts
            own = [{"x": {}, "g": g, "f": {}}]
            if name in WITHOUT_REFERENCE:
                own = []
            if name in SETS:
                own.append({"x": self.start.texts, "g": {}, "f": {}})
                if self.lowest is not None:
                    x, g = self.lowest
                    own.append({"x": x.texts, "g": (-g).texts, "f": {}})
            out.append(own)
        return out


def _check_class(text: str) -> None:
    """Raises NoClass for a class that is not known, and for a constant that it does not have."""
    part = Part.from_text(text)
    if part.of not in CLASSES:
        raise NoClass(f"no class {text!r} is known; there are {', '.join(CLASSES)}")
    if foreign := [c for c, _ in part.names if c not in CLASSES[part.of]]:
        raise NoClass(f"the class {part.of!r} has no constant {foreign[0]!r}")


def _check_reference(names: list[str], is_sum: bool) -> None:
    """Raises NoClass where answers at the reference are not what two or fewer classes say."""
    if "nonexpansive" in names and len(names) > 1:
        raise NoClass("a nonexpansive map is the only class of a step")
    if len(names) > 2 and not is_sum:
        raise NoClass(
            f"the {len(names)} classes {', '.join(names)} have a minimizer in common that no condition here describes;"
            " two at most are covered"
        )


def form(constant: str = "0", values: Mapping[str, str] | None = None, products: Any = ()) -> Form:
    return {"constant": constant, "values": dict(values or {}), "products": list(products)}


def _record(call: Call) -> dict[str, Any]:
    return {"x": call.x.texts, "g": call.g.texts, "f": {call.value: "1"} if call.value else {}}


def _mean(forms: list[Form]) -> Form:
    """The mean of forms without a constant."""
    share = Fraction(1, len(forms))
    values: dict[str, Fraction] = defaultdict(Fraction)
    for one in forms:
        for name, c in one["values"].items():
            values[name] += share * Fraction(c)
    products = [[str(share * Fraction(c)), u, v] for one in forms for c, u, v in one["products"]]
    return form(values={name: str(c) for name, c in values.items()}, products=products)


# ------------------------------------------------------------------------------------------------- metrics


def _gap(run: _Run, states: list[Any]) -> list[Form]:
    """f(output) - f*; of an operator F: <F(u), output - u> for every u at the given distance from the start."""
    output = run.output(states[-1])
    if run.functions() or run.is_quadratic:
        return [run.gap(output)]
    run.operator()
    run.reference = run.calls.fresh("reference")
    run.calls.check_point(output)
    return [form(products=[["1", run.reference.texts, output.texts]])]


def _of_level(at: Callable[[_Run, Any], Vector], outer: bool) -> Callable[[_Run, list[Any]], list[Form]]:
    """The gap of one level. That of the outer is signed: over all minimizers of the inner function it is largest where
    the reference is the best of them.
    """
    return lambda run, states: [run.gap(at(run, states[-1]), outer)]


def _best_gap(run: _Run, states: list[Any]) -> list[Form]:
    return [run.gap(run.point(s)) for s in states]


def _mean_gap(run: _Run, states: list[Any]) -> list[Form]:
    return [_mean(_best_gap(run, states))]


def _answers(run: _Run, states: list[Any]) -> list[Form]:
    """|g(x)|^2 at each state; of a nonexpansive map |x - T x|^2."""
    forms = []
    for s in states:
        call = run.calls.at(run.operator(), run.point(s))
        v = call.x - call.g if run.operator().of == "nonexpansive" else call.g
        forms.append(form(products=[["1", v.texts, v.texts]]))
    return forms


def _last_answer(run: _Run, states: list[Any]) -> list[Form]:
    return _answers(run, states[-1:])


def _mean_answer(run: _Run, states: list[Any]) -> list[Form]:
    return [_mean(_answers(run, states))]


def _distance(run: _Run, states: list[Any]) -> list[Form]:
    x = run.point(states[-1])
    run.calls.check_point(x)
    return [form(products=[["1", x.texts, x.texts]])]


def _regret(run: _Run, states: list[Any]) -> list[Form]:
    """The sum of <g_t, x_t - u> over the linear losses."""
    if not (calls := run.calls.points.get(Part("linear losses"))):
        raise NoClass("a regret is that of linear losses")
    return [form(products=[["1", c.g.texts, c.x.texts] for c in calls])]


METRICS: dict[str, Callable[[_Run, list[Any]], list[Form]]] = {
    "gap": _gap,
    "inner_gap": _of_level(_Run.output, False),
    "outer_gap": _of_level(_Run.output, True),
    "last_inner_gap": _of_level(_Run.point, False),
    "last_outer_gap": _of_level(_Run.point, True),
    "gap_min": _best_gap,
    "gap_mean": _mean_gap,
    "grad_sq": _last_answer,
    "grad_norm": _last_answer,
    "grad_sq_min": _answers,
    "grad_sq_mean": _mean_answer,
    "residual": _last_answer,
    "operator_norm": _last_answer,
    "dist": _distance,
    "x_norm": _distance,
    "dist_sq": _distance,
    "saddle_sq": _distance,
    "regret": _regret,
}
