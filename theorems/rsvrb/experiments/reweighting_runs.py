"""Figures 1 and 2: weights for the training rows of a1a, a8a, w1a and w8a (section E, L786-826).

By default on generated sets of the same shapes, with the real numbers of rows; ``--data real`` takes LIBSVM files. As
printed: the test split for validation, logistic loss, conjugate gradients; in Figure 2, 200 and 500 tasks with
temperatures from [1, 11], 10 tasks at a time, 100 rows for validation. Not printed and chosen here: lambda = 0.01,
minibatches, inner steps, terms of Neumann sums, the weights' sigmoid. Figure 2 has the offset w_0 of its losses as a
weight like the others, since g_i would not be strongly convex in a free one.

The quick profile takes the first `FEW` rows of each part. Figure 2 takes the first `SOME` training rows by default too,
all of them from the horizon of the full profile on: what RE-RSVRB keeps has 2 m n numbers.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from workbench import Grid
from workbench.claims import Batch, Competition, Method, Ordering, Simulation, named, profile, wants_real

from ..problems import libsvm, reweighting
from .compared import COMPETITORS, RE_RSVRB, RIVALS, SVRB, Rival, Setting, Tuned, horizons, methods
from .study import STUDY

SETS, SIZES = {"fig-1": ("a1a", "a8a", "w1a", "w8a"), "fig-2": ("a1a", "w1a")}, (200, 500)
PILOTS = {"fig-1": (("a1a", "w1a"), 1), "fig-2": (("a1a",), 200)}  # sets and tasks of the pilot runs
FEW, SOME = 24, 256
TEMPERATURES = (1.0, 11.0)  # L826
SHOWN, SOLVED = "validation_loss", "objective"  # (1/m) sum f_i(y_i,t), and F(x_t)
SETTINGS = {
    "fig-1": Setting(batch=128, N=10, K=10, Q=8, lam=0.01, weights=(0.1, 0.5)),
    "fig-2": Setting(batch=8, N=5, K=5, Q=5, lam=0.01, weights=(0.02, 0.1), tasks_at_a_time=10),
}
BUDGETS = {  # rounds, by figure, set and number of tasks
    **{("fig-1", name, 1): profile(30, 500, 20_000) for name in ("a1a", "w1a")},
    **{("fig-1", name, 1): profile(30, 80, 20_000) for name in ("a8a", "w8a")},
    **{("fig-2", name, 200): profile(3, 80, 1000) for name in SETS["fig-2"]},
    **{("fig-2", name, 500): profile(3, 40, 1000) for name in SETS["fig-2"]},
}
RUNS = {"fig-1": profile(2, 20, 20), "fig-2": profile(2, 3, 5)}
ORDERINGS = {"fig-1": (Ordering("svrb"),), "fig-2": (Ordering("re-rsvrb"),)}  # L797, L826
CURVES = {"fig-1": (SVRB, *COMPETITORS), "fig-2": (RE_RSVRB, *COMPETITORS)}
# The middles of the last grids, whose best points they are (`step_sizes`), with the better weight.
STEPS: dict[str, dict[str, Tuned]] = {
    "fig-1": {
        "svrb": Tuned(5.0, 2.0, 0.5),
        "stable": Tuned(1.0, 0.5, 0.5),
        "ttsa": Tuned(5.0, 20.0),
        "stocbio": Tuned(2.0, 100.0),
        "bsa": Tuned(5.0, 10.0),
        "ttsa-own": Tuned(2.0, 10.0),
    },
    "fig-2": {
        "re-rsvrb": Tuned(0.2, 0.5, 0.1),
        "stable": Tuned(2.0, 5.0, 0.1),
        "ttsa": Tuned(5.0, 50.0),
        "stocbio": Tuned(5.0, 500.0),
        "bsa": Tuned(5.0, 50.0),
        "ttsa-own": Tuned(5.0, 50.0),
    },
}


@cache
def problem(
    figure: str, name: str, m: int, train: int, validation: int, real: bool
) -> reweighting.Reweighting:
    """The first ``train`` and ``validation`` rows of a set with m tasks; real: of the LIBSVM files."""
    parts = (libsvm.own if real else libsvm.synthetic)(name)
    setting = SETTINGS[figure]
    kept = parts[0].first(train), parts[1].first(validation)
    if figure == "fig-1":
        return reweighting.make(kept, np.ones(1), setting.lam, setting.batch, bias=False)
    sigma = np.random.default_rng([57, m]).uniform(*TEMPERATURES, m)  # fixed (L826)
    return reweighting.make(
        kept, sigma, setting.lam, setting.batch, bias=True, tasks_at_a_time=setting.tasks_at_a_time
    )


def rows_used(figure: str, name: str, lengths: dict[str, int], horizon: int) -> tuple[int, int]:
    """(training rows, validation rows) of a run of this many iterations."""
    shape = libsvm.SHAPES[name]
    if figure == "fig-1":
        return (shape.train, shape.validation) if horizon >= lengths["default"] else (FEW, FEW)
    if horizon >= lengths["full"]:
        return shape.train, 100
    return (SOME, 100) if horizon >= lengths["default"] else (FEW, 100)


def batch(figure: str, name: str, m: int, rival: Rival, tuned: Tuned, horizon: int, grid: Any) -> Batch:
    """One method on one problem; grid: a `Grid` or `Rows`."""
    lengths = horizons(rival, SETTINGS[figure], m, BUDGETS[figure, name, m])
    instance = problem(figure, name, m, *rows_used(figure, name, lengths, horizon), wants_real(grid))
    theta = 1.0 / float(instance.constants({})["L_g"])
    steps = rival.steps(tuned, SETTINGS[figure], instance.rows, theta)
    return Batch(instance, steps, reweighting.start(instance, len(grid.run_ids)), grid)


def make(figure: str, name: str, m: int, method: Method, horizon: int, runs: int) -> Batch:
    return batch(figure, name, m, RIVALS[method.name], STEPS[figure][method.name], horizon, Grid([{}], runs))


COMPETITIONS: dict[str, dict[str, Competition]] = {
    "fig-1": {
        s: Competition(STUDY, f"fig-1-{s}", methods(CURVES["fig-1"]), partial(make, "fig-1", s, 1))
        for s in SETS["fig-1"]
    },
    "fig-2": {
        f"{s}-{m}": Competition(STUDY, f"fig-2-{s}-{m}", methods(CURVES["fig-2"]), partial(make, "fig-2", s, m))
        for m in SIZES
        for s in SETS["fig-2"]
    },
}  # fmt: skip


def _simulations(figure: str, name: str, m: int, shown: Competition) -> tuple[Simulation, ...]:
    return shown.simulations(
        lambda method: horizons(RIVALS[method.name], SETTINGS[figure], m, BUDGETS[figure, name, m]),
        RUNS[figure],
        parts=4,
        chosen="lambda = 0.01, minibatches, p = sigmoid(x), conjugate gradients and V, H by rows of data;"
        " step sizes and weights by one rule on pilot runs",
    )


def _parts(key: str) -> tuple[str, int]:
    """Set and number of tasks of "a1a" or "a1a-200"."""
    name, _, m = key.partition("-")
    return name, int(m or 1)


SIMS = named(
    *(
        sim
        for figure, shown in COMPETITIONS.items()
        for key, competition in shown.items()
        for sim in _simulations(figure, *_parts(key), competition)
    )
)
