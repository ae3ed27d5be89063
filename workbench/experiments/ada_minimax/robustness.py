"""Figure 3 (section 6.3, L274-282): Ada-Minimax on the AUC problem, one parameter varied at a time.

The ranges are the paper's: alpha in [0.1, 2], eta_y and eta_x in [0.001, 0.05], gamma in [0.01, 2]; the values inside
are those of the tuning grids of App. J (L1430). The others stay at the paper's choice. All points are one batch.
"""

from __future__ import annotations

import numpy as np

from workbench.algorithms.ada_minimax.practical import Steps
from workbench.engine.records import Grid, Result
from workbench.experiments.ada_minimax.auc import HORIZON, MARKS, problem
from workbench.experiments.records import Batch, Simulation
from workbench.instances.ada_minimax import auc

BASE = {"eta_x": 0.01, "eta_y": 0.01, "alpha": 0.5, "gamma": 0.1}  # App. J
SWEEPS = {
    "alpha": (0.1, 0.5, 1.0, 2.0),
    "eta_y": (0.001, 0.005, 0.01, 0.05),
    "eta_x": (0.001, 0.005, 0.01, 0.05),
    "gamma": (0.01, 0.1, 1.0, 2.0),
}
POINTS = (
    BASE,
    *({**BASE, name: v} for name, values in SWEEPS.items() for v in values if v != BASE[name]),
)


def make(horizon: int, runs: int) -> Batch:
    grid = Grid(POINTS, runs)
    steps = Steps(**{name: grid[name] for name in BASE})
    return Batch(problem(), steps, auc.start(problem(), grid.run_ids), grid)


def curve(result: Result, metric: str, name: str, value: float) -> np.ndarray:
    """(runs, M) of the point that differs from BASE in one parameter."""
    return result.curve(metric, **{**BASE, name: value})


SIMULATIONS = (
    Simulation(
        key="ada_minimax/sim-fig-3",
        title="Figure 3, Ada-Minimax with one parameter varied at a time",
        algorithm="ada_minimax.practical",
        make=make,
        horizon=HORIZON,
        runs={"quick": 3, "default": 5, "full": 20},
        kind="paper",
        chosen="data, network, minibatch of 32, start; values between the ends of the paper's ranges",
        marks=MARKS,
    ),
)
