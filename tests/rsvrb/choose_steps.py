"""Chooses the step sizes of Figures 1 and 2 again, by the rule of `workbench.claims.step_sizes`.

    python tests/rsvrb/choose_steps.py fig-1 [name of a method ...]

Prints, for each method, the scores on its grids and the line of ``STEPS``. Pilot runs only, on the sets of
``PILOTS``, for the budget of the default profile; the score is the mean of the validation loss over the budget and
the sets. Methods with memory are run with every weight of the setting. Several minutes.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits
from workbench.theorems.rsvrb.experiments import reweighting_runs as figures
from workbench.theorems.rsvrb.experiments.compared import Rival, Tuned, horizons

from workbench.claims import step_sizes
from workbench.engine import eager
from workbench.engine.marks import log_marks
from workbench.engine.records import Problem, Rows, Run
from workbench.homes import papers

SEED = 20_230_427


def rows(points: list[dict[str, float]]) -> Rows:
    """Every point with every pilot run."""
    runs = step_sizes.PILOT_RUNS
    ids = np.tile(step_sizes.FIRST_PILOT + np.arange(runs), len(points))
    return Rows(ids, {name: np.repeat([p[name] for p in points], runs) for name in points[0]})


def scores(figure: str, rival: Rival, points: list[dict[str, float]]) -> np.ndarray:
    """One score per point, the mean over the sets."""
    sets, m = figures.PILOTS[figure]
    length = horizons(rival, figures.SETTINGS[figure], m, figures.BUDGETS[figure, sets[0], m])["default"]
    marks = log_marks(length, extra=sorted({round(length * j / 8) for j in range(1, 8)} - {0}))
    module = importlib.import_module(papers.module_name("methods", rival.algorithm))
    grid = rows(points)
    tuned = Tuned(*(grid.params[name][:, None] for name in ("inner", "outer", "weight")))
    found = []
    for name in sets:
        batch = figures.batch(figure, name, m, rival, tuned, length, grid)
        # F is not needed here, and costs more than the steps.
        instance = replace(batch.instance, records=(figures.SHOWN,))
        problem = Problem(module, instance, batch.steps, batch.start, grid)
        result = eager.simulate(problem, Run(marks, SEED))
        found.append([step_sizes.score(result, figures.SHOWN, p, lambda r: r.marks) for p in points])
    return np.mean(found, axis=0)


def choose(figure: str, rival: Rival) -> Tuned:
    """The best weight, with the grid of steps moved until its best point is inside."""
    found = []
    for weight in figures.SETTINGS[figure].weights if rival.weighs else (1.0,):
        begin = figures.STEPS[figure][rival.name]
        middle = begin.inner, begin.outer
        for _ in range(8):
            inner, outer = (step_sizes.ladder(m, around=1) for m in middle)
            points = [{**p, "weight": weight} for p in step_sizes.points(inner, outer)]
            table = np.reshape(scores(figure, rival, points), (len(inner), len(outer)))
            i, j = step_sizes.best(table)
            print(rival.name, weight, inner, outer, np.round(table, 4).tolist(), flush=True)
            if not step_sizes.on_edge(table) or not np.isfinite(table).any():
                break
            middle = inner[i], outer[j]
        found.append((float(table[i, j]), Tuned(inner[i], outer[j], weight)))
    best = min(found, key=lambda pair: pair[0])[1]
    print(f'    "{rival.name}": Tuned({best.inner:g}, {best.outer:g}, {best.weight:g}),', flush=True)
    return best


if __name__ == "__main__":
    figure, names = sys.argv[1], sys.argv[2:]
    with threadpool_limits(1, "blas"):
        for rival in figures.CURVES[figure]:
            if not names or rival.name in names:
                choose(figure, rival)
