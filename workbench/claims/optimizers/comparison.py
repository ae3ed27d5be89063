"""`wb.same_iterates`: a listing against an implementation, on the same problem, starts and noise.

Where the iterates differ, the smallest changes of the listing that make them the same are searched for, among known
kinds (`changes`): first every single one, then every pair; all that explain the difference are given. Last, more
changes are made one after the other, as long as each makes more of the first iterations agree. The search ends after a
number of attempts, and the answer names what was not tried.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.noise import Gaussian
from workbench.claims.method import NO_STEPS, complete
from workbench.claims.optimizers.changes import Variant, neighbours, rescalings
from workbench.claims.optimizers.hyperparameters import numbers_in
from workbench.claims.optimizers.method import Method
from workbench.claims.optimizers.parameters import alternatives, foreign, momenta
from workbench.engine.records import Problem, Run
from workbench.engine.start import Start, begin
from workbench.engine.validate import validate
from workbench.problems.single_level import DiagonalQuadratic

MOST = 6000  # changed listings that are run in a search
PAIRS = 2 / 3  # the part of them after which no more pairs are begun
DEEPEST, WIDEST = 4, 8  # changes one after the other, and how many ways are followed
FLOAT32 = 1e-6
ARGUMENTS = ("s", "t", "c", "oracle", "draw", "xp")


@dataclass(frozen=True)
class Explanation:
    """Changes of the listing that give the implementation's iterates: (kind, before, after) of each.

    difference: the largest that is left, in units of the largest |x|.
    """

    changes: tuple[tuple[str, str, str], ...]
    difference: float

    def __str__(self) -> str:
        return "; ".join(f"{kind}: {before} -> {after}" for kind, before, after in self.changes)


@dataclass(frozen=True)
class Comparison:
    """What came of it.

    same: within ``tol``. largest: the largest difference, in units of the largest |x|. iteration, run, coordinate:
    where the first difference is (0, 0, 0 if there is none). vector: "x", or "z" for what both give as their output.
    listing, implementation: both numbers there. explanations: the smallest changes that explain it. attempts: how many
    changed listings were run. left_out: what the search left out, in words.
    """

    title: str
    same: bool
    largest: float
    iterations: int
    tol: float
    iteration: int = 0
    run: int = 0
    coordinate: int = 0
    vector: str = "x"
    listing: float = 0.0
    implementation: float = 0.0
    explanations: tuple[Explanation, ...] = ()
    attempts: int = 0
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.same:
            size = f"the largest difference is {self.largest:.2g} of the largest |x|"
            return f"{self.title}: same iterates up to {self.iterations} ({size})"
        lines = [
            f"{self.title}: other iterates, first {self.vector}_{self.iteration + 1} of run {self.run}, coordinate"
            f" {self.coordinate}: {self.listing:.9g} by the listing, {self.implementation:.9g} by the implementation"
        ]
        for explanation in self.explanations:
            lines.append(f"  explained up to {explanation.difference:.1g} by {explanation}")
        if self.largest < FLOAT32:
            lines.append("  so small a difference may be the rounding of a 32-bit float, or a very small eps")
        elif any(explanation.difference > self.tol for explanation in self.explanations):
            lines.append("  what is left is of the size of rounding in 32-bit floats")
        if self.attempts and not self.explanations:
            lines.append(f"  none of {self.attempts} changes of the known kinds explains it")
        elif len(self.explanations) > 1:
            lines.append(f"  {len(self.explanations)} explanations, which agree in these iterations")
        if self.left_out:
            lines.append(f"  not tried after {self.attempts} attempts: {'; '.join(self.left_out)}")
        return "\n".join(lines)


def same_iterates(
    listing: Any,
    implementation: Any,
    *,
    steps: Any = None,
    problem: Any = None,
    start: Any = None,
    iterations: int = 30,
    runs: int = 4,
    seed: int = 0,
    tol: float = 1e-9,
    explain: bool = True,
    most: int = MOST,
) -> Comparison:
    """Whether a listing and an implementation move in the same way.

    listing: a module, class or namespace with ``step``, or that function. implementation: an optimizer (`wb.method`),
    or another listing. steps: the listing's `Steps`, by default those without arguments. problem: by default a
    quadratic in three coordinates with Gaussian noise. start: (runs, d), the first x. tol: differences up to this share
    of the largest |x| are rounding. explain: whether changes of the listing are searched for. most: how many changed
    listings the search runs, each for as many iterations as agree.

    Raises ValueError for what is no method, and as a simulation does (`workbench.engine.validate.ProblemError`).
    """
    method = _method(listing)
    x = np.array(_default_start(runs) if start is None else start, float)
    instance = DiagonalQuadratic(Gaussian(0.5), mu=0.2) if problem is None else problem
    other = implementation if isinstance(implementation, Method) else _method(implementation)
    both = _problem(method, instance, steps, x), _problem(other, instance, None, x)
    return compare(*both, iterations, seed, tol, most if explain else 0)


def compare(
    listing: Problem, implementation: Problem, iterations: int, seed: int, tol: float, most: int = MOST
) -> Comparison:
    """`same_iterates` of two problems that differ in the algorithm and its steps; most: 0 searches for nothing. Raises
    as that does.
    """
    other = implementation.algorithm
    if isinstance(listing.algorithm, Method):
        raise ValueError("the listing is an optimizer of a library; give it as the implementation")
    outputs = ("z",) if "z" in listing.algorithm.State._fields and "z" in other.State._fields else ()
    target = np.stack(list(_iterates(implementation, seed, iterations, ("x", *outputs))))
    iterates = np.stack(list(_iterates(listing, seed, iterations, ("x", *outputs))))
    size = max(float(np.nanmax(np.abs(target), initial=0.0)), 1e-300)
    apart = ~(np.abs(iterates - target) <= tol * size)
    largest = float(np.max(np.abs(iterates - target), initial=0.0)) / size
    title = getattr(other, "title", "") or getattr(other, "__name__", "the implementation")
    about: dict[str, Any] = {"title": title, "largest": largest, "iterations": iterations, "tol": tol}
    if not apart.any():
        return Comparison(**about, same=True)
    t, run, place = (int(i) for i in np.argwhere(apart)[0])
    search = _Search(listing, implementation, seed, target, size, tol, outputs, most) if most else None
    d = listing.start["x"].shape[-1]
    return Comparison(
        **about,
        same=False,
        iteration=t + 1,
        run=run,
        coordinate=place % d,
        vector=("x", *outputs)[place // d],
        listing=float(iterates[t, run, place]),
        implementation=float(target[t, run, place]),
        explanations=search.explanations() if search else (),
        attempts=search.attempts if search else 0,
        left_out=tuple(search.left_out) if search else (),
    )


class _Search:
    """Looks for changes of a listing with which it gives (iterations, runs, d) iterates, up to ``tol`` of a size."""

    def __init__(
        self,
        problem: Problem,
        implementation: Problem,
        seed: int,
        target: np.ndarray,
        size: float,
        tol: float,
        outputs: tuple[str, ...],
        most: int,
    ) -> None:
        self._problem, self._seed, self._target, self._size, self._tol = problem, seed, target, size, tol
        self._outputs, self._most = outputs, most
        self.attempts = 0
        self.left_out: list[str] = []
        self._listing = Variant(_definition(problem.algorithm))
        self._zeros = tuple(_zero_fields(problem, seed))
        steps, given = _numbers(problem.steps), list(_given(implementation))
        self._numbers = alternatives(steps, given, momenta(self._listing.step))
        self._more = foreign(steps, given)
        self._vectors = tuple(_vectors(problem, seed))

    def explanations(self) -> tuple[Explanation, ...]:
        """Single changes; if there are none, pairs; single ones up to the rounding of 32-bit floats; longer chains."""
        single = list(self._neighbours(self._listing))
        if explanations := self._all([self._listing, *single], "single changes"):
            return explanations
        if explanations := self._all(self._other_rate(), "rates") or self._pairs(single):
            return explanations
        if self.attempts >= self._most:
            self.left_out.append("changes one after the other")
            return ()
        exact, self._tol = self._tol, max(self._tol, FLOAT32)
        # If the listing itself is that near, any change that hardly matters would explain it.
        is_near = self._explanation(self._listing) is not None
        explanations = () if is_near else self._all(single, "single changes in 32-bit floats")
        self._tol = exact
        return explanations or self._by_steps()

    def _neighbours(self, variant: Variant) -> Iterator[Variant]:
        return neighbours(variant, self._zeros, self._numbers, self._more)

    def _other_rate(self) -> Iterator[Variant]:
        """With steps as much longer as the implementation's first one is, if it is so in all coordinates."""
        d = self._target.shape[-1] // (1 + len(self._outputs))
        x = np.asarray(self._problem.start["x"], float)
        ours, theirs = (y[:, :d] - x for y in (next(self._own_iterates()), self._target[0]))
        with np.errstate(all="ignore"):
            ratios = theirs / ours
        factor = float(f"{np.median(ratios):.12g}")
        if np.isfinite(factor) and factor not in (0.0, 1.0) and np.ptp(ratios) <= 1e-9 * abs(factor):
            yield from rescalings(self._listing, factor)

    def _own_iterates(self) -> Iterator[np.ndarray]:
        return _iterates(self._problem, self._seed, len(self._target), ("x",))

    def _by_steps(self) -> tuple[Explanation, ...]:
        """Up to `DEEPEST` changes, each of which makes more iterations agree; the `WIDEST` best ones are followed."""
        front, texts = [(self._agreeing(self._listing), self._listing)], {self._listing.text}
        for _ in range(DEEPEST):
            later = []
            for agreeing, variant in front:
                for new in self._neighbours(variant):
                    if self.attempts >= self._most:
                        self.left_out.append("some changes one after the other")
                        return ()
                    if new.text not in texts and (count := self._agreeing(new)) > agreeing:
                        texts.add(new.text)
                        later.append((count, new))
            whole = (self._explanation(new) for count, new in later if count == len(self._target))
            if explanations := tuple(e for e in whole if e is not None):
                return explanations
            front = sorted(later, key=lambda pair: -pair[0])[:WIDEST]
        return ()

    def _agreeing(self, variant: Variant) -> int:
        """How many of the first iterations agree."""
        self.attempts += 1
        count = 0
        with contextlib.suppress(Exception):  # a change that does not fit this listing
            algorithm = _method_with(self._problem.algorithm, variant)
            problem = Problem(algorithm, self._problem.instance, self._problem.steps, self._problem.start)
            iterates = _iterates(problem, self._seed, len(self._target), ("x", *self._outputs))
            for x, y in zip(iterates, self._target, strict=True):
                if x.shape != y.shape or not float(np.max(np.abs(x - y))) / self._size <= self._tol:
                    break
                count += 1
        return count

    def _all(self, variants: Iterable[Variant], what: str) -> tuple[Explanation, ...]:
        """what: the variants are, in case that the budget does not last."""
        tries: list[Explanation | None] = []
        for variant in variants:
            if self.attempts >= self._most:
                self.left_out.append(f"some {what}")
                break
            tries.append(self._explanation(variant))
        return tuple(e for e in tries if e is not None)

    def _pairs(self, single: list[Variant]) -> tuple[Explanation, ...]:
        """Each single change with every other one, as long as their part of the budget lasts."""
        tries: list[Explanation | None] = []
        texts = {variant.text for variant in single} | {self._listing.text}
        for number, variant in enumerate(single):
            for pair in self._neighbours(variant):
                if self.attempts >= PAIRS * self._most:
                    self.left_out.append(
                        f"pairs among {len(single) - number} of {len(single)} single changes"
                    )
                    return tuple(e for e in tries if e is not None)
                if pair.text not in texts:
                    texts.add(pair.text)
                    tries.append(self._explanation(pair))
        return tuple(e for e in tries if e is not None)

    def _explanation(self, variant: Variant) -> Explanation | None:
        """Of its x, or of another vector of its state, as the implementation's parameters."""
        self.attempts += 1
        try:
            algorithm = (
                _method_with(self._problem.algorithm, variant) if variant.changes else self._problem.algorithm
            )
            problem = Problem(algorithm, self._problem.instance, self._problem.steps, self._problem.start)
            gaps = self._gaps(problem)
        except Exception:  # a change that does not fit this listing
            return None
        if not gaps:
            return None
        name = min(gaps, key=self._vectors.index)
        other = () if name == "x" else (("another sequence", "x", name),)
        return Explanation((*variant.changes, *other), gaps[name])

    def _gaps(self, problem: Problem) -> dict[str, float]:
        """Vectors of the state that are the implementation's parameters, with the largest difference."""
        gaps = dict.fromkeys(self._vectors, 0.0)
        d = self._target.shape[-1] // (1 + len(self._outputs))
        names = (*self._vectors, *self._outputs)
        for all_vectors, y in zip(
            _iterates(problem, self._seed, len(self._target), names), self._target, strict=True
        ):
            vectors = np.split(all_vectors, len(names), axis=-1)
            outputs = vectors[len(self._vectors) :]
            rest = [np.max(np.abs(z - y[:, d:])) for z in outputs]
            for name, x in zip(self._vectors, vectors, strict=False):
                gap = float(np.max([np.max(np.abs(x - y[:, :d])), *rest])) / self._size
                if name in gaps and gap <= self._tol:
                    gaps[name] = max(gaps[name], gap)
                else:  # too large, or NaN
                    gaps.pop(name, None)
            if not gaps:
                break
        return gaps


