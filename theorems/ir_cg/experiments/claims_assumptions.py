"""Are the constants of the witnesses correct? One claim for each theorem, on the instance that attains its rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from workbench.claims import Constants

from ..problems.least_norm import hadamard_least_norm
from ..problems.nonconvex import Linear, SaddleComponents, SaddleOuter
from ..problems.witness import Exponential, HuberCosh, SpreadComponents
from ..theory.absolute import THEOREM as ABSOLUTE
from . import study

COORDINATE = 0.2  # every coordinate of the start, which lies in every set
NOISE = 0.05
WITNESSES: tuple[tuple[str, Callable[[], Any], int, tuple[Any, ...]], ...] = (
    ("HC", HuberCosh, 2, (study.OUTER_1, study.THEOREM_3)),
    ("EXP", partial(Exponential, b=NOISE), 1, (study.INNER_1, study.INNER_2)),
    ("FS-EXP", partial(SpreadComponents, n=study.Q**2), 2, (study.OUTER_2,)),
    ("LS", hadamard_least_norm, 8, (study.THEOREM_4, ABSOLUTE)),
    ("NC", SaddleOuter, 3, (study.OUTER_5, study.INNER_5, study.OUTER_OWN, study.INNER_OWN)),
    (
        "NC, finite sum",
        partial(SaddleComponents, n=study.Q**2),
        3,
        (study.OUTER_6, study.INNER_6, study.OUTER_OWN_FS, study.INNER_OWN_FS),
    ),
    ("LIN", Linear, 2, (study.OUTER_6, study.INNER_6)),
)

CLAIMS = tuple(
    Constants(theorem, name, make, {"x": np.full((1, d), COORDINATE)})
    for name, make, d, theorems in WITNESSES
    for theorem in theorems
)
