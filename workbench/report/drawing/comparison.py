"""A layout of figures that compare methods: quantities of many methods against what they spent.

The first sentence of the caption says whether the order of the methods is that of the paper, by one rule for all
papers; the last one names the curves that end worse than they were.
"""

from __future__ import annotations

import string
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from workbench.claims.competition import Competition, Method, Ordering
from workbench.engine.records import Result
from workbench.homes import papers
from workbench.report.drawing import facts
from workbench.report.drawing.figure import Order, Results
from workbench.report.drawing.panels import Curve, curve_grid, finite_runs, legend_outside

Axis = Callable[[Result], np.ndarray]

MANY = 8  # methods of a panel above which only the paper's have colours and bands
PALE = {"color": "0.45", "linewidth": 0.9, "shade": False}  # of the others, told apart by dashes and letters
GAP = 0.06  # of a panel's height, between letters at the ends of curves
RELAPSE = 0.1  # share of its gain that a curve may lose again without being named


def seconds(result: Result) -> np.ndarray:
    """Time of one run, from the first mark on: what is compiled in the first iteration is not counted."""
    return (result.elapsed - result.elapsed[0]) / result.size


def listable(method: Method) -> str:
    """ "TTSA (own exponents)" for the title "TTSA, own exponents", which a list would take apart."""
    name, comma, more = method.title.partition(", ")
    return f"{name} ({more})" if comma else name


def competitors_by_letter(panel: Panel) -> dict[str, str]:
    """Name of a method of another paper -> its letter, in a panel of more than `MANY` methods; else none."""
    methods = panel.competition.methods
    others = [m.name for m in methods if m.algorithm.startswith(f"{papers.COMPETITORS}.")]
    return dict(zip(others, string.ascii_lowercase, strict=False)) if len(methods) > MANY else {}


