"""Claims of Figure 1: what an iteration of each method costs, metered against the listings of the papers.

Counts are the same at every horizon, so the shortest profile decides them. Methods that draw the length of a product
(estimator (6)) have a fixed number of gradients and of Jacobian-vector products only. The figures' order of the methods
is no claim: nothing is proved about it, and the captions say whether it is reproduced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil

from workbench import Result
from workbench.claims import PROFILES, Count

from ..theory.paper import PAPER
from . import cleaning_runs
from .cleaning_runs import SETTING
from .compared import PERIOD, SPAN

FIGURE = PAPER.entry("fig-1")
SIMS = cleaning_runs.SIMS
RESOURCES = ("gradient", "hessian_vector", "jacobian_vector")
N, K = SETTING.N, SETTING.K
PER_ITERATION: dict[str, tuple[int | None, ...]] = {  # in the order of RESOURCES; None: random
    "biadam": (2, None, 1),  # with one sample each; (6) has K + 1 of the K + 2 samples
    "vr-biadam": (4, None, 2),
    "reverse": (N + 1, N, N),
    "aid-fp": (N + 1, N, 1),
    "aid-cg": (N + 1, N + 1, 1),
    "stocbio": (N + 1, K - 1, 1),
    "mrbo": (4, 2 * (K - 1), 2),
    "sustain": (4, None, 2),
    "fsla": (4, 1, 2),
    "smb": (2, None, 1),
}


def estimates(each: int) -> Callable[[Result], float]:
    """VRBO: ``each`` calls for every estimate: two at each of SPAN + 2 differences, S at every refreshment."""
    return lambda r: each * (2 * (SPAN + 2) * r.horizon + SETTING.S * ceil(r.horizon / PERIOD))


LISTED: tuple[tuple[str, str, float | Callable[[Result], float]], ...] = (
    *(
        (method, resource, calls)
        for method, every in PER_ITERATION.items()
        for resource, calls in zip(RESOURCES, every, strict=True)
        if calls is not None
    ),
    *(("vrbo", resource, estimates(n)) for resource, n in zip(RESOURCES, (2, K - 1, 1), strict=True)),
)
CLAIMS = tuple(
    replace(Count(FIGURE, SIMS[f"fig-1-{method}"], resource, listed), profiles=PROFILES[:1])
    for method, resource, listed in LISTED
)
