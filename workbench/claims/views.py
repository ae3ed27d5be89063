"""Views: transformations of a recorded quantity into the curve that a claim reads and a figure draws.

A view maps a table (rows, M) of a result and the row mask of one grid point to values (runs, M') at marks (M',).
Exponents are the same in every view, down to the least that the recorded quantity can have (`View.floor`); views differ
in how strongly the initial transient enters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.engine.records import REDUCTIONS, Result
from workbench.evidence import rates
from workbench.evidence.verdicts import NotEnough
from workbench.theory.record import Theorem

Array = np.ndarray
Quantity = str | Callable[[Result], Array]  # name of a recorded quantity, or a function returning (rows, M)
Formula = Callable[[Array], Array]  # iterations -> values


def table_of(result: Result, quantity: Quantity) -> Array:
    """(rows, M)."""
    return result.table(quantity) if isinstance(quantity, str) else quantity(result)


def row_mask(result: Result, where: Mapping[str, float]) -> Array:
    """(rows,) mask of a grid point. Raises KeyError, with what the grid holds, if it has no such parameter or point."""
    values_there = {name: sorted(set(values.tolist())) for name, values in result.params.items()}
    points = (
        "; ".join(f"{n} = {', '.join(f'{v:g}' for v in values)}" for n, values in values_there.items())
        or "one point"
    )
    if foreign := where.keys() - values_there.keys():
        raise KeyError(f"no grid parameter {min(foreign)!r}; the grid holds {points}")
    mask = result.rows(**where)
    if not mask.any():
        raise KeyError(
            f"no run where {', '.join(f'{n} = {v:g}' for n, v in where.items())}; the grid holds {points}"
        )
    return mask


class Readable(dict[str, np.ndarray]):
    """Tables by name, which note those that are read."""

    def __init__(self, tables: Mapping[str, np.ndarray]) -> None:
        super().__init__(tables)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> np.ndarray:
        self.names.add(name)
        return super().__getitem__(name)


class _Anything(Readable):
    """Two runs at four marks of whatever is asked for."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> np.ndarray:
        return np.ones((2, 4))


def read_by(quantity: Quantity) -> tuple[str, ...]:
    """The recorded quantities of which it is made: its name, or what its function reads of a tiny result.

    A function that gets no further with a tiny result has the quantities that it read until then.
    """
    if isinstance(quantity, str):
        return (quantity,)
    tables, rows = _Anything({}), np.zeros(2, dtype=int)
    tiny = Result(np.array([1, 2, 4, 8]), tables, {}, np.arange(2), rows, rows, {}, np.ones(4))
    with suppress(Exception):
        quantity(tiny)
    return tuple(sorted(tables.names))


def name_of(quantity: Quantity) -> str:
    """How tables call a quantity: its own name, or that of its function, if it has one."""
    if isinstance(quantity, str):
        return quantity
    return "metric" if quantity.__name__ == "<lambda>" else quantity.__name__


def calls_of(resource: str) -> Callable[[Result], Array]:
    """The calls of a resource so far as a quantity: result -> (rows, M); 0 for one that was never called."""

    def calls(result: Result) -> Array:
        shape = (result.size, len(result.marks))
        return np.broadcast_to(result.calls.get(resource, 0), shape).astype(float)

    calls.__name__ = f"{resource} calls"
    return calls


def _identity(formula: Formula, marks: Array) -> Array:
    return formula(marks)


@dataclass(frozen=True)
class View:
    """How a recorded quantity becomes the curve that is read: called with result, quantity and mask of a grid point.

    read: (result, (rows, M), (rows,)) -> values (runs, M'), marks (M',). predict: (formula of T, marks) -> the same
    transformation of a formula. label: format of the vertical axis label. forgets: additive constants cancel, including
    constant terms of a bound. whole: read from the first mark on, not only over the last decades. of: how the names of
    the quantities end that it is made for. floor: their least exponent, that of what their first terms leave: the view
    drops those, and shows what decays faster as if they did not exist.
    """

    read: Callable[[Result, Array, Array], tuple[Array, Array]]
    predict: Callable[[Formula, Array], Array] = _identity
    label: str = "{}"
    forgets: bool = False
    whole: bool = False
    of: str = ""
    floor: float = -math.inf

    def __call__(self, result: Result, quantity: Quantity, mask: Array) -> tuple[Array, Array]:
        return self.read(result, table_of(result, quantity), mask)


def checked_view(view: object, quantity: Quantity | None = None) -> None:
    """Raises ValueError for what is no view, and for one that is made for other quantities than this one."""
    if not isinstance(view, View):
        raise ValueError(f"view is a {type(view).__name__}; wanted one such as wb.window_means")
    if isinstance(quantity, str) and not quantity.endswith(view.of):
        raise ValueError(
            f"this view reads quantities whose names end in {view.of}, not {quantity} (or a function of the result)"
        )


