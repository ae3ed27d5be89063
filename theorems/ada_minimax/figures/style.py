"""Colour and dash of each method in the figures of this paper, and how they show an AUC."""

from dataclasses import replace

import numpy as np

from workbench.drawing import BLUE, GREEN, ORANGE, PURPLE, RED, SKY, Curve

METHODS: dict[str, dict] = {
    "Ada-Minimax": {"color": BLUE, "linestyle": "-"},
    "Ada-BiO": {"color": BLUE, "linestyle": "-"},
    "TiAda": {"color": RED, "linestyle": "--"},
    "TiAda (norm)": {"color": ORANGE, "linestyle": (0, (1, 1))},
    "SGDA": {"color": GREEN, "linestyle": "-."},
    "PDSM": {"color": PURPLE, "linestyle": (0, (4, 1, 1, 1, 1, 1))},
    "TFBO": {"color": RED, "linestyle": "--"},
}
# The second settings of Ada-BiO and of TFBO in Figure 4.
FAST = {"color": SKY, "linestyle": "-."}
RECIPROCALS = {"color": ORANGE, "linestyle": ":"}
LEAST = 1e-4  # an AUC of 1 has no logarithm


def missing(auc: Curve) -> Curve:
    """What an AUC lacks of 1: on a logarithmic axis it tells methods apart that are nearly perfect."""
    return replace(auc, values=np.maximum(1.0 - auc.values, LEAST))
