"""Are the instances' constants right?"""

from __future__ import annotations

import numpy as np

from theorems.f2obo.theorem_5_1 import THEOREMS
from workbench.experiments.constants import Constants
from workbench.experiments.f2obo.stochastic_runs import FAR, SIGMA
from workbench.experiments.f2obo.study import THEOREM_3_1, THEOREM_3_2, THEOREM_4_1
from workbench.instances.f2obo.example import Example
from workbench.instances.f2obo.sine import Bias, Drift, Jumps, Oscillation, Ripple

START = {"x": np.array([[0.5]]), "y": np.array([[-0.4]]), "z": np.array([[1.0]])}

CLAIMS = (
    Constants(THEOREM_3_1, "A", Bias, START),
    Constants(THEOREM_3_1, "B", Ripple, START),
    Constants(THEOREM_3_2, "C", Drift, START),
    Constants(THEOREM_3_2, "E", Jumps, START),
    Constants(THEOREM_4_1, "D", Oscillation, START),
    Constants(THEOREM_4_1, "the example of section 4.2", Example, START),
    *(Constants(t, "A with noise", lambda: Bias(sigma=SIGMA, omega=FAR), START) for t in THEOREMS),
)
