"""The choices of this paper's experiments: parameters, starts, batches from the theorems' schedules, and bounds.

Theorems 1-6 hold for every varsigma > 0; the experiments take 1, so that they are compliant and practical at once. At
mark m the engine records the state before step m: the paper's x_t, z_t with t = m - 1. Bounds are taken there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from workbench import Batch, Grid, Result, Study, Theorem, iterates
from workbench.claims import Bound, Quantity, Simulation, random_start

from ..methods import ir_fscg, ir_scg
from ..theory import theorem_1, theorem_2, theorems_3_4, theorems_5_6
from ..theory.paper import PAPER

DELTA = 0.2  # a factor sqrt(log(1/delta)) in the bounds; 50 runs suffice to decide
VARSIGMA = 1.0
C_STORM = 3**-0.5  # of the concentration inequality; admissible for almost surely bounded noise
ONE_SAMPLE_P, FINITE_SUM_P = (0.1, 0.25, 0.4), (0.25, 0.5, 0.75)
Q = 8  # period and batch size of the finite-sum witnesses
AWAY = Q // 2  # the error of SPIDER is 0 at t = 0 mod q: marks are read where t = q/2 mod q

OUTER_1, INNER_1 = theorem_1.OUTER, theorem_1.INNER
OUTER_2, INNER_2 = theorem_2.OUTER, theorem_2.INNER
THEOREM_3, THEOREM_4 = theorems_3_4.THEOREM_3, theorems_3_4.THEOREM_4
OUTER_5, INNER_5 = theorems_5_6.THEOREM_5["outer"], theorems_5_6.THEOREM_5["inner"]
OUTER_6, INNER_6 = theorems_5_6.THEOREM_6["outer"], theorems_5_6.THEOREM_6["inner"]
OUTER_OWN, INNER_OWN = theorems_5_6.OWN["outer"], theorems_5_6.OWN["inner"]
OUTER_OWN_FS, INNER_OWN_FS = theorems_5_6.OWN_FS["outer"], theorems_5_6.OWN_FS["inner"]

Make = Callable[[int, int], Batch]  # (horizon, runs) -> Batch
FREE = ("varsigma", "p", "q")  # parameters of the bounds that are also fields of `Steps`


def known_values(result: Result, c: float = C_STORM) -> dict[str, Any]:
    """The values that bounds and levels need besides the instance's constants."""
    return {"delta": DELTA, "c": c, **{n: result.steps[n] for n in FREE if n in result.steps}}


STUDY = Study(
    PAPER,
    kind="compliant",
    chosen="varsigma = 1 (the theorems allow any positive value)",
    view=iterates(),
    known=known_values,
    shift=-1,
)


def bounds(
    theorem: Theorem, forms: Sequence[str], sim: Simulation, metric: Quantity, first: int = 1, **more: Any
) -> tuple[Bound, ...]:
    """Claims of some forms of a theorem's bound, for all t >= first."""
    view = iterates(first)
    return tuple(STUDY.bound(theorem, form, sim, metric, view=view, **more) for form in forms)


def at_p(*values: float) -> list[dict[str, float]]:
    """Grid points."""
    return [{"p": p} for p in values]


def schedule(theorem: Theorem, **free: Any) -> dict[str, Any]:
    """Steps of the theorem's algorithm, which are the same for all forms of its bound."""
    return theorem.steps(theorem.forms[0].name, **free)


def corner(grid: Grid, d: int) -> np.ndarray:
    """The upper corner of the box. It has no effect after one step of IR-SCG, since alpha_0 = 1."""
    return grid.full(1.0, d)


def diagonal(grid: Grid, d: int, low: float = 0.0) -> np.ndarray:
    """All coordinates equal, drawn from [low, 1]."""
    return grid.full(1.0, d) * random_start(grid, low, 1.0)


def batch(
    theorem: Theorem,
    instance: Callable[[], Any],
    d: int,
    horizon: int,
    runs: int,
    *,
    points: Sequence[Mapping[str, float]] = ({},),
    start: Callable[[Grid, int], np.ndarray] = corner,
    at: Mapping[str, float] | None = None,
    **wrong: Any,
) -> Batch:
    """The theorem's schedule at each grid point. at: replaces the usual values of free parameters.

    wrong: entries of the schedule that a falsifier replaces; they may violate the theorem's conditions.
    """
    grid = Grid(points, runs)
    free = {"varsigma": VARSIGMA, "q": Q, **(at or {}), **{name: grid[name] for name in grid.params}}
    algorithm: Any = ir_fscg if "q" in theorem.schedule else ir_scg
    steps = algorithm.Steps(**{**schedule(theorem, **free), **wrong})
    return Batch(instance(), steps, {"x": start(grid, d)}, grid)
