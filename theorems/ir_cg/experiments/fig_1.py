"""Figure 1: over-parameterized regression (section 3.1, L223-245)."""

from workbench import Grid
from workbench.claims import named, wants_real

from ..problems.data import TwoLevels
from ..problems.real import wiki
from ..problems.regression import FEATURES, TRAINING, VALIDATION, synthetic
from .competition import competition, convex, simulations

HORIZONS = {"ir-scg": 4000, "ir-fscg": 900, "sbcgi": 300, "sbcgf": 240, "seg": 1500, "sdbgd": 2000}
# Average iterations in the paper's table (L245); of the short or long steps, the larger number.
PRINTED = {
    "ir-scg": 1_182_617, "ir-fscg": 369_952, "sbcgi": 6_727, "sbcgf": 6_713, "seg": 807_700, "sdbgd": 1_250_393,
}  # fmt: skip
SIZES = {"f": VALIDATION, "g": TRAINING}


def problem(grid: Grid) -> TwoLevels:
    """The generated problem, or the paper's data set where it is asked for."""
    return wiki() if wants_real(grid) else synthetic()


COMPETITION = competition("fig-1", problem, FEATURES, convex(10.0))
SIMS = named(*simulations(COMPETITION, HORIZONS, PRINTED))
