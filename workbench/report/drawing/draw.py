"""Draws chosen figures from results and saves them."""

from __future__ import annotations

import logging
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as MplFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import (
    FixedLocator,
    LogFormatter,
    LogFormatterSciNotation,
    MaxNLocator,
    NullFormatter,
    StrMethodFormatter,
)

from workbench.engine.records import Result
from workbench.homes import disk
from workbench.homes.keys import Key
from workbench.report.drawing import curve_files
from workbench.report.drawing._style import TEXT_COLUMNS, TEXT_WIDTH, save, style
from workbench.report.drawing.figure import Figure
from workbench.report.drawing.formulas import mathtext
from workbench.report.drawing.panels import FAILED

CURVES = "csv"
TITLE_COLUMNS, LINE = (
    95,
    0.16,
)  # characters of a line above panels of a page's width, and its height in inches
SMALLEST = 7.0  # points of a letter


def draw_all(
    figures: Iterable[Figure],
    results: Mapping[str, Result],
    folder: Path,
    endings: tuple[str, ...] = ("pdf", "png"),
) -> Iterator[Path]:
    """Writes ``<paper>-<figure>`` in each format, and ``.txt`` (its caption); yields the paths as they are written.

    The ending `CURVES` stands for the curves as a table, of figures that have any.
    """
    matplotlib.use("Agg")  # files only: no window system is needed
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it warns about the missing dates that we request

    for figure in figures:
        with style():
            picture = draw_one(figure, results)
            name = figure.key.replace("/", "-")
            below = below_caption(figure, results)
            formats = tuple(ending for ending in endings if ending != CURVES)
            paths = save(picture, folder, name, figure.caption_of(results), formats, below)
            if CURVES in endings and figure.has_curves:
                disk.replace(folder / f"{name}.{CURVES}", curve_files.table(picture).encode())
                paths.append(folder / f"{name}.{CURVES}")
            if pyplot := sys.modules.get("matplotlib.pyplot"):  # which keeps the pictures that it has made
                pyplot.close(picture)
        yield from paths


def below_caption(figure: Figure, results: Mapping[str, Result]) -> str:
    """What stands below the caption in its file: the table that is drawn, if any, and the settings."""
    table = figure.table_of(results)
    settings = textwrap.fill(figure.settings_of(results), TEXT_COLUMNS, break_on_hyphens=False)
    return "\n\n".join(filter(None, (table.lines() if table else "", settings)))


def draw_one(figure: Figure, results: Mapping[str, Result]) -> MplFigure:
    picture = figure.picture(results)
    _name(picture, figure, results)
    _show_failures(picture)
    _space_labels(picture)
    for text in picture.findobj(Text):
        text.set_fontsize(max(text.get_fontsize(), SMALLEST))
    return picture


def _name(picture: MplFigure, figure: Figure, results: Mapping[str, Result]) -> None:
    """Writes paper, title and outcome above panels and legends, so that a picture says by itself what it shows.

    The picture grows by the height of these lines.
    """
    if picture.get_suptitle():
        return
    order = figure.order(results)
    words = f"the paper's order of the methods: {order.outcome}." if order else figure.result(results)
    width, height = picture.get_size_inches()
    columns = round(TITLE_COLUMNS * width / TEXT_WIDTH)
    lines = [f"{Key.of(figure.key).paper}, {figure.title}", *textwrap.wrap(words, columns)]
    below = height / (height + LINE * (len(lines) + 0.5))
    picture.set_size_inches(width, height / below)
    title = picture.suptitle(
        "\n".join(map(mathtext, lines)), x=0.01, y=1 - 0.02 / height, ha="left", fontsize=9
    )
    title.set_in_layout(False)  # the space for it is left free below
    is_laid_out = isinstance(engine := picture.get_layout_engine(), ConstrainedLayoutEngine)
    above = [x for x in picture.legends if not is_laid_out or x._outside_loc == "upper"]  # type: ignore[attr-defined]
    for legend in above:  # a legend with an anchor of its own has no room in the layout
        legend.set_bbox_to_anchor((0, 0, 1, below), transform=picture.transFigure)
    renderer = FigureCanvasAgg(picture).get_renderer()
    lowest = min((x.get_window_extent(renderer).y0 for x in above), default=below * picture.bbox.height)
    if isinstance(engine, ConstrainedLayoutEngine):
        x0, y0, w, h = engine.get()["rect"]
        top = min((y0 + h) * below, lowest / picture.bbox.height)
        engine.set(rect=(x0, y0 * below, w, top - y0 * below))
    for ax in picture.axes:
        if not is_laid_out or ax.get_subplotspec() is None:  # at a fixed place
            x0, y0, w, h = ax.get_position().bounds
            ax.set_position((x0, y0 * below, w, h * below))


def _space_labels(picture: MplFigure) -> None:
    """Labels a logarithmic horizontal axis of less than two decades at 2 and 5 only, where all labels would overlap."""
    for ax in picture.axes:
        if ax.get_xscale() != "log" or not isinstance(ax.xaxis.get_minor_formatter(), LogFormatter):
            continue
        low, high = sorted(ax.get_xlim())
        powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
        decades, between = (np.outer(powers, by).ravel() for by in ((1.0,), (2.0, 5.0)))
        visible = [[t for t in ticks if low <= t <= high] for ticks in (decades, between)]
        if len(visible[0]) >= 2:
            ax.xaxis.set_minor_formatter(NullFormatter())
        elif len(visible[0]) + len(visible[1]) >= 2:
            ax.xaxis.set_minor_locator(FixedLocator(visible[1]))
            ax.xaxis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(np.inf, np.inf)))
        else:
            ax.xaxis.set_minor_locator(FixedLocator(MaxNLocator(2).tick_values(low, high)))
            ax.xaxis.set_minor_formatter(StrMethodFormatter("{x:g}"))


def _show_failures(picture: MplFigure) -> None:
    """Writes numbers of failed runs into panels whose curves are not in a legend (panels may share the first one's)."""
    in_legend = {text.get_text() for legend in picture.findobj(Legend) for text in legend.get_texts()}
    for ax in picture.axes:
        missing = [
            label for label in ax.get_legend_handles_labels()[1] if FAILED in label and label not in in_legend
        ]
        # Above the panel, so that it never covers data.
        ax.text(1.0, 1.01, "\n".join(missing), fontsize=7, ha="right", va="bottom", transform=ax.transAxes)
