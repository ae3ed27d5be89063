"""Figure 2: minimal-norm logistic regression (section 3.2, L247-274)."""

from workbench.experiments.ir_cg.competition import convex, simulations
from workbench.instances.ir_cg.least_norm import FEATURES, ROWS, madelon_like

HORIZONS = {"ir-scg": 5000, "ir-fscg": 800, "sbcgi": 240, "sbcgf": 200, "seg": 1600, "sdbgd": 2500}
SIZES = {"g": ROWS}  # the outer gradient is exact and free (L259)
METHODS = convex(0.01, HORIZONS)
SIMULATIONS = simulations("fig-2", madelon_like, FEATURES, METHODS)
