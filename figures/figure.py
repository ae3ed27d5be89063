"""The record of one figure. Drawing reads stored results and never simulates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from matplotlib.figure import Figure as MplFigure

from workbench.records import Result


@dataclass(frozen=True)
class Figure:
    """key: "<paper>/fig-...". needs: simulation keys. draw: (results by simulation key) -> matplotlib figure.

    source: figure and lines of the paper, or "workbench" for the project's own. caption: what is seen, with every
    setting the paper leaves out and the default taken for it.
    """

    key: str
    title: str
    source: str
    needs: tuple[str, ...]
    draw: Callable[[Mapping[str, Result]], MplFigure]
    caption: str
