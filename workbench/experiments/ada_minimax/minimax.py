"""Simulations of Ada-Minimax (Theorem 4.1) on the minimax witnesses, and its negative controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from workbench.algorithms.ada_minimax.ada_minimax import Steps
from workbench.arrays.noise import Sphere
from workbench.engine.records import Grid
from workbench.experiments.ada_minimax.choices import DECADES, MINIMAX_STEPS, START, STARTS, simulation
from workbench.experiments.records import Batch, Mutation, Simulation
from workbench.instances.ada_minimax.saddle import CosineSaddle, LogarithmSaddle, QuadraticSaddle

LOW_NOISE_HORIZONS = DECADES  # rows with sigma = T^-1/2, read at T
EQUAL = [{"sigma_x": s, "sigma_y": s, "until": 0.0} for s in (0.0, 1e-2, 0.1, 0.3, 1.0)]
ONLY_Y = [{"sigma_x": 0.0, "sigma_y": 1.0, "until": 0.0}]
MANY = {"quick": 1024, "default": 1024, "full": 1000}
RUNS = {"quick": 128, "default": 256, "full": 1000}


def starts(grid: Grid) -> dict[str, np.ndarray]:
    """(x_1, y_1) = (START, 0); x_1 drawn from STARTS where nothing else is random."""
    quiet = (grid["sigma_x"] == 0.0) & (grid["sigma_y"] == 0.0)
    return {"x": np.where(quiet, grid.random_start(*STARTS), START), "y": grid.full(0.0)}


def plus_minus(instance: Callable, points: list[dict[str, float]], horizon: int, runs: int) -> Batch:
    """Noise plus-minus sigma_x and plus-minus sigma_y on the two partial gradients: kappa_sigma = 1."""
    grid = Grid(points, runs)
    noisy = instance(noise_x=Sphere(grid["sigma_x"]), noise_y=Sphere(grid["sigma_y"]))
    return Batch(noisy, Steps(**MINIMAX_STEPS), starts(grid), grid)


def with_low_noise(horizon: int, runs: int) -> Batch:
    """The grid of equal noise levels, sigma_x = 0 < sigma_y, and sigma = T^-1/2 for each T up to the horizon."""
    low = [
        {"sigma_x": t**-0.5, "sigma_y": t**-0.5, "until": float(t)}
        for t in LOW_NOISE_HORIZONS
        if t <= horizon
    ]
    return plus_minus(QuadraticSaddle, EQUAL + ONLY_Y + low, horizon, runs)


ALPHA_FOR_ALPHA_PRIME = Mutation("alpha_t in place of alpha'_t", "eta_x", part="ap", becomes="a")
MUTATIONS = {
    "same-sample": Mutation("same sample for g~_x", "xi, xi2", part="draw(1)", becomes="draw(0)"),
    "no-momentum": Mutation("no momentum", "m", becomes="g_x"),
    "no-root-alpha": Mutation(
        "step without sqrt(alpha'_t)", "eta_x", part="c.eta_x * xp.sqrt(ap)", becomes="c.eta_x"
    ),
    "fast-y": Mutation("eta_y ~ 1/t", "eta_y", becomes="c.eta_y / (c.gamma + t)"),
    "alpha": ALPHA_FOR_ALPHA_PRIME,
}
SIDE_POINTS = [p for p in EQUAL if p["sigma_x"] in (0.0, 0.1, 0.3, 1.0)]
ONE = [{"sigma_x": 1.0, "sigma_y": 1.0, "until": 0.0}]
# (instance, negative control) -> sigma_x = sigma_y at which it shows: with less noise a floor is reached earlier; on
# I2q the fast eta_y still bends at 0.1. alpha_t and alpha'_t differ most without noise in x (trap T3): points ONLY_Y.
SHOWN_AT = {(i, name): 0.1 for i in ("i2", "i2q") for name in MUTATIONS} | {("i2q", "fast-y"): 0.3}
SHOWN_AT |= {(i, "alpha"): 0.0 for i in ("i2", "i2q")}


def shown(instance: str, name: str) -> list[dict[str, float]]:
    """The grid of a falsifier: one point."""
    sigma = SHOWN_AT[instance, name]
    return ONLY_Y if sigma == 0.0 else [{"sigma_x": sigma, "sigma_y": sigma, "until": 0.0}]


def _sim(name: str, title: str, make: Callable, horizon: dict[str, int], **options) -> Simulation:
    return simulation(name, title, "ada_minimax", make, horizon, **{"runs": RUNS, **options})


MAIN = {"quick": 100_000, "default": 1_000_000, "full": 10_000_000}
SIDE = {"quick": 30_000, "default": 300_000, "full": 1_000_000}
FALSIFIER = {"quick": 50_000, "default": 200_000, "full": 1_000_000}

SIMULATIONS = (
    _sim("i2", "Ada-Minimax on I2, noise levels", with_low_noise, MAIN),
    _sim(
        "i2-witness",
        "Ada-Minimax on I2, many runs",
        partial(plus_minus, QuadraticSaddle, ONE),
        MAIN,
        runs=MANY,
    ),
    _sim(
        "i2q",
        "Ada-Minimax on I2q (q = 1/2), noise levels",
        partial(plus_minus, CosineSaddle, SIDE_POINTS),
        SIDE,
    ),
    _sim("i2n", "Ada-Minimax on I2n, noise levels", partial(plus_minus, LogarithmSaddle, SIDE_POINTS), SIDE),
    *(
        _sim(
            f"{short}-{name}",
            f"Ada-Minimax on {short.replace('i', 'I')}, {m.name}",
            partial(plus_minus, instance, shown(short, name)),
            FALSIFIER,
            mutation=m,
        )
        for short, instance in (("i2", QuadraticSaddle), ("i2q", CosineSaddle))
        for name, m in MUTATIONS.items()
    ),
)
