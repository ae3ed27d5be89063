"""The figure of a paper that declares none: every curve that is claimed beside what is claimed of it.

A row for each quantity and sort of claim: formulas that bound a curve or that it equals (`formulas_beside`); exponents
and levels, with the local slope; other kinds (`kinds`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.figure import SubFigure

from workbench.claims import views
from workbench.claims.claims import Bound
from workbench.claims.exact_claims import Exactly
from workbench.claims.kinds import Kind
from workbench.claims.of_reading import OfReading
from workbench.claims.readings import Reading
from workbench.claims.records import Simulation
from workbench.evidence import rates
from workbench.evidence.verdicts import NotEnough
from workbench.report.drawing import formulas_beside, kinds, log_ticks
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.formulas import mathtext
from workbench.report.drawing.formulas_beside import Compared
from workbench.report.drawing.panels import finite_runs, legend_outside, mean_curve
from workbench.report.drawing.readings import COLOURS, LEGEND, outcomes, panel, said_slopes
from workbench.run import catalog

ROUNDING = 1e-9  # share of a level below which differences on an axis are no more than that
LARGE = 1e6  # numbers from which on an axis has a factor of its own


@dataclass(frozen=True)
class Rows:
    """Two panels for each row; a row is of one quantity, since two of them share no axis."""

    formulas: tuple[tuple[Compared, ...], ...]
    slopes: tuple[tuple[Reading, ...], ...]
    kinds: tuple[tuple[Kind, ...], ...]

    @property
    def number(self) -> int:
        return len(self.slopes) + len(self.formulas) + len(self.kinds)

    @property
    def right(self) -> str:
        """What the panels on the right show, in words."""
        words_of = {
            "mean over formula, or the difference": self.formulas,
            "slope of the mean between T/2 and 2 T": self.slopes,
            "what the verdict reads": self.kinds,
        }
        return "; ".join(words for words, rows in words_of.items() if rows)


def by_key() -> dict[str, Figure]:
    """The figures of `catalog.default_figures`."""
    return {key: _figure(key, *of) for key, of in catalog.default_figures().items()}


def _figure(key: str, sim: Simulation, claims: Sequence[OfReading | Bound]) -> Figure:
    rows = _rows(claims)
    return Figure(
        key,
        sim.title,
        "workbench",
        tuple(dict.fromkeys([sim.key, *(need for claim in claims for need in claim.needs)])),
        partial(draw, rows),
        f"Left: mean over the runs and the band from 10 to 90 %. Right: {rows.right}."
        f" Dotted, dashed or pale: as claimed. {LEGEND}",
        partial(sentences, rows),
        ratios=not rows.formulas,
        outcome=partial(_outcome, rows),
    )


def _rows(claims: Iterable[OfReading | Bound]) -> Rows:
    slopes: dict[Hashable, dict[str, Reading]] = {}
    formulas: dict[Hashable, list[Compared]] = {}
    others: dict[Hashable, list[Kind]] = {}
    for claim in claims:
        if isinstance(claim, Bound):
            formulas.setdefault((claim.metric, str(claim.view)), []).append(claim)
            continue
        of = claim.reading
        quantity = of.metric, str(of.view)
        if isinstance(claim, Exactly):
            formulas.setdefault(quantity, []).append(claim)
        elif isinstance(claim, Kind):
            others.setdefault((claim.evidence, *quantity), []).append(claim)
        else:  # several claims may read one curve
            slopes.setdefault(quantity, {}).setdefault(f"{of.where} {of.claimed.value}", of)
    return Rows(
        tuple(map(tuple, formulas.values())),
        tuple(tuple(row.values()) for row in slopes.values()),
        tuple(map(tuple, others.values())),
    )


def _outcome(rows: Rows, results: Results) -> str:
    readings = list(chain(*rows.slopes))
    parts = [outcomes(results, readings), formulas_beside.outcome(results, list(chain(*rows.formulas)))]
    return "; ".join(filter(None, parts))


def _label(of: Reading | Bound) -> str:
    return of.view.label.format(mathtext(views.name_of(of.metric).replace("_", " ")))


def draw(rows: Rows, results: Results) -> MplFigure:
    """A part of the figure for each row, with a legend below its panels, where no curve is."""
    figure = MplFigure(figsize=(TEXT_WIDTH, 2.8 * rows.number))
    parts = iter(figure.subfigures(rows.number, 1, squeeze=False).ravel())
    for beside in rows.formulas:
        of = beside[0] if isinstance(beside[0], Bound) else beside[0].reading
        _row(next(parts), _label(of), partial(formulas_beside.draw, results=results, claims=beside))
    for readings in rows.slopes:
        _row(next(parts), _label(readings[0]), partial(_draw_slopes, results=results, readings=readings))
    for claims in rows.kinds:
        _row(next(parts), _label(claims[0].reading), partial(kinds.draw, results=results, claims=claims))
    return figure


def _row(part: SubFigure, label: str, draw_panels: Callable[[Axes, Axes], None]) -> None:
    curves, right = part.subplots(1, 2)
    draw_panels(curves, right)
    curves.set(ylabel=label)
    for ax in (curves, right):
        log_ticks.set_ticks(ax)
        if ax.get_yscale() == "linear":
            _show_no_rounding(ax)
    if curves.get_legend_handles_labels()[0]:
        legend_outside(part, curves, "lower")


def _show_no_rounding(ax: Axes) -> None:
    """Widens an axis on which nothing but rounding errors would differ, and writes its numbers in full."""
    low, high = ax.get_ylim()
    level = max(abs(low), abs(high))
    if high - low < ROUNDING * level:
        ax.set_ylim(low - 0.05 * level, high + 0.05 * level)
    if level < LARGE:
        ax.ticklabel_format(axis="y", useOffset=False)


def _draw_slopes(curves: Axes, right: Axes, results: Results, readings: Sequence[Reading]) -> None:
    panel(curves, results, readings, middle="mean")
    curves.set(xscale="log", yscale="log", xlabel="horizon T")
    means = [mean_curve(reading.curve(results)[0]) for reading in readings]
    if any((mean < 0).any() for mean in means):
        curves.set(yscale="linear")
    elif positive := [mean[mean > 0].min() for mean in means if (mean > 0).any()]:
        curves.set_ylim(bottom=max(curves.get_ylim()[0], min(positive) / 3))  # 0 is below every axis
    for colour, reading in zip(COLOURS, readings, strict=False):
        _slope(right, results, reading, colour)
    right.set(xscale="log", xlabel="horizon T", ylabel="local slope")


def _slope(ax: Axes, results: Results, reading: Reading, colour: str) -> None:
    values, marks = reading.curve(results)
    try:
        at, slopes = rates.local_slopes(finite_runs(values), marks)
    except NotEnough:  # marks of less than two octaves
        return
    ax.plot(at, np.array([s.value for s in slopes]), color=colour)
    ax.axhline(reading.claimed.value, color=colour, linestyle=":")


def sentences(rows: Rows, results: Results) -> str:
    readings = list(chain(*rows.slopes))
    others = kinds.sentences(list(chain(*rows.kinds)), results)
    slopes = f"Slopes in the tail: {said_slopes(results, readings)}." if readings else ""
    return " ".join(filter(None, [slopes, others]))
