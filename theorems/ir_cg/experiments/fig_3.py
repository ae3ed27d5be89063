"""Figure 3: dictionary learning (appendix B.3, L1266-1303)."""

from workbench.claims import named

from ..problems.dictionary import DIMENSION, ROWS, synthetic
from .competition import competition, dictionary, simulations

HORIZONS = {"ir-scg": 1000, "ir-fscg": 700, "sbcgi": 160, "sbcgf": 130, "seg": 400, "sdbgd": 700}
# Average iterations in the paper's table (L1303); of the short or long steps, the larger number.
PRINTED = {"ir-scg": 32_736, "ir-fscg": 30_533, "sbcgi": 466, "sbcgf": 362, "seg": 6_290, "sdbgd": 12_239}
SIZES = {"f": ROWS, "g": ROWS}
COMPETITION = competition("fig-3", lambda grid: synthetic(), DIMENSION, dictionary(0.1))
SIMS = named(*simulations(COMPETITION, HORIZONS, PRINTED))
