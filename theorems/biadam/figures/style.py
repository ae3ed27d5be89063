"""Colour and dash of each method in the figures of this paper, by the name of its simulation, and their axes."""

from collections.abc import Callable

import numpy as np

from workbench import Result
from workbench.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, SKY, comparison

from ..experiments.compared import calls_of

DOTS, DASHES, MIXED = (0, (1, 1)), (0, (4, 1.5)), (0, (4, 1, 1, 1))
METHODS: dict[str, dict] = {
    "biadam": {"color": BLUE, "linestyle": "-", "linewidth": 1.8},
    "vr-biadam": {"color": RED, "linestyle": "-", "linewidth": 1.8},
    "biadam-literal": {"color": BLUE, "linestyle": DOTS},
    "reverse": {"color": BLACK, "linestyle": DOTS},
    "aid-fp": {"color": "C7", "linestyle": DASHES},
    "aid-cg": {"color": "C7", "linestyle": MIXED},
    "stocbio": {"color": GREEN, "linestyle": DASHES},
    "mrbo": {"color": PURPLE, "linestyle": DASHES},
    "vrbo": {"color": ORANGE, "linestyle": DASHES},
    "sustain": {"color": SKY, "linestyle": DASHES},
    "fsla": {"color": "C5", "linestyle": MIXED},
    "smb": {"color": "C6", "linestyle": MIXED},
}
AXES: dict[str, Callable[[Result], np.ndarray]] = {
    "oracle calls": calls_of,
    "time of one run (s)": comparison.seconds,
    "iterations": lambda result: result.marks.astype(float),
}