def _method(given: Any) -> Any:
    """A namespace with State, init and step."""
    if inspect.isfunction(given):
        given = sys.modules[given.__module__]
    if not callable(getattr(given, "step", None)):
        raise ValueError(
            f"a {type(given).__name__} is no method; wanted a module, class or function with step"
        )
    if isinstance(given, Method):
        return given
    if isinstance(given, ModuleType):
        return complete(given)
    return complete(SimpleNamespace(**{n: getattr(given, n) for n in dir(given) if not n.startswith("__")}))


def _problem(method: Any, instance: Any, steps: Any, x: np.ndarray) -> Problem:
    if steps is None:
        steps = method.Steps() if hasattr(method, "Steps") else NO_STEPS
    problem, _ = validate(Problem(method, instance, steps, {"x": x}), Run(np.array([1])))
    return problem


def _default_start(runs: int) -> np.ndarray:
    """(runs, 3), of both signs and several sizes, without a zero."""
    signs = np.array([1.0, -1.0, 1.0])
    return signs * np.geomspace(0.3, 3.0, 3 * runs).reshape(runs, 3)


def _iterates(problem: Problem, seed: int, iterations: int, names: tuple[str, ...]) -> Iterator[np.ndarray]:
    """(runs, d) after each iteration: some vectors of the state, side by side."""
    start: Start = begin(problem, seed, backends.namespace("numpy"))
    state = start.state
    with np.errstate(all="ignore"):
        for t in range(1, iterations + 1):
            draw, now = start.draw.at(t), np.asarray(float(t))
            state = problem.algorithm.step(state, now, start.c, start.oracle, draw, start.xp)
            yield np.concatenate([getattr(state, name) for name in names], axis=-1)


