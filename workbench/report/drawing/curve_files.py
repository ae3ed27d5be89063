"""The curves of a picture as a table, so that a reader can use them."""

from __future__ import annotations

import csv
import io

import numpy as np
from matplotlib.figure import Figure as MplFigure


def table(picture: MplFigure) -> str:
    """CSV with a row for each point of each line: panel, curve (its name in the legend), x, y.

    Lines without a name, such as claimed slopes, are numbered within their panel. Points without a value are left out.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("panel", "curve", "x", "y"))
    for place, ax in enumerate(picture.axes, 1):
        panel = ax.get_title() or f"panel {place}"
        for position, line in enumerate(ax.lines, 1):
            label = str(line.get_label())
            name = f"line {position}" if label.startswith("_") else label
            points = np.column_stack([np.asarray(axis, dtype=float) for axis in line.get_data()])
            for x, y in points[np.isfinite(points).all(axis=1)]:
                rows.writerow((panel, name, f"{x:.6g}", f"{y:.6g}"))
    return text.getvalue()
