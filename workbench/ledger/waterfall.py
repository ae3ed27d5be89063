"""The factor that each line of a proof loses on recorded runs, with an interval whose unit is the run.

Consecutive values of a `Waterfall` are compared on the logarithmic scale, on which the lines add up to the whole slack.
A proof in expectation has formulas of means; the lines of one that holds with a probability hold run by run, and their
values are averaged afterwards.
A line of a proof may only lose: a factor that is below 1 beyond its interval is a finding about the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import mul
from typing import Any

import numpy as np
from sympy import Expr, Symbol, lambdify

from workbench.claims.probes import computed_names
from workbench.claims.waterfalls import Step, Waterfall
from workbench.engine.records import Result, Status
from workbench.evidence.stats import Estimate, jackknife

LEVEL = 0.01  # chance that any line of a waterfall is wrongly said to gain
ROUNDING = 1e-9  # relative; sums along a run are exact to about this


@dataclass(frozen=True)
class Bar:
    """One line: the right-hand sides before and after it.

    low, high: limits of the factor, each wrong with probability `LEVEL` over the number of lines.
    """

    step: Step
    before: float
    after: float
    low: float
    high: float
    gains: bool

    @property
    def factor(self) -> float:
        """What the line loses, after / before: 1 is nothing."""
        return self.after / self.before

    @property
    def surprising(self) -> bool:
        """Whether the right-hand side got smaller although no erratum says that it may."""
        return self.gains and not self.step.erratum


@dataclass(frozen=True)
class Fall:
    """A waterfall on one result. T: the horizon of the bound. runs: those it is made of. failed: those left out."""

    waterfall: Waterfall
    bars: tuple[Bar, ...]
    runs: int
    T: float
    failed: int = 0

    @property
    def measured(self) -> float:
        return self.bars[0].before

    @property
    def bound(self) -> float:
        return self.bars[-1].after

    @property
    def slack(self) -> float:
        """bound / measured: the product of all factors."""
        return self.bound / self.measured

    @property
    def worst(self) -> Bar:
        """The line that loses most."""
        return max(self.bars, key=lambda bar: bar.factor)

    def share(self, bar: Bar) -> float:
        """The line's part of the slack on the logarithmic scale."""
        part = np.log(bar.factor) / np.log(self.slack) if self.slack != 1 else 0.0
        return float(part) if abs(part) > ROUNDING else 0.0

    def record(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "key": self.waterfall.key,
            "name": self.waterfall.name,
            "experiment": self.waterfall.sim.key,
            "form": self.waterfall.form,
            "runs": self.runs,
            "horizon": self.T,
            "measured": self.measured,
            "bound": self.bound,
            "slack": self.slack,
            "steps": [
                {
                    "name": bar.step.name,
                    "source": bar.step.source,
                    "value": bar.after,
                    "factor": bar.factor,
                    "low": bar.low,
                    "high": bar.high,
                    "share": self.share(bar),
                    "gains": bar.gains,
                    "erratum": bar.step.erratum,
                }
                for bar in self.bars
            ],
        }


def product(bars: tuple[Bar, ...]) -> float:
    """Of all factors: the slack."""
    return reduce(mul, (bar.factor for bar in bars), 1.0)


def fall(waterfall: Waterfall, result: Result, *, without_failed: bool = False) -> Fall:
    """A waterfall's values on a stored result of its simulation.

    without_failed: leave failed runs out and count them, as figures do. Raises ValueError, naming the step, for an
    unknown symbol and a value that is not positive and finite; for failed runs unless they are left out; and where no
    run is left.
    """
    rows = result.rows(**waterfall.where)
    where = f"{waterfall.key} on {waterfall.sim.key}"
    bad = rows & (result.status != Status.OK)
    if (failed := int(bad.sum())) and (not without_failed or failed == rows.sum()):
        raise ValueError(f"{where}: {failed} of {rows.sum()} runs are not finite")
    if failed:
        result = result.keeping(rows & ~bad)
        rows = np.ones(result.size, bool)
    numbers, T = _at_last_mark(waterfall, result, rows)
    terms = [waterfall.measured, *(step.value for step in waterfall.steps)]
    names = ["the measured value", *(step.name for step in waterfall.steps)]
    table, values = _values(terms, names, numbers, where, computed_names(waterfall.sim.probe))
    if waterfall.theorem.kind == "probability":  # its lines hold run by run
        table, values = values(table), lambda means: means
    means = values(table.mean(axis=0)[None, :])[0]
    for name, value in zip(names, means, strict=True):
        if not (np.isfinite(value) and value > 0):
            raise ValueError(f"{where}, {name}: the right-hand side is {value:.6g}")
    estimates = jackknife(table, lambda stack: np.diff(np.log(values(stack)), axis=1))
    level = LEVEL / len(waterfall.steps)
    bars = [
        _bar(step, before, after, e, level)
        for step, (before, after), e in zip(waterfall.steps, pairwise(means), estimates, strict=True)
    ]
    return Fall(waterfall, tuple(bars), int(rows.sum()), T, failed)


def _bar(step: Step, before: float, after: float, log: Estimate, level: float) -> Bar:
    low, high = np.exp(log.interval(level))
    gains = log.decides and bool(high < 1 - ROUNDING)
    return Bar(step, float(before), float(after), float(low), float(high), gains)


def _at_last_mark(
    waterfall: Waterfall, result: Result, rows: np.ndarray
) -> tuple[dict[str, np.ndarray], float]:
    """Name -> (runs,) at the last mark, where a probe holds the iteration before it; and T."""
    t = int(result.marks[-1]) - bool(waterfall.sim.probe)
    T = float(t + waterfall.shift)

    def last(value: Any) -> np.ndarray:
        table = np.asarray(value, float)
        table = table[:, -1] if table.ndim == 2 else table
        return np.broadcast_to(table, rows.shape)[rows]

    # The theorem's names first, and over them what was recorded.
    free = {**result.constants, **waterfall.known(result)}
    values = {name: last(value) for name, value in free.items()} | {"T": last(T)}
    chain = waterfall.theorem.constants(waterfall.form, **values)
    own = {**result.steps, **result.params, **free, **result.data}
    numbers = {name: np.broadcast_to(np.asarray(value, float), rows.sum()) for name, value in chain.items()}
    numbers |= {name: last(value) for name, value in own.items()}
    return numbers | {"T": last(T), "t": last(float(t))}, T


def _values(
    terms: list[Expr], names: list[str], numbers: Mapping[str, np.ndarray], where: str, more: tuple[str, ...]
) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """(runs, symbols) of all symbols, and the function from means (k, symbols) to the terms (k, terms).

    more: names that a step could use, and the simulation would then keep.
    """
    for name, term in zip(names, terms, strict=True):
        if missing := sorted(s.name for s in term.free_symbols if s.name not in numbers):
            there = ", ".join(sorted({*numbers, *more}))
            raise ValueError(f"{where}, {name}: {missing[0]} is not recorded; available: {there}")
    # Records of different modules declare symbols of one name with different signs.
    terms = [term.xreplace({s: Symbol(s.name) for s in term.free_symbols}) for term in terms]
    symbols = sorted({s for term in terms for s in term.free_symbols}, key=lambda s: s.name)
    call = lambdify(symbols, terms, modules="numpy", cse=True)
    table = np.stack([numbers[s.name] for s in symbols], axis=1)

    def values(stack: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            columns = call(*stack.T)
        return np.stack([np.broadcast_to(np.asarray(c, float), len(stack)) for c in columns], axis=1)

    return table, values
