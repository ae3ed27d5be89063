"""Simulations of Ada-NSGDM (Theorem 5.6) on the single-level witnesses, and its negative controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from theorems.baselines import NSGDM
from workbench.algorithms.ada_minimax.ada_nsgdm import Steps
from workbench.algorithms.baselines.nsgdm import Steps as KnownNoiseSteps
from workbench.arrays.noise import Skewed, Sphere, TwoRadius
from workbench.engine.records import Grid
from workbench.experiments.ada_minimax.choices import FREE, NSGDM_STEPS, START, STARTS, simulation
from workbench.experiments.records import Batch, Mutation, Simulation
from workbench.instances.ada_minimax.single_level import Logarithm, Quadratic, Root

SIGMAS = (0.0, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 3e-2, 5e-2, 0.1, 0.3, 1.0)
FEW_SIGMAS = (0.0, 0.1, 0.3, 1.0)
RUNS = {"quick": 200, "default": 256, "full": 1000}
SIDE_RUNS = {"quick": 256, "default": 256, "full": 1000}
MANY = {"quick": 1024, "default": 1024, "full": 1000}
FALSIFIER_HORIZON = {"quick": 30_000, "default": 200_000, "full": 1_000_000}
SKEW = 0.1  # sigma_low / sigma_bar of the skewed law: a bias floor that shows early (trap T4)


def starts(grid: Grid) -> np.ndarray:
    """x_1: START, or drawn from STARTS where there is no noise."""
    return np.where(grid["sigma"] == 0.0, grid.random_start(*STARTS), START)


def plus_minus(instance: Callable, sigmas: tuple[float, ...], horizon: int, runs: int) -> Batch:
    """Noise on the sphere of radius sigma (plus-minus sigma on the line): kappa_sigma = 1."""
    grid = Grid([{"sigma": s} for s in sigmas], runs)
    return Batch(instance(noise=Sphere(grid["sigma"])), Steps(**NSGDM_STEPS), {"x": starts(grid)}, grid)


def two_radii(horizon: int, runs: int) -> Batch:
    """kappa_sigma = 1, 2, 4 at upper bound 1, in three dimensions."""
    grid = Grid([{"sigma": 1.0, "kappa": k} for k in (1.0, 2.0, 4.0)], runs)
    law = TwoRadius(grid["sigma"] / grid["kappa"], grid["sigma"])
    return Batch(Quadratic(noise=law), Steps(**NSGDM_STEPS), {"x": grid.full(START, 3)}, grid)


def skewed(horizon: int, runs: int) -> Batch:
    """Skewed two-point noise with upper bound 1. ``weight`` is read by the constant-momentum control only."""
    grid = Grid([{"sigma": 1.0, "weight": w} for w in (0.3, 0.5)], runs)
    steps = Steps(eta=FREE["eta"], alpha=grid["weight"])
    return Batch(
        Quadratic(noise=Skewed(SKEW * grid["sigma"], grid["sigma"])), steps, {"x": starts(grid)}, grid
    )


def constant_on_symmetric(horizon: int, runs: int) -> Batch:
    grid = Grid([{"sigma": 1.0, "weight": w} for w in (0.3, 0.5)], runs)
    steps = Steps(eta=FREE["eta"], alpha=grid["weight"])
    return Batch(Quadratic(noise=Sphere(grid["sigma"])), steps, {"x": starts(grid)}, grid)


def constant_small_noise(horizon: int, runs: int) -> Batch:
    """Momentum weight 0.1 whatever the noise; its crossover lies between 2000 and 40000 iterations."""
    grid = Grid([{"sigma": s} for s in (5e-3, 1e-2, 2e-2, 3e-2)], runs)
    steps = Steps(eta=FREE["eta"], alpha=0.1)
    return Batch(Quadratic(noise=Sphere(grid["sigma"])), steps, {"x": starts(grid)}, grid)


def known_noise(horizon: int, runs: int) -> Batch:
    """NSGDM tuned for each horizon with the true sigma: the yardstick of L120. ``until`` is a row's horizon."""
    horizons = [float(t) for t in 10 ** np.arange(3, 7) if t <= horizon] or [float(horizon)]
    grid = Grid([{"sigma": s, "until": t} for s in (0.1, 1.0) for t in horizons], runs)
    instance, x = Quadratic(noise=Sphere(grid["sigma"])), starts(grid)
    constants = instance.constants({"x": x})
    steps = NSGDM.steps(**{**constants, "T": grid["until"]})
    return Batch(instance, KnownNoiseSteps(**steps), {"x": x}, grid)


