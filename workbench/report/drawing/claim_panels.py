"""A figure of what a theorem claims, as data: a panel each for curves with their slopes, and for bounds above runs.

    FIGURE = panel_row(
        "my_paper/fig-thm-1", "Theorem 1", "SGD on a quadratic.",
        Slopes("attained", CURVES, ylabel="mean over $(T/2, T]$"), Bounds("under the bound", [BOUND], {"SGD": {}}),
    )

What is read, its window and its claimed slope come from the claims, as in their verdicts (`readings`). Each panel also
says in the caption what it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from workbench.claims.claims import Bound
from workbench.claims.readings import Level, Reading
from workbench.report.drawing import facts, readings
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.panels import finite_runs, legend_below, mean_curve, widths_of_legends


@dataclass(frozen=True)
class Slopes:
    """Readings with their claimed slopes, and levels.

    labels: of the legend, one for each reading; by default its grid point. words: the same in the caption, by default
    the labels without TeX's signs. levels: label -> level, drawn thin; the caption says how far the mean is from it.
    of: "claimed", or "predicted" of methods that are wrong on purpose. look: of `readings.panel`, as ``middle`` and
    ``first``.
    """

    title: str
    curves: Sequence[Reading]
    labels: Sequence[str] | None = None
    ylabel: str = ""
    words: Sequence[str] | None = None
    levels: Mapping[str, Level] = field(default_factory=dict)
    xlabel: str = "horizon $T$"
    of: str = "claimed"
    look: Mapping[str, Any] = field(default_factory=dict)

    @property
    def needs(self) -> Sequence[str]:
        return [r.sim.key for r in self.curves]

    def draw(self, ax: Axes, results: Results) -> None:
        readings.panel(ax, results, self.curves, self.labels, **self.look)
        for label, level in self.levels.items():
            draw_level(ax, results, level, label)
        ax.set(xlabel=self.xlabel, ylabel=self.ylabel)

    def summary(self, results: Results) -> str:
        slopes = readings.said_slopes(results, self.curves, self.words or self.labels, self.of)
        ends = ", ".join(mean_at_end(results, r) for r in self.curves)
        ratios = ", ".join(over_level(results, level) for level in self.levels.values())
        return f"slopes {slopes}; mean at the end {ends}" + (f", over the level {ratios}" if ratios else "")


@dataclass(frozen=True)
class Bounds:
    """Measured curves at some grid points, by label, under every form of their bound, each T taken as the horizon."""

    title: str
    bounds: Sequence[Bound]
    points: readings.Points
    ylabel: str = ""

    @property
    def needs(self) -> Sequence[str]:
        return [b.sim.key for b in self.bounds]

    def draw(self, ax: Axes, results: Results) -> None:
        readings.bound_panel(ax, results, self.bounds, self.points)
        ax.set(ylabel=self.ylabel)

    def outcome(self, results: Results) -> str:
        return readings.said_exceeded(results, self.bounds, self.points)

    def summary(self, results: Results) -> str:
        return " ".join(readings.said_slack(results, self.bounds, self.points)).removesuffix(".")


@dataclass(frozen=True)
class Drawn:
    """A panel of another kind.

    draw: (axes, results), with the labels of the axes. summary: what was measured, for the caption; "" for nothing.
    """

    title: str
    needs: Sequence[str]
    draw: Callable[[Axes, Results], None]
    summary: Callable[[Results], str] = lambda results: ""


Panel = Slopes | Bounds | Drawn


def panel_row(
    key: str,
    title: str,
    caption: str,
    *panels: Panel,
    columns: int = 0,
    height: float = 3.6,
    source: str = "workbench",
) -> Figure:
    """The figure. columns: panels in a row at most, by default all; fewer where a legend is wider than its panel.

    height: of the figure with so many in a row, in inches. The measured sentences of the caption are those of the
    panels, each after its title.
    """

    def draw(results: Results) -> MplFigure:
        most = columns or len(panels)
        line = height / -(-len(panels) // most)
        for width in range(most, 0, -1):
            rows = -(-len(panels) // width)
            figure, axes = plt.subplots(rows, width, figsize=(TEXT_WIDTH, line * rows), squeeze=False)
            for ax, panel in zip(axes.flat, panels, strict=False):
                panel.draw(ax, results)
                ax.set_title(panel.title)
                legend_below(ax, ncols=1)
            for ax in axes.flat[len(panels) :]:
                ax.remove()
            if width == 1 or all(widths_of_legends(figure) < figure.bbox.width / width):
                break
            plt.close(figure)
        return figure

    def sentences(results: Results) -> Iterator[str]:
        yield facts.drawn_together(results)
        for panel in panels:
            if summary := panel.summary(results):
                title = readings.plain(panel.title)
                yield f"{title[:1].upper()}{title[1:]}: {summary}."

    def outcome(results: Results) -> str:
        curves = [r for panel in panels if isinstance(panel, Slopes) for r in panel.curves]
        levels = [x for panel in panels if isinstance(panel, Slopes) for x in panel.levels.values()]
        of_bounds = [panel for panel in panels if isinstance(panel, Bounds)]
        bounds = [panel.outcome(results) for panel in of_bounds]
        if len(bounds) > 1:
            titles = (readings.plain(panel.title) for panel in of_bounds)
            bounds = [f"{sentence} ({title})" for sentence, title in zip(bounds, titles, strict=True)]
        parts = (readings.outcome_of_levels(results, levels), readings.outcomes(results, curves), *bounds)
        return "; ".join(filter(None, parts))

    slopes = any(isinstance(panel, Slopes) for panel in panels)
    return Figure(
        key=key,
        title=title,
        source=source,
        needs=tuple(dict.fromkeys(name for panel in panels for name in panel.needs)),
        draw=draw,
        caption=f"{caption} {readings.LEGEND}" if slopes else caption,
        summary=lambda results: " ".join(sentences(results)),
        outcome=outcome,
    )


def draw_level(ax: Axes, results: Results, level: Level, label: str, scale: float = 1.0) -> None:
    """The predicted level as a thin line, in the view of its reading; the horizontal axis is divided by ``scale``."""
    _, marks = level.reading.curve(results)
    ax.loglog(marks / scale, level_at(results, level, marks), color="black", linewidth=0.8, label=label)


def level_at(results: Results, level: Level, marks: np.ndarray) -> np.ndarray:
    """(M,): the predicted level at the marks."""
    predicted = level.reading.view.predict(level.predictor(results), marks)
    return np.broadcast_to(np.atleast_2d(predicted)[0], marks.shape)


def mean_at_end(results: Results, r: Reading) -> str:
    """Of the finite runs, "1.2e-5"; "none" without such runs."""
    mean = float(mean_curve(r.curve(results)[0])[-1])
    return facts.scientific(mean) if np.isfinite(mean) else "none"


def over_level(results: Results, level: Level) -> str:
    """The mean of the finite runs at the last mark over the predicted level, "1.02"; "none" without such runs."""
    values, marks = level.reading.curve(results)
    runs = finite_runs(values)
    return f"{runs[:, -1].mean() / level_at(results, level, marks)[-1]:.2f}" if len(runs) else "none"
