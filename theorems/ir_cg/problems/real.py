"""The paper's own data sets, downloaded on request: Madelon and Wikipedia Math Essential.

A failed download raises one ValueError. The optimal values have no closed form on these sets, and the constraint of
radius 20 may be active on Madelon. So G_opt comes from accelerated projected gradients, stopped by the duality gap, and
the figure shows F itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.request import urlopen

import numpy as np

from workbench import L1Ball
from workbench.instances import HalfSquaredNorm, Rows

from .data import TwoLevels
from .least_norm import BETA, ROWS, standardize
from .regression import RADIUS, SHARES

WIKI = (
    "https://raw.githubusercontent.com/benedekrozemberczki/pytorch_geometric_temporal/master/dataset/"
    "wikivital_mathematics.json"
)
SECONDS = 30.0  # time limit of a download


class NotFetched(ValueError):
    """A data set that could not be downloaded; the message is one sentence."""


def _or_not_fetched(name: str, fetch: Callable[[], Any]) -> Any:
    try:
        return fetch()
    except Exception as error:  # network, proxy, server or format: all mean the same to the user
        why = " ".join(str(error).split()) or type(error).__name__
        raise NotFetched(
            f"the data set {name} could not be fetched ({why[:160]}); leave out --data real to draw the generated one"
        ) from None


@cache
def madelon() -> TwoLevels:
    """Eq. (8) on Madelon from OpenML: standardized features, |x|_1 <= 20. Raises NotFetched."""

    def fetch() -> tuple[np.ndarray, np.ndarray]:
        from sklearn.datasets import fetch_openml

        bunch = fetch_openml("madelon", version=1, as_frame=False)
        features, labels = np.asarray(bunch.data, float), np.asarray(bunch.target)
        # OpenML includes the 600 validation rows; the paper uses the first 2000 (L255).
        return features[:ROWS], np.where(labels == np.unique(labels)[-1], 1.0, -1.0)[:ROWS]

    features, labels = _or_not_fetched("Madelon", fetch)
    return with_reference(HalfSquaredNorm(), Rows(standardize(features), labels, "logistic"), BETA)


@cache
def wiki() -> TwoLevels:
    """Eq. (6) on Wikipedia Math Essential: one row per page, its visits on 730 days as features, the next day as label.

    The file holds one record per day with the visits of all 1068 pages. Raises NotFetched.
    """

    def fetch() -> np.ndarray:
        with urlopen(WIKI, timeout=SECONDS) as answer:
            days = json.load(answer)
        return np.array([days[str(day)]["y"] for day in range(731)], float).T

    visits = _or_not_fetched("Wikipedia Math Essential", fetch)
    return regression_problem(visits[:, :-1], visits[:, -1])


def regression_problem(A: np.ndarray, b: np.ndarray) -> TwoLevels:
    """Training and validation parts of standardized rows; rows are shuffled with a fixed seed."""
    order = np.random.default_rng(0).permutation(len(b))
    n_train, n_val = (round(share * len(b)) for share in SHARES)
    A, b = standardize(A)[order], standardize(b[:, None])[order, 0]
    outer = Rows(A[n_train : n_train + n_val], b[n_train : n_train + n_val])
    return with_reference(outer, Rows(A[:n_train], b[:n_train]), RADIUS)


def with_reference(
    outer: Any, inner: Rows, radius: float, accuracy: float = 1e-6, most: int = 20_000
) -> TwoLevels:
    """The problem with G_opt to within ``gap``; F_opt stays 0, so that the outer gap is F itself."""
    x, gap = _minimize(inner, L1Ball(radius), accuracy, most)
    return TwoLevels(
        box=L1Ball(radius), outer=outer, inner=inner, G_opt=float(inner.value(x, np)[0, 0]) - gap, gap=gap
    )


def _minimize(level: Rows, ball: L1Ball, accuracy: float, most: int) -> tuple[np.ndarray, float]:
    """((1, d) point, duality gap): accelerated projected gradients with restarts, until the gap is below ``accuracy``.

    The step is 1/L with L the mean's constant, CURVATURE |A|^2 / n.
    """
    L = level.curvature() * float(np.linalg.norm(level.A, 2)) ** 2 / level.n
    x = y = np.zeros((1, level.A.shape[1]))
    gap, k = np.inf, 0
    for t in range(most):
        if t % 20 == 0:
            g = level.grad(x, np)
            gap = float((g * (x - ball.lmo(g, np))).sum())
            if gap <= accuracy:
                break
        new = ball.project(y - level.grad(y, np) / L, np)
        restart = float(((y - new) * (new - x)).sum()) > 0.0
        k = 0 if restart else k + 1
        x, y = new, new + (k / (k + 3.0)) * (new - x)
    return x, gap
