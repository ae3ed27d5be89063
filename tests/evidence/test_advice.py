"""Advice: doing what an open line says decides it. One planted family for each kind of advice, with ten data sets.

A family draws curves of known kind that the first number of runs, or the first horizon, leaves open with this advice.
`follow` reads the advice and does what it says with new runs; nine of ten of those who were given it must be decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.engine.marks import log_marks
from workbench.evidence.verdicts import Finding, Verdict, decide

LEVEL = 0.005 / 6  # of one claim of six
CASES, WANTED = 10, 0.9
Generator = np.random.Generator
MARKS = log_marks(100_000).astype(float)
MARKS = MARKS[MARKS >= 50]


@dataclass(frozen=True)
class Data:
    """How a data set is drawn: runs, the horizon as a multiple of the first one, and other settings of the check."""

    runs: int
    longer: float = 1.0
    settings: tuple[tuple[str, Any], ...] = ()
    kind: str = ""
    smooth: bool = False

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.settings)


@dataclass(frozen=True)
class Family:
    """says: a regular expression. draw(parameters, noise, data) -> finding; both generators are new in each case."""

    name: str
    says: str
    first: Data
    draw: Callable[[Generator, Generator, Data], Finding]
    follow: Callable[[Data, re.Match[str]], Data]
    rounds: int = 1


def sample(
    rng: Generator, mean: np.ndarray, runs: int, noise: float = 0.2, spread: float = 0.3
) -> np.ndarray:
    """(runs, M) with this expectation: a factor for each run, and one for each mark."""
    luck = rng.lognormal(-(spread**2) / 2, spread, (runs, 1))
    return mean * luck * rng.lognormal(-(noise**2) / 2, noise, (runs, mean.size))


def away(p: Generator, inner: float, outer: float, most: float) -> float:
    """A distance to a claim that is clearly within a tolerance, or clearly beyond: up to inner, or outer to most."""
    size = p.uniform(0, inner) if p.random() < 0.5 else p.uniform(outer, most)
    return float(size * p.choice([-1, 1]))


def slope(
    kind: str, claimed: float, at: Callable[[Generator], float], noise: float = 0.2, spread: float = 0.3
) -> Callable[..., Finding]:
    def draw(p: Generator, rng: Generator, data: Data) -> Finding:
        values = sample(rng, MARKS ** (claimed + at(p)), data.runs, noise, spread)
        return getattr(ev, data.kind or kind)(values, MARKS, claimed, **data.options)

    return draw


def curve(
    kind: str, claimed: float, low: float, high: float, shape: Callable[[np.ndarray, float], np.ndarray]
) -> Any:
    """A curve up to a horizon of 1e4, or a longer one: shape(t over 1e4, a number between low and high)."""

    def draw(p: Generator, rng: Generator, data: Data) -> Finding:
        marks = log_marks(int(1e4 * data.longer)).astype(float)
        marks = marks[marks >= marks[-1] / 2000]
        values = sample(rng, shape(marks / 1e4, p.uniform(low, high)), data.runs, noise=0.1)
        return getattr(ev, data.kind or kind)(values, marks, claimed, **data.options)

    return draw


def level(p: Generator, rng: Generator, data: Data) -> Finding:
    mean = (1 + away(p, 0.015, 0.05, 0.08)) * MARKS**-0.5
    return ev.level(sample(rng, mean, data.runs, 0.1, 0.1), MARKS, MARKS**-0.5, **data.options)


def still_moving(p: Generator, rng: Generator, data: Data) -> Finding:
    marks = log_marks(int(1e4 * data.longer)).astype(float)
    marks = marks[marks >= marks[-1] / 2000]
    ratio = 1 + p.uniform(0.1, 0.4) * (marks / 1e4 * 30) ** -0.5
    return ev.level(sample(rng, ratio / marks, data.runs, 0.05, 0.02), marks, 1 / marks, **data.options)


def bound(ratio: Callable[[Generator], float], spread: float = 0.8) -> Callable[..., Finding]:
    def draw(p: Generator, rng: Generator, data: Data) -> Finding:
        values = sample(rng, ratio(p) * MARKS**-0.5, data.runs, spread=spread)
        return ev.bound(values, MARKS**-0.5, MARKS, **data.options)

    return draw


def attained_at_each_mark(p: Generator, rng: Generator, data: Data) -> Finding:
    """The largest of many independent means lies above the bound that all of them attain."""
    values = 0.7 + 0.3 * rng.exponential(size=(data.runs, MARKS.size))
    return ev.bound(values, np.ones(MARKS.size), MARKS, **data.options)


def some_exceed(share: float) -> Callable[..., Finding]:
    def draw(p: Generator, rng: Generator, data: Data) -> Finding:
        share_here = share * p.uniform(0.9, 1.1)
        values = np.where(rng.random((data.runs, 1)) < share_here, 2.0, 0.5) * np.ones(MARKS.size)
        return ev.bound(values, np.ones(MARKS.size), MARKS, "probability", 0.1)

    return draw


def failing(p: Generator, rng: Generator, data: Data) -> Finding:
    values = sample(rng, MARKS**-0.5, data.runs)
    values[rng.random(data.runs) < p.uniform(0.1, 0.2)] = np.nan
    return ev.rate(values, MARKS, -0.5)


def envelope(values: np.ndarray, marks: np.ndarray, factor: float) -> tuple[np.ndarray, np.ndarray]:
    """The largest value of each run in windows whose ends are a factor apart, at the last mark of each."""
    number = np.ceil(np.log(marks / marks[-1]) / np.log(factor) - 1e-9)
    first = np.flatnonzero(np.diff(number, prepend=-np.inf))
    return np.maximum.reduceat(values, first, axis=1), marks[[*(first[1:] - 1), -1]]


def oscillating(p: Generator, rng: Generator, data: Data) -> Finding:
    marks = MARKS if not data.smooth else np.arange(1.0, 20_001.0)
    wave = np.cos(p.uniform(1, 3) * marks + p.uniform(0, 6)) ** 2 + 1e-4
    values = marks**-2 * wave * rng.lognormal(0, 0.3, (data.runs, 1))
    if data.smooth:
        values, marks = envelope(values, marks, 2**0.5)
    return ev.rate(values, marks, -2.0)


def along(p: Generator, rng: Generator, data: Data) -> Finding:
    """Values of a parameter, over a range that is ten times as long if so advised."""
    sizes = np.geomspace(1, 4 * data.longer, 6)
    return ev.scaling(sample(rng, sizes ** (0.5 + away(p, 0.02, 0.09, 0.15)), data.runs, 0.3), sizes, 0.5)


def curved(p: Generator, rng: Generator, data: Data) -> Finding:
    """3 + s: over small values no power, over large ones the first."""
    sizes = np.geomspace(1, 16, 6) * data.longer
    return ev.scaling(
        sample(rng, p.uniform(2, 5) + sizes, data.runs, 0.05, 0.1), sizes, float(p.choice([0.5, 1.0]))
    )


def epochs(p: Generator, rng: Generator, data: Data) -> Finding:
    """1/T at the ends of epochs, and more between them."""
    epoch = int(p.integers(20, 100))
    ends = np.round(np.geomspace(epoch, 20_000, 24) / epoch) * epoch
    marks = np.unique(ends if data.smooth else [*log_marks(20_000).astype(float), *ends])
    mean = np.where(marks % epoch == 0, 1.0, p.uniform(1.5, 4)) / marks
    return ev.rate(sample(rng, mean, data.runs, 0.05), marks, -1.0)


def few_carry(p: Generator, rng: Generator, data: Data) -> Finding:
    spread = p.uniform(1.0, 2.0)
    values = 0.3 * rng.lognormal(-(spread**2) / 2, spread, (data.runs, 1)) * np.ones(MARKS.size)
    return ev.bound(values, np.ones(MARKS.size), MARKS)


def more(data: Data, said: re.Match[str]) -> Data:
    return Data(int(said["runs"]), data.longer, data.settings)


def longer(data: Data, said: re.Match[str]) -> Data:
    return Data(data.runs, float(said["times"]), data.settings)


def tolerant(data: Data, said: re.Match[str]) -> Data:
    return Data(int(said["runs"] or data.runs), data.longer, (("tol", float(said["tol"])),))


RUNS, TIMES = r"about (?P<runs>\d+) runs", r"^a horizon (?P<times>[\d.e+]+) times as long: "
STEADY = r"$"
FAMILIES = [
    Family("rate", RUNS + STEADY, Data(48), slope("rate", -0.5, lambda p: away(p, 0.01, 0.06, 0.09)), more),
    Family("tight", RUNS + STEADY, Data(48), slope("tight", -0.5, lambda p: away(p, 0.01, 0.06, 0.09)), more),
    Family("level", RUNS + STEADY, Data(32), level, more),
    Family("bound", RUNS + STEADY, Data(24), bound(lambda p: 1 - away(p, 0.5, 0.3, 0.6)), more),
    Family("rate near its edge", RUNS + " at first", Data(48),
           slope("rate", -0.5, lambda p: away(p, 0.02, 0.045, 0.06)), more, rounds=3),
    Family("tight near its edge", RUNS + " at first", Data(48),
           slope("tight", -0.5, lambda p: away(p, 0.02, 0.045, 0.06)), more, rounds=3),
    Family("drift", RUNS + " at first", Data(48), slope("tight", -0.5, lambda p: p.uniform(-0.003, 0.003)), more, 3),
    Family("bound attained", r"^a tolerance \(tol=(?P<tol>[\d.]+)\)( and " + RUNS + ")?", Data(1024),
           bound(lambda p: 1.0), tolerant),
    Family("bound attained at each mark", r"^a tolerance \(tol=(?P<tol>[\d.]+)\)( and " + RUNS + ")?", Data(256),
           attained_at_each_mark, tolerant),
    Family("share", RUNS, Data(64), some_exceed(0.05), more),
    Family("share beyond", RUNS, Data(64), some_exceed(0.2), more),
    Family("failed runs", RUNS, Data(40), failing, more),
    Family("between tolerance and wave", r"^a wider tolerance, such as (?P<tol>[\d.]+)(?P<runs>)", Data(512),
           slope("rate", -0.5, lambda p: p.uniform(0.0325, 0.0355), 0.03, 0.1), tolerant),
    Family("without waves", r"^a wider tolerance, .* without=\(\"waves\",\)", Data(512),
           slope("rate", -0.5, lambda p: p.uniform(0.0325, 0.0355), 0.03, 0.1),
           lambda data, said: Data(data.runs, 1.0, (("without", ("waves",)),))),
    Family("burn-in", TIMES + "the curve is still steepening", Data(512),
           curve("rate", -0.5, 0.1, 0.5, lambda u, a: (1 + u / a) ** -0.5), longer),
    Family("soft burn-in", TIMES + "the curve is still steepening", Data(512),
           curve("rate", -0.5, 0.02, 0.2, lambda u, a: (1 + (u / a) ** 0.5) ** -1.0), longer),
    Family("burn-in to a slower one", TIMES + "the curve is still steepening", Data(512),
           curve("rate", -0.75, 0.1, 0.5, lambda u, a: (1 + u / a) ** -0.5), longer),
    Family("attained later", TIMES + "the curve is still steepening", Data(512),
           curve("tight", -0.5, 0.02, 0.1, lambda u, a: (1 + u / a) ** -0.5), longer),
    Family("local slope moving", TIMES + "the local slope is still moving", Data(512),
           curve("tight", -0.5, 0.002, 0.008, lambda u, a: (1 + u / a) ** -0.5), longer),
    Family("slower terms", TIMES + "slower terms are taking over", Data(1024),
           curve("rate", -0.25, 0.25, 0.5, lambda u, c: u**-0.5 + c), longer),
    Family("level moving", TIMES + "the ratio is still moving", Data(512), still_moving, longer),
    Family("faster than claimed", r"^the claim that it falls at least as fast", Data(512),
           curve("tight", -0.25, 0.1, 0.4, lambda u, c: u**-0.75 + c * u**-0.25),
           lambda data, said: Data(data.runs, kind="rate")),
    Family("oscillation", r"^other marks: .* the largest value since the previous mark", Data(64), oscillating,
           lambda data, said: Data(data.runs, smooth=True)),
    Family("ends of epochs", r"^other marks: .* record at one place of every epoch", Data(64), epochs,
           lambda data, said: Data(data.runs, smooth=True)),
    Family("mean of few", RUNS + ": the mean is carried by few", Data(48), few_carry, more),
    Family("curved", "^another parameter range: the relation is curved", Data(64), curved,
           lambda data, said: Data(data.runs, 1000.0)),
    Family("scaling", RUNS + " at first", Data(64), along, more, 3),
]  # fmt: skip


def cases(family: Family) -> tuple[int, int]:
    """(data sets left open with this advice, those of them that are decided when it was followed)."""
    given = decided = 0
    for seed in range(4 * CASES):
        parameters = [*b"advice", seed]
        data, finding = family.first, None
        finding = family.draw(
            np.random.default_rng(parameters), np.random.default_rng([*parameters, 0]), data
        )
        (decision,) = decide([finding], LEVEL)
        if decision.verdict is not Verdict.INCONCLUSIVE or not re.search(family.says, decision.decides):
            continue
        given += 1
        for number in range(family.rounds):
            said = re.search(family.says if number == 0 else RUNS, decision.decides)
            if said is None:
                break
            data = family.follow(data, said)
            rng = np.random.default_rng([*parameters, 1 + number])
            (decision,) = decide([family.draw(np.random.default_rng(parameters), rng, data)], LEVEL)
            if decision.verdict is not Verdict.INCONCLUSIVE:
                decided += 1
                break
        if given == CASES:
            break
    return given, decided


# The same advice as in the families named beside them, which need fewer runs to follow it.
SLOW = {"bound attained": "bound attained at each mark", "tight near its edge": "rate near its edge"}


def marks_of(family: Family) -> list[pytest.MarkDecorator]:
    return [pytest.mark.long] if family.name in SLOW else []


@pytest.mark.parametrize("family", [pytest.param(f, id=f.name, marks=marks_of(f)) for f in FAMILIES])
def test_doing_what_an_open_line_says_decides_it(family: Family) -> None:
    given, decided = cases(family)
    assert given >= CASES / 2
    assert decided >= WANTED * given, f"{decided} of {given}"
