"""Figure 2 of the paper: minimal-norm logistic regression."""

from ..experiments.fig_2 import COMPETITION, PRINTED, SIZES
from .competition import figure

STATED = (
    "The paper's text (L260): within its time limit no competitor makes meaningful progress, and its own methods, "
    "IR-SCG above all, are strong on both levels."
)
FIGURE = figure(
    COMPETITION,
    "Minimal-norm logistic regression",
    "Figure 2 and its table, section 3.2, L247-274",
    {"inner_gap": "inner gap", "outer_gap": "|outer gap|"},
    SIZES,
    "Half the squared norm over the minimizers of the logistic loss in the l1 ball of radius 20, n = 2000, d = "
    "500, on data of the generator of Madelon (the paper: Madelon itself), standardized and doubled so that the "
    "minimizers lie inside the ball. The outer gradient is exact and costs no oracle call (L259). Optimal values by "
    "Newton's method on the row space, duality gap below 1e-12. The outer gap can be negative; its absolute value dips "
    "where it changes sign. " + STATED,
    "Half the squared norm over the minimizers of the logistic loss in the l1 ball of radius 20 on Madelon, the "
    "paper's own set: its first 2000 rows, d = 500, standardized. The outer gradient is exact and costs no oracle call "
    "(L259). G_opt by accelerated projected gradients, duality gap below 1e-6 or after 20000 steps; F_opt is not "
    "known, so F itself is drawn. " + STATED,
    ordering=lambda panels, results: panels.ordering(
        results, "ir-scg", PRINTED, "the data are generated, with an optimum inside the ball"
    ),
)
