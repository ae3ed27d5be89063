"""Figure 3 of the paper: dictionary learning, a non-convex outer level."""

from ..experiments.fig_3 import COMPETITION, PRINTED, SIZES
from .competition import figure

FIGURE = figure(
    COMPETITION,
    "Dictionary learning",
    "Figure 3 and its table, appendix B.3, L1266-1303",
    {"last_inner_gap": "inner gap", "outer_value": "outer value F"},
    SIZES,
    "New atoms and codes for 250 new data of length 25 (not printed), 40 old and 50 new atoms, codes of l1 norm "
    "at most 3; the old data are exactly representable, so that the inner optimal value is 0. Generated data (the"
    " paper: those of Cao et al.). The last iterate is drawn, as in the paper. The paper's text "
    "(L1289): both methods of the paper outperform the others, and IR-FSCG has the lowest outer value.",
    ordering=lambda panels, results: panels.ordering(
        results,
        "ir-fscg",
        PRINTED,
        "the data are generated, and sizes and parameters are not printed",
        outer=True,
    ),
)
