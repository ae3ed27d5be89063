"""The record of one figure. Drawing reads stored results and never simulates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from matplotlib.figure import Figure as MplFigure

from workbench.records import Result

Results = Mapping[str, Result]


@dataclass(frozen=True)
class Figure:
    """key: "<paper>/fig-...". needs: simulation keys. draw: (results by simulation key) -> matplotlib figure.

    source: figure and lines of the paper, or "workbench" for the project's own. caption: the settings, with the default
    taken for everything the paper leaves out, and nothing measured. seen: (results by simulation key) -> the sentences
    that state what was drawn (runs, horizon) and measured. kind: "curves" shows quantities of runs, a "map" colours
    them; a "graph" or a "table" shows verdicts, has no axes, and counts failed runs in its caption.
    """

    key: str
    title: str
    source: str
    needs: tuple[str, ...]
    draw: Callable[[Results], MplFigure]
    caption: str
    seen: Callable[[Results], str]
    kind: Literal["curves", "map", "graph", "table"] = "curves"

    def text(self, results: Results) -> str:
        """Title, source and the caption with its measured sentences, for these results."""
        seen = self.seen({key: results[key] for key in self.needs})
        real = any(results[key].meta.get("data") == "real" for key in self.needs)
        data = " Here on the paper's own data set, in place of the one named above." if real else ""
        return f"{self.title} ({self.source}). {self.caption} {seen}{data}"
