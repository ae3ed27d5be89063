"""Where the bound is lost: Theorem 4.1."""

from workbench.report.drawing import waterfall

from ..experiments.slack import WATERFALLS
from ..theory.paper import PAPER

FIGURE = waterfall.figure(
    PAPER.entry("fig-slack"),
    "Where the bound of Theorem 4.1 is lost",
    WATERFALLS,
    "Ada-Minimax on I2, eta = alpha = gamma = 1, plus-minus noise of size 1 on both gradients, and without noise.",
)
