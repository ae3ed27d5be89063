"""Speed of one IR-FSCG step on dense and sparse data, compared with a user's plain loop.

    python benchmarks/ir_cg/finite_sum.py [--runs 8] [--iterations 400] [--backend numpy|cupy]

Prints microseconds per iteration and run for the package's batched step, and for a plain loop with the same method, one
run at a time, on NumPy and SciPy (or on CuPy and its sparse matrices). On the CPU everything runs on one thread, since
the package parallelizes over simulations.
"""

from __future__ import annotations

import argparse
import importlib
import time
from typing import Any

import numpy as np
import scipy.sparse
from threadpoolctl import threadpool_limits
from workbench.theorems.ir_cg.methods import ir_fscg
from workbench.theorems.ir_cg.problems.data import TwoLevels

from workbench.arrays import backends
from workbench.arrays.backends.compiled import Patient
from workbench.arrays.data_matrix import csr
from workbench.arrays.sets import L1Ball
from workbench.engine.eager import simulate
from workbench.engine.records import Problem, Run
from workbench.problems.rows import Rows

RADIUS, VARSIGMA, P = 10.0, 10.0, 0.5
SIZES = ((640, 730, 1.0), (2000, 500, 1.0), (4000, 2000, 1.0), (4000, 2000, 0.01), (20_000, 2000, 0.01))
Data = tuple[Any, np.ndarray, Any, np.ndarray]


def problem(n: int, d: int, density: float) -> Data:
    """(A, a, B, b): rows and labels of the outer and the inner level; CSR if sparse."""
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((2, n, d)) * (rng.random((2, n, d)) < density)
    x = rng.standard_normal(d) / d
    a, b = A @ x + 0.1 * rng.standard_normal(n), B @ x
    if density < 1.0:
        A, B = scipy.sparse.csr_matrix(A), scipy.sparse.csr_matrix(B)
    return A, a, B, b


def steps(n: int) -> Any:
    q = int(np.sqrt(n))
    return ir_fscg.Steps(VARSIGMA, P, 2.0, 2.0, 1.0, q, q, np.log(q) / q, q)


def package(data: Data, runs: int, iterations: int, name: str) -> float:
    """Seconds per iteration and run of the engine's loop, metrics at the last mark only."""
    A, a, B, b = data
    hold = csr if scipy.sparse.issparse(A) else np.asarray
    instance = TwoLevels(box=L1Ball(RADIUS), outer=Rows(hold(A), a), inner=Rows(hold(B), b))
    start = {"x": np.zeros((runs, A.shape[1]))}
    run = Run(np.array([iterations]), backend=name)
    made = simulate(Problem(ir_fscg, instance, steps(len(a)), start), run)
    return float(made.elapsed[-1]) / iterations / runs


def users_loop(data: Data, runs: int, iterations: int, name: str) -> float:
    """Algorithm 2 as written in a notebook: one run at a time, exploiting the linearity of the losses."""
    xp: Any = importlib.import_module(name)
    A, a, B, b = (_placed(part, name) for part in data)
    n, d = A.shape
    c, rng = steps(n), np.random.default_rng(1)
    began = time.perf_counter()
    for _ in range(runs):
        x = x_old = z = xp.zeros(d)
        F = G = total = xp.zeros(d)
        weight, sigma = 0.0, VARSIGMA * (c.q + 1) ** -P
        for t in range(iterations):
            if t % c.q == 0:
                F, G = 2 * A.T @ (A @ x - a) / n, 2 * B.T @ (B @ x - b) / n
            else:
                i, j = xp.asarray(rng.integers(n, size=c.S)), xp.asarray(rng.integers(n, size=c.S))
                A_i, B_j = A[i], B[j]
                F = F + 2 * A_i.T @ (A_i @ (x - x_old)) / c.S
                G = G + 2 * B_j.T @ (B_j @ (x - x_old)) / c.S
            g = sigma * F + G
            k = xp.argmax(xp.abs(g))
            alpha = c.alpha_0 if t < c.q else 2 / (t + 2)
            x_old, x = x, (1 - alpha) * x
            x[k] -= alpha * RADIUS * xp.sign(g[k])
            sigma_old, sigma = sigma, VARSIGMA * (max(t + 1, c.q) + 1) ** -P
            if t >= c.q:
                w = (t + 2) * (t + 1)
                total, weight = total + w * (sigma_old - sigma) * x, weight + w * (sigma_old - sigma)
                z = (w * sigma * x + total) / (w * sigma + weight)
    backends.to_host(z)  # waits for a device
    return (time.perf_counter() - began) / iterations / runs


def _placed(part: Any, name: str) -> Any:
    if name == "numpy":
        return part
    library = importlib.import_module("cupyx.scipy.sparse" if scipy.sparse.issparse(part) else "cupy")
    return library.csr_matrix(part) if scipy.sparse.issparse(part) else library.asarray(part)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--backend", default="numpy", choices=("numpy", "cupy"))
    options = parser.parse_args()
    Patient.seconds = np.inf  # compiled functions from the start, as in a run of any length
    backends.namespace(options.backend)  # reports a missing library or device before the data are created
    with threadpool_limits(1):
        print(f"microseconds per iteration and run, {options.runs} runs, {options.backend}")
        print(f"{'data':30s} {'package':>8s} {'user loop':>10s} {'user/package':>13s}")
        for n, d, density in SIZES:
            data = problem(n, d, density)
            size = (options.runs, options.iterations, options.backend)
            package(data, *size)  # compiles, or loads from the cache
            pairs = [(package(data, *size), users_loop(data, *size)) for _ in range(3)]
            ours, theirs = min(one for one, _ in pairs), min(other for _, other in pairs)
            label = f"n = {n}, d = {d}" + (f", {density:.0%} filled" if density < 1 else "")
            print(f"{label:30s} {1e6 * ours:8.1f} {1e6 * theirs:10.1f} {theirs / ours:13.1f}")


if __name__ == "__main__":
    main()
