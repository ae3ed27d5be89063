"""Where the bound is lost: Theorem 1, inner level."""

from workbench.report.drawing import waterfall

from ..experiments.slack import WATERFALLS
from ..theory.paper import PAPER

FIGURE = waterfall.figure(
    PAPER.entry("fig-slack"),
    "Where the bound of Theorem 1, inner level is lost",
    WATERFALLS,
    "IR-SCG on EXP, p = 1/4, varsigma = 1.",
)
