"""Colour and dash of each method in the figures of this paper, by the name of its simulation."""

from workbench.drawing import BLUE, GREEN, ORANGE, PURPLE, RED, SKY

METHODS: dict[str, dict] = {
    "ir-scg": {"color": BLUE, "linestyle": "-"},
    "ir-fscg": {"color": RED, "linestyle": "-"},
    "sbcgi": {"color": GREEN, "linestyle": "--"},
    "sbcgf": {"color": ORANGE, "linestyle": "--"},
    "seg-short": {"color": PURPLE, "linestyle": ":"},
    "seg-long": {"color": PURPLE, "linestyle": "-."},
    "sdbgd-short": {"color": SKY, "linestyle": ":"},
    "sdbgd-long": {"color": SKY, "linestyle": "-."},
}
