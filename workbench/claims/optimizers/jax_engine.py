"""An engine for optimizers written in JAX: the iterations between two marks are one loop of a compiled program.

The problem is computed in JAX too, with the noise of the workbench's counters (`workbench.arrays.random`), so that a
run has the same samples on every engine; its iterates agree with those of the eager engine up to rounding, since XLA
fuses operations. Rows are computed in blocks of `BLOCK` by one program for all blocks, the last one filled up with
copies of the last row: so a run alone has the bits that it has in a batch.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.random import Sample, as_word, from_words, philox4x32, place
from workbench.claims.optimizers.hyperparameters import Hyperparameters
from workbench.claims.optimizers.jax_rule import calls_back, one_run
from workbench.claims.optimizers.libraries import float64
from workbench.engine.oracle import Oracle
from workbench.engine.recorder import Recorded
from workbench.engine.records import LARGEST, Problem, Result, Run, quantity
from workbench.engine.rows import cut_problem

BLOCK = 64
SHORTEST = (
    5000  # iterations below which compiling takes longer, whatever the rows: a run alone has the same engine
)


def simulate(problem: Problem, run: Run) -> Result | None:
    """The result on this engine; None where it is not worth while, or JAX cannot trace the problem."""
    if int(run.marks[-1]) < SHORTEST or run.backend != "numpy" or not _is_plain(problem.instance):
        return None
    with float64() as jax:
        try:
            simulation = _Simulation(jax, problem, run)
        except Exception:  # what cannot be traced may raise anything
            return None
        return simulation.result()


@dataclass
class _Block:
    """Some rows on their way. leaves: the numbers of the instance. state, sums, largest: name -> array."""

    problem: Problem
    leaves: list[Any]
    columns: np.ndarray
    ids: np.ndarray
    state: dict[str, Any]
    sums: dict[str, Any]
    largest: dict[str, Any]


class _Simulation:
    """A problem as one program, tried by tracing it. Raises whatever JAX raises where that is not possible."""

    def __init__(self, jax: Any, problem: Problem, run: Run) -> None:
        self._jax, self._problem, self._run = jax, problem, run
        self._xp = backends.shared_namespace(jax.numpy)
        self._key = run.seed & 0xFFFFFFFF, run.seed >> 32
        self._method = problem.algorithm
        numbers = -(-problem.size // BLOCK) * BLOCK
        rows = np.minimum(np.arange(numbers), problem.size - 1).reshape(-1, BLOCK)
        parts = [cut_problem(problem, block) for block in rows]
        hyper = Hyperparameters.of(parts[0].steps, BLOCK)
        self._one = one_run(jax, self._method.rule, hyper, parts[0].start["x"].shape[1])
        self._template = parts[0].instance
        reductions = problem.instance.RECORD.items()
        self._totals = [name for name, kinds in reductions if {"mean", "sum"} & set(kinds)]
        self._largest = [
            (name, quantity(name, r)) for name, kinds in reductions for r in LARGEST if r in kinds
        ]
        self._blocks = [self._first(part) for part in parts]
        self._calls: Counter[str] = Counter()
        self._advance = jax.jit(self._program)
        first = self._blocks[0]
        jax.eval_shape(self._program, *self._arguments(first, 1, 2))
        if not all(type(count) is int for count in self._calls.values()):
            raise TypeError("calls that differ from row to row")
        self._calls_per_step = Counter(self._step_calls)
        if calls_back(jax, self._one):
            raise TypeError("Python code that is called from a thread without 64-bit floats")

    # --------------------------------------------------------------------------------------------- the traced part

    def _program(
        self, leaves: Any, columns: Any, ids: Any, state: Any, sums: Any, largest: Any, first: Any, mark: Any
    ) -> Any:
        """Iterations first, ..., mark: (metrics at the mark, state before its step, state after, sums, maxima)."""
        instance = _with_leaves(self._template, leaves)

        def body(t: Any, carry: Any) -> Any:
            _, _, state, sums, largest = carry
            now, sums, largest = self._observe(instance, state, t, sums, largest)
            return now, state, self._step(instance, state, columns, ids, t), sums, largest

        nothing = {name: self._xp.zeros((BLOCK, 1)) for name in instance.RECORD}
        # One body for all iterations, the mark's included: compiling takes seconds, and a second copy twice as many.
        return self._jax.lax.fori_loop(first, mark + 1, body, (nothing, state, state, sums, largest))

    def _observe(self, instance: Any, state: Any, t: Any, sums: Any, largest: Any) -> Any:
        xp = self._xp
        metrics = instance.metrics(SimpleNamespace(**state), t.astype(float), xp)
        now = {name: xp.broadcast_to(metrics[name], (BLOCK, 1)) for name in instance.RECORD}
        sums = {name: sums[name] + now[name] for name in sums}
        new = {}
        for name, key in self._largest:
            value, before = now[name], largest[key]
            keep = (value <= before) | (before != before)  # a NaN stays
            new[key] = xp.where(keep, before, value)
        return now, sums, new

    def _step(self, instance: Any, state: Any, columns: Any, ids: Any, t: Any) -> Any:
        calls: Counter[str] = Counter()
        oracle, draw = Oracle(instance, self._xp, calls), _Draws(self._xp, self._key, ids, t)
        x, now, method = state["x"], t.astype(float), self._method
        make = method.gradient or (lambda oracle, x, t, draw: oracle.grad(x, draw(0)))
        gradient = make(oracle, x, now, draw)
        self._step_calls = self._calls = calls
        x, memory = self._jax.vmap(self._one.update)(x, columns, gradient, state["memory"])
        return self._state(x, columns, memory)

    def _state(self, x: Any, columns: Any, memory: Any) -> dict[str, Any]:
        state = {"x": x, "memory": memory}
        if self._method.averaging:
            state["z"] = self._jax.vmap(self._one.output)(x, columns, memory)
        return state

    # ------------------------------------------------------------------------------------------------ the host's part

    def _first(self, part: Problem) -> _Block:
        hyper = Hyperparameters.of(part.steps, BLOCK)
        columns = np.stack([*hyper.columns.values(), np.zeros(BLOCK)], axis=1)
        x = np.array(part.start["x"], float)
        memory = self._jax.vmap(self._one.init)(x, columns)
        return _Block(
            problem=part,
            leaves=_leaves(part.instance),
            columns=columns,
            ids=np.asarray(part.run_ids, np.uint64)[:, None],
            state=self._state(x, columns, memory),
            sums={name: np.zeros((BLOCK, 1)) for name in self._totals},
            largest={key: np.full((BLOCK, 1), -np.inf) for _, key in self._largest},
        )

    def _arguments(self, block: _Block, first: int, mark: int) -> tuple[Any, ...]:
        parts = block.leaves, block.columns, block.ids, block.state, block.sums, block.largest
        return (*parts, np.asarray(first, np.int64), np.asarray(mark, np.int64))

    def result(self) -> Result:
        run, keep, began = self._run, self._run.keep, time.perf_counter()
        recorder, begin, last = Recorded(self._problem.size, len(run.marks)), 0, 0
        if keep is not None and (checkpoint := keep.resume("jax", run.backend)) is not None:
            begin, last = self._resume(checkpoint, recorder)
            began -= checkpoint["seconds"]
        for index in range(begin, len(run.marks)):
            mark = int(run.marks[index])
            states = [
                self._to_mark(block, last + 1, mark, index, recorder, n)
                for n, block in enumerate(self._blocks)
            ]
            for resource, count in self._calls_per_step.items():
                recorder.count(resource, index, np.array([count * mark]))
            leaves = [np.concatenate(leaf)[: self._problem.size] for leaf in zip(*states, strict=True)]
            recorder.close(index, leaves, time.perf_counter() - began)
            last = mark
            if run.progress is not None:
                run.progress(mark, int(run.marks[-1]))
            if keep is not None and keep.due(index + 1 == len(run.marks)):
                keep.write(self._position(index + 1, last, time.perf_counter() - began, recorder))
        return recorder.result(self._problem, run, "jax")

    def _to_mark(
        self, block: _Block, first: int, mark: int, index: int, recorder: Recorded, n: int
    ) -> list[np.ndarray]:
        """Moves a block past a mark and records it there; the arrays of its new state."""
        with np.errstate(all="ignore"):
            now, before, block.state, block.sums, block.largest = self._advance(
                *self._arguments(block, first, mark)
            )
            rows = slice(n * BLOCK, min((n + 1) * BLOCK, self._problem.size))
            for name, value in self._at_mark(block, now, before, mark):
                column = recorder.data.setdefault(
                    name, np.full((self._problem.size, len(self._run.marks)), np.nan)
                )
                column[rows, index] = np.asarray(value).reshape(-1)[: rows.stop - rows.start]
        for name, key in self._largest:
            if key == quantity(name, "peak"):
                block.largest[key] = np.full((BLOCK, 1), -np.inf)
        return [np.asarray(leaf) for leaf in block.state.values()]

    def _at_mark(self, block: _Block, now: Any, before: Any, mark: int) -> Iterator[tuple[str, Any]]:
        instance = block.problem.instance
        for name, reductions in instance.RECORD.items():
            if "last" in reductions:
                yield name, now[name]
            if "mean" in reductions:
                yield f"{name}_mean", np.asarray(block.sums[name]) / float(mark)
            if "sum" in reductions:
                yield f"{name}_sum", block.sums[name]
        yield from ((key, block.largest[key]) for _, key in self._largest)
        if hasattr(instance, "checkpoint_metrics"):
            state = SimpleNamespace(**{name: np.asarray(leaf) for name, leaf in before.items()})
            values = instance.checkpoint_metrics(state, np.asarray(float(mark)), backends.namespace("numpy"))
            yield from ((name, np.broadcast_to(value, (BLOCK, 1))) for name, value in values.items())

    def _position(self, index: int, t: int, seconds: float, recorder: Recorded) -> dict[str, Any]:
        fields = ("state", "sums", "largest")
        blocks = [
            {f: {n: np.asarray(a) for n, a in getattr(b, f).items()} for f in fields} for b in self._blocks
        ]
        return {"t": t, "index": index, "seconds": seconds, "blocks": blocks, "recorded": recorder.position()}

    def _resume(self, checkpoint: dict[str, Any], recorder: Recorded) -> tuple[int, int]:
        recorder.resume(checkpoint["recorded"])
        self._blocks = [
            replace(block, **arrays) for block, arrays in zip(self._blocks, checkpoint["blocks"], strict=True)
        ]
        return checkpoint["index"], checkpoint["t"]


class _Draws:
    """The samples of iteration t of some rows; t and the rows' identities, (rows, 1), are traced."""

    def __init__(self, xp: Any, key: tuple[int, int], ids: Any, t: Any) -> None:
        self.xp, self._key, self._ids, self._t = xp, key, ids, t.astype(xp.uint64)
        self._words: dict[tuple[Any, ...], tuple[Any, ...]] = {}

    def __call__(self, i: int) -> Sample:
        return Sample(self, i)

    def number(self, kind: str, stream: int, d: int | tuple[int, ...], k: int) -> Any:
        """(rows, d), as `workbench.arrays.random.Draws.number`."""
        if isinstance(d, tuple):
            return self.xp.reshape(self.number(kind, stream, int(np.prod(d)), k), (len(self._ids), *d))
        block, word = place(kind, stream)
        if kind != "sign":
            return from_words(kind, word, self._block(block, d, k, self._t), self.xp)
        bits, one = as_word(31, self.xp), as_word(1, self.xp)
        words = self._block(block, d, k, self._t >> as_word(5, self.xp))[word]
        bit = (words >> (self._t & bits)) & one
        return self.xp.where(bit == one, self.xp.asarray(1.0), self.xp.asarray(-1.0))

    def _block(self, block: int, d: int, k: int, t: Any) -> tuple[Any, ...]:
        if (block, d, k) not in self._words:
            xp = self.xp
            zeros = xp.zeros((len(self._ids), d), dtype=xp.uint64)
            last = as_word(block + 256 * (k + 1), xp)
            counter = zeros + t, zeros + self._ids, zeros + xp.arange(d, dtype=xp.uint64), zeros + last
            self._words[block, d, k] = philox4x32(counter, self._key, xp)
        return self._words[block, d, k]


def _is_plain(record: Any) -> bool:
    """Whether all arrays are fields of records: those in lists would be constants of the program, for all blocks."""
    if isinstance(record, tuple | list):
        return not any(isinstance(part, np.ndarray | tuple | list) for part in record)
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        return all(_is_plain(getattr(record, f.name)) for f in dataclasses.fields(record) if f.init)
    return True


def _leaves(record: Any) -> list[np.ndarray]:
    """The numbers of a record, in the order of `backends.place`."""
    leaves: list[np.ndarray] = []

    def collect(value: Any) -> Any:
        leaves.append(np.asarray(value))
        return value

    backends.place(record, SimpleNamespace(asarray=collect))
    return leaves


def _with_leaves(record: Any, leaves: list[Any]) -> Any:
    new = iter(leaves)
    return backends.place(record, SimpleNamespace(asarray=lambda value: next(new)))
