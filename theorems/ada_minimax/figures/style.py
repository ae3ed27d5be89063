"""Colour and dash of each method in the figures of this paper."""

from workbench.drawing import BLUE, GREEN, ORANGE, PURPLE, RED, SKY

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
