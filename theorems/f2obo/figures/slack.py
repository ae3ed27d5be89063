"""Where the bound is lost: Theorem 3.1."""

from workbench.report.drawing import waterfall

from ..experiments.slack import WATERFALLS
from ..theory.paper import PAPER

FIGURE = waterfall.figure(
    PAPER.entry("fig-slack"),
    "Where the bound of Theorem 3.1 is lost",
    WATERFALLS,
    "F2OBO where the tilt, the inner solution and the value all move; every parameter of the repaired form.",
)
