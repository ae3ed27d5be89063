"""Figure 1 (section 6.1, App. I, L232-246, L1424-1426): Ada-Minimax and TiAda on f = cos x + x y - y^2/2.

Tuned parameters exactly as printed (L1424-1426, L1430). Not given in the paper, chosen here: gamma = 1, three starts,
the horizon, TiAda's v_0 = 1e-12, 20 seeds. The noise is Gaussian, as in the paper: unbounded and without a
positive lower bound, so no theorem of the paper covers this figure.
"""

from __future__ import annotations

import numpy as np

from workbench.algorithms.ada_minimax.ada_minimax import Steps as AdaSteps
from workbench.algorithms.baselines.tiada import Steps as TiAdaSteps
from workbench.arrays.noise import Gaussian
from workbench.engine.records import Grid
from workbench.experiments.records import Batch, Simulation
from workbench.instances.ada_minimax.saddle import CosineSaddle

# sigma -> (Ada-Minimax alpha, Ada-Minimax eta_x = eta_y, TiAda eta_x = eta_y)
TUNED = {0.0: (2.0, 3.0, 4.0), 20.0: (2.0, 1.5, 2.0), 50.0: (3.0, 2.0, 2.0), 100.0: (5.0, 3.0, 2.5)}
STARTS = ((10.0, 10.0), (1.0, 1.0), (3.0, 0.0))  # (x_1, y_1); the first is the default
GAMMA, A, B, V_0 = 1.0, 0.6, 0.4, 1e-12


def _common(runs: int) -> tuple[CosineSaddle, dict[str, np.ndarray], Grid]:
    points = [
        {"sigma": s, "x_1": x, "y_1": y, "ada_alpha": al, "ada_eta": ea, "tiada_eta": et}
        for s, (al, ea, et) in TUNED.items()
        for x, y in STARTS
    ]
    grid = Grid(points, runs)
    instance = CosineSaddle(noise_x=Gaussian(grid["sigma"]), noise_y=Gaussian(grid["sigma"]), q=1.0)
    return instance, {"x": grid["x_1"], "y": grid["y_1"]}, grid


def ada(horizon: int, runs: int) -> Batch:
    instance, start, grid = _common(runs)
    steps = AdaSteps(eta_x=grid["ada_eta"], eta_y=grid["ada_eta"], alpha=grid["ada_alpha"], gamma=GAMMA)
    return Batch(instance, steps, start, grid)


def tiada(horizon: int, runs: int) -> Batch:
    instance, start, grid = _common(runs)
    steps = TiAdaSteps(eta_x=grid["tiada_eta"], eta_y=grid["tiada_eta"], a=A, b=B, v_0=V_0)
    return Batch(instance, steps, start, grid)


HORIZON = {"quick": 10_000, "default": 100_000, "full": 1_000_000}
RUNS = {"quick": 20, "default": 20, "full": 100}
CHOSEN = "gamma = 1, v_0 = 1e-12, starts (10, 10), (1, 1), (3, 0), 20 seeds; the rest as printed"

SIMULATIONS = tuple(
    Simulation(
        key=f"ada_minimax/sim-fig-1-{name}",
        title=f"Figure 1, {title}",
        algorithm=algorithm,
        make=make,
        horizon=HORIZON,
        runs=RUNS,
        kind="paper",
        chosen=CHOSEN,
        marks=(10_000, 100_000),
    )
    for name, title, algorithm, make in (
        ("ada", "Ada-Minimax", "ada_minimax.ada_minimax", ada),
        ("tiada", "TiAda", "baselines.tiada", tiada),
    )
)
