"""Deep AUC maximization: Figures 2 and 3 and Appendix L (sections 6.2, 6.3, App. J, L, L248-290, L1430, L1448).

The data and the network are smaller than the paper's (`workbench.theorems.ada_minimax.problems.auc`).

Figure 2: every method on the paper's grid of steps, which contains the paper's own choice. One batch therefore shows
both the paper's steps and steps tuned on these data. All batches have the same shape, so that times are comparable.

Figure 3: Ada-Minimax with one parameter varied at a time, over the paper's ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from workbench import Grid, Result
from workbench.claims import Batch, Competition, Method, Point, Status, named, profile

from ...baselines.pdsm import Steps as PdsmSteps
from ...baselines.sgda import Steps as SgdaSteps
from ...baselines.tiada import Steps as TiAdaSteps
from ...baselines.tiada_coordinate import Steps as CoordinateSteps
from ..methods.practical import Steps as AdaSteps
from ..problems import auc
from .study import STUDY, epochs

PER_EPOCH = 22  # of `problem()`: 679 points in minibatches of 32
GRID = (0.001, 0.005, 0.01, 0.05, 0.1)  # App. J, for eta_x and for eta_y
POINTS = tuple({"eta_x": x, "eta_y": y} for x in GRID for y in GRID)
PRINTED = {  # App. J
    "ada-minimax": {"eta_x": 0.01, "eta_y": 0.01},
    "sgda": {"eta_x": 0.1, "eta_y": 0.05},
    "pdsm": {"eta_x": 0.01, "eta_y": 0.1},
    "tiada": {"eta_x": 0.1, "eta_y": 0.05},
    "tiada-norm": {"eta_x": 0.1, "eta_y": 0.05},
}
ALPHA, GAMMA = 0.5, 0.1  # App. J, Ada-Minimax
SELECTION_RUNS = 2  # runs 0 and 1 choose the steps and are not drawn

BASE = {**PRINTED["ada-minimax"], "alpha": ALPHA, "gamma": GAMMA}  # of Figure 3
SWEEPS = {  # the ends are those of section 6.3, the values between are from the tuning grids of App. J
    "alpha": (0.1, 0.5, 1.0, 2.0),
    "eta_y": (0.001, 0.005, 0.01, 0.05),
    "eta_x": (0.001, 0.005, 0.01, 0.05),
    "gamma": (0.01, 0.1, 1.0, 2.0),
}
SWEPT = (
    BASE,
    *({**BASE, name: v} for name, values in SWEEPS.items() for v in values if v != BASE[name]),
)


@cache
def problem(probes: int = 0) -> auc.DeepAuc:
    return auc.make("digits", p=0.1, hidden=32, batch=32, probes=probes)


def batch(
    steps: Callable[..., Any], points: Sequence[Point], horizon: int, runs: int, probes: int = 0
) -> Batch:
    """points: values of some fields of the Steps. probes: minibatches on which the noise is measured at every mark."""
    grid, instance = Grid(points, runs), problem(probes)
    values = steps(**{name: grid[name] for name in points[0]})
    return Batch(instance, values, auc.start(instance, grid.run_ids), grid)


def on_grid(method: Method, horizon: int, runs: int) -> Batch:
    return batch(method.steps, POINTS, horizon, runs)


def tuned_steps(result: Result) -> dict[str, float]:
    """The grid point with the highest training AUC, averaged over epochs and over the selection runs.

    The average over epochs rewards both speed and the final value. A run that is not finite counts as AUC 0. Ties go to
    the first point of the grid.
    """
    ends_epoch = (result.marks % PER_EPOCH == 0) | (result.marks == 1)
    score = np.where(result.status == Status.OK, result.data["train_auc"][:, ends_epoch].mean(axis=1), 0.0)
    choosing = result.run_ids < SELECTION_RUNS
    means = [score[choosing & result.rows(**point)].mean() for point in POINTS]
    return dict(POINTS[int(np.argmax(means))])


_ada = partial(AdaSteps, alpha=ALPHA, gamma=GAMMA)
_exponents: dict[str, float] = {"a": 0.6, "b": 0.4, "v_0": 1e-12}  # of TiAda
COMPETITION = Competition(
    STUDY,
    "fig-2",
    (
        Method("ada-minimax", "Ada-Minimax", "practical", _ada),
        Method("sgda", "SGDA", "baselines.sgda", SgdaSteps),
        Method("pdsm", "PDSM", "baselines.pdsm", partial(PdsmSteps, beta_x=0.1, beta_y=1.0)),
        # The authors' code, most likely the "TiAda" of the paper's figure, and the rule as printed in the TiAda paper.
        Method("tiada", "TiAda", "baselines.tiada_coordinate", partial(CoordinateSteps, **_exponents)),
        Method("tiada-norm", "TiAda (norm)", "baselines.tiada", partial(TiAdaSteps, **_exponents)),
    ),
    on_grid,
)
LENGTH: dict[str, Any] = epochs(PER_EPOCH, 5, 50, 200)
CHOSEN = "data (digits, odd against even), network, minibatch of 32, start"

SIMS = named(
    *COMPETITION.simulations(
        runs=profile(4, 7, 22),
        chosen=f"{CHOSEN}; PDSM's weight 0.1, TiAda's v_0 = 1e-12; {SELECTION_RUNS} runs choose the steps, the others "
        "are drawn",
        **LENGTH,
    ),
    STUDY.simulation_from(
        "fig-3",
        "Figure 3, Ada-Minimax with one parameter varied at a time",
        "practical",
        partial(batch, AdaSteps, SWEPT),
        runs=profile(3, 5, 20),
        kind="paper",
        chosen=f"{CHOSEN}; values between the ends of the paper's ranges",
        **LENGTH,
    ),
    STUDY.simulation_from(
        "appendix-l",
        "Appendix L, size of the gradient noise along training",
        "practical",
        partial(batch, _ada, [PRINTED["ada-minimax"]], probes=64),
        runs=profile(4, 5, 20),
        kind="paper",
        chosen=f"{CHOSEN}; 64 fixed minibatches of the training set",
        **LENGTH,
    ),
)
