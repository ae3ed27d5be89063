"""A layout of figures that compare methods: quantities of many methods against what they spent.

The first sentence of the caption says whether the order of the methods is that of the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from figures import facts
from figures.figure import Results
from figures.panels import Curve, curve_grid, legend_outside
from workbench.engine.records import Result
from workbench.experiments.competition import Competition, Method, Ordering

Axis = Callable[[Result], np.ndarray]


def seconds(result: Result) -> np.ndarray:
    """Time of one run, from the first mark on: what is compiled in the first iteration is not counted."""
    return (result.elapsed - result.elapsed[0]) / result.size


@dataclass(frozen=True)
class Panel:
    """One column: the rows ``where`` of a competition's results."""

    title: str
    competition: Competition
    where: Mapping[str, float]

    def values(self, results: Results, metric: str) -> list[tuple[Method, Result, np.ndarray]]:
        """(method, its result, (runs, M)) for each method."""
        return [(m, r, r.curve(metric, **self.where)) for m, r in self.competition.results(results)]


@dataclass(frozen=True)
class Row:
    """A quantity against one of the axes of `Comparison`. falls: it is a loss, drawn on a logarithmic scale."""

    metric: str
    label: str
    axis: str
    falls: bool


@dataclass(frozen=True)
class Comparison:
    """rows: the first one shows what the paper compares, and its orderings are about that.

    axes: label -> what a result has spent up to each mark, (M,); ``budget`` is the one of which every method gets the
    same. looks: name of a method -> colour and dash. timed: whether the caption ends with the seconds of a run.
    """

    panels: Sequence[Panel]
    rows: Sequence[Row]
    orderings: Sequence[Ordering]
    axes: Mapping[str, Axis]
    budget: str
    looks: Mapping[str, Mapping[str, object]]
    height: float = 4.4
    timed: bool = True

    @property
    def shown(self) -> Row:
        return self.rows[0]

    def curves(self, results: Results, row: Row, panel: Panel) -> Iterator[Curve]:
        for method, result, values in panel.values(results, row.metric):
            yield Curve(method.title, self.axes[row.axis](result), values, self.looks[method.name])

    def draw(self, results: Results) -> MplFigure:
        """Rows: ``rows``. Columns: panels."""
        figure, axes = curve_grid(
            [(row.label, row) for row in self.rows],
            [(panel.title, panel) for panel in self.panels],
            [""] * len(self.panels),
            lambda row, panel: self.curves(results, row, panel),
            height=self.height,
            scale="linear",
        )
        for line, row in zip(axes, self.rows, strict=True):
            for ax in line:
                ax.set_xlabel(row.axis)
                if row.falls:  # the differences at the end are small against the start
                    ax.set_yscale("log")
                    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
                    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
                    ax.yaxis.set_minor_formatter(NullFormatter())
        legend_outside(figure, axes[0, 0], fontsize=7, ncols=6)
        return figure

    def ends(self, results: Results, panel: Panel, metric: str) -> dict[str, float]:
        """name -> median at the end of the budget."""
        return {m.name: facts.end(values) for m, _, values in panel.values(results, metric)}

    def held(self, results: Results, row: Row) -> list[tuple[str, int]]:
        """(what an ordering says about a row, in how many panels it is seen at the end of the budget)."""
        titles = {m.name: m.title for m in self.panels[0].competition.methods}
        return [
            (
                ordering.sentence(titles, row.falls),
                sum(ordering.holds(self.ends(results, p, row.metric), row.falls) for p in self.panels),
            )
            for ordering in self.orderings
        ]

    def ordering(self, results: Results) -> str:
        """Whether the paper's order is seen at the end of the budget, and the same for other quantities drawn."""

        def counted(row: Row) -> str:
            found = self.held(results, row)
            return "; ".join(f"{what} in {n} of {len(self.panels)} panels" for what, n in found)

        first, *rest = {row.metric: row for row in self.rows}.values()
        counts = [n for _, n in self.held(results, first)]
        how = "is reproduced" if min(counts) == len(self.panels) else "is not reproduced"
        how += " in full" if 0 < sum(counts) < len(counts) * len(self.panels) else ""
        said = [
            f"The paper's order of the methods {how}, at equal numbers of {self.budget}: {counted(first)}."
        ]
        said += [f"In the {row.label}, which the paper does not show, {counted(row)}." for row in rest]
        return " ".join(said)

    def seen(self, results: Results) -> str:
        """Runs and horizons, medians at the end in every panel, budget, and time of one run."""
        said = [facts.drawn_together(results)]
        for metric, label in {row.metric: row.label for row in self.rows}.items():
            for panel in self.panels:
                titles = {m.name: m.title for m in panel.competition.methods}
                ends = {titles[name]: end for name, end in self.ends(results, panel, metric).items()}
                said.append(f"Median {label} at the end, {panel.title}: {facts.listed(ends)}.")
        used = {c.figure: c for c in (panel.competition for panel in self.panels)}
        for name, competition in used.items():
            of = competition.results(results)
            spent = facts.scientific(float(np.median([self.axes[self.budget](r)[-1] for _, r in of])))
            times = {m.title: float(seconds(r)[-1]) for m, r in of}
            which = f" ({name.split('-', 2)[2]})" if len(used) > 1 else ""
            took = f"; seconds a run: {facts.listed(times, '{:.2g}')}" if self.timed else ""
            said.append(f"About {spent} {self.budget} a run{which}{took}.")
        return " ".join(said)
