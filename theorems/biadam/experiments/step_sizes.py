"""The rule that chooses the step sizes of Figures 1 and 2, the same for every method, and what it chose.

Each method is run on a grid of inner and outer steps with pilot runs, whose noise no drawn run sees, for the budget of
the default profile. The point with the smallest loss is chosen, averaged over the budget and over the problems of the
figure; a run that fails counts as infinite. Where the best point lay on the edge of the grid, the grid of this method
was moved until it did not; ``GRIDS`` are the final ones. For
Figure 2 that is the upper loss of the 5-way tasks. To choose again, as was done for what is committed::

    python tests/biadam/choose_steps.py fig-1
    python tests/biadam/choose_steps.py fig-2
"""

from __future__ import annotations

from workbench import Result
from workbench.claims import FIRST_PILOT, PILOT_RUNS, Point, best, ladder, on_edge, points, step_sizes

from .compared import calls_of

__all__ = ["FIRST_PILOT", "PILOT_RUNS", "best", "ladder", "on_edge", "points", "score"]


def score(result: Result, metric: str, where: Point) -> float:
    """`workbench.claims.step_sizes.score` over the budget of oracle calls."""
    return step_sizes.score(result, metric, where, calls_of)
