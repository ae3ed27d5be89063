"""Chooses the step sizes of a figure again, by the rule of `workbench.theorems.biadam.experiments.step_sizes`.

    python tests/biadam/choose_steps.py fig-1 [name of a method ...]

Prints, for each method, the scores on its grid and the line of ``STEPS``. Pilot runs only; several minutes.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np
from workbench.theorems.biadam.experiments import cleaning_runs, representation_runs, step_sizes
from workbench.theorems.biadam.experiments.compared import Rival, horizons

from workbench.engine import eager
from workbench.engine.marks import log_marks
from workbench.engine.records import Problem, Rows, Run
from workbench.homes import papers

PROFILE, SEED = "default", 20_221_122


def rows(problems: Any, inner: list[float], outer: list[float]) -> Rows:
    """Every problem with every pair of steps and every pilot run."""
    every = [{**p, **q} for q in step_sizes.points(inner, outer) for p in problems]
    runs = step_sizes.PILOT_RUNS
    ids = np.tile(step_sizes.FIRST_PILOT + np.arange(runs), len(every))
    return Rows(ids, {name: np.repeat([p[name] for p in every], runs) for name in every[0]})


def scores(figure: Any, rival: Rival, inner: list[float], outer: list[float]) -> np.ndarray:
    """(inner, outer): the mean over the problems of the figure."""
    grid = rows(figure.POINTS, inner, outer)
    instance = figure.problem(grid)
    steps = rival.steps(grid.params["inner"][:, None], grid.params["outer"][:, None], figure.SETTING)
    module = importlib.import_module(papers.module_name("methods", rival.algorithm))
    length = horizons(rival, figure.SETTING, figure.BUDGET)[PROFILE]
    marks = log_marks(length, extra=sorted({round(length * j / 16) for j in range(1, 16)} - {0}))
    result = eager.simulate(
        Problem(module, instance, steps, figure.start(instance, grid), grid), Run(marks, SEED)
    )
    found = [
        np.mean([step_sizes.score(result, figure.METRIC, {**p, **q}) for p in figure.POINTS])
        for q in step_sizes.points(inner, outer)
    ]
    return np.reshape(found, (len(inner), len(outer)))


def choose(figure: Any, rival: Rival) -> tuple[float, float]:
    """Moves the grid while the best point is on its edge."""
    middle = figure.GRIDS[rival.name]
    for _ in range(5):
        inner, outer = (step_sizes.ladder(m) for m in middle)
        found = scores(figure, rival, inner, outer)
        i, j = step_sizes.best(found)
        print(rival.name, inner, outer, np.round(found, 3).tolist(), flush=True)
        if not step_sizes.on_edge(found):
            break
        middle = inner[i], outer[j]
    print(f'    "{rival.name}": ({inner[i]:g}, {outer[j]:g}),  # grid around {middle}', flush=True)
    return inner[i], outer[j]


if __name__ == "__main__":
    figures = {"fig-1": cleaning_runs, "fig-2": representation_runs}
    chosen, names = figures[sys.argv[1]], sys.argv[2:]
    for rival in chosen.CURVES:
        if not names or rival.name in names:
            choose(chosen, rival)
