"""Where the bound is lost: Theorem 1."""

from workbench.report.drawing import waterfall

from ..experiments.slack import WATERFALLS
from ..theory.paper import PAPER

FIGURE = waterfall.figure(
    PAPER.entry("fig-slack"),
    "Where the bound of Theorem 1 is lost",
    WATERFALLS,
    "SVRB on one quadratic task with little noise; largest tau and gamma, least c_0, c = 1.",
)
