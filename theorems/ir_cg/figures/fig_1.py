"""Figure 1 of the paper: over-parameterized regression."""

from ..experiments.fig_1 import COMPETITION, PRINTED, SIZES
from .competition import figure

STATED = (
    "The paper's text (L231): IR-SCG and IR-FSCG outperform SBCGI and SBCGF, whose inner gap grows with time; "
    "aR-IP-SeG and SDBGD make no significant progress on the outer level."
)
FIGURE = figure(
    COMPETITION,
    "Over-parameterized regression",
    "Figure 1 and its table, section 3.1, L223-245",
    {"inner_gap": "inner gap", "outer_gap": "|outer gap|"},
    SIZES,
    "Validation loss over the minimizers of the training loss in an l1 ball. The data are generated (the paper: "
    "Wikipedia Math Essential): 1068 rows and 730 features as in the paper, split 641 / 214 / 213; radius 10 and split "
    "are not printed. The optimal values are exact by construction. S = q = 25, the root of 641 rounded down. "
    + STATED,
    "Validation loss over the minimizers of the training loss in an l1 ball on Wikipedia Math Essential, the paper's "
    "own set: 1068 pages, their visits on 730 days as features and on the next day as label, standardized, split "
    "641 / 214 / 213 after a shuffle; radius 10, split and the choice of the label are not printed. G_opt by "
    "accelerated projected gradients, duality gap below 1e-6 or after 20000 steps; F_opt is not known, so F itself is "
    "drawn. S = q = 25, the root of 641 rounded down. " + STATED,
    ordering=lambda panels, results: panels.ordering(
        results, "ir-fscg", PRINTED, "the data are generated, and so is their split", grow=("sbcgi", "sbcgf")
    ),
)