def name_ends(ax: Axes, letters: Collection[str]) -> None:
    """Writes letters beside the ends of the curves whose labels begin with them, none upon another."""
    ends = []
    for line in ax.lines:
        letter, _, _ = str(line.get_label()).partition(": ")
        y = np.asarray(line.get_ydata(), float)
        if letter in letters and np.isfinite(y).any():
            last = np.flatnonzero(np.isfinite(y))[-1]
            point = (float(np.asarray(line.get_xdata(), float)[last]), float(y[last]))
            x, height = ax.transAxes.inverted().transform(ax.transData.transform(point))
            ends.append((float(height), float(x), letter))
    places: list[tuple[float, float]] = []
    for height, x, letter in sorted(ends):
        while any(abs(x - u) < GAP and abs(height - v) < GAP for u, v in places):
            height += GAP / 4
        places.append((x, height))
        ax.annotate(letter, (x, height), (2, 0), "axes fraction", "offset points", fontsize=7, va="center")


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
    """A figure that compares methods: a panel for each problem, a row for each quantity.

    A method is called ahead only where an interval over the runs says so: Welch's for the difference of the means at
    the end (of a loss: of its logarithm), 99 % for each pair of methods. Against another axis than the budget's "the
    end" is where the first method has spent all it spends.

    rows: the first one shows what the paper compares, and its orderings are about that. axes: label -> what a result
    has spent up to each mark, (M,); ``budget`` is the one of which every method gets the same. looks: name of a method
    -> colour and dash. show_times: whether the caption ends with the seconds of a run. why: likely reasons for another
    order than the paper's.
    """

    panels: Sequence[Panel]
    rows: Sequence[Row]
    orderings: Sequence[Ordering]
    axes: Mapping[str, Axis]
    budget: str
    looks: Mapping[str, Mapping[str, object]]
    height: float = 4.4
    show_times: bool = True
    why: str = ""

    @property
    def main_row(self) -> Row:
        return self.rows[0]

    def curves(self, results: Results, row: Row, panel: Panel) -> Iterator[Curve]:
        letters = competitors_by_letter(panel)
        for method, result, values in panel.values(results, row.metric):
            label, look = listable(method), self.looks[method.name]
            if letter := letters.get(method.name):
                label, look = f"{letter}: {label}", {**look, **PALE}
            yield Curve(label, self.axes[row.axis](result), values, look)

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
        for line in axes:
            for ax, panel in zip(line, self.panels, strict=True):
                name_ends(ax, set(competitors_by_letter(panel).values()))
        legend_outside(figure, axes[0, 0], fontsize=7, ncols=6)
        return figure

    def ends(self, results: Results, panel: Panel, metric: str) -> dict[str, float]:
        """name -> median at the end of the budget."""
        return {m.name: facts.end(values) for m, _, values in panel.values(results, metric)}

    def values_at_end(self, results: Results, panel: Panel, row: Row) -> dict[str, np.ndarray]:
        """name -> values of all runs at the common end, the smaller the better; NaN for a run that failed.

        Of a loss the logarithm, of what rises the negative.
        """
        of = panel.values(results, row.metric)
        budgets = {m.name: self.axes[row.axis](r) for m, r, _ in of}
        end = min(float(x[-1]) for x in budgets.values())
        with np.errstate(all="ignore"):
            return {
                m.name: np.array(
                    [np.interp(end, budgets[m.name], v) for v in (np.log(values) if row.falls else -values)]
                )
                for m, _, values in of
            }

    def against(self, results: Results, panel: Panel, row: Row, ordering: Ordering) -> dict[str, list[str]]:
        """ "behind", "level" and "ahead" -> names of the methods that the better one should be ahead of."""
        ends = self.values_at_end(results, panel, row)
        ranks: dict[str, list[str]] = {"behind": [], "level": [], "ahead": []}
        for name in ordering.worse or [n for n in ends if n != ordering.better]:
            low, high = difference(ends[ordering.better], ends[name])
            ranks["ahead" if high < 0.0 else "behind" if low > 0.0 else "level"].append(name)
        return ranks

    def ordering(self, results: Results) -> Order:
        """Whether the paper's order is seen, first for what the paper shows, then for the other rows.

        Seconds differ from computer to computer: nothing is said of them.
        """
        sentences, counts = [], []
        for row in self.rows:
            if self.axes[row.axis] is seconds:
                continue
            for ordering in self.orderings:
                count, sentence = self._sentence(results, row, ordering)
                counts += [count] if row.metric == self.main_row.metric else []
                sentences.append(sentence)
        return self._order(counts, f". {' '.join(part[:1].upper() + part[1:] for part in sentences)}")

    def _sentence(self, results: Results, row: Row, ordering: Ordering) -> tuple[int, str]:
        """In how many panels an ordering holds in a row, and a sentence with the exceptions."""
        titles = {m.name: listable(m) for m in self.panels[0].competition.methods}
        count, median, exceptions = 0, 0, []
        for panel in self.panels:
            ranks = self.against(results, panel, row, ordering)
            count += not (ranks["behind"] or ranks["level"])
            ends = self.values_at_end(results, panel, row)
            median += ordering.holds({name: float(np.median(v)) for name, v in ends.items()}, True)
            parts = [
                f"{how} {', '.join(titles[n] for n in ranks[how])}"
                for how in ("behind", "level")
                if ranks[how]
            ]
            if parts:
                exceptions.append(f"{panel.title}: {' and '.join(parts)}".replace("level ", "level with "))
        at = f"at equal numbers of {row.axis}" if row.axis == self.budget else f"over equal {row.axis}"
        more = f" (by the medians in {median}; {'; '.join(exceptions)})" if exceptions else ""
        what, label = ordering.sentence(titles, row.falls), row.label.replace("$", "")
        return count, f"{label} {at}: {what} in {count} of {len(self.panels)} panels{more}."

    def _order(self, counts: Sequence[int], rest: str) -> Order:
        """Says whether the paper's order is reproduced. counts: panels that show each ordering. rest: more words."""
        complete = all(n == len(self.panels) for n in counts)
        partly = not complete and any(counts)
        how = "reproduced" if complete else "not reproduced in full" if partly else "not reproduced"
        return Order(
            complete, f"The paper's order of the methods is {how}{rest}", "" if complete else self.why, partly
        )

    def summary(self, results: Results) -> str:
        """Runs and horizons, medians at the end in every panel, budget, and time of one run."""
        parts = [facts.drawn_together(results)]
        for metric, label in {row.metric: row.label.replace("$", "") for row in self.rows}.items():
            for panel in self.panels:
                titles = {m.name: listable(m) for m in panel.competition.methods}
                ends = {titles[name]: end for name, end in self.ends(results, panel, metric).items()}
                parts.append(f"Median {label} at the end, {panel.title}: {facts.listing(ends)}.")
        competitions = {c.figure: c for c in (panel.competition for panel in self.panels)}
        for name, competition in competitions.items():
            of = competition.results(results)
            budget = facts.scientific(float(np.median([self.axes[self.budget](r)[-1] for _, r in of])))
            times = {listable(m): float(seconds(r)[-1]) for m, r in of}
            which = f" ({name.split('-', 2)[2]})" if len(competitions) > 1 else ""
            took = f"; seconds a run: {facts.listing(times, '{:.2g}')}" if self.show_times else ""
            parts.append(f"About {budget} {self.budget} a run{which}{took}.")
        return " ".join(filter(None, [*parts, self.relapses(results)]))

    def relapses(self, results: Results) -> str:
        """Names the curves that lose more than `RELAPSE` of what they had gained; "" for none.

        By their medians over the runs; one that never gains anything is named where it ends worse than it began.
        """
        relapsing = []
        for row in {row.metric: row for row in self.rows}.values():
            for panel in self.panels:
                for method, _, values in panel.values(results, row.metric):
                    finite = finite_runs(values)
                    if not len(finite):
                        relapsing.append(f"{listable(method)} on {panel.title} (no run ends)")
                        continue
                    curve = np.median(finite, axis=0)
                    worse = curve if row.falls else -curve
                    best = int(np.argmin(worse))
                    if worse[-1] - worse[best] > RELAPSE * (worse[0] - worse[best]):
                        label = row.label.replace("$", "")
                        numbers = f"{label} {curve[best]:.3g}, then {curve[-1]:.3g}"
                        relapsing.append(f"{listable(method)} on {panel.title} ({numbers})")
        return f"Not monotone, at their best and at the end: {'; '.join(relapsing)}." if relapsing else ""


def difference(ours: np.ndarray, theirs: np.ndarray, level: float = 0.99) -> tuple[float, float]:
    """Welch's interval for the difference of two means, of runs of one and of another method; not finite: no limit.

    A method with a failed run is behind one without.
    """
    failed = [not np.isfinite(v).all() for v in (ours, theirs)]
    if any(failed):
        return (-np.inf, np.inf) if all(failed) else (np.inf, np.inf) if failed[0] else (-np.inf, -np.inf)
    if min(len(ours), len(theirs)) < 2:
        return -np.inf, np.inf
    if not (np.ptp(ours) or np.ptp(theirs)):  # nothing random enters
        return (float(ours[0] - theirs[0]),) * 2
    from scipy.stats import ttest_ind  # a quarter of a second, which only drawing is worth

    with (
        warnings.catch_warnings()
    ):  # of runs that all but agree, whose spread is round-off: the interval is as narrow
        warnings.simplefilter("ignore", RuntimeWarning)
        interval = ttest_ind(ours, theirs, equal_var=False).confidence_interval(level)
    return float(interval.low), float(interval.high)
