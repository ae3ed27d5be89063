"""The contract of figures: each shows data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from workbench.cli.contracts.outcome import Skipped
from workbench.engine.records import Result
from workbench.homes import mistakes


def draws(figure: Any, results: Mapping[str, Result]) -> Iterator[str]:
    """The figure has axes with data in them, and its caption can be written."""
    if figure.of_proof or figure.kind in ("graph", "table"):
        raise Skipped(f"{figure.key} shows the ledger")
    with mistakes.blame(figure.key, figure.draw):
        picture = figure.picture(results)
        try:
            if not any(map(_shows, picture.axes)):
                yield f"{figure.key}: draws nothing; return a matplotlib figure that has data in its axes"
            if not figure.text(results).strip():
                yield f"{figure.key}: the caption is empty"
        finally:
            picture.clear()


def _shows(axes: Any) -> bool:
    """Whether some line has two finite points, or there are bars, areas, points or an image."""
    lines = (np.asarray(line.get_xydata(), float) for line in axes.lines)
    points = any((np.isfinite(xy).all(axis=1)).sum() >= 2 for xy in lines)
    return points or bool(axes.collections or axes.patches or axes.images or axes.tables)
