"""Where the bound is lost: Theorem 1."""

from figures import waterfall
from workbench.experiments.rsvrb.slack import WATERFALLS

FIGURE = waterfall.figure(
    "rsvrb/fig-slack",
    "Where the bound of Theorem 1 is lost",
    WATERFALLS,
    "SVRB on one quadratic task with little noise; largest tau and gamma, least c_0, c = 1.",
)
