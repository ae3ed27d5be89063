"""Simulations of Ada-NSGDM (Theorem 5.6) on the single-level witnesses, and its negative controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from workbench import Batch, Grid, Mutation, Skewed, Sphere, TwoRadius, over, profile
from workbench.claims import named
from workbench.problems import Logarithm, PseudoHuber, Quadratic

from ...baselines.nsgdm import Steps as KnownNoiseSteps
from ...baselines.schedules import NSGDM
from ..methods.ada_nsgdm import Steps
from . import study
from .study import DECADES, FREE, ON_NORM, THEOREM_5_6, first_x

SIGMAS = (0.0, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 3e-2, 5e-2, 0.1, 0.3, 1.0)
FEW_SIGMAS = (0.0, 0.1, 0.3, 1.0)
KAPPAS = (1.0, 2.0, 4.0)
WEIGHTS = (0.3, 0.5)  # of constant momentum
SMALL_WEIGHT = 0.1  # constant momentum with this weight has its crossover at 2000 to 40000 iterations for:
SMALL_SIGMAS = (5e-3, 1e-2, 2e-2, 3e-2)
KNOWN_SIGMAS = (0.1, 1.0)  # of the yardstick
PREDICTABLE_SIGMAS = (0.3, 1.0)
SKEW = 0.1  # sigma_low / sigma_bar of the skewed law: a bias floor that shows early (trap T4)


def batch(instance: Callable, points: list[dict[str, float]], law: Callable[[Grid], Any], horizon: int, runs: int,
          alpha: float | str = FREE["alpha"], d: int = 1) -> Batch:  # fmt: skip
    """law: noise at the points of a grid. alpha: a number, or the grid parameter that holds it. d: coordinates."""
    grid = Grid(points, runs)
    start = grid.full(study.START, d) if d > 1 else first_x(grid, "sigma")
    steps = THEOREM_5_6.steps(**{**FREE, "alpha": grid[alpha] if isinstance(alpha, str) else alpha})
    return Batch(instance(noise=law(grid)), Steps(**steps), {"x": start}, grid)


def plus_minus(grid: Grid) -> Sphere:
    """Noise on the sphere of radius sigma (plus-minus sigma on the line): kappa_sigma = 1."""
    return Sphere(grid["sigma"])


def skewed_noise(grid: Grid) -> Skewed:
    """Skewed two-point noise with upper bound sigma."""
    return Skewed(SKEW * grid["sigma"], grid["sigma"])


def two_radii(grid: Grid) -> TwoRadius:
    """Upper bound sigma and the given kappa_sigma."""
    return TwoRadius(grid["sigma"] / grid["kappa"], grid["sigma"])


def levels(instance: Callable, sigmas: tuple[float, ...], **more: Any) -> Callable[[int, int], Batch]:
    """Plus-minus noise of each level."""
    return partial(batch, instance, over("sigma", sigmas), plus_minus, **more)


def weights(law: Callable[[Grid], Any]) -> Callable[[int, int], Batch]:
    """Noise of bound 1; alpha is also the weight of the falsifier with constant momentum."""
    return partial(batch, Quadratic, over("weight", WEIGHTS, sigma=1.0), law, alpha="weight")


def known_noise(horizon: int, runs: int) -> Batch:
    """NSGDM tuned for each horizon with the true sigma: the yardstick of L120. ``until`` is a row's horizon."""
    horizons = [float(t) for t in DECADES if t <= horizon] or [float(horizon)]
    grid = Grid(over("sigma until", product(KNOWN_SIGMAS, horizons)), runs)
    instance, start = Quadratic(noise=plus_minus(grid)), {"x": first_x(grid, "sigma")}
    steps = NSGDM.steps(**{**instance.constants(start), "T": grid["until"]})
    return Batch(instance, KnownNoiseSteps(**steps), start, grid)


