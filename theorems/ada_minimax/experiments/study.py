"""Defaults of the experiments of paper `ada_minimax`, and the constants that its theorems leave free.

Theorems 5.6, 4.1 and 4.2 hold for *every* eta, alpha, gamma > 0. A simulation that sets them all to 1 is therefore both
compliant (it tests the bound) and practical (it tests the rate); its kind is called compliant.

The three theorems bound the running mean of the gradient norm. Its level is read as recorded. Its slope is read from
means over (T/2, T], which have the same exponent without the initial transient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from workbench import Grid, Result, Study, profile, window_means
from workbench.claims import AS_READ, Point, random_start

from ..theory.paper import PAPER
from ..theory.theorem_4_1 import THEOREM as THEOREM_4_1
from ..theory.theorem_4_2 import THEOREM as THEOREM_4_2
from ..theory.theorem_5_6 import THEOREM as THEOREM_5_6

__all__ = ["PAPER", "STUDY", "THEOREM_4_1", "THEOREM_4_2", "THEOREM_5_6"]

START = 1.2345  # not 1: with eta = 1 a noiseless run from x = 1 would end in one step (trap T1)
STARTS = (1.0, 1.5)  # noiseless runs differ in their start only, drawn uniformly from this interval
FREE: dict[str, Any] = {"eta": 1.0, "alpha": 1.0, "gamma": 1.0}
DELTA = 0.02  # bounds hold with 1 - 3 delta or 1 - 7 delta: 6 or 14 % of the runs may exceed them; costs log(1/delta)
DECADES = (1000, 10_000, 100_000, 1_000_000)  # iterations recorded whatever the profile
MANY = profile(1024, 1024, 1000)  # runs of a witness, whose exponent is to be found attained
FREELY = "the theorem allows any positive values"


def known_values(result: Result) -> dict[str, Any]:
    """What bounds and levels need besides the instance's constants: delta, free parameters, steps."""
    return {**FREE, "delta": DELTA, **result.steps}


STUDY = Study(
    PAPER,
    kind="compliant",
    chosen=f"eta = alpha = gamma = 1 ({FREELY})",
    marks=DECADES,
    metric="grad_norm_mean",
    view=window_means,
    known=known_values,
)

ON_NORM = replace(STUDY, record=AS_READ)


def regime(where: Point) -> str:
    """The theorems' case at a grid point: noiseless where its noise levels are all 0."""
    return "noiseless" if {v for n, v in where.items() if n.startswith("sigma")} == {0.0} else "noisy"


def first_x(grid: Grid, *noise: str) -> np.ndarray:
    """x_1 = START; drawn from STARTS in rows where all of these noise levels are 0, so that their runs differ."""
    quiet = np.logical_and.reduce([grid[name] == 0.0 for name in noise])
    return np.where(quiet, random_start(grid, *STARTS), START)


def with_other(**values: Sequence[float]) -> str:
    """``chosen`` where some free parameters are not 1: "alpha = 0.3, 0.5; other free parameters 1 (...)"."""
    text = "; ".join(f"{name} = {', '.join(f'{v:g}' for v in numbers)}" for name, numbers in values.items())
    return f"{text}; other free parameters 1 ({FREELY})"


def epochs(per_epoch: int, quick: int, default: int, full: int) -> dict[str, Any]:
    """Horizon and marks of a simulation on data, for lengths in epochs: marks at the ends of epochs, dense at first."""
    at = (*range(1, 10), *range(10, 50, 2), *range(50, full + 1, 10))
    return {
        "horizon": profile(quick * per_epoch, default * per_epoch, full * per_epoch),
        "marks": tuple(per_epoch * e for e in at),
    }
