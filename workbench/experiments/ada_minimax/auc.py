"""Figure 2 (section 6.2, App. J, L248-272, L1430): deep AUC maximization, the methods on the paper's grid of steps.

The paper trains a two-layer transformer on Sentiment140; here a network of one hidden layer learns odd against even
digits (`workbench.instances.ada_minimax.auc`): a counterpart, no reproduction. One simulation a method holds the whole
grid, of which the paper's own choice is a point, so the same batch answers "with the paper's steps" and "with steps
tuned on these data", and all methods run in batches of one shape, so that their times may be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from workbench.algorithms.ada_minimax.practical import Steps as AdaSteps
from workbench.algorithms.baselines.pdsm import Steps as PdsmSteps
from workbench.algorithms.baselines.sgda import Steps as SgdaSteps
from workbench.algorithms.baselines.tiada import Steps as TiAdaSteps
from workbench.algorithms.baselines.tiada_coordinate import Steps as CoordinateSteps
from workbench.engine.records import Grid, Result, Status
from workbench.experiments.records import Batch, Simulation
from workbench.instances.ada_minimax import auc

GRID = (0.001, 0.005, 0.01, 0.05, 0.1)  # App. J, for eta_x and for eta_y
POINTS = tuple({"eta_x": x, "eta_y": y} for x in GRID for y in GRID)
ALPHA, GAMMA = 0.5, 0.1  # App. J, Ada-Minimax
PER_EPOCH = 22  # of `problem()`: 679 points in minibatches of 32
MARKS = tuple(PER_EPOCH * e for e in (*range(1, 10), *range(10, 50, 2), *range(50, 201, 10)))
SELECTION_RUNS = 2  # runs 0 and 1 choose the steps and are not drawn


@dataclass(frozen=True)
class Method:
    """name: in the key. title: in the legend. steps: (eta_x, eta_y) -> Steps. paper: the choice of App. J."""

    name: str
    title: str
    algorithm: str
    steps: Callable[[Any, Any], Any]
    paper: Mapping[str, float]

    @property
    def key(self) -> str:
        return f"ada_minimax/sim-fig-2-{self.name}"


METHODS = (
    Method(
        "ada-minimax",
        "Ada-Minimax",
        "ada_minimax.practical",
        lambda x, y: AdaSteps(eta_x=x, eta_y=y, alpha=ALPHA, gamma=GAMMA),
        {"eta_x": 0.01, "eta_y": 0.01},
    ),
    Method("sgda", "SGDA", "baselines.sgda", SgdaSteps, {"eta_x": 0.1, "eta_y": 0.05}),
    Method(
        "pdsm",
        "PDSM",
        "baselines.pdsm",
        lambda x, y: PdsmSteps(eta_x=x, eta_y=y, beta_x=0.1, beta_y=1.0),
        {"eta_x": 0.01, "eta_y": 0.1},
    ),
    # The authors' code, which is what "TiAda" most likely means in the paper, and the rule as their paper prints it.
    Method(
        "tiada",
        "TiAda",
        "baselines.tiada_coordinate",
        lambda x, y: CoordinateSteps(eta_x=x, eta_y=y, a=0.6, b=0.4, v_0=1e-12),
        {"eta_x": 0.1, "eta_y": 0.05},
    ),
    Method(
        "tiada-norm",
        "TiAda (norm)",
        "baselines.tiada",
        lambda x, y: TiAdaSteps(eta_x=x, eta_y=y, a=0.6, b=0.4, v_0=1e-12),
        {"eta_x": 0.1, "eta_y": 0.05},
    ),
)


@cache
def problem(probes: int = 0) -> auc.DeepAuc:
    return auc.make("digits", p=0.1, hidden=32, batch=32, probes=probes)


def make(method: Method, horizon: int, runs: int) -> Batch:
    grid = Grid(POINTS, runs)
    return Batch(
        problem(), method.steps(grid["eta_x"], grid["eta_y"]), auc.start(problem(), grid.run_ids), grid
    )


def epochs(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """(columns, epochs): the marks that close an epoch, and the first mark as epoch 0."""
    whole = (result.marks % PER_EPOCH == 0) | (result.marks == 1)
    return np.flatnonzero(whole), result.marks[whole] // PER_EPOCH


def tuned(result: Result) -> dict[str, float]:
    """The grid point with the highest training AUC, averaged over epochs and over the selection runs.

    The average over epochs rewards speed and end alike. A run that left the finite numbers counts as AUC 0; among equal
    points the first of the grid is taken.
    """
    columns, _ = epochs(result)
    score = np.where(result.status == Status.OK, result.data["train_auc"][:, columns].mean(axis=1), 0.0)
    choosing = result.run_ids < SELECTION_RUNS
    means = [score[choosing & result.rows(**point)].mean() for point in POINTS]
    return dict(POINTS[int(np.argmax(means))])


def make_noise(horizon: int, runs: int) -> Batch:
    """Appendix L: Ada-Minimax with the paper's steps; 64 minibatches measure the noise at every mark."""
    ada = METHODS[0]
    grid = Grid([ada.paper], runs)
    measured = problem(probes=64)
    return Batch(measured, ada.steps(grid["eta_x"], grid["eta_y"]), auc.start(measured, grid.run_ids), grid)


HORIZON = {"quick": 5 * PER_EPOCH, "default": 50 * PER_EPOCH, "full": 200 * PER_EPOCH}
CHOSEN = (
    "data (digits, odd against even), network, minibatch of 32, start; PDSM's weight 0.1, TiAda's v_0 = 1e-12"
)

SIMULATIONS = (
    *(
        Simulation(
            key=method.key,
            title=f"Figure 2, {method.title} on the grid of App. J",
            algorithm=method.algorithm,
            make=partial(make, method),
            horizon=HORIZON,
            runs={"quick": 4, "default": 7, "full": 22},
            kind="paper",
            chosen=f"{CHOSEN}; {SELECTION_RUNS} runs choose the steps, the others are drawn",
            marks=MARKS,
        )
        for method in METHODS
    ),
    Simulation(
        key="ada_minimax/sim-appendix-l",
        title="Appendix L, size of the gradient noise along training",
        algorithm=METHODS[0].algorithm,
        make=make_noise,
        horizon=HORIZON,
        runs={"quick": 4, "default": 5, "full": 20},
        kind="paper",
        chosen=f"{CHOSEN}; 64 fixed minibatches of the training set",
        marks=MARKS,
    ),
)