# Kind of metric of a theorem -> how the names of recorded quantities of this kind end; others have no such ending.
_ENDINGS = {"running mean": ("_mean",), "regret": ("", "_sum")}
_OTHERS = ("", "_peak")  # a bound on every iterate is one on their peaks


def check_kind(theorem: Theorem | str, quantity: Quantity, view: View) -> None:
    """Raises ValueError for a quantity or a view that is not of the kind of metric that a theorem is about.

    A function of the result is of the kind that its author says.
    """
    if isinstance(theorem, str) or not theorem.metric_kind:
        return
    endings = _ENDINGS.get(theorem.metric_kind, _OTHERS)
    about = f"{theorem.key} is about a {theorem.metric_kind}"
    if isinstance(quantity, str) and _ending(quantity) not in endings:
        raise ValueError(f"{about}, which {quantity} is not")
    if view.of and _ending(view.of) not in endings:
        raise ValueError(f"{about}, which a view of quantities ...{view.of} does not show")


def _ending(name: str) -> str:
    """Of a recorded quantity over all iterations up to a mark: "_mean", "_sum", "_max"; else ""."""
    return next((f"_{r}" for r in REDUCTIONS if name.endswith(f"_{r}")), "")


def _as_recorded(result: Result, table: Array, mask: Array) -> tuple[Array, Array]:
    return table[mask], result.marks.astype(float)


def _window_means(result: Result, table: Array, mask: Array) -> tuple[Array, Array]:
    return rates.window_means(table[mask], result.marks)


def _window_means_of(formula: Formula, marks: Array) -> Array:
    """What the means over (T/2, T] are where the mean over (0, T] follows the formula."""
    return 2.0 * formula(marks) - formula(marks / 2)


def _increments(result: Result, table: Array, mask: Array) -> tuple[Array, Array]:
    return rates.dyadic_increments(table[mask], result.marks)


def _increments_of(formula: Formula, marks: Array) -> Array:
    return formula(marks) - formula(marks / 2)


def _envelope(result: Result, table: Array, mask: Array) -> tuple[Array, Array]:
    return rates.octave_maxima(table[mask], result.marks)


def _envelope_of(formula: Formula, marks: Array) -> Array:
    """What the largest value over (T/2, T] is where the curve follows a formula that rises or falls throughout."""
    return np.maximum(formula(marks), formula(np.floor(marks / 2) + 1))


def _at_horizons(result: Result, table: Array, mask: Array) -> tuple[Array, Array]:
    """The value at the end of each horizon, which is a mark (`Batch.horizons`).

    Raises ValueError if a horizon has several grid points among the rows, and `NotEnough` if the run ends before it.
    """
    horizons = np.unique(result.params["until"][mask])
    columns = []
    for T in horizons:
        rows = mask & (result.params["until"] == T)
        if rows.sum() != result.runs:
            raise ValueError(
                f"{rows.sum()} rows end at T = {T:g}, not {result.runs}: give values for the other parameters"
            )
        if result.horizon < T:
            raise NotEnough(f"the run has {result.horizon} iterations, and the horizon {T:g} more")
        columns.append(table[rows, result.at(T)])
    return np.stack(columns, axis=1), horizons


def _iterates(
    result: Result, table: Array, mask: Array, first: int, period: int, phase: int
) -> tuple[Array, Array]:
    t = result.marks - 1
    keep = (t >= first) & (t % period == phase)
    return table[mask][:, keep], t[keep].astype(float)


as_recorded = View(_as_recorded)
"""The recorded quantity itself, at every mark: a last iterate, a maximum."""
window_means = View(_window_means, _window_means_of, of="_mean", floor=-1.0)
"""Means over (T/2, T] of a running mean ("..._mean"): the same exponent, down to -1, without the first iterations."""
increments = View(_increments, _increments_of, "{0}(T) - {0}(T/2)", forgets=True, of="_sum", floor=0.0)
"""R(T) - R(T/2) of a sum ("..._sum"): what was added in the first iterations cancels; exponents from 0 on."""
envelope = View(_envelope, _envelope_of, of="_peak")
"""The largest value over (T/2, T] of a peak ("..._peak"): the same exponent, for curves that oscillate."""
at_horizons = View(_at_horizons, whole=True)
"""One number per horizon, from the rows that end there (grid parameter ``until``): for steps that depend on T."""


def iterates(first: int = 1, period: int = 1, phase: int = 0) -> View:
    """The view of a quantity as a function of t = mark - 1, for papers that count from 0.

    Kept are the marks with t >= first and t = phase modulo period.
    """
    return View(partial(_iterates, first=first, period=period, phase=phase % period))
