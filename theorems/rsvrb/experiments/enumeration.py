"""Unbiasedness of the block estimators (L239-242), by enumeration of every sampled task and every sign of its noise.

Two iterations of RSVRB itself: the mean of the new blocks, over what the iteration samples, is that of a STORM step
with the exact functions. The second iteration starts from an outcome of the first one for each sampled task, whose
other blocks are delayed. All beta differ, and so do eta_t and eta_(t-1). Tasks count with the probability with which
`blocks.draw_task` draws them, not with the one in their weights. The projections of lines 4-7 are out of the way, since
they are no part of the estimators there. The falsifiers have weights 1/p_i of other probabilities than those by which
tasks are drawn, and undo the factor 1 - beta of the blocks that are not sampled.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench import evidence
from workbench.claims import Custom, Results, caught
from workbench.evidence import Finding

from ..methods import blocks, rsvrb
from ..problems.tasks import QuadraticTasks
from .study import THEOREM_2, tasks

SIZE, ALPHA = 4, 1.0
X, X_OLD = 0.7, 0.4
NAMES = ("u", "v", "w", "V", "H")
BITS = np.array(list(itertools.product((-1.0, 1.0), repeat=5)))  # of the noise of one task
FAR = 1e9  # radius of the balls, and the curvature's bound from below
STEPS = rsvrb.Steps(
    gamma=0.2, tau=0.1, c=0.9, b_fx=0.3, b_fy=0.4, b_gxy=0.5, b_gyy=0.6, b_gy=0.7, b_d=0.2, lam=-FAR, a=0.5, mix=0.5
)  # fmt: skip
B = np.array([STEPS.b_fx, STEPS.b_fy, STEPS.b_gy, STEPS.b_gxy, STEPS.b_gyy])  # in the order of NAMES
FIRST, SECOND = 2.0, 3.0  # numbers of the iterations; in the very first one eta_(t-1) is eta_t
CELLS = 1024  # of the interval of u in which break points are looked for, each shorter than any p_i


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


def _drawn(oracle: Any) -> tuple[np.ndarray, np.ndarray]:
    """For every task a u by which it is drawn, and the length of all such u: the probability of being drawn.

    The ends of each cell are compared and the break point between them, if any, is found by bisection.
    """

    def task(u: np.ndarray) -> np.ndarray:
        return blocks.draw_task(STEPS.mix, u[:, None], oracle, np)[0][:, 0]

    ends = np.linspace(0.0, 1.0, CELLS + 1)
    left, right = task(ends[:-1]), task(ends[1:])
    low, high = ends[:-1], ends[1:]
    for _ in range(60):
        middle = (low + high) / 2.0
        same = task(middle) == left
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    p = np.bincount(left, low - ends[:-1], SIZE) + np.bincount(right, ends[1:] - low, SIZE)
    return ends[[np.argmax(left == i) for i in range(SIZE)]], p


def _start(problem: QuadraticTasks) -> blocks.Blocks:
    """The state before the first iteration."""
    y, y_old = 0.2 + 0.1 * np.arange(SIZE), 0.1 - 0.2 * np.arange(SIZE)
    of_tasks = 1.5 + 0.25 * np.arange(5 * SIZE).reshape(SIZE, 5)
    u, v, w, V, H = (column[None, :, None] for column in of_tasks.T)
    before = blocks.Stacks(y[None, :, None], y_old[None, :, None], u, v, V, H, w)
    x, x_old, d = (np.full((1, 1), value) for value in (X, X_OLD, 0.1))
    return blocks.state_of(x, x_old, d, before, problem.radii(x, np)[3], np)


def _errors(kind: type[QuadraticTasks], shrunk: bool) -> np.ndarray:
    """Relative errors of the means of the new blocks, against STORM with the exact functions; (states, m, 5)."""
    right, problem = tasks(SIZE, ALPHA), kind(**vars(tasks(SIZE, ALPHA)))
    oracle = SimpleNamespace(**{name: partial(getattr(problem, name), xp=np) for name in problem.COSTS})
    picks, p = _drawn(oracle)
    i, signs = np.repeat(np.arange(SIZE), len(BITS)), np.tile(BITS, (SIZE, 1))  # every outcome
    draws = (_Sample(picks[i]), _Sample(signs[:, :2]), _Sample(signs[:, 2:]))

    def outcomes(state: blocks.Blocks, t: float) -> blocks.Blocks:
        """A state after iteration t, for every outcome."""
        repeated = blocks.Blocks(*(np.repeat(a, i.size, axis=0) for a in state))
        return rsvrb.step(repeated, t, STEPS, oracle, draws.__getitem__, np)

    def error(before: blocks.Blocks, t: float, after: blocks.Blocks) -> np.ndarray:
        beta = B * (STEPS.c / (STEPS.c_0 + t - 2.0) ** STEPS.a) ** 2  # b eta_(t-1)^2, t counted from 1 here
        old, new = (blocks.stacks(state, STEPS.lam, np) for state in (before, after))
        kept = np.concatenate([getattr(old, name)[0] for name in NAMES], axis=-1)
        found = np.concatenate([getattr(new, name) for name in NAMES], axis=-1)  # (outcomes, m, 5)
        if not shrunk:
            others = np.arange(SIZE) != i[:, None]
            found = np.where(others[..., None], found / (1.0 - beta), found)
        mean = np.einsum("r,rmk->mk", p[i] / len(BITS), found)
        at_old = _exact(right, float(before.x_old[0, 0]), old.y_old[0, :, 0])
        wanted = (1.0 - beta) * (kept - at_old) + _exact(right, float(before.x[0, 0]), old.y[0, :, 0])
        return np.abs(mean - wanted) / np.abs(wanted)

    start = _start(problem)
    once = outcomes(start, FIRST)
    found = [error(start, FIRST, once)]
    for task in range(SIZE):
        row = task * len(BITS) + 5 * task  # one where this task was sampled, with other signs for each
        state = blocks.Blocks(*(a[row : row + 1] for a in once))
        found.append(error(state, SECOND, outcomes(state, SECOND)))
    return np.array(found)


def _claim(what: str, tag: str, kind: type[QuadraticTasks] = _Unprojected, shrunk: bool = True) -> Custom:
    def find(_: Results) -> Finding:
        errors = _errors(kind, shrunk)
        found = evidence.assumptions(1.0 + errors.ravel(), near=1.0)
        note = (
            f"1 and the largest relative error of a mean, of {5 * SIZE} blocks in {SIZE * len(BITS)} outcomes"
            f" from {len(errors)} states"
        )
        return replace(found, slack=np.nan, note=note)

    name = f"mean of the blocks of {', '.join(NAMES)} over tasks and signs, {what}"
    return Custom(THEOREM_2.key, "tight", name, find, tag=tag)


UNBIASED = (
    _claim("as printed", "unbiased"),
    caught(_claim("weights 1/p_i of other probabilities", "other-weights", kind=_Misweighted)),
    caught(_claim("without shrinking the blocks of other tasks", "not-shrunk", shrunk=False)),
)
