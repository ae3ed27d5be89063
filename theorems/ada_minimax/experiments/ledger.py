"""Runs on which the proof ledger measures the lines of this paper's proofs
(`theorems/ada_minimax/proof.txt`).

The claims themselves are made from the lemma records. Runs are short, because the lines concern every iteration, early
ones included. Witness I2 with a distant start and with a fast lower solution shows E4-E6.
"""

from __future__ import annotations

from functools import partial

from workbench import Batch, Grid, Sphere, always, over, profile
from workbench.claims import named, random_start
from workbench.instances import D_X, D_Y
from workbench.problems import Logarithm, QuadraticSaddle, ScalarBilevel, VectorBilevel

from ..methods.ada_bio import Steps as BilevelSteps
from ..methods.ada_minimax import Steps as MinimaxSteps
from ..methods.ada_nsgdm import Steps as SingleSteps
from . import study
from .single_level import two_radii
from .study import FREE, START, THEOREM_4_1, THEOREM_4_2, THEOREM_5_6

TERMS = 4  # N of the sums on B2


def single(horizon: int, runs: int) -> Batch:
    """I1n without noise, with plus-minus noise, and with two-radius noise."""
    grid = Grid(over("sigma kappa", [(0.0, 1.0), (0.3, 1.0), (1.0, 3.0)]), runs)
    steps = SingleSteps(**THEOREM_5_6.steps(**FREE))
    return Batch(Logarithm(noise=two_radii(grid)), steps, {"x": random_start(grid, 1.0, 3.0)}, grid)


def saddle(horizon: int, runs: int) -> Batch:
    """I2 without noise, with noise in y only, and with two levels of noise in x and y."""
    grid = Grid(over("sigma_x sigma_y", [(0.0, 0.0), (0.0, 1.0), (0.3, 0.3), (1.0, 1.0)]), runs)
    instance = QuadraticSaddle(noise_x=Sphere(grid["sigma_x"]), noise_y=Sphere(grid["sigma_y"]))
    start = {"x": grid.full(START), "y": random_start(grid, -1.0, 1.0)}
    return Batch(instance, MinimaxSteps(**THEOREM_4_1.steps(**FREE)), start, grid)


def far(horizon: int, runs: int) -> Batch:
    """I2 without noise from (0, y), y near ``far``: E4 (iii), (iv) and E5 (3)."""
    grid = Grid(over("far eta", [(100.0, 1.0), (30.0, 0.5)]), runs)
    steps = THEOREM_4_1.steps(**{**FREE, "eta": grid["eta"]})
    start = {"x": grid.full(0.0), "y": grid["far"] * random_start(grid, 0.9, 1.1)}
    return Batch(QuadraticSaddle(), MinimaxSteps(**steps), start, grid)


def drift(horizon: int, runs: int) -> Batch:
    """I2 without noise from (x, y*(x)), where y* moves ``b`` times as fast as x: E4 (vi), E6."""
    grid = Grid(over("b eta", [(10.0, 1.0), (1000.0, 0.1)]), runs)
    steps = THEOREM_4_1.steps(**{**FREE, "eta": grid["eta"]})
    x = random_start(grid, 1.0, 2.0)
    return Batch(QuadraticSaddle(b=grid["b"]), MinimaxSteps(**steps), {"x": x, "y": grid["b"] * x}, grid)


def bilevel(horizon: int, runs: int) -> Batch:
    """B1 with and without noise, Neumann sums of the printed length for the horizon."""
    grid = Grid(over("sigma", [0.0, 0.3]), runs)
    instance = ScalarBilevel(noise_f=Sphere(grid["sigma"]), noise_g=Sphere(grid["sigma"]))
    start = {"x": grid.full(START), "y": random_start(grid, -1.0, 1.0)}
    constants = instance.constants(start)
    steps = THEOREM_4_2.steps(**{**constants, **FREE, "T": horizon})
    return Batch(instance, BilevelSteps(**steps, l_g1=constants["l_g1"]), start, grid)


def vector(horizon: int, runs: int) -> Batch:
    """B2 with noise in gradients only, and with noise in second derivatives too.

    The sums are shorter than the theorem's: the lines hold for every N, N = 20 needs 190 sampled Hessians per estimate,
    and with few terms the truncation is large enough to be seen.
    """
    grid = Grid(over("sigma hessian_noise", [(0.3, 0.0), (0.3, 0.3)]), runs)
    noise = Sphere(grid["sigma"])
    instance = VectorBilevel(noise_f=noise, noise_g=noise, hessian_noise=grid["hessian_noise"])
    start = {"x": grid.full(START, D_X), "y": grid.full(-1.0, D_Y)}
    constants = instance.constants(start)
    steps = {**THEOREM_4_2.steps(**{**constants, **FREE, "T": horizon}), "N": TERMS}
    return Batch(instance, BilevelSteps(**steps, l_g1=constants["l_g1"]), start, grid)


LENGTH, RUNS, FEW = profile(1000, 10_000, 100_000), profile(200, 200, 1000), profile(30, 30, 100)
# d_t <= D is nearly attained from a distant start: 30 runs bound the share of exceptions too loosely.
MANY = always(400)
SHORT = profile(200, 300, 3000)
simulation = partial(study.STUDY.watched, marks=tuple(range(1, 21)))

SIMS = named(
    simulation("single", "Ada-NSGDM on I1n, lines of its proof", "ada_nsgdm", single, LENGTH, RUNS, "single"),
    simulation("minimax", "Ada-Minimax on I2, lines of its proof", "ada_minimax", saddle, LENGTH, RUNS, "minimax"),
    # What the next two show happens early, in every profile.
    simulation("far", "Ada-Minimax on I2, distant start", "ada_minimax", far, always(1000), MANY, "minimax",
            chosen=study.with_other(eta=(1.0, 0.5))),
    simulation("drift", "Ada-Minimax on I2, fast lower solution", "ada_minimax", drift, always(30), FEW, "minimax",
            chosen=study.with_other(eta=(1.0, 0.1))),
    simulation("vector", "Ada-BiO on B2, lines of its proof", "ada_bio", vector, SHORT, FEW, "bilevel"),
    simulation("bilevel", "Ada-BiO on B1, lines of its proof", "ada_bio", bilevel, LENGTH, RUNS, "bilevel"),
)  # fmt: skip
