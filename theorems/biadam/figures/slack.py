"""Where the bound is lost: Theorems 1 and 3."""

from workbench.report.drawing import waterfall

from ..experiments.slack import WATERFALLS
from ..theory.paper import PAPER

FIGURE = waterfall.figure(
    PAPER.entry("fig-slack"),
    "Where the bounds of Theorems 1 and 3 are lost",
    WATERFALLS,
    "BiAdam on TRIG with the upper problem that is not convex; all parameters at the limits of the repaired "
    "conditions.",
)
