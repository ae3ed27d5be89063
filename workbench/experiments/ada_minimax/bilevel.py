"""Simulations of Ada-BiO (Theorem 4.2) on the bilevel witness B1, and its negative controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from workbench.algorithms.ada_minimax.ada_bio import Steps
from workbench.arrays.noise import Sphere
from workbench.engine.records import Grid
from workbench.experiments.ada_minimax.choices import FREE, START, STARTS, THEOREM_4_2, simulation
from workbench.experiments.records import Batch, Mutation, Simulation
from workbench.instances.ada_minimax.scalar_bilevel import ScalarBilevel

SIGMAS = (0.0, 0.1, 0.3, 1.0)
HESSIAN_NOISE = 0.3
CUT_SIGMAS = (0.01, 0.1)  # the bias of a cut series is a floor; less noise reaches it earlier
MANY = {"quick": 1024, "default": 1024, "full": 1000}
RUNS = {"quick": 80, "default": 256, "full": 1000}


def points_batch(
    points: list[dict[str, float]],
    form: str,
    N: int | None,
    horizon: int,
    runs: int,
    hessian_noise: float = 0.0,
) -> Batch:
    """Plus-minus noise sigma_f, sigma_g1. N from the theorem's schedule in the given form, or forced (controls)."""
    grid = Grid(points, runs)
    noise_f, noise_g = Sphere(grid["sigma_f"]), Sphere(grid["sigma_g1"])
    instance = ScalarBilevel(noise_f=noise_f, noise_g=noise_g, hessian_noise=hessian_noise)
    quiet = (grid["sigma_f"] == 0.0) & (grid["sigma_g1"] == 0.0)
    start = {"x": np.where(quiet, grid.random_start(*STARTS), START), "y": grid.full(0.0)}
    constants = instance.constants(start)
    schedule = THEOREM_4_2.steps(form, **{**constants, **FREE, "T": horizon})
    if N is not None:
        schedule["N"] = N
    return Batch(instance, Steps(**schedule, l_g1=constants["l_g1"]), start, grid)


def plus_minus(sigmas: tuple[float, ...], form: str, N: int | None, horizon: int, runs: int) -> Batch:
    """sigma_f = sigma_g1 = sigma for each sigma."""
    return points_batch([{"sigma_f": s, "sigma_g1": s} for s in sigmas], form, N, horizon, runs)


def only_y(horizon: int, runs: int) -> Batch:
    """sigma_f = 0 < sigma_g1: what tells alpha_t and alpha'_t apart (trap T3)."""
    return points_batch([{"sigma_f": 0.0, "sigma_g1": 1.0}], "repaired", None, horizon, runs)


def with_hessian_noise(horizon: int, runs: int) -> Batch:
    """Noisy Hessians: the full estimate of (36)-(37), every sample drawn, N as printed."""
    return points_batch([{"sigma_f": 0.1, "sigma_g1": 0.1}], "printed", None, horizon, runs, HESSIAN_NOISE)


MUTATIONS = {
    "alpha": Mutation("alpha_t in place of alpha'_t", "eta_x", part="ap", becomes="a"),
    "same-sample": Mutation("same samples for g~_x", "xi, xi2, zeta", part="draw(1)", becomes="draw(0)"),
    "no-root-alpha": Mutation(
        "step without sqrt(alpha'_t)", "eta_x", part="c.eta_x * xp.sqrt(ap)", becomes="c.eta_x"
    ),
}


def _sim(name: str, title: str, make: Callable, horizon: dict[str, int], **options) -> Simulation:
    return simulation(name, title, "ada_bio", make, horizon, **{"runs": RUNS, **options})


MAIN = {"quick": 50_000, "default": 300_000, "full": 1_000_000}
SHORT = {"quick": 20_000, "default": 1_000_000, "full": 1_000_000}
FEW = {
    "quick": 300,
    "default": 1000,
    "full": 3000,
}  # N(N-1) Hessian products an iteration; for the count only
FEW_RUNS = {"quick": 4, "default": 16, "full": 16}
FALSIFIER = {"quick": 30_000, "default": 100_000, "full": 1_000_000}

SIMULATIONS = (
    _sim("b1-only-y", "Ada-BiO on B1, noise in y only", only_y, FALSIFIER),
    _sim("b1-hessian-noise", "Ada-BiO on B1, noisy Hessians", with_hessian_noise, FEW, runs=FEW_RUNS),
    _sim("b1", "Ada-BiO on B1, N as printed", partial(plus_minus, SIGMAS, "printed", None), SHORT),
    _sim(
        "b1-witness",
        "Ada-BiO on B1, a third of the printed N, many runs",
        partial(plus_minus, (0.3,), "repaired", None),
        MAIN,
        runs=MANY,
    ),
    _sim(
        "b1-short",
        "Ada-BiO on B1, a third of the printed N",
        partial(plus_minus, SIGMAS, "repaired", None),
        SHORT,
    ),
    *(
        _sim(
            f"b1-n{N}",
            f"Ada-BiO on B1, N = {N}",
            partial(plus_minus, CUT_SIGMAS, "printed", N),
            FALSIFIER,
            wrong=f"Neumann length cut to N = {N}",
        )
        for N in (1, 3)
    ),
    *(
        _sim(
            f"b1-{name}",
            f"Ada-BiO on B1, {m.name}",
            only_y if name == "alpha" else partial(plus_minus, (0.1,), "repaired", None),
            FALSIFIER,
            mutation=m,
        )
        for name, m in MUTATIONS.items()
    ),
)
