"""Draws chosen figures from results and saves them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import matplotlib

from figures._style import save, style
from figures.figure import Figure
from workbench.records import Result


def draw_all(figures: Iterable[Figure], results: Mapping[str, Result], folder: Path) -> Iterator[Path]:
    """Writes ``<paper>-<figure>.pdf`` and ``.png`` for each figure; yields the paths as they are written."""
    matplotlib.use("Agg")  # files only: no window system is needed
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it remarks on the missing dates that we ask for
    import matplotlib.pyplot as plt

    for figure in figures:
        with style():
            drawn = figure.draw({key: results[key] for key in figure.needs})
            yield from save(drawn, folder, figure.key.replace("/", "-"), figure.caption)
            plt.close(drawn)
