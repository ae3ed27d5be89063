"""Where the bound is lost: Theorem 3.1."""

from figures import waterfall
from workbench.experiments.f2obo.slack import WATERFALLS

FIGURE = waterfall.figure(
    "f2obo/fig-slack",
    "Where the bound of Theorem 3.1 is lost",
    WATERFALLS,
    "F2OBO where the tilt, the inner solution and the value all move; every parameter of the repaired form.",
)
