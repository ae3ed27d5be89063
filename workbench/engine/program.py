"""From an algorithm and an instance to a `Program`: the graph of one iteration with its inputs and outputs.

One iteration of the kernel equals one of the eager loop: it reduces the metrics at x_t, then ``step`` gives x_{t+1}.
Every float of the instance and of ``Steps`` is an argument of the kernel, so that grids, seeds, horizons and most
falsifiers share a kernel; integers and strings are constants of the trace.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from workbench.engine.draws import TracedDraws
from workbench.engine.graph import BOOL, FLOAT, INT, SCALAR, Graph, Phi
from workbench.engine.oracle import Oracle
from workbench.engine.per_row import PerRow, with_row_types
from workbench.engine.records import LARGEST, Problem
from workbench.engine.refusal import TraceError
from workbench.engine.resident_stacks import ResidentStacks
from workbench.engine.schedule import loop_stacks
from workbench.engine.traced_array import NUMPY_TYPES, RUNS, Traced
from workbench.engine.tracer import Tracer

KINDS = {"f": FLOAT, "i": INT, "u": INT, "b": BOOL}


class Place(NamedTuple):
    """Location of a carried value: its pool ("F" floats, "I" integers and booleans) and its first row there.

    For a resident stack ("K", `workbench.engine.resident_stacks`) the row is its number among the carried values.
    """

    phi: Phi
    pool: str
    row: int


@dataclass
class Program:
    """One kernel. phis: the values carried from iteration to iteration, in the order of `places`.

    fields: the number of phis that are the algorithm's state (they come first). records: name of a recorded quantity ->
    index of its phi. params: the columns, each (runs, 1) or a number. calls: resource -> calls per iteration as a
    number, or the index of the phi that counts them per run.

    Memory has one column per run and three pools of rows: parameters, floats, and integers with booleans.
    """

    graph: Graph
    phis: list[Phi]
    fields: int
    records: dict[str, int]
    params: list[Any]
    calls: dict[str, int] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)

    @cached_property
    def stacks(self) -> ResidentStacks:
        return loop_stacks(self.graph, self.phis)

    def places(self) -> list[Place]:
        """Location of each carried value; consecutive, one row per entry."""
        rows, places = {"F": 0, "I": 0}, []
        for number, phi in enumerate(self.phis):
            if number in self.stacks.spots:
                places.append(Place(phi, "K", number))
                continue
            pool = "F" if phi.leaf.dtype == FLOAT else "I"
            places.append(Place(phi, pool, rows[pool]))
            rows[pool] += phi.leaf.size
        return places

    def pools(self, state: Any, runs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Parameters, floats and integers before the first iteration, from ``state``; no pool is empty."""
        ends = {"F": 1, "I": 1}
        for phi, pool, row in self.places():
            if pool == "K":
                continue
            ends[pool] = max(ends[pool], row + phi.leaf.size)
        pools = {"F": np.zeros((ends["F"], runs)), "I": np.zeros((ends["I"], runs), dtype=np.int64)}
        names = {index: name for name, index in self.records.items()}
        for index, (phi, pool, row) in enumerate(self.places()):
            if pool == "K":
                continue
            if index < self.fields:
                pools[pool][row : row + phi.leaf.size] = np.asarray(state[index]).reshape(runs, -1).T
            elif index in names:
                pools[pool][row] = start_of(names[index])
        params = np.zeros((max(len(self.params), 1), runs))
        for number, value in enumerate(self.params):
            params[number] = np.asarray(value, dtype=np.float64).reshape(-1)
        return params, pools["F"], pools["I"]

    def stack_pool(self, state: Any, runs: int) -> np.ndarray:
        """The pool of the resident stacks before the first iteration, (runs, width)."""
        return self.stacks.pool({number: np.asarray(state[number]) for number in self.stacks.spots}, runs)


