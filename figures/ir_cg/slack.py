"""Where the bound is lost: Theorem 1, inner level."""

from figures import waterfall
from workbench.experiments.ir_cg.slack import WATERFALLS

FIGURE = waterfall.figure(
    "ir_cg/fig-slack",
    "Where the bound of Theorem 1, inner level is lost",
    WATERFALLS,
    "IR-SCG on EXP, p = 1/4, varsigma = 1.",
)