CONSTANT = Mutation("constant momentum", "a", becomes="column(c.alpha, s.x, xp)")
MUTATIONS = {
    "no-momentum": Mutation("no momentum", "m", becomes="g"),
    "same-sample": Mutation("same sample for g~", "xi, xi2", part="draw(1)", becomes="draw(0)"),
    "no-root-alpha": Mutation("step without sqrt(alpha_t)", "eta", part="c.eta * xp.sqrt(a)", becomes="c.eta"),
    "rootless": Mutation("alpha_t without the root", "a", becomes="c.alpha**2 / (c.alpha**2 + S)"),
}  # fmt: skip
# The sigma at which a falsifier is detected: its floor is of the order of sigma, so less noise reaches it earlier and
# with less scatter. alpha_t without the root looks right at small sigma up to these horizons.
SHOWN_AT = {"no-momentum": 0.1, "same-sample": 0.1, "no-root-alpha": 0.1, "rootless": 1.0}

# Not wrong: the weight for which Lemma 5.4 holds as printed (E1).
PREDICTABLE = Mutation("alpha_t without the current sample", "a", part="S", becomes="s.S")

RUNS = profile(200, 256, 1000)
SIDE_RUNS = profile(256, 1024, 1024)
MAIN = profile(100_000, 1_000_000, 10_000_000)
SIDE = profile(50_000, 300_000, 1_000_000)
FALSIFIER = profile(30_000, 200_000, 1_000_000)

SIMS = named(
    *(
        ON_NORM.simulation_from(name, f"Ada-NSGDM on {what}", "ada_nsgdm", levels(instance, sigmas), length, runs)
        for name, what, instance, sigmas, length, runs in (
            ("i1", "I1, noise levels", Quadratic, SIGMAS, MAIN, RUNS),
            ("i1-witness", "I1, many runs", Quadratic, (0.3, 1.0), MAIN, study.MANY),
            ("i1h", "I1h, noise levels", PseudoHuber, FEW_SIGMAS, SIDE, SIDE_RUNS),
            ("i1n", "I1n, noise levels", Logarithm, FEW_SIGMAS, SIDE, SIDE_RUNS),
        )
    ),
    ON_NORM.simulation_from(
        "i1-kappa", "Ada-NSGDM on I1, d = 3, kappa_sigma = 1, 2, 4", "ada_nsgdm",
        partial(batch, Quadratic, over("kappa", KAPPAS, sigma=1.0), two_radii, d=3),
        profile(20_000, 100_000, 1_000_000), profile(256, 512, 1000),  # normal deviates are expensive
    ),
    *(
        ON_NORM.simulation_from(
            f"i1-{name}", f"Ada-NSGDM on I1, {wrong.name}", "ada_nsgdm", levels(Quadratic, (SHOWN_AT[name],)),
            FALSIFIER, SIDE_RUNS, mutation=wrong,
        )
        for name, wrong in MUTATIONS.items()
    ),
    *(
        ON_NORM.simulation_from(
            name, title, "ada_nsgdm", weights(law), FALSIFIER, SIDE_RUNS, chosen=study.with_other(alpha=WEIGHTS),
            mutation=mutation,
        )
        for name, title, law, mutation in (
            ("i1-skewed", "Ada-NSGDM on I1, skewed noise", skewed_noise, None),
            ("i1-constant-skewed", "constant momentum, skewed noise", skewed_noise, CONSTANT),
            ("i1-constant-symmetric", "constant momentum, symmetric noise", plus_minus, CONSTANT),
        )
    ),
    ON_NORM.simulation_from(
        "i1-predictable", "Ada-NSGDM on I1, predictable alpha_t", "ada_nsgdm", levels(Quadratic, PREDICTABLE_SIGMAS),
        FALSIFIER, SIDE_RUNS, mutation=PREDICTABLE,
    ),
    ON_NORM.simulation_from(
        "i1-constant-crossover", "constant momentum on I1, small noise", "ada_nsgdm",
        levels(Quadratic, SMALL_SIGMAS, alpha=SMALL_WEIGHT), profile(30_000, 500_000, 1_000_000), RUNS,
        chosen=study.with_other(alpha=[SMALL_WEIGHT]), mutation=CONSTANT,
    ),
    ON_NORM.simulation_from(
        "i1-known-noise", "NSGDM with known noise on I1 (yardstick)", "baselines.nsgdm", known_noise,
        profile(10_000, 100_000, 1_000_000), RUNS, kind="practical", record=("grad_norm_mean",),
        chosen="alpha and eta of the method's own theory for each horizon, with the true sigma",
    ),
)  # fmt: skip
