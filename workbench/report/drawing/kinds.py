"""The default picture of claims that are no exponents: the curve, what is claimed of it, and what the verdict reads.

Read is, from left to right in both windows of the verdict: the factor per iteration of a geometric rate, the growth per
unit of log T of a bounded curve or of logarithms, the distance to a limit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from workbench.claims.kinds import Bounded, Geometric, Kind, Limit, Logarithmic
from workbench.evidence.geometric import above_rounding
from workbench.report.drawing.figure import Results
from workbench.report.drawing.panels import band, finite_runs, mean_curve
from workbench.report.drawing.readings import COLOURS, labels_of, positive

Curve = tuple[np.ndarray, np.ndarray]  # marks, values
READ = {
    "geometric": "factor per iteration",
    "bounded": "growth per unit of log T,\nover the level",
    "limit": "distance to the limit",
    "logarithm": "growth per unit of log T",
}


def draw(curves: Axes, right: Axes, results: Results, claims: Sequence[Kind]) -> None:
    """Left the curves with what is claimed of them, right what is right. claims: of one kind and one quantity."""
    labels = labels_of([claim.reading for claim in claims], None)
    colours = dict(zip(dict.fromkeys(labels), COLOURS, strict=False))
    in_legend: set[str] = set()
    for label, claim in zip(labels, claims, strict=True):
        values, marks = claim.reading.curve(results)
        colour, mean = colours.get(label, COLOURS[-1]), mean_curve(finite_runs(values))
        if label not in in_legend:  # several claims may read one curve
            in_legend.add(label)
            band(curves, marks, positive(values), label=label, color=colour, middle="mean")
        at, law = _claimed(claim, marks, mean)
        curves.plot(at, law, color=colour, linestyle=":")
        x, y, expected = _read(claim, marks, mean)
        right.plot(x, y, color=colour)
        if expected is not None:
            right.axhline(expected, color=colour, linestyle=":")
    scale = "linear" if isinstance(claims[0], Geometric) else "log"
    curves.set(xscale=scale, yscale="log", xlabel="horizon T")
    right.set(xscale=scale, xlabel="horizon T", ylabel=READ[claims[0].evidence])


def _claimed(claim: Kind, marks: np.ndarray, mean: np.ndarray) -> Curve:
    """What is claimed, beside the end of the mean: over the last quarter of log T.

    Of a geometric rate over the last half of what is no rounding, which is what the verdict reads.
    """
    if isinstance(claim, Geometric):
        last = above_rounding(mean) - 1
        tail = marks[(marks >= marks[last] / 2) & (marks <= marks[last])]
        with np.errstate(under="ignore"):
            return tail, mean[last] * (claim.factor or np.nan) ** (tail - marks[last])
    if isinstance(claim, Limit):
        return marks, np.full(marks.size, claim.to if claim.to else np.nan)
    tail = marks[marks >= marks[-1] ** 0.75]
    if isinstance(claim, Logarithmic):
        law = tail**claim.power * np.log(np.maximum(tail, 1.001)) ** claim.logs
        return tail, 1.25 * mean[-1] * law / law[-1]
    return tail, np.full(tail.size, 1.25 * mean[-1])


def _read(claim: Kind, marks: np.ndarray, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray, float | None]:
    """Marks, what is read there, and what is claimed of it (None: that it does not change)."""
    if isinstance(claim, Limit):
        return marks, np.abs(mean - (claim.to or 0.0)), claim.within
    later = slice(1, None)
    if isinstance(claim, Geometric):
        last = above_rounding(mean)
        marks, mean = marks[:last], mean[:last]
        with np.errstate(divide="ignore", invalid="ignore"):
            return marks[later], np.exp(np.diff(np.log(mean)) / np.diff(marks)), claim.factor
    flat = mean * marks**-claim.power if isinstance(claim, Logarithmic) else mean
    growth = np.diff(flat) / np.diff(np.log(marks))
    if isinstance(claim, Bounded):
        return marks[later], growth / flat[-1], 0.0
    return marks[later], growth, None


def sentences(claims: Sequence[Kind], results: Results) -> str:
    """What was measured, for the caption."""
    measured = []
    for claim in claims:
        try:
            value = claim.finding(results, results.plan).value
        except ValueError:  # too few marks of a short horizon
            continue
        measured.append(f"{claim.evidence} at {claim.reading.point or 'the end'}: {value:.4g}")
    return f"Measured: {'; '.join(measured)}." if measured else ""
