"""Unbiasedness of the block estimators (L239-242), by enumeration of every sampled task and every sign of its noise.

One step of a block, with and without its task being sampled, has the mean of a STORM step with the exact functions. The
falsifiers leave out the weights 1/p_i, or the factor 1 - beta of the blocks that are not sampled.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from workbench import evidence
from workbench.evidence import Finding
from workbench.experiments.claims import Custom, Results, caught
from workbench.experiments.rsvrb.study import THEOREM_2, tasks
from workbench.instances.rsvrb.tasks import QuadraticTasks

SIZE, ALPHA, MIX, BETA = 4, 1.0, 0.5, 0.3
X, X_OLD = 0.7, 0.4
NAMES = ("u", "v", "w", "V", "H")


@dataclass(frozen=True)
class _Signs:
    """A sample whose signs are given, (rows, parts)."""

    bits: np.ndarray

    def sign(self, d: int, part: int = 0, k: int = 0) -> np.ndarray:
        return self.bits[:, part : part + 1]


def _outcomes(problem: QuadraticTasks, x: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tasks (rows,) and sampled functions (rows, 5) at x and the y_i (m,): all tasks, all signs."""
    bits = np.array(list(itertools.product((-1.0, 1.0), repeat=5)))
    i = np.repeat(np.arange(problem.m), len(bits))
    signs = np.tile(bits, (problem.m, 1))
    at = i[:, None], np.full((i.size, 1), x), y[i][:, None]
    upper = problem.upper(*at, _Signs(signs[:, :2]), 0, np)
    return i, np.hstack([*upper, *problem.lower(*at, _Signs(signs[:, 2:]), 0, np)])


def _exact(problem: QuadraticTasks, x: float, y: np.ndarray) -> np.ndarray:
    """(m, 5): the functions themselves, from the tasks one by one."""
    rows = []
    for i in range(problem.m):
        one, at = problem.task(i), (np.array([[x]]), y[i : i + 1, None])
        first = np.hstack([*one.grad_f(*at, np), one.grad_g(*at, np)])[0]
        rows.append([*first, -one.h * one.a, one.h])
    return np.array(rows)


def _ratios(weighted: bool, shrunk: bool) -> Iterator[float]:
    """Means of the new blocks over those of STORM with the exact functions, for every block of every estimator."""
    problem = tasks(SIZE, ALPHA)
    q, _ = problem.sampling(np)
    p = ((1.0 - MIX) / SIZE + MIX * q)[0]
    y, y_old = 0.2 + 0.1 * np.arange(SIZE), 0.1 - 0.2 * np.arange(SIZE)
    kept = 1.5 + 0.25 * np.arange(5 * SIZE).reshape(SIZE, 5)  # the blocks before the step
    i, new = _outcomes(problem, X, y)
    _, old = _outcomes(problem, X_OLD, y_old)
    weight = (1.0 / p[i] if weighted else np.ones(i.size))[:, None]
    blocks = np.tile(kept, (i.size, 1, 1)) * ((1.0 - BETA) if shrunk else 1.0)
    rows = np.arange(i.size)
    blocks[rows, i] = (1.0 - BETA) * (kept[i] - weight * old) + weight * new
    chance = p[i] * SIZE / i.size
    found = np.einsum("r,rmk->mk", chance, blocks)
    wanted = (1.0 - BETA) * (kept - _exact(problem, X_OLD, y_old)) + _exact(problem, X, y)
    ratio = (found / wanted).ravel()
    yield from ratio
    yield from 1.0 / ratio


def _finding(weighted: bool, shrunk: bool) -> Finding:
    found = evidence.assumptions(list(_ratios(weighted, shrunk)), near=1.0 - 1e-9)
    note = f"the farthest ratio, over or under 1, of {5 * SIZE} blocks in {SIZE * 2**5} outcomes"
    return replace(found, evidence="tight", slack=np.nan, note=note)


def _claim(what: str, weighted: bool = True, shrunk: bool = True) -> Custom:
    def find(_: Results) -> Finding:
        return _finding(weighted, shrunk)

    name = f"mean of the blocks of {', '.join(NAMES)} over tasks and signs, {what}"
    return Custom(THEOREM_2.key, "tight", name, find)


UNBIASED = (
    _claim("as printed"),
    caught(_claim("without the weights 1/p_i", weighted=False)),
    caught(_claim("without shrinking the blocks of other tasks", shrunk=False)),
)