class _Tracing:
    """The leaves shared by the parts of a program: t, state, parameters."""

    def __init__(self, instance: Any, state: Any, runs: int) -> None:
        self.graph = Graph()
        self.xp = Tracer(self.graph)
        self.runs, self.params = runs, list[Any]()
        self.t = self.graph.leaf("t", (), INT, SCALAR, False, self.graph.steps)
        self.now = self.xp.astype(self.xp.wrap(self.t, ()), np.float64)
        self.phis: list[Phi] = []
        self.state = type(state)(*(self._field(n, v) for n, v in zip(state._fields, state, strict=True)))
        self.instance = self.place(instance)

    def _field(self, name: str, value: Any) -> Traced:
        value = np.asarray(value)
        if not 2 <= value.ndim <= 3 or value.shape[0] != self.runs or value.dtype.kind not in KINDS:
            raise TraceError(
                f"the state field {name} of shape {value.shape} and type {value.dtype} cannot be compiled; make it "
                f"(runs, d) or (runs, m, d) of 64-bit numbers or booleans, or use --engine eager"
            )
        return self.carry(name, KINDS[value.dtype.kind], value.shape[1:])

    def carry(self, name: str, kind: str, shape: tuple[int, ...]) -> Traced:
        """A new value carried from iteration to iteration."""
        steps = self.graph.steps
        own = tuple([1, *shape][-2:])
        leaf = self.graph.leaf("phi", (steps, len(self.phis)), kind, own, True, steps)  # type: ignore[arg-type]
        self.phis.append(Phi(leaf, None, name))
        return self.xp.wrap(leaf, (RUNS, *shape))

    def place(self, record: Any) -> Any:
        """The record with floats and numbers per run as parameters, other arrays as tables; skips ``__post_init__``."""
        if isinstance(record, (float, np.floating)):
            return self._param(float(record))
        if isinstance(record, np.ndarray):
            if record.ndim == 0 or isinstance(record, PerRow):
                return self._param(record)
            return self.xp.asarray(record)
        if dataclasses.is_dataclass(record) and not isinstance(record, type):
            out = copy.copy(record)
            for f in dataclasses.fields(record):
                if not f.metadata.get("structural"):  # unlike a number that determines the operations
                    object.__setattr__(out, f.name, self.place(getattr(record, f.name)))
            return out
        return record

    def _param(self, value: Any) -> Traced:
        """A column if runs differ, else one number for all runs, so that values derived from it and t (a power of t,
        the length of a loop) are computed once and not in every run. Integers and booleans are passed as floats."""
        array = np.asarray(value)
        if array.shape not in ((), (self.runs, 1)):
            raise TraceError("an array with several numbers per run in a problem cannot be compiled")
        self.params.append(value)
        bits = array.astype(np.float64).reshape(-1).view(np.int64)
        differs = bool((bits != bits[0]).any())
        leaf = self.graph.leaf("param", (len(self.params) - 1,), FLOAT, SCALAR, differs, self.graph.once)
        scalar = self.xp.wrap(leaf, (RUNS, 1) if array.ndim else ())
        return self.xp.astype(scalar, NUMPY_TYPES[KINDS[array.dtype.kind]])

    def follow(self, phi: Phi, value: Traced) -> None:
        """Sets the value of a carried quantity after the iteration."""
        phi.next = self.xp._like(value, phi.leaf)


def trace(problem: Problem, state: Any) -> Program:
    """The program of one iteration; ``state`` (arrays from ``init``) gives shapes and types. Raises TraceError."""
    problem = with_row_types(problem)
    tracing = _Tracing(problem.instance, state, problem.size)
    xp, fields = tracing.xp, len(tracing.phis)
    c = type(problem.steps)(*(tracing.place(v) for v in problem.steps))
    oracle, draw = Oracle(tracing.instance, xp, xp.calls), TracedDraws(xp, tracing.t)
    records = _records(tracing, _every_step(problem.instance))
    new = problem.algorithm.step(tracing.state, tracing.now, c, oracle, draw, xp)
    for phi, old, value in zip(tracing.phis, tracing.state, new, strict=False):
        value = xp.asarray(value)
        if value.node.shape != phi.leaf.shape:
            raise TraceError(
                f"step changes the state field {phi.name} from shape {old.shape} to {value.shape}, which cannot be "
                f"compiled; let init make it as step leaves it, or use --engine eager"
            )
        tracing.follow(phi, value)
    program = Program(tracing.graph, tracing.phis, fields, records, tracing.params)
    _count(program, tracing, xp.calls)
    return program


