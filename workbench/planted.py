"""Planted curves with a known truth: how often is the checker wrong, and how often does it see?

Every scenario draws a random curve family whose mean is known exactly and asks one question. The noise is
what running means of a stochastic method show: a lognormal factor per run (different luck in the transient)
and the running mean of autocorrelated fluctuations of relative size 0.75 with correlation time sqrt(t), as a
normalised method has near its stationary regime. Checkpoints of one run are therefore strongly correlated.

Truth is "true", "false", or "open" where no finite window can tell (a slower term that carries a few per cent
of the value at the horizon). `CLAIMS_TO_DECIDE` are the scenarios in which at least 99 % right verdicts are
demanded; in all others the right answer is allowed to be `inconclusive`, and only wrong ones are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workbench import evidence, rates
from workbench.stats import Floats, clopper_pearson
from workbench.verdicts import Finding, Verdict, decide

MARKS = np.geomspace(1e2, 1e6, 49)  # about 3.6 checkpoints per doubling
RUNS = 64
DELTA = 0.1
TERMS = (-1 / 2, -1 / 4)
GRID = np.geomspace(0.1, 1.0, 5)  # parameter grid of the scaling claims
SIGMAS = np.geomspace(0.003, 0.04, 6)
Generator = np.random.Generator


@dataclass(frozen=True)
class Scenario:
    """One planted family with one claim. `finding(rng)` draws it and returns the evidence."""

    name: str
    truth: str
    decides: bool
    finding: Callable[[Generator], Finding]


def noisy(rng: Generator, mean: Floats, runs: int = RUNS, spread: float = 0.2, size: float = 0.75) -> Floats:
    """(runs, ..., M) curves with expectation `mean` (..., M): luck per run times averaged AR fluctuations.

    Sums over the blocks between checkpoints, far longer than the correlation time, are independent normals
    of variance 2 * tau * length * size^2; exp(Z - Var/2) keeps the curves positive and the mean exact.
    """
    variance = 2 * np.sqrt(MARKS) * size**2 * np.diff(MARKS, prepend=0.0)
    z = np.cumsum(rng.standard_normal((runs, *mean.shape)) * np.sqrt(variance), axis=-1) / MARKS
    log_luck = spread * rng.standard_normal((runs, *(1,) * mean.ndim)) - spread**2 / 2
    return mean * np.exp(z - np.cumsum(variance) / MARKS**2 / 2 + log_luck)


def power(exponent: float) -> Floats:
    """T^exponent at the checkpoints."""
    return MARKS**exponent


def mixture(crossing: float, fast: float = -1 / 2, slow: float = -1 / 4) -> Floats:
    """T^fast + T^slow, scaled so that the terms are equal at T = crossing."""
    return (MARKS / crossing) ** fast + (MARKS / crossing) ** slow


def burn_in(start: float, exponent: float = -1 / 4) -> Floats:
    """Flat up to T = start, then falling with the exponent."""
    return (1 + MARKS / start) ** exponent


def _rate(mean: Floats, claimed: float, runs: int = RUNS, logs: float = 0) -> Callable[[Generator], Finding]:
    return lambda rng: evidence.rate(noisy(rng, mean, runs=runs), MARKS, claimed, log_power=logs)


def _tight(
    mean: Floats, claimed: float, terms: tuple[float, ...] | None = None, runs: int = 256
) -> Callable[[Generator], Finding]:
    return lambda rng: evidence.tight(noisy(rng, mean, runs=runs), MARKS, claimed, terms=terms)


def _level(factor: float, runs: int = RUNS) -> Callable[[Generator], Finding]:
    predicted = MARKS**-0.25
    return lambda rng: evidence.level(
        noisy(rng, factor * predicted, runs=runs, spread=0.02), MARKS, predicted
    )


def _bound(factor: float, spread: float = 0.5) -> Callable[[Generator], Finding]:
    """Mean curve = factor * bound at every checkpoint, strongly skewed over runs."""
    line = MARKS**-0.25
    return lambda rng: evidence.bound(noisy(rng, factor * line, spread=spread), line, MARKS)


def _bound_probability(share: float, runs: int) -> Callable[[Generator], Finding]:
    """Each run exceeds the bound, on a stretch of checkpoints, with probability `share`."""

    def finding(rng: Generator) -> Finding:
        line = MARKS**-0.25
        bad = rng.random((runs, 1)) < share
        stretch = (rng.integers(0, MARKS.size, (runs, 1)) - np.arange(MARKS.size)) % MARKS.size < 8
        values = line * np.where(bad & stretch, 1.1, 0.5) * rng.uniform(0.95, 1, (runs, MARKS.size))
        return evidence.bound(values, line, MARKS, "probability", DELTA)

    return finding


def _diverging(share: float) -> Callable[[Generator], Finding]:
    def finding(rng: Generator) -> Finding:
        values = noisy(rng, MARKS**-0.25)
        values[rng.random(RUNS) < share] = np.nan
        return evidence.rate(values, MARKS, -0.25)

    return finding


def _regret(transient: float, claimed: float) -> Callable[[Generator], Finding]:
    """Cumulative regret T^(1/2) + transient, read off its dyadic increments."""

    def finding(rng: Generator) -> Finding:
        regret = noisy(rng, MARKS**0.5, runs=256, size=0.1) + transient
        increments, marks = rates.dyadic_increments(regret, MARKS)
        return evidence.tight(increments, marks, claimed)

    return finding


def _scaling(mean: Floats, claimed: float) -> Callable[[Generator], Finding]:
    """Values at a fixed horizon over GRID: luck shared by the grid (common random numbers), 3 % own noise."""

    def finding(rng: Generator) -> Finding:
        shared = np.exp(0.2 * rng.standard_normal((RUNS, 1)))
        own = np.exp(0.03 * rng.standard_normal((RUNS, GRID.size)))
        return evidence.scaling(mean * shared * own, GRID, claimed)

    return finding


def _crossover(claimed: float) -> Callable[[Generator], Finding]:
    """Crossings at T = 2/sigma^2 (the truth is -2); the noise sits on the slow term, as in the methods."""
    fast = np.stack([(MARKS * s**2 / 2) ** -0.5 for s in SIGMAS])
    slow = np.sqrt(fast)

    def finding(rng: Generator) -> Finding:
        values = fast + noisy(rng, slow, runs=512)
        return evidence.crossover(values, MARKS, SIGMAS, claimed, tol=0.25)[0]

    return finding


def _stuck(share: float) -> Callable[[Generator], Finding]:
    """A share of the runs stays at a floor: their mean has one although most runs fall like T^-1/4."""

    def finding(rng: Generator) -> Finding:
        values = noisy(rng, power(-0.25))
        return evidence.rate(values + (rng.random((RUNS, 1)) < share) * 1.0, MARKS, -0.25)

    return finding


def _rates() -> list[Scenario]:
    yes, no, logs = "true", "false", np.log(MARKS)
    return [
        Scenario("rate -1/4: T^-1/4", yes, True, _rate(power(-0.25), -0.25)),
        Scenario("rate -1/4: T^-1/2 (faster)", yes, True, _rate(power(-0.5), -0.25)),
        Scenario("rate -1/4: T^-0.19 (0.06 slower), 32 runs", no, True, _rate(power(-0.19), -0.25, 32)),
        Scenario("rate -1/4: T^-0.15 (0.10 slower), 32 runs", no, True, _rate(power(-0.15), -0.25, 32)),
        Scenario("rate -1/4: noise floor, 128 runs", no, True, _rate(power(0), -0.25, 128)),
        Scenario("rate -1/4: grows like T^0.1, 128 runs", no, True, _rate(power(0.1), -0.25, 128)),
        Scenario("rate -1/4: T^-1/4 onto a floor at 1e4", no, True, _rate(power(-0.25) + 0.1, -0.25)),
        Scenario("rate -1/4: 1 run in 5 stuck at a floor", no, False, _stuck(0.2)),
        Scenario("rate -1/4: T^-0.22, edge of the tolerance", yes, False, _rate(power(-0.22), -0.25)),
        Scenario("rate -1/4: T^-0.22, edge, 8 runs", yes, False, _rate(power(-0.22), -0.25, 8)),
        Scenario("rate -1/4: T^-0.219, just beyond the edge", no, False, _rate(power(-0.219), -0.25)),
        Scenario("rate -1/4: T^-1/2 to T^-1/4 at 1e6", yes, True, _rate(mixture(1e6), -0.25)),
        Scenario("rate -1/2: T^-1/2 to T^-1/4 at 1e2", no, True, _rate(mixture(1e2), -0.5)),
        Scenario("rate -1/2: T^-1/2 to T^-1/4 at 1e4", no, True, _rate(mixture(1e4), -0.5)),
        Scenario("rate -1/2: T^-1/2 to T^-1/4 at 1e7", no, False, _rate(mixture(1e7), -0.5)),
        Scenario("rate -1/2: T^-1/2 to T^-1/4 at 1e9", "open", False, _rate(mixture(1e9), -0.5)),
        Scenario("rate -1/4: burn-in until 1e3", yes, True, _rate(burn_in(1e3), -0.25)),
        Scenario("rate -1/4: burn-in until 1e5", yes, False, _rate(burn_in(1e5), -0.25)),
        Scenario("rate -1/4: burn-in until 1e6", yes, False, _rate(burn_in(1e6), -0.25)),
        Scenario("rate -1/4: burn-in until 5e6", "open", False, _rate(burn_in(5e6), -0.25)),
        Scenario("rate -1/4, log T: T^-1/4 log T", yes, True, _rate(power(-0.25) * logs, -0.25, logs=1)),
        Scenario("rate -1/4, log T: T^-0.1 log T", no, True, _rate(power(-0.1) * logs, -0.25, logs=1)),
        Scenario("rate -1/4: 40 % of the runs diverge", no, True, _diverging(0.4)),
        Scenario("rate -1/4: 1 % of the runs diverge", yes, False, _diverging(0.01)),
    ]


def _tights() -> list[Scenario]:
    yes, no = "true", "false"
    return [
        Scenario("tight -1/4: T^-1/4, 128 runs", yes, True, _tight(power(-0.25), -0.25, runs=128)),
        Scenario("tight -1/4: T^-1/2 (faster)", no, True, _tight(power(-0.5), -0.25)),
        Scenario("tight -1/4: T^-1/2, terms known", no, True, _tight(power(-0.5), -0.25, TERMS)),
        Scenario("tight -1/4: T^-1/3 (0.08 faster)", no, True, _tight(power(-1 / 3), -0.25)),
        Scenario("tight -1/4: T^-1/6 (0.08 slower)", no, True, _tight(power(-1 / 6), -0.25)),
        Scenario("tight -1/4: T^-0.28, edge of the tolerance", yes, False, _tight(power(-0.28), -0.25)),
        Scenario("tight -1/4: T^-0.28, edge, 8 runs", yes, False, _tight(power(-0.28), -0.25, runs=8)),
        Scenario("tight -3/8: T^-1/2 to T^-1/4 at 1e6", no, False, _tight(mixture(1e6), -3 / 8)),
        Scenario("tight -3/8: T^-1/2 to T^-1/4 at 1e5", no, False, _tight(mixture(1e5), -3 / 8)),
        Scenario("tight -1/4: T^-1/2 to T^-1/4 at 1e3", yes, False, _tight(mixture(1e3), -0.25)),
        Scenario("tight -1/4: T^-1/2 to T^-1/4 at 1e6", yes, False, _tight(mixture(1e6), -0.25)),
        Scenario("tight -1/4: same at 1e8, terms known", yes, False, _tight(mixture(1e8), -0.25, TERMS)),
        Scenario("tight -1/4: same at 1e8, terms unknown", "open", False, _tight(mixture(1e8), -0.25)),
        Scenario("tight -1/4: burn-in until 1e5", yes, False, _tight(burn_in(1e5), -0.25)),
        Scenario("tight 1/2: regret T^1/2 + 500, increments", yes, True, _regret(500.0, 0.5)),
        Scenario("tight 1/3: regret T^1/2 + 500, increments", no, True, _regret(500.0, 1 / 3)),
        Scenario("level 1: right constant, 256 runs", yes, True, _level(1.0, 256)),
        Scenario("level 1: constant 8 % larger, 256 runs", no, True, _level(1.08, 256)),
        Scenario("level 1: 3 % larger, edge of the tolerance", yes, False, _level(1.03)),
    ]


def _others() -> list[Scenario]:
    yes, no = "true", "false"
    return [
        Scenario("bound: mean = 0.5 bound", yes, True, _bound(0.5)),
        Scenario("bound: mean = bound", yes, False, _bound(1.0)),
        Scenario("bound: mean = 1.02 bound", no, False, _bound(1.02)),
        Scenario("bound: mean = 1.5 bound", no, True, _bound(1.5)),
        Scenario("bound w.p. 0.9: 1 % exceed, 256 runs", yes, True, _bound_probability(0.01, 256)),
        Scenario("bound w.p. 0.9: 10 % exceed, 256 runs", yes, False, _bound_probability(0.1, 256)),
        Scenario("bound w.p. 0.9: 10.1 % exceed, 256 runs", no, False, _bound_probability(0.101, 256)),
        Scenario("bound w.p. 0.9: 25 % exceed, 256 runs", no, True, _bound_probability(0.25, 256)),
        Scenario("scaling 1/2: s^1/2", yes, True, _scaling(GRID**0.5, 0.5)),
        Scenario("scaling 1/2: s^0.6 (0.1 off)", no, True, _scaling(GRID**0.6, 0.5)),
        Scenario("scaling 1/2: s^0.55, edge of the tolerance", yes, False, _scaling(GRID**0.55, 0.5)),
        Scenario("scaling 1/2: 0.3 + s (passes through)", no, False, _scaling(0.3 + GRID, 0.5)),
        Scenario("crossover -2: T_x ~ s^-2, 512 runs", yes, True, _crossover(-2.0)),
        Scenario("crossover -1: T_x ~ s^-2, 512 runs", no, True, _crossover(-1.0)),
    ]


def scenarios() -> list[Scenario]:
    """All planted families; a name gives the evidence, the claimed exponent and the truth.

    The horizon is 1e6, so the windows read are [1e3, 3.2e4] and [3.2e4, 1e6]. "T^-a to T^-b at t" is their
    sum with equal terms at t. Runs: 64, for `tight` 256, unless the name says otherwise.
    """
    return _rates() + _tights() + _others()


CLAIMS_TO_DECIDE = tuple(s.name for s in scenarios() if s.decides)


def calibrate(
    repeats: int = 300, seed: int = 0, level: float = 0.01, names: tuple[str, ...] | None = None
) -> list[dict[str, object]]:
    """Rows, one per scenario: how often decided, wrong (false alarm) and right (power), in per cent.

    `wrong_from`, `wrong_to`, `right_from`, `right_to` are two-sided 99 % Clopper-Pearson limits. `ok` says that
    at most 1 % wrong verdicts and, where the scenario `must_decide`, at least 99 % right ones are compatible
    with them. Seeds depend on the scenario's name only: a subset gives the same rows.
    """
    rows = []
    for s in scenarios():
        if names is not None and s.name not in names:
            continue
        rng = np.random.default_rng([seed, *s.name.encode()])
        verdicts = [decide([s.finding(rng)], level)[0].verdict for _ in range(repeats)]
        rows.append(_row(s, verdicts))
    return rows


def failures(rows: list[dict[str, object]]) -> list[str]:
    """Names of the scenarios in which the promise (1 % false alarms, 99 % power) is refuted."""
    return [str(row["scenario"]) for row in rows if not row["ok"]]


def _row(s: Scenario, verdicts: list[Verdict]) -> dict[str, object]:
    n = len(verdicts)
    holds, violated = verdicts.count(Verdict.HOLDS), verdicts.count(Verdict.VIOLATED)
    right, wrong = {"true": (holds, violated), "false": (violated, holds), "open": (0, 0)}[s.truth]
    wrong_low, wrong_high = clopper_pearson(wrong, n, 0.005)
    right_low, right_high = clopper_pearson(right, n, 0.005)
    return {
        "scenario": s.name,
        "truth": s.truth,
        "must_decide": "yes" if s.decides else "no",
        "repeats": n,
        "decided_%": 100 * (holds + violated) / n,
        "wrong_%": 100 * wrong / n,
        "wrong_from": 100 * wrong_low,
        "wrong_to": 100 * wrong_high,
        "right_%": 100 * right / n,
        "right_from": 100 * right_low,
        "right_to": 100 * right_high,
        "ok": wrong_low <= 0.01 and (not s.decides or right_high >= 0.99),
    }
