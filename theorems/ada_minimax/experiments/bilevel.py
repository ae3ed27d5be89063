"""Simulations of Ada-BiO (Theorem 4.2) on the bilevel witness B1, and its negative controls."""

from __future__ import annotations

from functools import partial

from workbench import Batch, Grid, Mutation, Sphere, profile
from workbench.claims import named
from workbench.problems import ScalarBilevel

from ..methods.ada_bio import Steps
from . import minimax
from .study import FREE, MANY, ON_NORM, STUDY, THEOREM_4_2, first_x

SIGMAS = (0.0, 0.1, 0.3, 1.0)
CUT_SIGMAS = (
    0.01,
    0.1,
)  # the bias of a truncated series is a floor, which is reached earlier with less noise
HESSIAN_NOISE = 0.3


def equal(*sigmas: float) -> list[dict[str, float]]:
    """The same noise level on the gradients of f and g."""
    return [{"sigma_f": s, "sigma_g1": s} for s in sigmas]


ONLY_Y = {"sigma_f": 0.0, "sigma_g1": 1.0}  # what tells alpha_t and alpha'_t apart (trap T3)


def batch(
    points: list[dict[str, float]],
    form: str,
    horizon: int,
    runs: int,
    hessian_noise: float = 0.0,
    neumann_terms: int = 0,
) -> Batch:
    """Plus-minus noise. The Neumann length is that of the theorem's form, or ``neumann_terms``."""
    grid = Grid(points, runs)
    noise_f, noise_g = Sphere(grid["sigma_f"]), Sphere(grid["sigma_g1"])
    instance = ScalarBilevel(noise_f=noise_f, noise_g=noise_g, hessian_noise=hessian_noise)
    start = {"x": first_x(grid, "sigma_f", "sigma_g1"), "y": grid.full(0.0)}
    constants = instance.constants(start)
    schedule = THEOREM_4_2.steps(form, **{**constants, **FREE, "T": horizon})
    schedule["N"] = neumann_terms or schedule["N"]
    return Batch(instance, Steps(**schedule, l_g1=constants["l_g1"]), start, grid)


MUTATIONS = {
    **{name: minimax.MUTATIONS[name] for name in ("alpha", "no-root-alpha")},  # the same lines
    "same-sample": Mutation("same samples for g~_x", "xi, xi2, zeta", part="draw(1)", becomes="draw(0)"),
}

RUNS, MORE, MOST = profile(80, 256, 1000), profile(80, 1024, 1024), profile(80, 1536, 1536)
LONG_RUN = profile(20_000, 1_000_000, 1_000_000)
WITNESS = profile(50_000, 300_000, 1_000_000)
FALSIFIER = profile(30_000, 100_000, 1_000_000)

SIMS = named(
    *(
        ON_NORM.simulation_from(name, f"Ada-BiO on B1, {what}", "ada_bio", partial(batch, points, form), length, runs)
        for name, what, points, form, length, runs in (
            ("b1", "N as printed", equal(*SIGMAS), "printed", LONG_RUN, RUNS),
            ("b1-noiseless", "without noise, many runs", equal(0.0), "printed", WITNESS, MOST),
            ("b1-short", "a third of the printed N", equal(*SIGMAS), "repaired", LONG_RUN, RUNS),
            ("b1-witness", "a third of the printed N, many runs", equal(0.3), "repaired", WITNESS, MANY),
            ("b1-only-y", "noise in y only", [ONLY_Y], "repaired", FALSIFIER, MORE),
        )
    ),
    STUDY.simulation_from(
        "b1-hessian-noise", "Ada-BiO on B1, noisy Hessians", "ada_bio",
        partial(batch, equal(0.1), "printed", hessian_noise=HESSIAN_NOISE),
        profile(300, 1000, 3000), profile(4, 16, 16),  # N(N-1) Hessian products an iteration; for the count only
    ),
    *(
        ON_NORM.simulation_from(
            f"b1-n{N}", f"Ada-BiO on B1, N = {N}", "ada_bio",
            partial(batch, equal(*CUT_SIGMAS), "printed", neumann_terms=N),
            FALSIFIER, RUNS, wrong=f"Neumann length cut to N = {N}",
        )
        for N in (1, 3)
    ),
    *(
        STUDY.simulation_from(
            f"b1-{name}", f"Ada-BiO on B1, {wrong.name}", "ada_bio",
            partial(batch, [ONLY_Y] if name == "alpha" else equal(0.1), "repaired"), FALSIFIER, MORE, mutation=wrong,
        )
        for name, wrong in MUTATIONS.items()
    ),
)  # fmt: skip