def trace_marks(problem: Problem, state: Any) -> Program | None:
    """The program for metrics recorded only at marks; None if there are none. Raises TraceError."""
    tracing = _Tracing(with_row_types(problem).instance, state, problem.size)
    fields = len(tracing.phis)
    values = measured_at_marks(tracing.instance, tracing.state, tracing.now, tracing.xp)
    records = {name: _record(tracing, name, value) for name, value in values.items()}
    return Program(tracing.graph, tracing.phis, fields, records, tracing.params) if records else None


def measured_at_marks(instance: Any, state: Any, t: Any, xp: Any) -> dict[str, Any]:
    """Metrics needed only at marks: those recorded only as "last", and ``checkpoint_metrics``."""
    last = instance.RECORD.keys() - _every_step(instance).keys()
    values = instance.metrics(state, t, xp) if last else {}
    metrics = {name: values[name] for name in instance.RECORD if name in last}
    if hasattr(instance, "checkpoint_metrics"):
        metrics |= instance.checkpoint_metrics(state, t, xp)
    return metrics


def _every_step(instance: Any) -> dict[str, Any]:
    """The metrics that are reduced over iterations; the others are needed only at marks."""
    return {n: r for n, r in instance.RECORD.items() if set(r) - {"last"}}


def _records(tracing: _Tracing, every_step: dict[str, Any]) -> dict[str, int]:
    """Adds the reductions of the metrics at x_t; name in the result -> index of the carried value."""
    xp, indices = tracing.xp, dict[str, int]()
    values = tracing.instance.metrics(tracing.state, tracing.now, xp) if every_step else {}
    for name, reductions in every_step.items():
        value = values[name]
        if "last" in reductions:
            indices[name] = _record(tracing, name, value)
        if set(reductions) & {"mean", "sum"}:
            indices[f"{name}_sum"] = _record(tracing, f"{name}_sum", value, lambda old, new: old + new)
        for largest in (f"{name}_{r}" for r in LARGEST if r in reductions):
            # NaN must propagate, also past later values
            rule = lambda old, new: xp.where((new <= old) | (old != old), old, new)  # noqa: E731
            indices[largest] = _record(tracing, largest, value, rule)
    return indices


def _record(
    tracing: _Tracing, name: str, value: Traced, rule: Callable[[Any, Any], Any] = lambda old, new: new
) -> int:
    """Carries ``rule(record so far, value)``; returns the index among the carried values."""
    old = tracing.carry(name, FLOAT, (1,))
    tracing.follow(tracing.phis[-1], tracing.xp.astype(rule(old, value), np.float64))
    return len(tracing.phis) - 1


def start_of(record: str) -> float:
    """The initial value of a recorded quantity: the neutral element, including the sign of zero."""
    return -np.inf if record.endswith(tuple(f"_{r}" for r in LARGEST)) else -0.0


def _count(program: Program, tracing: _Tracing, calls: Counter[str]) -> None:
    """Calls per iteration: a number if known when tracing, else a carried count per run."""
    for resource, count in calls.items():
        if isinstance(count, int):
            program.calls[resource] = count
        else:
            total = tracing.carry(f"calls of {resource}", INT, (1,))
            tracing.follow(tracing.phis[-1], total + tracing.xp.astype(count, np.int64))
            program.counters[resource] = len(tracing.phis) - 1
