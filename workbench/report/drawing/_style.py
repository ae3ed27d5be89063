"""One look for all figures: widths, fonts, palette, saving to PDF, PNG and a text file."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure as MplFigure
from matplotlib.rcsetup import cycler

from workbench.homes import disk
from workbench.homes.visible_text import visible

# Indices into the colour cycle.
BLACK = "black"
BLUE, ORANGE, GREEN, RED, PURPLE, SKY = "C0", "C1", "C2", "C3", "C4", "C9"

# Seaborn 0.13's style "ticks", and its colour-blind palette, darker where a line had a contrast below 3 on white. Both
# are written out, since it takes a second to load.
PALETTE = (
    "#0173b2", "#b87304", "#02805d", "#d55e00", "#b5579f", "#8a5a30", "#c2479b", "#6f6f6f", "#8c8415", "#2a88c4",
)  # fmt: skip
TICKS: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": ".15",
    "axes.labelcolor": ".15",
    "grid.color": ".8",
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    "text.color": ".15",
    "xtick.color": ".15",
    "ytick.color": ".15",
}
STYLE: Any = {
    **TICKS,
    "axes.prop_cycle": cycler(color=PALETTE),
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "figure.constrained_layout.use": True,
    "font.sans-serif": ["DejaVu Sans"],  # ships with matplotlib: identical pictures on every machine
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "legend.fontsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "axes.grid": True,
    "grid.alpha": 0.5,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "workbench",  # names inside a file: identical files when drawn again
}

NO_LOOK = ("backend", "backend_fallback", "interactive")  # settings of Matplotlib that no picture shows
TEXT_WIDTH = 6.75  # inches, two columns of a conference page
TEXT_COLUMNS = 100  # line width of caption files, in characters


@contextmanager
def style() -> Iterator[None]:
    """The style: matplotlib's defaults, seaborn's ticks theme and colour-blind palette, and the sizes above.

    A user's own settings (``matplotlibrc``) change no picture.
    """
    with mpl.rc_context():  # as `rcdefaults`, which first reads every style sheet there is
        mpl.rcParams.update({k: v for k, v in mpl.rcParamsDefault.items() if k not in NO_LOOK})
        mpl.rcParams.update(STYLE)
        yield


# Metadata that hold the caption, and those that would hold a date or a version.
METADATA = {
    "pdf": ("Subject", ("CreationDate", "ModDate")),
    "png": ("Description", ("Software",)),
    "svg": ("Description", ("Date", "Creator")),
}


def save(
    figure: MplFigure,
    folder: Path,
    name: str,
    caption: str,
    endings: tuple[str, ...] = ("pdf", "png"),
    below: str = "",
) -> list[Path]:
    """Writes ``name`` in each format, with the caption in its metadata, and the caption as ``name``.txt.

    below: text that follows the caption in that file, such as the lines of a table. endings: of the formats, keys of
    `METADATA`. Dates are omitted, so that redrawing a figure gives identical files. Returns the paths, that of the
    caption last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    caption = visible(caption)
    paths = [folder / f"{name}.{ending}" for ending in (*endings, "txt")]
    for ending, path in zip(endings, paths, strict=False):
        caption_field, left_out = METADATA[ending]
        picture = io.BytesIO()  # a full disk must not leave half a picture
        figure.savefig(picture, format=ending, metadata={caption_field: caption, **dict.fromkeys(left_out)})
        disk.replace(path, picture.getvalue())
        figure.set_layout_engine("none")  # further formats reuse the layout, which is slow to compute
    text = textwrap.fill(caption, TEXT_COLUMNS, break_on_hyphens=False) + "\n"
    disk.replace(paths[-1], f"{text}\n{visible(below)}\n".encode() if below else text.encode())
    return paths
