"""Figure 3: dictionary learning (appendix B.3, L1266-1303)."""

from workbench.experiments.ir_cg.competition import competition, dictionary, simulations
from workbench.instances.ir_cg.dictionary import DIMENSION, ROWS, generated

HORIZONS = {"ir-scg": 1000, "ir-fscg": 700, "sbcgi": 160, "sbcgf": 130, "seg": 400, "sdbgd": 700}
SIZES = {"f": ROWS, "g": ROWS}
COMPETITION = competition("fig-3", generated, DIMENSION, dictionary(0.1))
SIMULATIONS = simulations(COMPETITION, HORIZONS)