def _definition(method: Any) -> ast.FunctionDef:
    """The syntax tree of a step. Raises ValueError where its source is not at hand."""
    try:
        source = textwrap.dedent(inspect.getsource(method.step))
    except (OSError, TypeError):
        raise ValueError("the source of the listing's step is not at hand: define it in a file") from None
    node = next((n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)), None)
    if node is None:
        raise ValueError("the listing's step is an expression: define it by `def step`")
    node.name, node.decorator_list = "step", []
    names = dict(zip((a.arg for a in node.args.args), ARGUMENTS, strict=False))
    for part in ast.walk(node):  # `changes` knows the arguments by these names
        if isinstance(part, ast.Name):
            part.id = names.get(part.id, part.id)
        elif isinstance(part, ast.arg):
            part.arg = names.get(part.arg, part.arg)
    return node


def _numbers(steps: Any) -> dict[str, float]:
    return {name: float(value) for name, value in steps._asdict().items() if np.ndim(value) == 0}


def _given(implementation: Problem) -> Iterator[float]:
    """The numbers that an implementation has: its steps, and what its optimizer is made of."""
    yield from _numbers(implementation.steps).values()
    if isinstance(other := implementation.algorithm, Method):
        optimizer, settings, *_ = other.made_of
        yield from numbers_in(getattr(optimizer, "update", optimizer))
        yield from numbers_in(settings)


