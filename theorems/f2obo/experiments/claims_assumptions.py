"""Are the instances' constants right?"""

from __future__ import annotations

import numpy as np

from workbench.claims import Constants

from ..problems.bent import BentSine
from ..problems.example import Example
from ..problems.sine import Bias, Drift, Jumps, Oscillation, Ripple
from ..problems.vector import VectorSine
from ..theory.theorem_5_1 import THEOREMS
from .stochastic_runs import FAR, SIGMA
from .study import THEOREM_3_1, THEOREM_3_2, THEOREM_4_1

START = {"x": np.array([[0.5]]), "y": np.array([[-0.4]]), "z": np.array([[1.0]])}
IN_R3 = {name: np.array([[0.5, -0.3, 0.1]]) * scale for name, scale in (("x", 1.0), ("y", -0.8), ("z", 2.0))}

CLAIMS = (
    Constants(THEOREM_3_1, "A", Bias, START),
    Constants(THEOREM_3_1, "B", Ripple, START),
    Constants(THEOREM_3_2, "C", Drift, START),
    Constants(THEOREM_3_2, "E", Jumps, START),
    Constants(THEOREM_4_1, "D", Oscillation, START),
    Constants(THEOREM_4_1, "the example of section 4.2", Example, START),
    Constants(THEOREM_3_1, "A and C in R^3", lambda: VectorSine(p=0.2, h=0.1), IN_R3),
    Constants(THEOREM_3_1, "A and C in R^3 with L_g2 > 0", lambda: BentSine(p=0.2, h=0.1), IN_R3),
    *(Constants(t, "A with noise", lambda: Bias(sigma=SIGMA, omega=FAR), START) for t in THEOREMS),
)
