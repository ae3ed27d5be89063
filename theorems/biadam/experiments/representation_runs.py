"""Figure 2: hyper-representation learning (section 5.2, L65, A.1.2, L85), 5-way and 20-way, 1-shot and 5-shot.

As printed: C = 0.01, 4 tasks in a minibatch, 16 in VRBO's large batch with period 3, 16 inner iterations, K = 5. The
printed steps (1000 for x, ours 0.001; 0.4 for y) belong to Omniglot and to an untold network and are not used:
`step_sizes`, on the 5-way tasks, for the 20-way tasks as well. Both numbers of shots are rows of one batch. Not
given and chosen here: the network, theta, the sequences of the momenta, the fate of a task's head, and A_t, from the
second moment of w_t: heads start at zero, where grad_x f = 0, so that (4) as printed would make the first step w/rho.
theta = 0.1 is below 1/L_g at the start (L_g = 3.2 there), not below 1/L_g = 0.016 of the worst features in the region.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from workbench import Grid
from workbench.claims import (
    Batch,
    Competition,
    Method,
    Ordering,
    Simulation,
    named,
    over,
    profile,
    wants_real,
)

from ..problems import glyphs, representation
from .compared import RIVALS, Setting, lengths, methods
from .study import STUDY

SHOTS, WAYS = (1, 5), (5, 20)
CLASSES, EXAMPLES = 60, 8
POINTS = tuple(over("shot", SHOTS))
CURVES = RIVALS
COMPETITORS = tuple(r.name for r in RIVALS[2:])
BUDGETS = {5: profile(300, 2000, 20_000), 20: profile(100, 800, 8000)}
BUDGET = BUDGETS[5]  # of the runs that choose the steps
SETTING = Setting(N=16, K=5, theta=0.1, S=4)
METRIC = "query_loss"  # what chooses the steps: no test class enters
ORDERINGS = (
    Ordering("biadam", COMPETITORS, "all competitors"),
    Ordering("vr-biadam", COMPETITORS, "all competitors"),
)
GRIDS: dict[str, tuple[float, float]] = {  # middle of the grid of inner and of outer steps
    **dict.fromkeys((r.name for r in CURVES), (0.5, 0.5)),
    "biadam": (1.0, 0.02),
    "vr-biadam": (0.5, 0.005),
    "smb": (1.0, 2.0),
}
STEPS: dict[str, tuple[float, float]] = {  # (inner, outer) that `step_sizes` chose on these grids
    "biadam": (1.0, 0.02),
    "vr-biadam": (1.0, 0.01),
    "reverse": (1.0, 1.0),
    "aid-fp": (0.2, 1.0),
    "aid-cg": (1.0, 0.5),
    "stocbio": (0.5, 1.0),
    "mrbo": (0.5, 1.0),
    "vrbo": (0.5, 0.2),
    "sustain": (0.5, 1.0),
    "fsla": (0.5, 1.0),
    "smb": (0.5, 5.0),
}


@cache
def alphabet(fetched: bool) -> np.ndarray:
    """fetched: Omniglot, the paper's own set, in place of the generated glyphs."""
    return (glyphs.omniglot if fetched else glyphs.synthetic)(CLASSES, EXAMPLES)


def problem(grid: Any, way: int = WAYS[0]) -> representation.Representation:
    """grid: a `Grid` or `Rows` with the parameter ``shot``."""
    return representation.make(grid.params["shot"][:, None], way, alphabet(wants_real(grid)))


def start(instance: representation.Representation, grid: Any) -> dict[str, np.ndarray]:
    return representation.start(instance, grid.run_ids)


def make(way: int, method: Method, horizon: int, runs: int) -> Batch:
    grid = Grid(POINTS, runs)
    instance = problem(grid, way)
    return Batch(instance, method.steps(SETTING, STEPS), start(instance, grid), grid)


COMPETITIONS = {
    way: Competition(STUDY, f"fig-2-{way}-way", methods(CURVES), partial(make, way)) for way in WAYS
}


def _simulations(way: int) -> tuple[Simulation, ...]:
    return COMPETITIONS[way].simulations(
        lengths(CURVES, SETTING, BUDGETS[way]),
        profile(2, 3, 10),
        parts=8,
        chosen="generated glyphs, network 65-16-16, 8 training tasks, theta, momenta; step sizes by one rule on "
        "pilot runs",
    )


SIMS = named(*(sim for way in WAYS for sim in _simulations(way)))
