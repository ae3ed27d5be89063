"""The layout of Figures 1 and 2: one quantity of many methods against oracle calls and against time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from figures import facts
from figures.biadam.style import METHODS
from figures.figure import Results
from figures.panels import Curve, curve_grid, legend_outside
from workbench.engine.records import Result
from workbench.experiments.biadam.compared import Ordering, calls_of
from workbench.experiments.competition import Competition, Method

AXES: dict[str, Callable[[Result], np.ndarray]] = {
    "oracle calls": calls_of,
    # From the first mark on: what is compiled in the first iteration is not counted.
    "time of one run (s)": lambda result: (result.elapsed - result.elapsed[0]) / result.size,
}


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
class Comparison:
    """lower: whether less is better. orderings: what the paper shows."""

    panels: Sequence[Panel]
    metric: str
    label: str
    lower: bool
    orderings: Sequence[Ordering]

    def curves(self, results: Results, axis: str, panel: Panel) -> Iterator[Curve]:
        for method, result, values in panel.values(results, self.metric):
            yield Curve(method.title, AXES[axis](result), values, METHODS[method.name])

    def draw(self, results: Results, height: float = 4.4) -> MplFigure:
        """Rows: `AXES`. Columns: panels."""
        figure, axes = curve_grid(
            [(self.label, axis) for axis in AXES],
            [(panel.title, panel) for panel in self.panels],
            [""] * len(self.panels),
            lambda axis, panel: self.curves(results, axis, panel),
            height=height,
            scale="linear",
            sharey="col",
        )
        for row, axis in zip(axes, AXES, strict=True):
            for ax in row:
                ax.set_xlabel(axis)
                if self.lower:  # a loss: the differences at the end are small against the start
                    ax.set_yscale("log")
                    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
                    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
                    ax.yaxis.set_minor_formatter(NullFormatter())
        legend_outside(figure, axes[0, 0], fontsize=7, ncols=6)
        return figure

    def ends(self, results: Results, panel: Panel) -> dict[str, float]:
        """name -> median at the end of the budget."""
        return {m.name: facts.end(values) for m, _, values in panel.values(results, self.metric)}

    def ordering(self, results: Results) -> str:
        """Whether the paper's order is seen at the end of the budget; first what is not."""
        titles = {m.name: m.title for m in self.panels[0].competition.methods}
        said, all_hold = [], True
        for ordering in self.orderings:
            held = [ordering.holds(self.ends(results, panel), self.lower) for panel in self.panels]
            all_hold &= all(held)
            said.append(f"{ordering.sentence(titles, self.lower)} in {sum(held)} of {len(held)} panels")
        first = (
            "The paper's order of the methods is reproduced"
            if all_hold
            else (
                "The paper's order of the methods is not reproduced in full"
                if any(" in 0 of" not in s for s in said)
                else "The paper's order of the methods is not reproduced"
            )
        )
        return f"{first}, at equal numbers of oracle calls: {'; '.join(said)}."

    def seen(self, results: Results) -> str:
        """Runs and horizons, medians at the end in every panel, budget, and time of one run."""
        said = [facts.drawn_together(results)]
        for panel in self.panels:
            titles = {m.name: m.title for m in panel.competition.methods}
            ends = {titles[name]: end for name, end in self.ends(results, panel).items()}
            said.append(f"Median {self.label} at the end, {panel.title}: {facts.listed(ends)}.")
        used = {c.figure: c for c in (panel.competition for panel in self.panels)}
        for name, competition in used.items():
            of = competition.results(results)
            calls = facts.scientific(float(np.median([calls_of(r)[-1] for _, r in of])))
            times = {m.title: float(AXES["time of one run (s)"](r)[-1]) for m, r in of}
            which = f" ({name.split('-', 2)[2]})" if len(used) > 1 else ""
            said.append(
                f"About {calls} oracle calls a run{which}; seconds a run: {facts.listed(times, '{:.2g}')}."
            )
        return " ".join(said)
