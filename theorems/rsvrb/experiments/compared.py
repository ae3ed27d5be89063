"""The methods of Figures 1 and 2 (section E, L795, L826), with equal budgets of samples and steps chosen by one rule.

The legends of the figures are images, and the text names STABLE only; drawn are the methods of Table 1. A round is one
minibatch for every task. Every method gets the same number of rounds, hence a horizon of its own.

Printed (L795): eta_t = (t + c_0)^-1/2 for x and tau_t = tau_0 eta_t^2 for y of all competitors but STABLE, which has
tau_t = tau_0 eta_t; eta_t = tau_t = (t + c_0)^-1/3 and beta_t = beta eta_t^2 for SVRB; "tuned in a range". Here
c_0 = ``M_0`` for all, and each method has a step of y ("inner") and one of x ("outer", in units of the number of
training rows, since each has a weight of its own), both at t = 0. Methods with memory have the first weight of a new
sample besides. `workbench.claims.step_sizes` chooses them. The printed rule gives y the steps that fall faster,
the opposite of TTSA's own two time scales: TTSA is also drawn with its own exponents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np

from workbench import Result
from workbench.claims import Method

from ...baselines import bsa, stable, stocbio, ttsa
from ..methods import re_rsvrb_rows, svrb_rows
from ..theory.paper import PAPER

M_0 = 100.0  # c_0 of all falling steps
STAGE = 100  # iterations of the first stage


@dataclass(frozen=True)
class Setting:
    """batch: rows in a minibatch. N: inner steps of stocBiO. K: terms of Neumann sums. Q: steps of conjugate gradients.

    weights: first weights of new samples to choose from. tasks_at_a_time: of the method that samples tasks.
    """

    batch: int
    N: int
    K: int
    Q: int
    lam: float
    weights: tuple[float, ...]
    tasks_at_a_time: int = 0


@dataclass(frozen=True)
class Tuned:
    """inner, outer: steps of y and x at t = 0, the second over n. weight: of a new sample at t = 0, where kept."""

    inner: Any
    outer: Any
    weight: Any = 1.0


@dataclass(frozen=True)
class Rival:
    """rounds: (iterations, setting, tasks) -> rounds used by them. steps: (tuned, setting, n, theta) -> ``Steps``.

    first: rounds of its first estimates, before iteration 1. weighs: whether it has a weight to choose.
    """

    name: str
    title: str
    algorithm: str
    rounds: Callable[[int, Setting, int], float]
    steps: Callable[[Tuned, Setting, int, float], Any]
    first: int = 0

    @property
    def weighs(self) -> bool:
        return self.first > 0


def _bsa(c: Tuned, s: Setting, n: int, theta: float) -> Any:
    return bsa.Steps(c.outer * n * M_0**0.5, c.inner * M_0, s.K, theta, M_0, 0.5, 1.0, 0.0)


def _ttsa(a: float, b: float) -> Callable[[Tuned, Setting, int, float], Any]:
    def steps(c: Tuned, s: Setting, n: int, theta: float) -> Any:
        return ttsa.Steps(c.outer * n * M_0**a, c.inner * M_0**b, M_0, s.K, theta, a, b)

    return steps


def _stocbio(c: Tuned, s: Setting, n: int, theta: float) -> Any:
    return stocbio.Steps(c.inner * M_0, c.outer * n * M_0**0.5, s.N, s.K, theta, M_0, 0.5, 1.0)


def _stable(c: Tuned, s: Setting, n: int, theta: float) -> Any:
    d = M_0**0.5
    return stable.Steps(c.outer * n * d, c.inner * d, c.weight * d, M_0, s.lam, s.Q)


def _svrb(c: Tuned, s: Setting, n: int, theta: float) -> Any:
    return svrb_rows.Steps(c.outer * n, c.inner, M_0 ** (1 / 3), M_0, c.weight, s.lam, s.Q)


def _re_rsvrb(c: Tuned, s: Setting, n: int, theta: float) -> Any:
    return re_rsvrb_rows.Steps(c.outer * n, c.inner, 1.0, c.weight, c.weight, s.lam, float(STAGE), s.Q)


def _inner_steps(T: int) -> int:
    """Of BSA in T iterations: the sum of ceil(sqrt(t)), which is k for 2 k - 1 values of t."""
    r = isqrt(T)
    return sum(k * (2 * k - 1) for k in range(1, r + 1)) + (T - r * r) * (r + 1)


SVRB = Rival("svrb", "SVRB", f"{PAPER.key}.svrb_rows", lambda T, s, m: 2.0 * T, _svrb, first=2)
RE_RSVRB = Rival(
    "re-rsvrb",
    "RE-RSVRB",
    f"{PAPER.key}.re_rsvrb_rows",
    lambda T, s, m: 2.0 * T * s.tasks_at_a_time / m,
    _re_rsvrb,
    first=2,
)


def _of_ttsa(T: int, s: Setting, m: int) -> float:
    return T * (3 + (s.K - 1) / 2)


def _of_bsa(T: int, s: Setting, m: int) -> float:
    return _inner_steps(T) + T * (2 + (s.K - 1) / 2)


def _of_stocbio(T: int, s: Setting, m: int) -> float:
    return float(T * (s.N + s.K + 1))


COMPETITORS = (
    Rival("stable", "STABLE", "baselines.stable", lambda T, s, m: 2.0 * T, _stable, first=2),
    Rival("ttsa", "TTSA", "baselines.ttsa", _of_ttsa, _ttsa(0.5, 1.0)),
    Rival("stocbio", "stocBiO", "baselines.stocbio", _of_stocbio, _stocbio),
    Rival("bsa", "BSA", "baselines.bsa", _of_bsa, _bsa),
    Rival("ttsa-own", "TTSA, own exponents", "baselines.ttsa", _of_ttsa, _ttsa(0.6, 0.4)),
)
RIVALS = {r.name: r for r in (SVRB, RE_RSVRB, *COMPETITORS)}


def horizons(rival: Rival, setting: Setting, m: int, budget: Mapping[str, int]) -> dict[str, int]:
    """The largest numbers of iterations within the budget of rounds, in each profile; at least 2."""
    lengths = {}
    for profile, rounds in budget.items():
        T = 2
        while rival.first + rival.rounds(T + 1, setting, m) <= rounds:
            T += 1
        lengths[profile] = T
    return lengths


def methods(rivals: tuple[Rival, ...]) -> tuple[Method, ...]:
    return tuple(Method(r.name, r.title, r.algorithm, r.steps) for r in rivals)


def samples(result: Result) -> np.ndarray:
    """(M,) rows of data drawn before each mark by all tasks together, those of the first estimates included."""
    first = RIVALS[_name(result)].first * float(np.max(result.constants["round"]))
    return first + _before(result, "sample")


def row_products(result: Result) -> np.ndarray:
    """(M,) products of a vector with a row of data before each mark, the mean over the runs."""
    return _before(result, "row_product")


def _before(result: Result, resource: str) -> np.ndarray:
    """Counted after the step of the mark, recorded before it."""
    return result.calls[resource].mean(axis=0) * (result.marks - 1.0) / result.marks


def _name(result: Result) -> str:
    """The method of a result, by the key of its simulation; the longest name that fits."""
    key = str(result.meta["simulation"])
    return max((name for name in RIVALS if key.endswith(f"-{name}")), key=len)
