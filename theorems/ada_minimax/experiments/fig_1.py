"""Figure 1 (section 6.1, App. I, L232-246, L1424-1426): Ada-Minimax and TiAda on f = cos x + x y - y^2/2.

Tuned parameters as printed (L1424-1426, L1430). The noise is Gaussian, as in the paper: unbounded and without a
positive lower bound, so no theorem of the paper covers this figure.
"""

from __future__ import annotations

from workbench import Batch, Gaussian, Grid, profile
from workbench.claims import Competition, Method, named
from workbench.problems import CosineSaddle

from ...baselines.tiada import Steps as TiAdaSteps
from ..methods.ada_minimax import Steps as AdaSteps
from .study import STUDY

# sigma -> (Ada-Minimax alpha, Ada-Minimax eta_x = eta_y, TiAda eta_x = eta_y)
TUNED = {0.0: (2.0, 3.0, 4.0), 20.0: (2.0, 1.5, 2.0), 50.0: (3.0, 2.0, 2.0), 100.0: (5.0, 3.0, 2.5)}
STARTS = ((10.0, 10.0), (1.0, 1.0), (3.0, 0.0))  # (x_1, y_1); the first is the default
GAMMA, A, B, V_0 = 1.0, 0.6, 0.4, 1e-12
POINTS = tuple(
    {"sigma": sigma, "x_1": x, "y_1": y, "ada_alpha": alpha, "ada_eta": ada, "tiada_eta": tiada}
    for sigma, (alpha, ada, tiada) in TUNED.items()
    for x, y in STARTS
)


def ada(grid: Grid) -> AdaSteps:
    eta = grid["ada_eta"]
    return AdaSteps(eta_x=eta, eta_y=eta, alpha=grid["ada_alpha"], gamma=GAMMA)


def tiada(grid: Grid) -> TiAdaSteps:
    eta = grid["tiada_eta"]
    return TiAdaSteps(eta_x=eta, eta_y=eta, a=A, b=B, v_0=V_0)


def make(method: Method, horizon: int, runs: int) -> Batch:
    grid = Grid(POINTS, runs)
    instance = CosineSaddle(noise_x=Gaussian(grid["sigma"]), noise_y=Gaussian(grid["sigma"]), q=1.0)
    return Batch(instance, method.steps(grid), {"x": grid["x_1"], "y": grid["y_1"]}, grid)


COMPETITION = Competition(
    STUDY,
    "fig-1",
    (
        Method("ada", "Ada-Minimax", "ada_minimax", ada),
        Method("tiada", "TiAda", "baselines.tiada", tiada),
    ),
    make,
)
SIMS = named(
    *COMPETITION.simulations(
        profile(10_000, 100_000, 1_000_000),
        profile(20, 20, 100),
        chosen="gamma = 1, v_0 = 1e-12, starts (10, 10), (1, 1), (3, 0), 20 seeds; the rest as printed",
        marks=(10_000, 100_000),
    )
)
