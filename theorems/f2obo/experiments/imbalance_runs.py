"""Figure 1 (section 6.1): all methods on imbalanced digits, four phases of a hundred rounds, five runs.

As printed (L379): alpha = 0.1, gamma = 0.001, K = 5 (OBBO, F2OBO), delta = 0.1 (AOBO), delta_y = 0.5, delta_z = 0.1
(AF2OBO), 5 steps of the linear system (AOBO, SOBOW), lambda_1 = 5, tau = 1. These settings are outside every theorem:
tau = 1 with constant K, gamma and tolerances. "Inner learning rate" is read as beta_t lambda_t = 0.1 for y. A second
upper step, 0.05 (in the printed range), is drawn as well: with 0.001 the upper variables hardly move in 400 rounds.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from workbench import Batch, Grid, profile
from workbench.claims import Competition, Method, generators, named, seed_of, wants_real
from workbench.instances import digits_in_three, real

from ...baselines import aobo, fsobo, obbo, sobow
from ..methods import af2obo, f2obo
from ..problems import imbalance
from .study import STUDY

ALPHA, LAM, TAU, K, SYSTEM = 0.1, 5.0, 1.0, 5, 5
GAMMAS = (0.001, 0.05)
PHASES = 4
AT_MOST = 20  # inner steps of AF2OBO per loop: with lambda_t = 5 t its test of y gets ever stricter
FREE = float("inf")  # radius of FSOBO's ball: the constants that determine it do not exist here


@cache
def problem(runs: int, rounds: float, has_real_data: bool, seed: int) -> imbalance.Imbalance:
    """has_real_data: MNIST, the paper's own set (L313), not the bundled digits. seed: of the samples of the runs."""
    parts = real.parts("mnist", 10_000, 5_000) if has_real_data else digits_in_three(800, 500)
    return imbalance.make(parts, generators(np.arange(runs), "points", seed), rounds=rounds)


def make(method: Method, horizon: int, runs: int) -> Batch:
    """One row per upper step and run; the rows of a run share data and initial weights. The regret has their gamma."""
    grid = Grid([{"gamma": g} for g in GAMMAS], runs)
    base = problem(runs, horizon / PHASES, wants_real(grid), seed_of(grid))
    weights = generators(grid.run_ids, "weights", seed_of(grid))
    again = np.tile(np.arange(runs), len(GAMMAS))
    own = {name: getattr(base, name)[again] for name in imbalance.PER_RUN}
    instance = replace(base, **own, gamma=grid["gamma"])
    return Batch(instance, method.steps(gamma=grid["gamma"]), imbalance.start(instance, weights), grid)


OWN: dict[str, Any] = {"alpha": ALPHA, "beta": ALPHA / LAM, "b": TAU, "lam": LAM, "tau": TAU}
CONSTANT: dict[str, Any] = {**OWN, "p": 0.0, "K_0": 0.0, "K_log": 0.0}
COMPETITION = Competition(
    STUDY,
    "fig-1",
    (
        Method("sobow", "SOBOW", "baselines.sobow",
               lambda gamma: sobow.Steps(alpha=ALPHA, beta=gamma, eta=0.5, Q=float(SYSTEM), Q_1=0.0, w=1)),
        Method("obbo", "OBBO", "baselines.obbo", partial(obbo.Steps, alpha=ALPHA, K=K, w=1)),
        Method("fsobo", "FSOBO", "baselines.fsobo", partial(fsobo.Steps, alpha=ALPHA, beta=ALPHA, radius=FREE)),
        Method("aobo", "AOBO", "baselines.aobo",
               partial(aobo.Steps, alpha=ALPHA, beta=ALPHA, delta=0.1, M=SYSTEM, K_max=200)),
        Method("f2obo", "F2OBO", "f2obo", partial(f2obo.Steps, **CONSTANT, K=float(K))),
        Method("f2obo-sl", "F2OBO-SL", "f2obo", partial(f2obo.Steps, **CONSTANT, K=1.0)),
        Method("af2obo", "AF2OBO", "af2obo", partial(af2obo.Steps, **OWN, delta_y=0.5, delta_z=0.1, K_max=AT_MOST)),
    ),
    make,
)  # fmt: skip
SIMS = named(
    *COMPETITION.simulations(
        profile(40, 400, 400),
        profile(2, 5, 5),
        chosen="digits, network 64-8-10 (tanh), ridge 0.01, 60 points a phase; "
        f"upper steps {GAMMAS[0]:g} (printed) and {GAMMAS[1]:g}",
        marks=tuple(range(40, 401, 40)),  # in addition to the logarithmic ones
    )
)
