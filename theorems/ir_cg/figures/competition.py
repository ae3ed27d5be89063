"""The layout of Figures 1-3: gaps of eight methods against time, iterations and oracle calls, and a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench import Result
from workbench.claims import Competition, Method, full_horizon
from workbench.drawing import (
    TEXT_WIDTH,
    Figure,
    Order,
    Results,
    band,
    draw_rules,
    facts,
    from_real,
    legend_outside,
)

from ..experiments.competition import calls_of
from ..theory.paper import PAPER
from .style import METHODS

AXES = ("time of one run (s)", "iterations", "oracle calls")
HEAD = ("method", "average iterations", "average oracle calls", "calls per iteration", "seconds")
PAIRS = (("ir-scg", "sbcgi"), ("ir-fscg", "sbcgf"))  # with one sample, and with batches
TINY = 1e-16  # floor of an absolute gap on a logarithmic axis


@dataclass(frozen=True)
class Panels:
    """levels: recorded quantity -> label. sizes: level -> number of components."""

    competition: Competition
    levels: Mapping[str, str]
    sizes: Mapping[str, int]

    def of(self, results: Results) -> Panels:
        """The panels for these results. On the paper's own data F_opt is not known, so F itself is recorded."""
        if not from_real(results):
            return self
        return replace(
            self, levels={m: "outer value F" if m == "outer_gap" else x for m, x in self.levels.items()}
        )

    def horizontal(self, method: Method, result: Result) -> tuple[np.ndarray, ...]:
        """Time, iterations and oracle calls of one run, (M,) each."""
        return result.elapsed / result.size, result.marks - 1.0, calls_of(method, result, self.sizes)

    def draw(self, results: Results) -> MplFigure:
        """Rows: levels. Columns: `AXES`. Below: the table."""
        picture, axes = plt.subplots(2, 3, figsize=(TEXT_WIDTH, 6.2))
        picture.set_layout_engine("constrained", rect=(0.0, 0.27, 1.0, 0.73))
        for row, (metric, label) in zip(axes, self.levels.items(), strict=True):
            for method, result in self.competition.results(results):
                values = np.maximum(np.abs(result.data[metric]), TINY)
                for ax, x in zip(row, self.horizontal(method, result), strict=True):
                    later = (result.marks > 1) & (x > 0.0)
                    band(ax, x[later], values[:, later], label=method.title, **METHODS[method.name])
            row[0].set_ylabel(label)
        for ax, label in zip(axes[1], AXES, strict=True):
            ax.set_xlabel(label)
        legend_outside(picture, axes[0, 0], fontsize=7)
        _table(picture.add_axes((0.03, 0.045, 0.94, 0.215)), self.table(results))
        return picture

    def table(self, results: Results) -> list[tuple[str, ...]]:
        """One row of `HEAD` for each method."""
        rows: list[tuple[str, ...]] = []
        for method, result in self.competition.results(results):
            seconds, _, calls = (x[-1] for x in self.horizontal(method, result))
            per_iteration = f"{calls / result.horizon:.2f}"
            rows.append((method.title, f"{result.horizon}", f"{calls:.0f}", per_iteration, f"{seconds:.2f}"))
        return rows

    def observation(self, results: Results) -> str:
        """Medians at the end, and the table as text."""
        of = self.competition.results(results)
        first, result = of[0]
        sentences = [
            f"{facts.extent(result)} T is the horizon of {first.title}; the table lists all horizons."
        ]
        for metric, label in self.levels.items():
            ends = {m.title: facts.end(np.abs(result.data[metric])) for m, result in of}
            sentences.append(f"Median at the end, {label}: {facts.listing(ends, '{:.3g}')}.")
        sentences.append(self.comparison(results))
        calls = ", ".join(f"{title} {steps} / {calls}" for title, steps, calls, *_ in self.table(results))
        sentences.append(f"Iterations / oracle calls: {calls}.")
        return " ".join(sentences)

    def ordering(
        self,
        results: Results,
        leader: str,
        printed: Mapping[str, int],
        data: str,
        outer: bool = False,
        grow: Sequence[str] = (),
    ) -> Order:
        """Whether the method that leads in the paper ends lowest (medians), and if not, the likely reasons.

        leader: name of the method. printed: its iterations in the paper, and those of others. data: what is not the
        paper's. outer: it leads on the outer level, in place of both. grow: methods whose inner gap grows with time in
        the paper.
        """
        where = "the outer level" if outer else "both levels"
        of = self.competition.results(results)
        lowest = {}
        for metric, label in list(self.levels.items())[-1 if outer else 0 :]:
            ends = {m.name: facts.end(np.abs(result.data[metric])) for m, result in of}
            lowest[label] = min(ends, key=lambda name: ends[name] if np.isfinite(ends[name]) else np.inf)
        titles = {m.name: m.title for m, _ in of}
        rises = {name: self.rising(results, name) for name in grow}
        still = [name for name, (count, runs) in rises.items() if 2 * count <= runs]
        not_compared = "The order of the others is not compared."
        if set(lowest.values()) == {leader}:
            sentence = f"The paper's best method is found again: {titles[leader]} ends lowest on {where}."
            growth = "".join(
                f" The inner gap of {titles[name]}, which grows in the paper, rises in {count} of {runs} runs."
                for name, (count, runs) in rises.items()
            )
            if not still:
                return Order(True, f"{sentence}{growth} {not_compared}")
            return Order(
                False,
                f"The paper's statements are not reproduced in full. {sentence}{growth} {not_compared}",
                f"Likely reasons: {self._reasons(results, still[0], printed, data)}.",
                partly=True,
            )
        leaders = ", ".join(f"{titles[name]} ({label})" for label, name in lowest.items())
        return Order(
            False,
            f"Not reproduced: in the paper {titles[leader]} leads on {where}, here the lowest at the end are "
            f"{leaders}.",
            f"Likely reasons: {self._reasons(results, leader, printed, data)}."
            f"{self._longer(results, leader, printed)}",
        )

    def _reasons(self, results: Results, name: str, printed: Mapping[str, int], data: str) -> str:
        """Why a method may do otherwise than in the paper: other data, fewer iterations."""
        title, here = next(
            (m.title, r.horizon) for m, r in self.competition.results(results) if m.name == name
        )
        reasons = [] if from_real(results) else [data]
        if here < printed[name]:
            reasons.append(
                f"{title} runs for {here} iterations here and for {printed[name]} there (the horizon of the "
                "full profile)"
            )
        return "; ".join(reasons) or "none known"

    def _longer(self, results: Results, leader: str, printed: Mapping[str, int]) -> str:
        """What the paper's numbers of iterations showed, where they have been run and these results have fewer."""
        here = next(r.horizon for m, r in self.competition.results(results) if m.name == leader)
        if from_real(results) or here >= printed[leader]:
            return ""
        outcomes = full_horizon.load(PAPER.key)
        of = [(m, outcomes.get(self.competition.key(m))) for m in self.competition.methods]
        there = {m.name: (m.title, end) for m, end in of if end is not None}
        if len(there) < len(of):
            return ""
        sentences = []
        for metric, label in self.levels.items():
            order = sorted(there, key=lambda name: there[name][1].ends[metric])
            place = order.index(leader)
            lowest = ", ".join(
                f"{there[n][0]} {there[n][1].ends[metric]:g}" for n in order[: max(2, place + 1)]
            )
            sentences.append(f"{label}: {lowest}")
        runs, date = there[leader][1].runs, there[leader][1].date
        return (
            f" Run once with the paper's iterations, on {date}, these methods ended lowest, in this order (medians of "
            f"{runs} runs): {'; '.join(sentences)}."
        )

    def rising(self, results: Results, name: str) -> tuple[int, int]:
        """In how many runs the inner gap of a method ends above its value after the warm start, and of how many."""
        result = next(r for m, r in self.competition.results(results) if m.name == name)
        inner = result.data[next(iter(self.levels))]
        warm = int(np.searchsorted(result.marks, result.horizon // 2 + 1))
        return int(np.sum(inner[:, -1] > inner[:, warm])), result.size

    def comparison(self, results: Results) -> str:
        """The paper's statements about these figures, counted over runs: which method ends lower, which gets worse."""
        by_name = {m.name: (m.title, result) for m, result in self.competition.results(results)}
        sentences = []
        for ours, theirs in PAIRS:
            (title, one), (other_title, other) = by_name[ours], by_name[theirs]
            wins = [
                f"{np.sum(np.abs(one.data[metric][:, -1]) < np.abs(other.data[metric][:, -1]))} ({label})"
                for metric, label in self.levels.items()
            ]
            sentences.append(f"{title} ends below {other_title} in {' and '.join(wins)} of {one.size} runs.")
        for _, name in PAIRS:
            count, runs = self.rising(results, name)
            sentences.append(
                f"After its warm start the inner gap of {by_name[name][0]} rises in {count} of {runs} runs."
            )
        return " ".join(sentences)


def _table(ax: Any, rows: list[tuple[str, ...]]) -> None:
    ax.set(xticks=[], yticks=[])
    ax.set_xlabel("until the end of one run", fontsize=7, labelpad=4)
    ax.spines[:].set_visible(False)
    table = ax.table(rows, colLabels=HEAD, loc="center", cellLoc="right")
    table.auto_set_font_size(False)
    table.set_fontsize(7)
    table.scale(1.0, 0.85)
    draw_rules(table, len(rows))
    for (_, column), cell in table.get_celld().items():
        if column == 0:
            cell.set_text_props(ha="left")


def figure(
    competition: Competition,
    title: str,
    source: str,
    levels: Mapping[str, str],
    sizes: Mapping[str, int],
    caption: str,
    on_real: str = "",
    ordering: Callable[[Panels, Results], Order] | None = None,
) -> Figure:
    """caption, on_real: the part specific to this figure, for the generated data and for the paper's own.

    ordering: what the paper says of the order of the methods (`Panels.ordering`).
    """
    panels = Panels(competition, levels, sizes)
    return Figure(
        key=PAPER.entry(f"{competition.figure}"),
        title=title,
        source=source,
        needs=competition.keys,
        draw=lambda results: panels.of(results).draw(results),
        caption=f"{caption} {COMMON}",
        summary=lambda results: panels.of(results).observation(results),
        on_real=f"{on_real} {COMMON}" if on_real else "",
        ordering=ordering and (lambda results: ordering(panels.of(results), results)),
    )


COMMON = (
    "Median and 10-90 % of the runs. Oracle calls as the paper counts them: one per sample and level, whether it is "
    "evaluated at one point or two; S per batch, n per full pass. The paper gives each method four minutes (Figure 3: "
    "one) and reports the counts reached. Here the horizons are fixed, so that everything but the time is "
    "reproducible, and the methods take comparable time. "
    "SBCGI and SBCGF start with SPIDER-FW on the inner level, whose iterations and calls are drawn and counted. Time: "
    "wall-clock time of a batch, recording included, divided by its number of runs; machine-dependent. Rules of the "
    f"competitors: {facts.competitors('sbcgi', 'sbcgf', 'ar_ip_seg', 'sdbgd', 'spider_fw')} {facts.LABELS}."
)
