"""Figure 1 (section 6.1): all methods on imbalanced digits, four phases of a hundred rounds, five runs.

As printed (L379): alpha = 0.1, gamma = 0.001, K = 5 (OBBO, F2OBO), delta = 0.1 (AOBO), delta_y = 0.5, delta_z = 0.1
(AF2OBO), 5 steps of the linear system (AOBO, SOBOW), lambda_1 = 5, tau = 1. These settings are outside every theorem:
tau = 1 with constant K, gamma and tolerances. "Inner learning rate" is read as beta_t lambda_t = 0.1 for y. A second
upper step, 0.05 (in the printed range), is drawn too: with 0.001 the upper variables hardly move in 400 rounds.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from workbench.algorithms.baselines import aobo, fsobo, obbo, sobow
from workbench.algorithms.f2obo import af2obo, f2obo
from workbench.engine.records import Grid
from workbench.experiments.data_source import wants_real
from workbench.experiments.f2obo.compared_runs import DETERMINISTIC
from workbench.experiments.f2obo.study import STUDY
from workbench.experiments.records import Batch
from workbench.experiments.study import profile
from workbench.instances.datasets import digits_in_three
from workbench.instances.f2obo import imbalance, real

ALPHA, LAM, TAU, K, SYSTEM = 0.1, 5.0, 1.0, 5, 5
GAMMAS = (0.001, 0.05)
PHASES = 4
AT_MOST = 20  # inner steps of AF2OBO per loop: lambda_t = 5 t makes its test of y ever sharper
FREE = float("inf")  # radius of FSOBO's ball: the constants that would set it do not exist here


@cache
def problem(rows: int, rounds: float, fetched: bool) -> imbalance.Imbalance:
    """fetched: MNIST, the paper's own set (L313), in place of the bundled digits."""
    parts = real.parts("mnist", 10_000, 5_000) if fetched else digits_in_three(800, 500)
    return imbalance.make(parts, rows, rounds=rounds)


def steps_of(name: str, gamma: Any) -> Any:
    first_order = {"alpha": ALPHA, "beta": ALPHA / LAM, "b": TAU, "lam": LAM, "tau": TAU, "gamma": gamma}
    if name in ("f2obo", "f2obo-sl"):
        count = float(K) if name == "f2obo" else 1.0
        return f2obo.Steps(**first_order, p=0.0, K=count, K_0=0.0, K_log=0.0)
    return {
        "af2obo": lambda: af2obo.Steps(**first_order, delta_y=0.5, delta_z=0.1, K_max=AT_MOST),
        "obbo": lambda: obbo.Steps(alpha=ALPHA, gamma=gamma, K=K, w=1),
        "aobo": lambda: aobo.Steps(alpha=ALPHA, beta=ALPHA, gamma=gamma, delta=0.1, M=SYSTEM, K_max=200),
        "fsobo": lambda: fsobo.Steps(alpha=ALPHA, beta=ALPHA, gamma=gamma, radius=FREE),
        "sobow": lambda: sobow.Steps(alpha=ALPHA, beta=gamma, eta=0.5, Q=float(SYSTEM), Q_1=0.0, w=1),
    }[name]()


def make(name: str, horizon: int, runs: int) -> Batch:
    """One row per upper step and run; rows of one run share data and first weights."""
    grid = Grid([{"gamma": g} for g in GAMMAS], runs)
    base = problem(runs, horizon / PHASES, wants_real())
    again = np.tile(np.arange(runs), len(GAMMAS))
    held = {
        n: getattr(base, n)[again]
        for n in ("train", "train_labels", "validation", "validation_labels", "weights")
    }
    instance = imbalance.Imbalance(**held, test=base.test, test_labels=base.test_labels, rounds=base.rounds)
    return Batch(instance, steps_of(name, grid["gamma"]), imbalance.start(instance, grid.run_ids), grid)


HORIZON = profile(40, 400, 400)
MARKS = tuple(range(40, 401, 40))  # beside the logarithmic ones

SIMULATIONS = tuple(
    STUDY.simulation(
        f"fig-1-{name}",
        f"Figure 1, {name}",
        algorithm,
        partial(make, name),
        HORIZON,
        profile(2, 5, 5),
        kind="paper",
        chosen="digits, network 64-8-10 (tanh), ridge 0.01, 60 points a phase; "
        f"upper steps {GAMMAS[0]:g} (printed) and {GAMMAS[1]:g}",
        marks=MARKS,
    )
    for name, algorithm in DETERMINISTIC.items()
)
