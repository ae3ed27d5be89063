"""Tests of orders and rates that fail at random, as reported in public, rebuilt: python -m benchmarks.public_cases.

Each case draws a table anew for each of a hundred seeds, and asks `judge` about the true claim and a wrong one; beside
it stands the usual assertion on the same table. Three numbers are the verdicts that are right, wrong and open. The
generators are written from the descriptions of the reports; no code is taken from them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import workbench as wb

SEEDS = range(1000, 1100)
Table = tuple[np.ndarray, np.ndarray]  # values (runs, M), marks (M,)


def slope(values: np.ndarray, marks: np.ndarray) -> float:
    """Of the least-squares line through the mean on log-log axes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.polyfit(np.log(marks), np.log(np.abs(values.mean(0))), 1)[0])


@dataclass(frozen=True)
class Case:
    """source: where such tests are reported. usual: what the assertion that is usual there asks for, in words."""

    name: str
    source: str
    table: Callable[[np.random.Generator], Table]
    true: str
    wrong: str
    usual: str
    passes: Callable[[np.ndarray, np.ndarray], bool]
    how: dict[str, Any] = field(default_factory=dict)


def brownian_errors(
    rng: np.random.Generator, runs: int, levels: range, drift: float, volatility: float, weak: bool
) -> Table:
    """Euler-Maruyama for dX = a X dt + b X dW up to t = 1: |X_h - X| (strong) or X - X_h (weak), at h = 2^-level."""
    fine = 2 ** levels[-1]
    noise = rng.normal(size=(runs, fine)) / np.sqrt(fine)
    exact = np.exp(drift - volatility**2 / 2 + volatility * noise.sum(1))
    errors = []
    for level in levels:
        x = np.ones(runs)
        for w in noise.reshape(runs, 2**level, -1).sum(2).T:
            x = x + drift * x / 2**level + volatility * x * w
        errors.append(exact - x if weak else np.abs(exact - x))
    return np.array(errors).T[:, ::-1], 2.0 ** -np.array(levels)[::-1]


def own_noise_at_each_step(rng: np.random.Generator, runs: int = 3000) -> Table:
    """E[X] - X_h of the same equation, where every step size has paths of its own: their spread hides the error."""
    levels = range(3, 8)
    ends = []
    for level in levels:
        noise = rng.normal(size=(2**level, runs)) / 2 ** (level / 2)
        ends.append(np.prod(1 + 1 / 2**level + 0.2 * noise, axis=0))
    return (np.e - np.array(ends).T)[:, ::-1], 2.0 ** -np.array(levels)[::-1]


def mesh(rng: np.random.Generator) -> Table:
    """Errors of a method of order 2 on six meshes, each cell halved: the next terms and the meshes vary by a little."""
    h = 2.0 ** -np.arange(9.0, 3.0, -1.0)
    next_term, uneven = rng.uniform(-1, 1), np.exp(0.002 * rng.normal(size=h.size))
    return (h**2 * (1 + next_term * h) * uneven)[None], h


def optimizer(rng: np.random.Generator, runs: int = 512) -> Table:
    """Loss of SGD with momentum on a noisy line fit; single runs end above 0.3 about 15 times in a hundred."""
    x, v, losses = np.full(runs, 1.0), np.zeros(runs), []
    for _ in range(200):
        losses.append(x**2)
        v = 0.8 * v + x + rng.normal(size=runs) * 1.35
        x = x - 0.03 * v
    marks = np.arange(100, 201, 20)
    return np.array(losses).T[:, marks - 1], marks.astype(float)


def tails(rng: np.random.Generator) -> Table:
    """Shares of 2,000 numbers beyond x, of a law whose density falls like x^-2.5: survival falls like x^-1.5."""
    x = np.geomspace(1, 30, 12)
    numbers = rng.pareto(1.5, size=(200, 2000, 1)) + 1
    return (numbers > x * (1 - 1e-12)).mean(1), x


CASES = (
    Case(
        "strong order of an SDE solver", "OrdinaryDiffEq.jl 3191, 4061",
        lambda rng: brownian_errors(rng, 3000, range(3, 10), 0.5, 0.5, weak=False),
        "h^1/2", "h", "slope within 0.05", lambda v, m: abs(slope(v, m) - 0.5) < 0.05, {"along": "h"},
    ),
    Case(
        "weak order, other noise at each h", "StochasticDiffEq.jl 386, 440, 634, 677",
        own_noise_at_each_step,
        "h", "h^1/2", "slope within 0.1", lambda v, m: abs(slope(v, m) - 1.0) < 0.1, {"along": "h", "tol": 0.1},
    ),
    Case(
        "weak order of an SDE solver", "StochasticDiffEq.jl 386, 440, 634, 677",
        lambda rng: brownian_errors(rng, 4000, range(3, 8), 1.0, 0.2, weak=True),
        "h", "h^1/2", "slope within 0.1", lambda v, m: abs(slope(v, m) - 1.0) < 0.1, {"along": "h", "tol": 0.1},
    ),
    Case(
        "order on finer and finer meshes", "mfem 1254, meshmode 397, firedrake 1007", mesh,
        "h^2", "h^3", "last order above 1.995",
        lambda v, m: bool(np.log2(v[0, 1] / v[0, 0]) > 1.995), {"along": "h", "exact": True},
    ),
    Case(
        "loss of an optimizer", "jettify/pytorch-optimizer 368, 369, mxnet 11735", optimizer,
        "<= 0.3", "<= 0.1", "loss of one run below 0.3", lambda v, m: bool(v[0, -1] < 0.3),
    ),
    Case(
        "exponent of a power law", "powerlaw 49, 70, 79", tails,
        "x^-3/2", "x^-4/3", "slope within two standard errors of the fit", lambda v, m: within_two_errors(v, m, -1.5),
        {"along": "x"},
    ),
)  # fmt: skip


def within_two_errors(values: np.ndarray, marks: np.ndarray, true: float) -> bool:
    """With the standard error that the residuals of one run's line give."""
    y, x = np.log(values[0] + 1e-12), np.log(marks)
    d = x - x.mean()
    found = d @ y / (d @ d)
    residual = y - y.mean() - found * d
    return bool(abs(found - true) < 2 * np.sqrt(residual @ residual / (x.size - 2) / (d @ d)))


def counts(verdicts: list[str], right: str) -> str:
    """ "right, wrong, undecided" of some verdicts."""
    correct, open_ = verdicts.count(right), verdicts.count("not decided")
    return f"{correct}, {len(verdicts) - correct - open_}, {open_}"


def row(case: Case) -> str:
    tables = [case.table(np.random.default_rng(seed)) for seed in SEEDS]
    usual = sum(case.passes(*table) for table in tables)
    true, wrong = (
        counts([wb.judge(*table, claimed, **case.how).verdict for table in tables], right)
        for claimed, right in ((case.true, "holds"), (case.wrong, "violated"))
    )
    return f"| {case.name} ({case.source}) | {case.usual}: {usual} | {case.true}: {true} | {case.wrong}: {wrong} |"


def main() -> None:
    print("| case, reported in | usual assertion: passes | true claim | wrong claim |")
    print("|---|---|---|---|")
    for case in CASES:
        print(row(case), flush=True)


if __name__ == "__main__":
    main()
