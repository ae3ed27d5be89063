"""Figure 3: dictionary learning (appendix B.3, L1266-1303)."""

from workbench.experiments.ir_cg.competition import dictionary, simulations
from workbench.instances.ir_cg.dictionary import DIMENSION, ROWS, generated

HORIZONS = {"ir-scg": 1000, "ir-fscg": 700, "sbcgi": 160, "sbcgf": 130, "seg": 400, "sdbgd": 700}
SIZES = {"f": ROWS, "g": ROWS}
METHODS = dictionary(0.1, HORIZONS)
SIMULATIONS = simulations("fig-3", generated, DIMENSION, METHODS)
