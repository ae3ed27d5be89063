"""Figure 2: minimal-norm logistic regression (section 3.2, L247-274)."""

from workbench import Grid
from workbench.claims import named, wants_real

from ..problems.data import TwoLevels
from ..problems.least_norm import FEATURES, ROWS, madelon_like
from ..problems.real import madelon
from .competition import competition, convex, simulations

HORIZONS = {"ir-scg": 5000, "ir-fscg": 800, "sbcgi": 240, "sbcgf": 200, "seg": 1600, "sdbgd": 2500}
# Average iterations in the paper's table (L274); of the short or long steps, the larger number.
PRINTED = {
    "ir-scg": 1_726_604, "ir-fscg": 225_264, "sbcgi": 6_208, "sbcgf": 5_986, "seg": 1_218_831, "sdbgd": 1_623_035,
}  # fmt: skip
SIZES = {"g": ROWS}  # the outer gradient is exact and free (L259)


def problem(grid: Grid) -> TwoLevels:
    """The generated problem, or the paper's data set where it is asked for."""
    return madelon() if wants_real(grid) else madelon_like()


COMPETITION = competition("fig-2", problem, FEATURES, convex(0.01))
SIMS = named(*simulations(COMPETITION, HORIZONS, PRINTED))
