"""Ticks of logarithmic axes in plain text, which are drawn in a quarter of the time of Matplotlib's own.

Those typeset every label as a formula, and have an object for each of the small ticks, a hundred in a picture.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.markers import TICKDOWN, TICKLEFT
from matplotlib.ticker import FixedFormatter, FixedLocator, NullFormatter, NullLocator

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MARKERS: tuple[Any, Any] = (TICKLEFT, TICKDOWN)
MOST = 7  # labels of an axis
DENSE = 10  # decades between two labels above which these have no small ticks between them
# Decades in view up to which these multiples of the powers of ten have labels as well.
BETWEEN = ((1.4, (1, 2, 5)), (2.0, (1, 3)), (math.inf, (1,)))


def set_ticks(ax: Axes) -> None:
    """Labels and small ticks for the limits that the axes have now; an axis of less than a decade keeps its own."""
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        if axis.get_scale() == "log" and math.inf > high >= 10 * low > 0:
            _set(ax, axis, low, high)


def label(mantissa: int, power: int) -> str:
    """ "2×10⁻³", and "10⁻³" for a mantissa of 1."""
    return f"{f'{mantissa}×' if mantissa > 1 else ''}10{str(power).translate(RAISED)}"


def _value(mantissa: int, power: int) -> float:
    """Without an overflow, and the float that is nearest."""
    return float(f"{mantissa}e{power}")


def _set(ax: Axes, axis: Axis, low: float, high: float) -> None:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = max(1, math.ceil((last - first) / MOST))
    powers = range(math.ceil(first / step) * step, last + 1, step)
    mantissas = next(m for decades, m in BETWEEN if math.log10(high) - math.log10(low) <= decades)
    labels = {at: label(m, p) for p in powers for m in mantissas if low <= (at := _value(m, p)) <= high}
    axis.set_major_locator(FixedLocator(list(labels)))
    axis.set_major_formatter(FixedFormatter(list(labels.values())))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())
    between = range(1, 10) if step == 1 else (1,)
    every = range(first, last + 1) if step <= DENSE else powers
    small = np.array([_value(m, p) for p in every for m in between])
    small = small[(small >= low) & (small <= high)]
    on_edge, is_x = np.zeros(small.size), axis is ax.xaxis
    # One line of markers, drawn as small ticks are.
    line = Line2D(
        small if is_x else on_edge,
        on_edge if is_x else small,
        transform=ax.get_xaxis_transform() if is_x else ax.get_yaxis_transform(),
        marker=MARKERS[is_x],
        markersize=2.0,
        markeredgewidth=0.6,
        color=".15",
        linestyle="none",
        clip_on=False,
    )
    ax.add_artist(line)
