"""The record of one figure. Drawing uses stored results and never simulates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from matplotlib.figure import Figure as MplFigure

from workbench.claims.plan import UNPLANNED, Plan
from workbench.engine.records import Result
from workbench.homes.records import Record

LONGEST = 600  # characters of a caption; what has no room stands with the settings


class Results(dict[str, Result]):
    """What a figure shows: results by simulation key, and the plan by which its paper reads them.

    not_judged: a sentence on curves of these results that nothing judges, "" for none. A missing result is a KeyError
    that says what to do about it.
    """

    def __init__(self, results: Mapping[str, Result], plan: Plan = UNPLANNED, not_judged: str = "") -> None:
        super().__init__(results)
        self.plan, self.not_judged = plan, not_judged
        # Of a reading, by its identity, with the reading, so that it stays: the picture and both texts say the same.
        self.outcomes: dict[int, tuple[Any, str]] = {}

    def __missing__(self, key: str) -> Result:
        raise KeyError(
            f"{key} is read, but not among the figure's needs; add it to the fourth field of Figure"
        )


@dataclass(frozen=True)
class Table:
    """The numbers of a figure that is a table of the paper, as text: powers are written T^1/2 and 1.2e4.

    times: heads of columns that differ from computer to computer.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    times: tuple[str, ...] = ()

    def lines(self) -> str:
        """Aligned columns."""
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True)).rstrip()
            for row in (self.head, *self.rows)
        )

    def without_times(self) -> Table:
        """The same on every computer."""
        columns = [i for i, head in enumerate(self.head) if head not in self.times]
        return Table(
            tuple(self.head[i] for i in columns), tuple(tuple(row[i] for i in columns) for row in self.rows)
        )


@dataclass(frozen=True)
class Order:
    """An order of the methods. holds: whether they end as the paper shows. says: in sentences. why: reasons if not.

    partly: not reproduced, but some of what the paper shows is found again.
    """

    holds: bool
    says: str
    why: str = ""
    partly: bool = False

    @property
    def outcome(self) -> str:
        """ "reproduced", "in part" or "not reproduced" """
        return "reproduced" if self.holds else "in part" if self.partly else "not reproduced"

    def __str__(self) -> str:
        return f"{self.says} {self.why}".strip()


@dataclass(frozen=True)
class Figure(Record):
    """key: "<paper>/fig-...". needs: simulation keys. draw: (results by simulation key) -> matplotlib figure.

    source: figure and lines of the paper, or "workbench" for the project's own. caption: the settings, including the
    defaults chosen for everything that the paper does not specify, and nothing measured. summary: (results by
    simulation key) -> sentences on what was drawn (runs, horizon) and measured. kind: "curves" shows quantities of
    runs, a "map" colours them; a "graph" or a "table" shows verdicts, has no axes, and counts failed runs in its
    caption. on_real: the caption for results on the paper's own data set, for figures that can use it. ordering:
    (results) -> whether methods end in the order that the paper shows, with which the text begins. of_proof: whether it
    also shows the paper's proof ledger, whose outcomes must be computed first. ratios: whether ``summary`` states only
    slopes and ratios, which a factor common to all results leaves unchanged. table: (results) -> the table that is
    drawn. outcome: (results) -> what came out, in words: it stands in the picture, and first in the caption.
    """

    key: str
    title: str
    source: str
    needs: tuple[str, ...]
    draw: Callable[[Results], MplFigure]
    caption: str
    summary: Callable[[Results], str]
    kind: Literal["curves", "map", "graph", "table"] = "curves"
    on_real: str = ""
    ordering: Callable[[Results], Order] | None = None
    of_proof: bool = False
    ratios: bool = False
    table: Callable[[Results], Table] | None = None
    outcome: Callable[[Results], str] | None = None

    def __post_init__(self) -> None:
        """Raises ValueError for needs that are no keys of simulations, and for a drawing that is no function."""
        if isinstance(self.needs, str) or not all(isinstance(key, str) for key in self.needs):
            raise ValueError(
                f"{self.key}: needs is {self.needs!r}; wanted a tuple of keys, such as (CURVE.sim.key,)"
            )
        for name in ("draw", "summary"):
            if not callable(given := getattr(self, name)):
                raise ValueError(
                    f"{self.key}: {name} is a {type(given).__name__}; wanted a function of the results"
                )

    def own_results(
        self, results: Mapping[str, Result], plan: Plan = UNPLANNED, not_judged: str = ""
    ) -> Results:
        """The results that it needs, with the plan of its paper, or with that which they have already."""
        if isinstance(results, Results):
            if results.keys() == set(self.needs):
                return results
            plan, not_judged = results.plan, results.not_judged
        return Results({key: results[key] for key in self.needs}, plan, not_judged)

    @property
    def of_paper(self) -> bool:
        """Whether it redraws a figure or a table of the paper."""
        return not self.source.startswith("workbench")

    @property
    def has_curves(self) -> bool:
        """Whether its lines are quantities of runs."""
        return self.kind == "curves" and self.table is None

    def picture(self, results: Mapping[str, Result]) -> MplFigure:
        """The picture. Raises ValueError if ``draw`` returns something else."""
        picture = self.draw(self.own_results(results))
        if not isinstance(picture, MplFigure):
            raise ValueError(
                f"draw returns {type(picture).__name__}; wanted the matplotlib figure, as in `return figure`"
            )
        return picture

    def text(self, results: Mapping[str, Result]) -> str:
        """`caption_of` and, after it, `settings_of`."""
        return f"{self.caption_of(results)} {self.settings_of(results)}"

    def caption_of(self, results: Mapping[str, Result]) -> str:
        """Title, source, what came out, and as many of the measured sentences as there is room for."""
        return self._parts(results)[0]

    def settings_of(self, results: Mapping[str, Result]) -> str:
        """The settings, and the measured sentences for which the caption has no room."""
        return self._parts(results)[1]

    def _parts(self, results: Mapping[str, Result]) -> tuple[str, str]:
        own = self.own_results(results)
        sentences = [
            str(self.order(own) or ""),
            self.result(own),
            *re.split(r"(?<=[.]) (?=[A-Z])", self.summary(own)),
        ]
        text, rest = f"{self.title} ({self.source}).", [self.on_real if from_real(own) else self.caption]
        for sentence in filter(None, sentences):
            if len(rest) == 1 and len(text) + len(sentence) < LONGEST:
                text += f" {sentence}"
            else:
                rest.append(sentence)
        return text, " ".join([*rest, *filter(None, [own.not_judged])])

    def result(self, results: Mapping[str, Result]) -> str:
        """What came out, as one sentence; "" for a figure that does not say."""
        own = self.own_results(results)
        words = self.outcome(own) if self.outcome else ""
        return f"{words[:1].upper()}{words[1:]}." if words else ""

    def table_of(self, results: Mapping[str, Result]) -> Table | None:
        """The table that is drawn; None for a figure without one."""
        return self.table(self.own_results(results)) if self.table else None

    def order(self, results: Mapping[str, Result]) -> Order | None:
        """What these results say of the paper's order of the methods; None for a figure that compares none."""
        return self.ordering(self.own_results(results)) if self.ordering else None


def from_real(results: Results) -> bool:
    """Were these results computed on the paper's own data set?"""
    return any(result.meta.get("data") == "real" for result in results.values())
