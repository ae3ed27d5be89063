"""Where the bound is lost: Theorems 1 and 3."""

from figures import waterfall
from workbench.experiments.biadam.slack import WATERFALLS

FIGURE = waterfall.figure(
    "biadam/fig-slack",
    "Where the bounds of Theorems 1 and 3 are lost",
    WATERFALLS,
    "BiAdam on TRIG with the upper problem that is not convex; all parameters at the limits of the repaired "
    "conditions.",
)