def _vectors(problem: Problem, seed: int) -> Iterator[str]:
    """x, and the vectors of the state that have its shape; not memories that begin with zeros."""
    state = begin(problem, seed, backends.namespace("numpy")).state
    yield "x"
    for name, value in state._asdict().items():
        if name != "x" and np.shape(value) == np.shape(state.x) and np.any(value):
            yield name


def _zero_fields(problem: Problem, seed: int) -> Iterator[str]:
    state = begin(problem, seed, backends.namespace("numpy")).state
    for name, value in state._asdict().items():
        if name != "x" and np.ndim(value) and not np.any(value):
            yield name


def _method_with(method: Any, variant: Variant) -> SimpleNamespace:
    """The method with another step and other first values."""
    step = inspect.unwrap(method.step)
    names = {**step.__globals__, **inspect.getclosurevars(step).nonlocals}
    exec(compile(variant.source, "<changed step>", "exec"), names)

    def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        state = method.init(start, c, oracle, draw, xp)
        for field, text in variant.first:
            g = oracle.grad(start["x"], draw(0)) if "g" in text else None
            value = eval(text, {"g": g, "abs": abs, "__builtins__": {}})
            state = state._replace(**{field: getattr(state, field) * 0.0 + value})
        return state

    return SimpleNamespace(step=names["step"], init=init, State=method.State)
