"""The default picture of a curve beside a formula that bounds it, or that it equals: both, and what lies between them.

Between them is the ratio of curve and formula, or the difference where a formula is not positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, cycle
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from workbench.claims.claims import Bound
from workbench.claims.exact_claims import Exactly
from workbench.claims.exact_curves import as_float
from workbench.evidence.budget import LEVEL
from workbench.report.drawing import readings
from workbench.report.drawing.figure import Results
from workbench.report.drawing.formulas import mathtext
from workbench.report.drawing.panels import band, mean_curve

Compared = Bound | Exactly
WIDE = {**readings.PRINTED_BOUND, "linewidth": 4.0}


class Pair(NamedTuple):
    """label: of the grid point. name: of the formula. marks, formula: (M,). values: (runs, M)."""

    label: str
    name: str
    marks: np.ndarray
    values: np.ndarray
    formula: np.ndarray


def draw(curves: Axes, right: Axes, results: Results, claims: Sequence[Compared]) -> None:
    """Left curves and formulas; right what is between them. claims: on one quantity."""
    pairs = [pair for claim in claims for pair in _pairs(claim, results)]
    colours = dict(zip(dict.fromkeys(p.label for p in pairs), readings.COLOURS, strict=False))
    few = [p for p in pairs if p.label in colours]
    below_zero = any(np.nanmin(p.formula) <= 0 or np.nanmin(p.values) < 0 for p in few)
    looks = _looks(p.name for p in few)
    in_legend: set[str] = set()
    for label, name, marks, values, formula in few:
        colour = colours[label]
        if label not in in_legend:
            in_legend.add(label)
            band(curves, marks, values, label=label or "measured", color=colour, middle="mean")
        look = looks[name]
        curves.plot(marks, formula, color=colour, label="" if name in in_legend else mathtext(name), **look)
        in_legend.add(name)
        mean = mean_curve(values)
        with np.errstate(all="ignore"):
            between = mean - formula if below_zero else np.where(mean > 0, mean, np.nan) / formula
        right.plot(marks, between, color=colour, **look)
    scale = "linear" if below_zero else "log"
    curves.set(xscale="log", yscale=scale, xlabel="horizon T")
    right.set(xscale="log", yscale=scale, xlabel="horizon T")
    right.set(ylabel="measured less formula" if below_zero else "measured / formula")
    right.axhline(0.0 if below_zero else 1.0, color="black", linewidth=0.8, linestyle=":")


def _looks(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Name of a formula -> its line: the first is wide and pale, so that it is seen below a curve that it equals."""
    first_printed = sorted(dict.fromkeys(names), key=lambda name: not name.startswith("printed"))
    others = ({**readings.OTHER_BOUND, "linestyle": dashes} for dashes in cycle(("--", "-.", ":")))
    return dict(zip(first_printed, chain([WIDE], others), strict=False))


def _pairs(claim: Compared, results: Results) -> Iterator[Pair]:
    if isinstance(claim, Exactly):
        values, marks = claim.reading.curve(results)
        formula = np.array([as_float(claim.formula_at(int(t))) for t in marks])
        label = readings.point_label(claim.reading.where)
        yield Pair(label, claim.name or "formula", marks, values, formula)
        return
    for where in claim.points:
        marks, values, formula = readings.under(results, claim, where)
        yield Pair(readings.point_label(where), f"{claim.form} bound", marks, values, formula)


def outcome(results: Results, claims: Sequence[Compared]) -> str:
    """ "up to 4.6 times the printed bound; equal to 1/T at a = 2": each claim tested by itself."""
    points: dict[str, list[str]] = {}
    for claim in claims:
        if isinstance(claim, Bound):
            name, where = f"the {claim.form} bound", claim.points[0] if len(claim.points) == 1 else {}
        else:
            name, where = claim.name or "the formula", claim.reading.where
        point = readings.plain(readings.point_label(where))
        points.setdefault(_relation(claim, name, results), []).append(point)
    return "; ".join(
        relation + (f" at {' and '.join(where)}" if any(where) else "") for relation, where in points.items()
    )


def _relation(claim: Compared, name: str, results: Results) -> str:
    """How the curve stands to the formula, as far as it is decided."""
    finding = claim.finding(results, results.plan)
    equal = isinstance(claim, Exactly) and claim.equal
    if finding.p_if_wrong < LEVEL:
        return f"equal to {name}" if equal else f"never above {name}"
    if finding.p_if_right >= LEVEL:
        return f"{name} undecided at this horizon"
    if equal:
        return f"not equal to {name}"
    factor = f"up to {finding.value:.3g} times " if finding.value > 1 else "above "
    return f"{factor}{name}"
