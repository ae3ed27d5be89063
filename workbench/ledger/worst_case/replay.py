"""Runs a method on the example of a lower bound through the workbench's own engine: does it pass the traced points?

The oracle answers from the certificate's table, as at the listed argument that is nearest. What is recorded is how far
the state of the engine is from that of the trace, so that the replay tests the trace: it is the step that was traced.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from workbench.engine.eager import simulate
from workbench.engine.records import Problem, Run
from workbench.ledger.worst_case.question import AtHorizon
from workbench.ledger.worst_case.scalars import Scalar
from workbench.ledger.worst_case.solve import midpoint
from workbench.ledger.worst_case.trace import Path, Traced
from workbench.ledger.worst_case.vectors import Vector
from workbench.ledger.worst_cases import Setting, example_basis

NEAR = 1e-8  # relative to the largest coordinate: float64 runs of a few dozen steps


class Strayed(Exception):
    """The engine's run is not the traced one. The message says where."""


def metric(horizon: AtHorizon, run: Traced, certificate: dict[str, Any]) -> float:
    """The metric at the end of the engine's run on an example, which passes the points of the certificate.

    Raises Strayed where it does not.
    """
    setting = Setting(certificate["statement"], exact=False)
    basis, values = example_basis(certificate["statement"], setting, certificate["proof"])
    vectors = {name: np.array([midpoint(c) for c in basis[k]]) for name, k in setting.basis.items()}
    for path in run.paths if horizon.count else ():  # the engine makes at least one step
        _run(horizon, run, path, vectors)
    inner = [
        np.array(sum(midpoint(c) * vectors[n] for n, c in _with_names(setting, v))) for v in setting.vectors
    ]
    return min(
        float(f.constant)
        + sum(float(c) * float(values[k]) for k, c in f.values.items())
        + sum(float(c) * float(np.sum(inner[u] * inner[v])) for c, u, v in f.products)
        for f in setting.metrics
    )


def _run(horizon: AtHorizon, run: Traced, path: Path, vectors: dict[str, np.ndarray]) -> None:
    """Raises Strayed where the engine's run leaves a path."""
    table = _Table(run, path, vectors)
    method, question = horizon.question.method, horizon.question
    steps = {name: float(value) for name, value in question.steps.items()}
    parameters = method.Steps(**steps) if getattr(method, "Steps", None) is not None else ()
    start = {n: table.half(v) for n, v in run.starts.items()}
    marks = np.arange(1, horizon.count + 2)
    try:
        result = simulate(Problem(method, table, parameters, start), Run(marks, engine="eager"))
    except Exception as error:  # whatever a step does with arrays
        raise Strayed(f"on the example the step ends with {type(error).__name__}: {error}") from error
    scale = max(1.0, *(float(np.max(np.abs(v))) for v in vectors.values()))
    misses = result.table("miss")[0]
    if not np.all(misses <= NEAR * scale):
        first = int(np.argmax(~(misses <= NEAR * scale)))
        raise Strayed(
            f"the engine's run leaves the traced one before step {first + 1}, by {misses[first]:.2g}"
        )


def _with_names(setting: Setting, vector: dict[int, Any]) -> list[tuple[str, Any]]:
    names = list(setting.basis)
    return [(names[k], c) for k, c in vector.items()]


class _Table:
    """An instance whose oracle answers from a table. Pairs: the halves of a plane."""

    RECORD: ClassVar = {"miss": ("last",)}

    def __init__(self, run: Traced, path: Path, vectors: dict[str, np.ndarray]) -> None:
        self._vectors, self._pair = vectors, any(v.side for v in run.starts.values())
        self._size = len(next(iter(vectors.values())))
        self._states = [[self._leaf(leaf) for leaf in state] for state in path.states]
        self._fields = path.states[0]._fields
        self._rows: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        for name in run.calls.classes:
            rows = [(self._at(x), self._at(g)) for n, x, g in path.order if n == name]
            empty = np.zeros((0, self._size))
            arguments, answers = (
                (np.array(side) for side in zip(*rows, strict=True)) if rows else (empty, empty)
            )
            self._rows[name] = arguments, answers
        self.COSTS = {name: {name: 1} for name in run.calls.classes}

    def __getattr__(self, name: str) -> Any:
        rows = self.__dict__.get("_rows", {})
        if name not in rows:
            raise AttributeError(name)

        def ask(*given: Any, **_: Any) -> Any:
            arrays = [a for a in given if isinstance(a, np.ndarray) and a.ndim == 2]
            if self._pair:
                answer = self._nearest(name, np.concatenate(arrays[:2], axis=1))
                return answer[:, :1], -answer[:, 1:]
            if len(arrays) == 2 and name.startswith("pair"):
                return tuple(self._nearest(name, point) for point in arrays)
            return self._nearest(name, arrays[0])

        return ask

    def _nearest(self, name: str, point: np.ndarray) -> np.ndarray:
        arguments, answers = self._rows[name]
        return answers[np.argmin(np.sum((arguments[None] - point[:, None]) ** 2, axis=2), axis=1)]

    def half(self, vector: Vector) -> np.ndarray:
        """(1, r): a starting point."""
        whole = self._at(vector)[None]
        if not self._pair:
            return whole
        return whole[:, 1:] if vector.side == "y" else whole[:, :1]

    def metrics(self, s: Any, t: Any, xp: Any) -> dict[str, Any]:
        expected = self._states[min(int(t), len(self._states)) - 1]
        miss = np.zeros((len(s[0]), 1))
        for leaf, other in zip(s, expected, strict=True):
            miss = np.maximum(miss, np.max(np.abs(leaf - other), axis=1, keepdims=True))
        return {"miss": miss}

    def _leaf(self, leaf: Any) -> np.ndarray:
        if isinstance(leaf, Scalar | int | float):
            return np.array([[float(leaf)]])
        whole = self._at(leaf)[None]
        if self._pair and leaf.side == "x":
            return whole[:, :1]
        return whole[:, 1:] if self._pair and leaf.side == "y" else whole

    def _at(self, vector: Any) -> np.ndarray:
        total = np.zeros(self._size)
        for name, c in vector.coefficients.items():
            total = total + c.value * self._vectors[name]
        return total
