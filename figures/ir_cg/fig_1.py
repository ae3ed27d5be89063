"""Figure 1 of the paper: over-parameterized regression."""

from figures.ir_cg.competition import figure
from workbench.experiments.ir_cg.fig_1 import METHODS, SIMULATIONS, SIZES

FIGURE = figure(
    1,
    "Over-parameterized regression",
    "Figure 1 and its table, section 3.1, L223-245",
    METHODS,
    SIMULATIONS,
    {"inner_gap": "inner gap", "outer_gap": "|outer gap|"},
    SIZES,
    "Validation loss over the minimizers of the training loss in an l1 ball, 1068 rows and 730 features as in the"
    " paper, generated (the paper: Wikipedia Math Essential), split 641 / 214 / 213; radius 10 and split are not "
    "printed. The optimal values are exact by construction. S = q = 25, the root of the larger part.",
)
