"""Colour and dash of each method in the figures of this paper."""

from figures._style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, SKY

METHODS: dict[str, dict] = {
    "F2OBO": {"color": BLUE, "linestyle": "-"},
    "F2OBO-SL": {"color": SKY, "linestyle": "--"},
    "AF2OBO": {"color": RED, "linestyle": "-."},
    "SF2OBO": {"color": BLUE, "linestyle": "-"},
    "SOBOW": {"color": GREEN, "linestyle": ":"},
    "OBBO": {"color": ORANGE, "linestyle": (0, (5, 1))},
    "FSOBO": {"color": PURPLE, "linestyle": (0, (1, 1))},
    "AOBO": {"color": "C5", "linestyle": (0, (3, 1, 1, 1))},
    "OGD": {"color": BLACK, "linestyle": (0, (1, 3))},
    "SOBBO": {"color": ORANGE, "linestyle": "--"},
    "SOGD": {"color": GREEN, "linestyle": "-."},
}
