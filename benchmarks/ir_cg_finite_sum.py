"""Speed of one IR-FSCG step on data, dense and sparse, against a loop that a user would write and against memory.

    python benchmarks/ir_cg_finite_sum.py [--runs 8] [--iterations 400] [--backend numpy|cupy]

Three columns of times per iteration and run: the package's batched step; a plain NumPy (dense) or SciPy (sparse) loop,
one run at a time, for the same method; and the time that moving the bytes of the sampled rows takes at the bandwidth
measured with a copy of a large array. The package's step gathers the rows of S indices of each level once for x_t and
x_{t-1}; a share of the floor above 1 says how far it is from memory speed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import scipy.sparse

from workbench import backend
from workbench.algorithms.ir_cg import ir_fscg
from workbench.engine.eager import simulate
from workbench.instances.ir_cg.data import TwoLevels
from workbench.instances.ir_cg.levels import Rows
from workbench.instances.ir_cg.sparse import padded
from workbench.sets import L1Ball

RADIUS, VARSIGMA, P = 10.0, 10.0, 0.5


def problem(n: int, d: int, density: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(A, a, B, b): rows and labels of the outer and the inner level."""
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((2, n, d)) * (rng.random((2, n, d)) < density)
    x = rng.standard_normal(d) / d
    return A, A @ x + 0.1 * rng.standard_normal(n), B, B @ x


def steps(n: int) -> ir_fscg.Steps:
    q = int(np.sqrt(n))
    return ir_fscg.Steps(VARSIGMA, P, 2.0, 2.0, 1.0, q, q, np.log(q) / q, q)


def package(data: tuple[np.ndarray, ...], runs: int, iterations: int, sparse: bool, name: str) -> float:
    """Seconds per iteration and run of the engine's loop, metrics at the last mark only."""
    A, a, B, b = data
    if sparse:
        outer, inner = padded(scipy.sparse.csr_array(A), a), padded(scipy.sparse.csr_array(B), b)
        instance = TwoLevels(box=L1Ball(RADIUS), outer=outer, inner=inner)
    else:
        instance = TwoLevels(box=L1Ball(RADIUS), outer=Rows(A, a), inner=Rows(B, b))
    start = {"x": np.zeros((runs, A.shape[1]))}
    marks, ids = np.array([iterations]), np.arange(runs)
    made = simulate(
        ir_fscg, instance, steps(len(a)), start, marks=marks, run_ids=ids, seed=0, backend_name=name
    )
    return float(made.elapsed[-1]) / iterations / runs


def users_loop(data: tuple[np.ndarray, ...], runs: int, iterations: int, sparse: bool) -> float:
    """Algorithm 2 as one writes it in a notebook: one run after the other; CSR rows where the data are sparse."""
    A, a, B, b = data
    if sparse:
        A, B = scipy.sparse.csr_array(A), scipy.sparse.csr_array(B)
    n, d = A.shape
    c, rng = steps(n), np.random.default_rng(1)
    began = time.perf_counter()
    for _ in range(runs):
        x = x_old = np.zeros(d)
        F = G = np.zeros(d)
        for t in range(iterations):
            if t % c.q == 0:
                F, G = 2 * A.T @ (A @ x - a) / n, 2 * B.T @ (B @ x - b) / n
            else:
                i, j = rng.integers(n, size=c.S), rng.integers(n, size=c.S)
                A_i, B_j = A[i], B[j]
                F = F + 2 * A_i.T @ (A_i @ (x - x_old)) / c.S
                G = G + 2 * B_j.T @ (B_j @ (x - x_old)) / c.S
            g = VARSIGMA * (max(t, c.q) + 1) ** -P * F + G
            k = np.argmax(np.abs(g))
            alpha = c.alpha_0 if t < c.q else 2 / (t + 2)
            x_old, x = x, (1 - alpha) * x
            x[k] -= alpha * RADIUS * np.sign(g[k])
    return (time.perf_counter() - began) / iterations / runs


def bandwidth() -> float:
    """Bytes per second of copying a large array (reads and writes counted)."""
    source = np.ones(1 << 25)
    target = np.empty_like(source)
    return 2 * source.nbytes / _best(lambda: np.copyto(target, source), 5)


def _best(work: Callable[[], object], times: int) -> float:
    def once() -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began

    return min(once() for _ in range(times))


def floor(n: int, d: int, density: float, speed: float) -> float:
    """Seconds to read what an average iteration needs: S rows twice (gathered, then used) or n rows every q-th time."""
    q = int(np.sqrt(n))
    rows = (1 - 1 / q) * 2 * q + n / q
    return 2 * rows * d * density * (8.0 if density == 1.0 else 16.0) / speed


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--backend", default="numpy", choices=("numpy", "cupy"))
    options = parser.parse_args()
    backend.namespace(options.backend)  # a missing library or device is told before the data are made
    speed = bandwidth()
    print(f"memory: {speed / 1e9:.1f} GB/s; times in microseconds per iteration and run, {options.backend}")
    print(f"{'data':28s} {'package':>9s} {'user loop':>10s} {'floor':>7s} {'package/floor':>14s}")
    for n, d, density in ((640, 730, 1.0), (2000, 500, 1.0), (4000, 2000, 1.0), (4000, 2000, 0.01)):
        data = problem(n, d, density)
        size, sparse = (options.runs, options.iterations), density < 1.0
        ours = _best_of(partial(package, data, *size, sparse, options.backend))
        theirs = _best_of(partial(users_loop, data, *size, sparse))
        least = floor(n, d, density, speed)
        label = f"n = {n}, d = {d}" + (f", {density:.0%} filled" if density < 1 else "")
        print(f"{label:28s} {1e6 * ours:9.1f} {1e6 * theirs:10.1f} {1e6 * least:7.1f} {ours / least:14.1f}")


def _best_of(measure: Callable[[], float], times: int = 2) -> float:
    return min(measure() for _ in range(times))


if __name__ == "__main__":
    main()
