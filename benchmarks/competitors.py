"""The competitors on the CPU. Each runs iterations 1 .. horizon of a case and returns its records, per run.

``prepare(horizon)`` compiles and returns a function of no arguments that runs; calling it again repeats the same work.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from benchmarks.case import SEED, Case
from workbench.engine import eager
from workbench.engine.fused import Fused
from workbench.engine.pools import Pools
from workbench.engine.records import Problem, Result, Run

Turn = Callable[[], dict[str, np.ndarray]]
JAX_HINT = "JAX is not installed and was not compared; install it with `pip install jax`"
GENERATORS = {"jax": "threefry2x32", "jax rbg": "rbg", "jax unsafe_rbg": "unsafe_rbg"}


def generators(case: Case) -> dict[str, str]:
    """The random generators of JAX to race; a single one if there is no noise."""
    return GENERATORS if case.noisy else {"jax": GENERATORS["jax"]}


def jax_problem() -> str | None:
    """None if JAX can be used, else one sentence."""
    return None if importlib.util.find_spec("jax") else JAX_HINT


def last(data: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: values[:, -1] for name, values in data.items()}


class Eager:
    """The same step, called once per iteration on NumPy (or another library's) arrays."""

    def __init__(self, case: Case, problem: Problem, threads: int, backend_name: str = "numpy") -> None:
        self.problem, self.backend_name = problem, backend_name

    def prepare(self, horizon: int) -> Turn:
        how = Run(np.array([horizon]), SEED, self.backend_name)
        return lambda: last(eager.simulate(self.problem, how).data)


class Started(Fused):
    """The start lies in the kernel's memory before a turn begins, as it does for JAX, and is copied there."""

    def start(self) -> Pools:
        first, used = self._two
        for name, pool in used.arrays.items():
            pool[...] = first.arrays[name]
        return used

    @cached_property
    def _two(self) -> tuple[Pools, Pools]:
        return super().start(), super().start()


class FusedCpu:
    """The step compiled by the workbench."""

    def __init__(self, case: Case, problem: Problem, threads: int, make_kernel: Any = None) -> None:
        self.how = Run(np.array([1]), SEED, engine="fused", threads=threads)
        self.made = Started(problem, self.how, make_kernel)

    def run(self, horizon: int) -> Result:
        return self.made.result(replace(self.how, marks=np.array([horizon])))

    def prepare(self, horizon: int) -> Turn:
        return lambda: last(self.run(horizon).data)


class Jax:
    """``jit`` of the case's own ``lax.scan`` in float64, with one of JAX's random generators."""

    def __init__(
        self, case: Case, problem: Problem, threads: int, generator: str, platform: str = "cpu"
    ) -> None:
        import jax

        jax.config.update("jax_enable_x64", True)
        self.case, self.device = case, jax.devices(platform)[0]
        self.start = {k: jax.device_put(v, self.device) for k, v in problem.start.items()}
        self.key = jax.device_put(jax.random.key(SEED, impl=generator), self.device)

    def prepare(self, horizon: int) -> Turn:
        import jax

        simulate = jax.jit(partial(self.case.jax_simulate, horizon=horizon))
        compiled = simulate.lower(self.key, self.start).compile()

        def run() -> dict[str, np.ndarray]:
            return {k: np.asarray(v) for k, v in compiled(self.key, self.start).items()}

        return run


def on_cpu(case: Case) -> dict[str, Callable[..., Any]]:
    """Name -> class of the competitors available here, the workbench's own first."""
    found: dict[str, Callable[..., Any]] = {"fused": FusedCpu, "eager": Eager}
    if jax_problem() is None:
        found |= {name: partial(Jax, generator=generator) for name, generator in generators(case).items()}
    return found
