"""Runs one small step on every engine and compares all fields of the `Result`, and every entry of the state."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from discover import same, starts, steps_of, with_noise
from host_kernel import COMPILER, HostKernel

from workbench.arrays import noise, ops
from workbench.engine import eager
from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.gpu import GpuKernel
from workbench.engine.records import Problem, Rows, Run

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler for kernels on the host")
KERNELS = [
    pytest.param(HostKernel, marks=needs_compiler, id="host"),
    pytest.param(CpuKernel, id="cpu"),
    pytest.param(GpuKernel, marks=pytest.mark.gpu, id="gpu"),
]
RUNS = 5  # not a multiple of the number of lanes
GRID_ROWS = 6
MARKS = (1, 2, 31, 32, 33, 40)  # one word of signs covers iterations 32 to 63
Steps = namedtuple("Steps", "a count")


@dataclass(frozen=True)
class Toy:
    """Oracle methods of known cost; records every entry of the state at the marks (by the array library, untraced)."""

    scale: float = 0.7
    weights: np.ndarray = field(default_factory=lambda: np.array([[1.0, -2.0, 3.0], [0.0, 4.0, -1.0]]))
    COSTS = {"slope": {"gradient": 1}, "far": {"far": 2, "gradient": 1}}  # noqa: RUF012
    RECORD = {}  # noqa: RUF012

    def slope(self, x, xp):
        return self.scale * x

    def far(self, x, xp):
        return ops.norm(x, xp) > 0.1

    def metrics(self, s, t, xp):
        return {}

    def checkpoint_metrics(self, s, t, xp):
        found = {}
        for name, value in zip(s._fields, s, strict=True):
            entries = np.asarray(value).reshape(len(value), -1)
            found |= {f"{name} {j}": entries[:, j : j + 1] for j in range(entries.shape[1])}
        return found


def start_of(fields: dict[str, Any], runs: int = RUNS) -> dict[str, np.ndarray]:
    """The start of some fields: name -> shape or array per run; a shape is filled with normal numbers."""
    rng = np.random.default_rng(7)
    made = {}
    for name, value in fields.items():
        shaped = isinstance(value, tuple)
        made[name] = rng.standard_normal((runs, *value)) if shaped else np.repeat(value[None], runs, axis=0)
    return made


def algorithm_of(step: Any, names: Any) -> SimpleNamespace:
    """``step`` takes and returns a State with the fields of ``start``."""
    State = namedtuple("State", names)

    def call(s, t, c, oracle, draw, xp):
        return State(**{**s._asdict(), **step(s, t, c, oracle, draw, xp)})

    return SimpleNamespace(init=lambda start, c, oracle, draw, xp: State(**start), step=call)


def steps_for(runs: int) -> Steps:
    """a: a grid of numbers. count: loop counts per run, including all edge cases."""
    return Steps(np.linspace(0.3, 0.9, runs)[:, None], np.resize([2.0, 0.0, np.nan, 3.7, np.inf], (runs, 1)))


def run(kernel: Any, step: Any, start: dict[str, np.ndarray], instance: Any = None, **options: Any) -> Any:
    """The `Result` of a run; kernel: None for the eager engine."""
    runs = len(next(iter(start.values())))
    algorithm = step if hasattr(step, "step") else algorithm_of(step, start)
    steps, instance = options.get("steps", steps_for(runs)), instance or Toy()
    problem = Problem(algorithm, instance, steps, start, Rows(np.arange(runs) * 7 + 3))
    how = on_kernels(options.get("marks", MARKS), (5 << 32) + 9, threads=options.get("threads", 1))
    return eager.simulate(problem, how) if kernel is None else Fused(problem, how, kernel).result(how)


def on_kernels(marks: Any, seed: int, **options: Any) -> Run:
    """A run only on kernels, as with `--engine fused`."""
    return Run(np.asarray(marks), seed, engine="fused", **options)


def same_results(a: Any, b: Any, rtol: float = 0.0) -> None:
    assert a.data.keys() == b.data.keys()
    for name in a.data:
        try:
            same(a.data[name], b.data[name], rtol)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
    assert a.calls.keys() == b.calls.keys()
    for name in a.calls:
        assert a.calls[name].tolist() == b.calls[name].tolist(), name
    same(a.status, b.status)
    same(a.failed_at, b.failed_at)


def agree(kernel: Any, step: Any, fields: dict[str, Any], instance: Any = None, **options: Any) -> Any:
    """The eager result, after asserting that the kernel gives the same."""
    start = start_of(fields)
    expected = run(None, step, start, instance, **options)
    same_results(run(kernel, step, start, instance, **options), expected)
    return expected


def job_of(pair, runs=GRID_ROWS) -> Problem:
    """A grid of noise levels and of every parameter, with one noiseless row."""
    algorithm, cls, d = pair
    level = (np.arange(runs) % 4 * 0.6)[:, None]
    instance, start = with_noise(cls, noise.Gaussian(level)), starts(runs, d)
    steps = steps_of(algorithm, instance, start)
    spread = np.linspace(0.5, 1.5, runs)[:, None]
    columns = type(steps)(*(v * spread if isinstance(v, float) else v for v in steps))
    return Problem(algorithm, instance, columns, start, Rows(np.arange(runs) + 3))


def one_of_each(covered):
    """Indices of covering pairs with every algorithm once, for kernels that take seconds to compile."""
    return list({pair[0]: number for number, pair in reversed(list(enumerate(covered)))}.values())
