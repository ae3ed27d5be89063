"""The figure of a paper that declares none: every reading that is claimed, and its local slope beside the claim.

Claims of other kinds than an exponent have a row of their own, in which they are drawn (`kinds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from workbench.claims import views
from workbench.claims.kinds import Kind
from workbench.claims.of_reading import OfReading
from workbench.claims.readings import Reading
from workbench.claims.views import Quantity
from workbench.evidence import rates
from workbench.evidence.verdicts import NotEnough
from workbench.report.drawing import kinds, log_ticks
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.panels import finite_runs
from workbench.report.drawing.readings import COLOURS, LEGEND, outcomes, panel, said_slopes
from workbench.run import catalog

Readings = tuple[Reading, ...]
Row = Readings | tuple[Kind, ...]  # those of one quantity, since two of them share no axis
Panels = tuple[Row, ...]


def by_key() -> dict[str, Figure]:
    """The figures of `catalog.default_figures`."""
    return {key: _figure(key, claims) for key, claims in catalog.default_figures().items()}


def _figure(key: str, claims: Sequence[OfReading]) -> Figure:
    panels: dict[tuple[Quantity, str], dict[str, Reading]] = {}
    others: dict[tuple[str, Quantity, str], list[Kind]] = {}
    for claim in claims:
        r = claim.reading
        if isinstance(claim, Kind):
            others.setdefault((claim.evidence, r.metric, str(r.view)), []).append(claim)
        else:  # several claims may read one curve
            panels.setdefault((r.metric, str(r.view)), {}).setdefault(f"{r.where} {r.claimed.value}", r)
    rows: Panels = (
        *(tuple(row.values()) for row in panels.values()),
        *(tuple(row) for row in others.values()),
    )
    sim = claims[0].reading.sim
    slopes = "Right: slope of the mean between T/2 and 2 T" if panels else "Right: what the verdict reads"
    return Figure(
        key,
        sim.title,
        "workbench",
        (sim.key,),
        partial(draw, rows),
        f"Left: mean over the runs and the band from 10 to 90 %. {slopes}. Dotted: as claimed. {LEGEND}",
        partial(sentences, rows),
        ratios=True,
        outcome=partial(_outcome, rows),
    )


def _outcome(panels: Panels, results: Results) -> str:
    return outcomes(results, [r for row in panels for r in row if isinstance(r, Reading)])


def _label(reading: Reading) -> str:
    return reading.view.label.format(views.name_of(reading.metric).replace("_", " "))


def draw(panels: Panels, results: Results) -> MplFigure:
    figure = MplFigure(figsize=(TEXT_WIDTH, 2.6 * len(panels)))
    axes = figure.subplots(len(panels), 2, squeeze=False)
    for (curves, right), row in zip(axes, panels, strict=True):
        readings = [part.reading if isinstance(part, Kind) else part for part in row]
        if isinstance(row[0], Kind):
            kinds.draw(curves, right, results, [part for part in row if isinstance(part, Kind)])
        else:
            panel(curves, results, readings, middle="mean")
            curves.set(xscale="log", yscale="log")
            for colour, reading in zip(COLOURS, readings, strict=False):
                _slope(right, results, reading, colour)
            curves.set(xlabel="horizon T")
            right.set(xscale="log", xlabel="horizon T", ylabel="local slope")
        curves.set(ylabel=_label(readings[0]))
        if curves.get_legend_handles_labels()[0]:
            curves.legend(frameon=False)
    for ax in axes.flat:
        log_ticks.set_ticks(ax)
    return figure


def _slope(ax: Axes, results: Results, reading: Reading, colour: str) -> None:
    values, marks = reading.curve(results)
    try:
        at, slopes = rates.local_slopes(finite_runs(values), marks)
    except NotEnough:  # marks of less than two octaves
        return
    ax.plot(at, np.array([s.value for s in slopes]), color=colour)
    ax.axhline(reading.claimed.value, color=colour, linestyle=":")


def sentences(panels: Panels, results: Results) -> str:
    readings = [r for row in panels for r in row if isinstance(r, Reading)]
    others = kinds.sentences([c for row in panels for c in row if isinstance(c, Kind)], results)
    slopes = f"Slopes in the tail: {said_slopes(results, readings)}." if readings else ""
    return " ".join(filter(None, [slopes, others]))
