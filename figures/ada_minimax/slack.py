"""Where the bound is lost: Theorem 4.1."""

from figures import waterfall
from workbench.experiments.ada_minimax.slack import WATERFALLS

FIGURE = waterfall.figure(
    "ada_minimax/fig-slack",
    "Where the bound of Theorem 4.1 is lost",
    WATERFALLS,
    "Ada-Minimax on I2, eta = alpha = gamma = 1, plus-minus noise of size 1 on both gradients, and without noise.",
)
