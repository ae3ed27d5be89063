"""One look for all figures: widths, fonts, one colour and dash per method, saving to PDF and PNG."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure as MplFigure

# Okabe-Ito palette: distinguishable with the common forms of colour blindness.
BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip

METHODS: dict[str, dict] = {
    "Ada-NSGDM": {"color": BLUE, "linestyle": "-"},
    "Ada-Minimax": {"color": BLUE, "linestyle": "-"},
    "Ada-BiO": {"color": BLUE, "linestyle": "-"},
    "TiAda": {"color": RED, "linestyle": "--"},
    "TiAda (norm)": {"color": ORANGE, "linestyle": (0, (1, 1))},
    "SGDA": {"color": GREEN, "linestyle": "-."},
    "PDSM": {"color": PURPLE, "linestyle": (0, (4, 1, 1, 1, 1, 1))},
    "TFBO": {"color": RED, "linestyle": "--"},
    "NSGDM (known noise)": {"color": ORANGE, "linestyle": ":"},
}

STYLE = {
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "legend.fontsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "pdf.fonttype": 42,
}

TEXT_WIDTH = 6.75  # inches, two columns of a conference page


def style() -> AbstractContextManager[None]:
    """Context manager with the house style."""
    return mpl.rc_context(STYLE)  # type: ignore[arg-type]  # the stubs want literal keys


def save(figure: MplFigure, folder: Path, name: str, caption: str) -> list[Path]:
    """Writes ``name``.pdf and ``name``.png with the caption in the metadata; dates are left out, so a redrawn

    figure is the same file. Returns the two paths.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.pdf", folder / f"{name}.png"]
    figure.savefig(paths[0], metadata={"Subject": caption, "CreationDate": None, "ModDate": None})
    figure.savefig(paths[1], metadata={"Description": caption, "Software": None})
    return paths
