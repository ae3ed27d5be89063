"""Unbiasedness of the block estimators (L239-242), by enumeration of every sampled task and every sign of its noise.

One step of RSVRB itself, from the same blocks for each outcome: the mean of the new blocks is that of a STORM step with
the exact functions. The projections of lines 4-7 are out of the way, since they are no part of the estimators there.
The falsifiers draw tasks with other probabilities than those in the weights 1/p_i, and undo the factor 1 - beta of the
blocks that are not sampled.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench import evidence
from workbench.algorithms.rsvrb import blocks, rsvrb
from workbench.evidence import Finding
from workbench.experiments.claims import Custom, Results, caught
from workbench.experiments.rsvrb.study import THEOREM_2, tasks
from workbench.instances.rsvrb.tasks import QuadraticTasks

SIZE, ALPHA, MIX, BETA = 4, 1.0, 0.5, 0.3
X, X_OLD = 0.7, 0.4
NAMES = ("u", "v", "w", "V", "H")
BITS = np.array(list(itertools.product((-1.0, 1.0), repeat=5)))  # of the noise of one task
FAR = 1e9  # radius of the balls, and the curvature's bound from below


class _Unprojected(QuadraticTasks):
    """The tasks without the projections of Algorithm 2."""

    def radii(self, x: Any, xp: Any) -> tuple[Any, Any, Any, Any]:
        far = np.full((1, self.m, 1), FAR)
        return far, far, far, far


class _Misweighted(_Unprojected):
    """Weights that say that tasks are drawn uniformly; they are drawn in proportion to their sizes still."""

    def sampling(self, xp: Any) -> tuple[Any, Any]:
        return np.full_like(self.s, 1.0 / self.m), self.Q


@dataclass(frozen=True)
class _Sample:
    """What a step draws, given: signs (rows, parts), or u (rows,) by which task i is picked; j is the first task."""

    given: np.ndarray

    def sign(self, d: int, part: int = 0, k: int = 0) -> np.ndarray:
        return self.given[:, part : part + 1]

    def uniform(self, d: int, part: int = 0, k: int = 0) -> np.ndarray:
        return self.given[:, None]

    def index(self, n: int, d: int = 1, part: int = 0, k: int = 0) -> np.ndarray:
        return np.zeros((len(self.given), 1), np.int64)


def _exact(problem: QuadraticTasks, x: float, y: np.ndarray) -> np.ndarray:
    """(m, 5): the functions themselves, from the tasks one by one."""
    rows = []
    for i in range(problem.m):
        one, at = problem.task(i), (np.array([[x]]), y[i : i + 1, None])
        first = np.hstack([*one.grad_f(*at, np), one.grad_g(*at, np)])[0]
        rows.append([*first, -one.h * one.a, one.h])
    return np.array(rows)


def _ratios(kind: type[QuadraticTasks], shrunk: bool) -> Iterator[float]:
    """Means of the new blocks over those of STORM with the exact functions, for every block of every estimator."""
    right, problem = tasks(SIZE, ALPHA), kind(**vars(tasks(SIZE, ALPHA)))
    p = ((1.0 - MIX) / SIZE + MIX * right.sampling(np)[0])[0]
    y, y_old = 0.2 + 0.1 * np.arange(SIZE), 0.1 - 0.2 * np.arange(SIZE)
    kept = 1.5 + 0.25 * np.arange(5 * SIZE).reshape(SIZE, 5)  # the blocks before the step
    i, signs = np.repeat(np.arange(SIZE), len(BITS)), np.tile(BITS, (SIZE, 1))
    picks = (np.cumsum(p) - p / 2.0)[i]  # u in the middle of the part of task i

    def each(values: np.ndarray) -> np.ndarray:
        """(outcomes, m, 1) of one number for each task."""
        return np.tile(values[None, :, None], (i.size, 1, 1))

    def at(x: float) -> np.ndarray:
        return np.full((i.size, 1), x)

    u, v, w, V, H = (each(column) for column in kept.T)
    before = blocks.Stacks(each(y), each(y_old), u, v, V, H, w)
    state = blocks.stored(at(X), at(X_OLD), at(0.0), before, problem.radii(at(X), np)[3], np)
    beta: dict[str, Any] = {f"b_{name}": BETA for name in ("fx", "fy", "gxy", "gyy", "gy", "d")}
    steps = rsvrb.Steps(
        gamma=0.0, tau=0.1, c=1.0, lam=-FAR, mix=MIX, **beta
    )  # eta = 1, so that every beta is b
    draws = (_Sample(picks), _Sample(signs[:, :2]), _Sample(signs[:, 2:]))
    oracle = SimpleNamespace(**{name: partial(getattr(problem, name), xp=np) for name in problem.COSTS})
    state = rsvrb.step(state, 1.0, steps, oracle, draws.__getitem__, np)
    after = blocks.stacks(state, steps.lam, np)
    found = np.concatenate([getattr(after, name) for name in NAMES], axis=-1)  # (outcomes, m, 5)
    if not shrunk:
        others = np.arange(SIZE) != i[:, None]
        found = np.where(others[..., None], found / (1.0 - BETA), found)
    mean = np.einsum("r,rmk->mk", p[i] / len(BITS), found)
    wanted = (1.0 - BETA) * (kept - _exact(right, X_OLD, y_old)) + _exact(right, X, y)
    ratio = (mean / wanted).ravel()
    yield from ratio
    yield from 1.0 / ratio


def _claim(what: str, kind: type[QuadraticTasks] = _Unprojected, shrunk: bool = True) -> Custom:
    def find(_: Results) -> Finding:
        found = evidence.assumptions(list(_ratios(kind, shrunk)), near=1.0 - 1e-9)
        note = f"the farthest ratio, over or under 1, of {5 * SIZE} blocks in {SIZE * len(BITS)} outcomes"
        return replace(found, slack=np.nan, note=note)

    name = f"mean of the blocks of {', '.join(NAMES)} over tasks and signs, {what}"
    return Custom(THEOREM_2.key, "tight", name, find)


UNBIASED = (
    _claim("as printed"),
    caught(_claim("weights 1/p_i of other probabilities", kind=_Misweighted)),
    caught(_claim("without shrinking the blocks of other tasks", shrunk=False)),
)
