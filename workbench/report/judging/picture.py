"""The picture of a judgement: curves with their band, the local slope against the claim, the verdict in the title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench.evidence import rates
from workbench.report.drawing import _style, log_ticks
from workbench.report.drawing.panels import band
from workbench.report.judging.claim_text import ClaimText
from workbench.report.judging.table import Curves


@dataclass(frozen=True)
class Panel:
    """What is drawn of one panel. window: first and last mark that were read, None where all were."""

    curves: Curves
    claim: ClaimText
    verdict: str
    name: str
    window: tuple[float, float] | None


BANDED = 8  # runs from which on a band stands for them
MOST = 8  # groups that are told apart by colour


def draw(panels: Sequence[Panel], ax: Axes | None = None, at: str = "", value: str = "value") -> Figure:
    """One colour a group. ax: draws the curves alone, on this axis. at, value: names for the axes."""
    first = panels[:MOST]
    with _style.style():
        if ax is not None:
            _draw_curves(ax, first, at, value)
            return cast(Figure, ax.get_figure(root=True))
        power = first[0].claim.relation in ("exactly", "or faster")
        # Margins that suffice for these labels: finding the smallest ones takes longer than drawing all else.
        figure = Figure(figsize=(_style.TEXT_WIDTH, 3.0 if power else 3.2), layout="none")  # type: ignore[arg-type]
        figure.subplots_adjust(left=0.125, right=0.985, bottom=0.17, top=0.9, wspace=0.4)
        axes = figure.subplots(1, 2 if power else 1, squeeze=False)[0]
        _draw_curves(axes[0], first, at, value)
        if power:
            _draw_slopes(axes[1], first, at)
        for each in axes:
            log_ticks.set_ticks(each)
    return figure


def _draw_curves(ax: Axes, panels: Sequence[Panel], at: str, value: str) -> None:
    for n, panel in enumerate(panels):
        _curves(ax, panel, f"C{n}")
    ax.set(xlabel=at or panels[0].claim.variable, ylabel=value)
    ax.legend(frameon=False)
    ax.set_title(_title(panels), loc="left", y=1.0)  # a fixed place: no label has to be measured for it


def _draw_slopes(ax: Axes, panels: Sequence[Panel], at: str) -> None:
    for n, panel in enumerate(panels):
        _slopes(ax, panel, f"C{n}")
    claimed = panels[0].claim.exponent
    variable = at or panels[0].claim.variable
    ax.axhline(claimed, color="black", linestyle=":", label=f"claimed {claimed:.4g}")
    if panels[0].window is not None:
        low, high = panels[0].window
        ax.axvspan(
            np.sqrt(low * high), high, color="black", alpha=0.05, linewidth=0, label="read for the verdict"
        )
    ax.set(
        xscale="log", xlabel=variable, ylabel=f"local slope, {variable}/2 to 2 {variable},\nwith 99 % band"
    )
    ax.legend(frameon=False)


def save(figure: Figure, path: Path) -> None:
    """Writes PNG, PDF or SVG, by the ending. Raises ValueError for another one, OSError where it cannot be written."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in _style.METADATA:
        raise ValueError(f"a picture is written as PNG, PDF or SVG, not as {path.name!r}")
    with _style.style():
        figure.savefig(path, format=ending)


def _title(panels: Sequence[Panel]) -> str:
    if len(panels) == 1:
        return f"{panels[0].claim.words(panels[0].name)}: {panels[0].verdict}"
    return panels[0].claim.words(panels[0].name)


def _curves(ax: Axes, panel: Panel, colour: str) -> None:
    curves, claim = panel.curves, panel.claim
    values = curves.values[np.isfinite(curves.values).all(1)]
    label = f"{curves.name}: {panel.verdict}" if curves.name else "mean over runs"
    if not len(values):
        return
    positive = np.where(values > 0, values, np.nan)
    if len(values) >= BANDED and np.isfinite(positive).all():
        band(ax, curves.marks, values, label=label, color=colour, middle="mean")
    else:
        ax.loglog(curves.marks, positive.T, color=colour, alpha=0.3, linewidth=0.7)
        ax.loglog(curves.marks, values.mean(0), color=colour, label=label)
    ax.set(xscale="linear" if claim.is_linear else "log", yscale="log")
    if claim.relation in ("bound", "level"):
        ax.plot(
            curves.marks,
            claim.formula.values(curves.marks),
            color="black",
            linestyle="--",
            label=claim.relation,
        )
        return
    tail = curves.marks >= np.sqrt(max(curves.marks[0], curves.marks[-1] / rates.SPAN) * curves.marks[-1])
    with np.errstate(under="ignore"):
        law = claim.formula.values(curves.marks[tail])
    end = values.mean(0)[-1]
    if tail.any() and end > 0 and np.isfinite(law).all() and law[-1] > 0:
        ax.plot(curves.marks[tail], 1.25 * end * law / law[-1], color=colour, linestyle=":")


def _slopes(ax: Axes, panel: Panel, colour: str) -> None:
    curves = panel.curves
    values = curves.values[np.isfinite(curves.values).all(1)]
    if not len(values):
        return
    try:
        at, slopes = rates.local_slopes(
            rates.without_logs(values, curves.marks, panel.claim.log_power), curves.marks
        )
    except ValueError:  # too few marks, as in `NotEnough`, or a logarithm of marks up to 1
        return
    middle = np.array([s.value for s in slopes])
    spread = np.array([s.interval(0.01) for s in slopes])
    ax.plot(at, middle, color=colour)
    if np.isfinite(spread).all():
        ax.fill_between(at, spread[:, 0], spread[:, 1], color=colour, alpha=0.2, linewidth=0)