ROOTLESS = Mutation("alpha_t without the root", "a", becomes="c.alpha**2 / (c.alpha**2 + S)")
CONSTANT = Mutation("constant momentum", "a", becomes="column(c.alpha, s.x, xp)")
MUTATIONS = {
    "no-momentum": Mutation("no momentum", "m", becomes="g"),
    "same-sample": Mutation("same sample for g~", "xi, xi2", part="draw(1)", becomes="draw(0)"),
    "no-root-alpha": Mutation(
        "step without sqrt(alpha_t)", "eta", part="c.eta * xp.sqrt(a)", becomes="c.eta"
    ),
    "rootless": ROOTLESS,
}


# The sigma at which a negative control shows: its floor is of the order of sigma, so less noise reaches it earlier and
# with less scatter; alpha_t without the root looks right at small sigma up to these horizons.
SHOWN_AT = {"no-momentum": 0.1, "same-sample": 0.1, "no-root-alpha": 0.1, "rootless": 1.0}


def _sim(name: str, title: str, make: Callable, horizon: dict[str, int], **options) -> Simulation:
    return simulation(name, title, "ada_nsgdm", make, horizon, **{"runs": RUNS, **options})


MAIN = {"quick": 100_000, "default": 1_000_000, "full": 10_000_000}
SIDE = {"quick": 50_000, "default": 300_000, "full": 1_000_000}

THREE_D = {"quick": 20_000, "default": 100_000, "full": 1_000_000}  # normals make d = 3 dear

SIMULATIONS = (
    _sim("i1", "Ada-NSGDM on I1, noise levels", partial(plus_minus, Quadratic, SIGMAS), MAIN),
    _sim(
        "i1-witness",
        "Ada-NSGDM on I1, many runs",
        partial(plus_minus, Quadratic, (0.3, 1.0)),
        MAIN,
        runs=MANY,
    ),
    _sim(
        "i1h", "Ada-NSGDM on I1h, noise levels", partial(plus_minus, Root, FEW_SIGMAS), SIDE, runs=SIDE_RUNS
    ),
    _sim(
        "i1n",
        "Ada-NSGDM on I1n, noise levels",
        partial(plus_minus, Logarithm, FEW_SIGMAS),
        SIDE,
        runs=SIDE_RUNS,
    ),
    _sim("i1-kappa", "Ada-NSGDM on I1, d = 3, kappa_sigma = 1, 2, 4", two_radii, THREE_D, runs=SIDE_RUNS),
    *(
        _sim(
            f"i1-{name}",
            f"Ada-NSGDM on I1, {m.name}",
            partial(plus_minus, Quadratic, (SHOWN_AT[name],)),
            FALSIFIER_HORIZON,
            mutation=m,
            runs=SIDE_RUNS,
        )
        for name, m in MUTATIONS.items()
    ),
    _sim("i1-skewed", "Ada-NSGDM on I1, skewed noise", skewed, FALSIFIER_HORIZON),
    _sim(
        "i1-constant-skewed", "constant momentum, skewed noise", skewed, FALSIFIER_HORIZON, mutation=CONSTANT
    ),
    _sim(
        "i1-constant-symmetric",
        "constant momentum, symmetric noise",
        constant_on_symmetric,
        FALSIFIER_HORIZON,
        mutation=CONSTANT,
    ),
    _sim(
        "i1-constant-crossover",
        "constant momentum on I1, small noise",
        constant_small_noise,
        {"quick": 30_000, "default": 500_000, "full": 1_000_000},
        mutation=CONSTANT,
    ),
    Simulation(
        key="ada_minimax/sim-i1-known-noise",
        title="NSGDM with known noise on I1 (yardstick)",
        algorithm="baselines.nsgdm",
        make=known_noise,
        horizon={"quick": 10_000, "default": 100_000, "full": 1_000_000},
        runs=RUNS,
        kind="practical",
        chosen="alpha and eta of the method's own theory for each horizon, with the true sigma",
        marks=(1000, 10_000, 100_000, 1_000_000),
    ),
)
