"""Optax methods on the workbench's JAX engine, and JAX written by hand: python -m benchmarks.jax_by_hand.

By hand: a scan over the iterations, vmap over the runs, JAX's own random numbers, running means of |grad f| and
|grad f|^2. Both are timed at two horizons, in turns, and the difference divided by that of the horizons: compiling is
left out. Medians of the turns, in microseconds of processor time an iteration; the ratio: the workbench's time over
that by hand.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import jax
import numpy as np
import optax

import workbench as wb

HORIZONS, TURNS = (6000, 12000), 3
METHODS = {
    "adam": lambda: optax.adam(1e-2),
    "sgd with momentum": lambda: optax.sgd(1e-2, 0.9),
    "lion": lambda: optax.lion(1e-3),
}
SIZES = ((256, 20), (64, 100))


def by_hand(optimizer: optax.GradientTransformation, runs: int, d: int, horizon: int) -> Callable[[], object]:
    def whole(key, x):
        def step(carry, key):
            x, state, mean, square = carry
            size = jax.numpy.sum(x * x, axis=-1)
            gradient = x + jax.random.normal(key, x.shape)
            change, state = jax.vmap(optimizer.update)(gradient, state, x)
            return (x + change, state, mean + jax.numpy.sqrt(size), square + size), None

        zeros = jax.numpy.zeros(runs)
        first = x, jax.vmap(optimizer.init)(x), zeros, zeros
        return jax.lax.scan(step, first, jax.random.split(key, horizon))[0]

    compiled, x = jax.jit(whole), jax.numpy.ones((runs, d))
    return lambda: jax.block_until_ready(compiled(jax.random.key(0), x))


def by_workbench(
    optimizer: optax.GradientTransformation, runs: int, d: int, horizon: int
) -> Callable[[], object]:
    method = wb.method(optimizer)
    problem = wb.Problem(
        method, wb.problems.Quadratic(wb.Gaussian(1.0)), method.Steps(), {"x": np.ones((runs, d))}
    )

    def run() -> wb.Result:
        result = wb.simulate(problem, wb.Run(np.array([horizon])))
        assert result.meta["engine"] == "jax"
        return result

    return run


def seconds(run: Callable[[], object]) -> float:
    """Processor time of all threads, on which other processes have little influence."""
    begin = time.process_time()
    run()
    return time.process_time() - begin


def microseconds(
    make: Callable[..., Callable[[], object]], name: str, runs: int, d: int
) -> Callable[[], float]:
    short, long = (make(METHODS[name](), runs, d, horizon) for horizon in HORIZONS)
    short(), long()
    return lambda: 1e6 * (seconds(long) - seconds(short)) / (HORIZONS[1] - HORIZONS[0])


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    print("| method | runs | coordinates | by hand | workbench | ratio |\n|---|---|---|---|---|---|")
    for name in METHODS:
        for runs, d in SIZES:
            made = [microseconds(make, name, runs, d) for make in (by_hand, by_workbench)]
            turns = [[measure() for measure in made] for _ in range(TURNS)]
            hand, ours = (statistics.median(times) for times in zip(*turns, strict=True))
            print(f"| {name} | {runs} | {d} | {hand:.0f} | {ours:.0f} | {ours / hand:.2f} |", flush=True)


if __name__ == "__main__":
    main()
