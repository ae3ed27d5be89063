"""Are the constants of the witnesses right? One claim for each theorem, on the instance that shows its rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theorems.ir_cg.absolute import THEOREM as ABSOLUTE
from workbench.experiments.constants import Constants
from workbench.experiments.ir_cg import choices
from workbench.instances.ir_cg.least_norm import hadamard_least_norm
from workbench.instances.ir_cg.nonconvex import SaddleComponents, SaddleOuter
from workbench.instances.ir_cg.witness import Exponential, HuberCosh, SpreadComponents

COORDINATE = 0.2  # of the start, the same in all: a point inside every set
NOISE = 0.05
WITNESSES: tuple[tuple[str, Callable[[], Any], int, tuple[Any, ...]], ...] = (
    ("HC", HuberCosh, 2, (choices.OUTER_1, choices.THEOREM_3)),
    ("EXP", partial(Exponential, b=NOISE), 1, (choices.INNER_1, choices.INNER_2)),
    ("FS-EXP", partial(SpreadComponents, n=choices.Q**2), 2, (choices.OUTER_2,)),
    ("LS", hadamard_least_norm, 8, (choices.THEOREM_4, ABSOLUTE)),
    ("NC", SaddleOuter, 3, (choices.OUTER_5, choices.INNER_5, choices.OUTER_OWN, choices.INNER_OWN)),
    (
        "NC, finite sum",
        partial(SaddleComponents, n=choices.Q**2),
        3,
        (choices.OUTER_6, choices.INNER_6, choices.OUTER_OWN_FS, choices.INNER_OWN_FS),
    ),
)

CLAIMS = tuple(
    Constants(theorem, name, make, {"x": np.full((1, d), COORDINATE)})
    for name, make, d, theorems in WITNESSES
    for theorem in theorems
)
