"""The record of one figure. Drawing uses stored results and never simulates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from matplotlib.figure import Figure as MplFigure

from workbench.engine.records import Result

Results = Mapping[str, Result]


@dataclass(frozen=True)
class Figure:
    """key: "<paper>/fig-...". needs: simulation keys. draw: (results by simulation key) -> matplotlib figure.

    source: figure and lines of the paper, or "workbench" for the project's own. caption: the settings, including the
    defaults chosen for everything that the paper does not specify, and nothing measured. seen: (results by simulation
    key) -> sentences on what was drawn (runs, horizon) and measured. kind: "curves" shows quantities of runs, a "map"
    colours them; a "graph" or a "table" shows verdicts, has no axes, and counts failed runs in its caption.
    on_real: the caption for results on the paper's own data set, for figures that can use it. ordering: (results) ->
    the first sentence of the text: whether methods end in the order that the paper shows. of_proof: whether it also
    shows the paper's proof ledger, whose outcomes must be computed first. ratios: whether ``seen`` states only slopes
    and ratios, which a factor common to all results leaves unchanged.
    """

    key: str
    title: str
    source: str
    needs: tuple[str, ...]
    draw: Callable[[Results], MplFigure]
    caption: str
    seen: Callable[[Results], str]
    kind: Literal["curves", "map", "graph", "table"] = "curves"
    on_real: str = ""
    ordering: Callable[[Results], str] | None = None
    of_proof: bool = False
    ratios: bool = False

    def text(self, results: Results) -> str:
        """Title, source and caption with its measured sentences for these results."""
        used = {key: results[key] for key in self.needs}
        caption = self.on_real if from_real(used) else self.caption
        first = f"{self.ordering(used)} " if self.ordering else ""
        return f"{self.title} ({self.source}). {first}{caption} {self.seen(used)}"


def from_real(results: Results) -> bool:
    """Were these results computed on the paper's own data set?"""
    return any(result.meta.get("data") == "real" for result in results.values())
