"""The figure of a paper that declares none: every reading that is claimed, and its local slope beside the claim."""

from __future__ import annotations

from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from workbench.claims.readings import Reading
from workbench.evidence import rates
from workbench.evidence.verdicts import NotEnough
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.panels import finite_runs
from workbench.report.drawing.readings import COLOURS, panel, said_slopes
from workbench.run import catalog

Readings = tuple[Reading, ...]
Panels = tuple[Readings, ...]  # one for each quantity, since two of them share no axis


def by_key() -> dict[str, Figure]:
    """The figures of `catalog.default_figures`."""
    return {key: _figure(key, readings) for key, readings in catalog.default_figures().items()}


def _figure(key: str, readings: list[Reading]) -> Figure:
    panels: dict[tuple[str, str], dict[str, Reading]] = {}
    for r in readings:  # several claims may read one curve
        panels.setdefault((quantity(r), str(r.view)), {}).setdefault(f"{r.where} {r.claimed.value}", r)
    rows, sim = tuple(tuple(row.values()) for row in panels.values()), readings[0].sim
    return Figure(
        key,
        sim.title,
        "workbench",
        (sim.key,),
        partial(draw, rows),
        "Left: mean over the runs and the band from 10 to 90 %. Right: slope of the mean between T/2 and 2 T. "
        "Dotted: as claimed.",
        partial(sentences, rows),
        ratios=True,
    )


def quantity(reading: Reading) -> str:
    return reading.metric if isinstance(reading.metric, str) else reading.metric.__name__


def _label(reading: Reading) -> str:
    return reading.view.label.format(quantity(reading).replace("_", " "))


def draw(panels: Panels, results: Results) -> MplFigure:
    figure, axes = plt.subplots(len(panels), 2, figsize=(TEXT_WIDTH, 2.6 * len(panels)), squeeze=False)
    for (curves, slopes), readings in zip(axes, panels, strict=True):
        panel(curves, results, readings, middle="mean")
        curves.set(xscale="log", yscale="log", ylabel=_label(readings[0]))
        for colour, reading in zip(COLOURS, readings, strict=False):
            _slope(slopes, results, reading, colour)
        slopes.set(xscale="log", xlabel="horizon $T$", ylabel="local slope")
        if len(readings) > 1:
            curves.legend(frameon=False)
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
    readings = [r for row in panels for r in row]
    return f"Slopes in the tail: {said_slopes(results, readings)}."
