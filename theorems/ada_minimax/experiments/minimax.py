"""Simulations of Ada-Minimax (Theorem 4.1) on the minimax witnesses, and its negative controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np

from workbench import Batch, Grid, Mutation, Sphere, over, powers, profile
from workbench.claims import AS_READ, named
from workbench.problems import CosineSaddle, LogarithmSaddle, QuadraticSaddle

from ..methods.ada_minimax import Steps
from ..methods.practical import Steps as PracticalSteps
from .study import DECADES, FREE, MANY, STUDY, THEOREM_4_1, first_x

SIGMAS = (0.0, 1e-2, 0.1, 0.3, 1.0)
SIDE_SIGMAS = (0.0, 0.1, 0.3, 1.0)


def equal(sigma: float, until: float = 0.0) -> dict[str, float]:
    """The same noise level on both gradients. ``until``: the horizon at which a low-noise row is read, else 0."""
    return {"sigma_x": sigma, "sigma_y": sigma, "until": until}


ONLY_Y = {"sigma_x": 0.0, "sigma_y": 1.0, "until": 0.0}
LOW_NOISE = tuple(equal(t**-0.5, float(t)) for t in DECADES)  # sigma = T^-1/2, read at T


def plus_minus(instance: Callable, points: list[dict[str, float]], horizon: int, runs: int) -> Batch:
    """Noise plus-minus sigma_x and plus-minus sigma_y on the two partial gradients: kappa_sigma = 1."""
    grid = Grid([point for point in points if point["until"] <= horizon], runs)
    noisy = instance(noise_x=Sphere(grid["sigma_x"]), noise_y=Sphere(grid["sigma_y"]))
    start = {"x": first_x(grid, "sigma_x", "sigma_y"), "y": grid.full(0.0)}
    return Batch(noisy, Steps(**THEOREM_4_1.steps(**FREE)), start, grid)


PRACTICAL_SIGMAS = (0.0,)  # with noise 1, slower terms could not be excluded with less than 10^4 runs


def practical(horizon: int, runs: int) -> Batch:
    """The variant of section 6.2 on I2: eta_x/sqrt(T), so that every horizon (``until``) has rows of its own."""
    horizons = [float(1 << j) for j in range(8, int(np.log2(horizon)) + 1)] or [float(horizon)]
    grid = Grid(over("sigma_x until", product(PRACTICAL_SIGMAS, horizons)), runs)
    noisy = QuadraticSaddle(noise_x=Sphere(grid["sigma_x"]), noise_y=Sphere(grid["sigma_x"]))
    steps = PracticalSteps(
        eta_x=FREE["eta"] / np.sqrt(grid["until"]),
        eta_y=FREE["eta"],
        alpha=FREE["alpha"],
        gamma=FREE["gamma"],
    )
    return Batch(noisy, steps, {"x": first_x(grid, "sigma_x"), "y": grid.full(0.0)}, grid)


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
# (instance, falsifier) -> sigma_x = sigma_y at which it is detected: with less noise a floor is reached earlier. On I2q
# the curve of the fast eta_y still bends at 0.1. alpha_t and alpha'_t differ most without noise in x (trap T3): ONLY_Y.
SHOWN_AT = {(i, name): 0.1 for i in ("i2", "i2q") for name in MUTATIONS} | {("i2q", "fast-y"): 0.3}
SHOWN_AT |= {(i, "alpha"): 0.0 for i in ("i2", "i2q")}

RUNS, MORE = profile(128, 256, 1000), profile(128, 1536, 1536)
MAIN = profile(100_000, 1_000_000, 10_000_000)
SIDE = profile(30_000, 300_000, 1_000_000)
FALSIFIER = profile(50_000, 200_000, 1_000_000)

SIMS = named(
    *(
        STUDY.simulation_from(
            name, f"Ada-Minimax on {what}", "ada_minimax", partial(plus_minus, instance, points), length, runs,
            record=AS_READ,
        )
        for name, what, instance, points, length, runs in (
            ("i2", "I2, noise levels", QuadraticSaddle, [*map(equal, SIGMAS), ONLY_Y, *LOW_NOISE], MAIN, RUNS),
            ("i2-witness", "I2, many runs", QuadraticSaddle, [equal(1.0)], MAIN, MANY),
            ("i2q", "I2q (q = 1/2), noise levels", CosineSaddle, [*map(equal, SIDE_SIGMAS)], SIDE, MORE),
            ("i2n", "I2n, noise levels", LogarithmSaddle, [*map(equal, SIDE_SIGMAS)], SIDE, RUNS),
        )
    ),
    STUDY.simulation_from(
        "i2-practical", "practical variant on I2", "practical", practical, powers(11, 14, 17), profile(128, 256, 512),
        kind="practical", chosen="eta_x = 1/sqrt(T), everything else 1",
    ),
    *(
        STUDY.simulation_from(
            f"{short}-{name}", f"Ada-Minimax on {short.replace('i', 'I')}, {wrong.name}", "ada_minimax",
            partial(plus_minus, instance, [equal(SHOWN_AT[short, name]) if SHOWN_AT[short, name] else ONLY_Y]),
            FALSIFIER, RUNS, mutation=wrong,
        )
        for short, instance in (("i2", QuadraticSaddle), ("i2q", CosineSaddle))
        for name, wrong in MUTATIONS.items()
    ),
)  # fmt: skip
