"""Instances of Theorem 4.1 in which the worst one is searched for: I2 with its coupling, noise and eta."""

from __future__ import annotations

from typing import Any

from workbench import Batch, Grid, Result, Sphere
from workbench.claims import Family, Parameter, Point, random_start
from workbench.problems import QuadraticSaddle

from ..methods.ada_minimax import Steps
from ..theory.paper import PAPER
from .study import FREE, STARTS, THEOREM_4_1, known_values


def make(point: Point, horizon: int, runs: int) -> Batch:
    """I2 with plus-minus noise on both gradients; alpha = gamma = 1, and eta free, as the theorem allows."""
    grid = Grid([dict(point)], runs)
    noise = Sphere(grid["sigma"])
    steps = Steps(**THEOREM_4_1.steps(**{**FREE, "eta": point["eta"]}))
    start = {"x": random_start(grid, *STARTS), "y": grid.full(0.0)}
    return Batch(QuadraticSaddle(b=point["b"], noise_x=noise, noise_y=noise), steps, start, grid)


def with_eta(result: Result) -> dict[str, Any]:
    return {**known_values(result), "eta": result.steps["eta_x"]}


FAMILIES = (
    Family(
        name="saddles",
        title="Ada-Minimax on I2",
        theorem=THEOREM_4_1,
        form="printed",
        algorithm=f"{PAPER.key}.ada_minimax",
        metric="grad_norm_mean",
        make=make,
        parameters=(
            Parameter("b", 0.8, 4.0),  # from b^2/mu > c on, which Phi needs to be bounded below
            Parameter("sigma", 0.01, 3.0, logarithmic=True),
            Parameter("eta", 0.05, 20.0, logarithmic=True),
        ),
        usual={"b": 1.0, "sigma": 1.0, "eta": 1.0},
        claimed=lambda point: float(THEOREM_4_1.case("noisy").claimed),
        known=with_eta,
    ),
)
