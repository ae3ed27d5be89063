"""The least favourable instance that an optimizer finds in a family: the smallest slack, the slowest slope.

Nothing here is a claim about all instances: it is the worst instance *found*. The search compares instances on the same
noise (common random numbers). What it finds is then evaluated on noise that it has not seen, so that the reported
number is not the optimizer's luck. No verdict uses either noise: seeds are derived from names that no simulation has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.claims.families import Family, Point
from workbench.claims.runs import Runs, seed_for
from workbench.engine.choice import simulate
from workbench.engine.marks import log_marks
from workbench.engine.records import Problem, Result, Run, Status
from workbench.evidence.stats import Estimate, jackknife
from workbench.homes.keys import Key
from workbench.run import catalog
from workbench.run.jobs import algorithm_of
from workbench.run.options import UsageError

GOALS = ("slack", "slope")
SEARCH, FRESH = "adversary: search", "adversary: fresh"  # names that seeds are derived from
MEMBERS = 5  # of a generation, for each parameter
OCTAVES = 3  # at the end of the horizon, over which a slope is read
MORE = 4  # times the runs of the search, on fresh noise
LEVEL = 0.005  # error probability on each side of an interval
HOPELESS = 1e3  # objective where a point is not admissible, or nothing positive is measured


@dataclass(frozen=True)
class Value:
    """One instance on one noise: the slack bound/measured at the horizon, or the slope minus the claimed exponent."""

    value: float
    low: float
    high: float
    runs: int


@dataclass(frozen=True)
class Found:
    """The worst instance found. in_search: its value on the noise of the search, fresh: on other noise.

    usual: the value at the family's usual point, on the fresh noise.
    """

    family: Family
    goal: str
    point: dict[str, float]
    evaluations: int
    horizon: int
    runs: int
    in_search: float
    fresh: Value
    usual: Value

    def record(self) -> dict[str, Any]:
        """The canonical form, from which `replay` computes the fresh value again."""
        return {
            "theorem": self.family.theorem.key,
            "family": self.family.name,
            "form": self.family.form,
            "goal": self.goal,
            "parameters": self.point,
            "horizon": self.horizon,
            "runs": self.runs,
            "evaluations": self.evaluations,
            "searched": self.in_search,
            "fresh": vars(self.fresh),
            "usual": vars(self.usual),
        }


def families_of(keys: Iterable[str]) -> list[Family]:
    """The families of the named papers and theorems, or all. Raises UsageError for a key that has none."""
    families = catalog.families()
    entries = catalog.entries_for(keys)
    for entry in entries:
        if not any(_belongs(f, entry.key) for f in families):
            having = ", ".join(dict.fromkeys(f.theorem.key for f in families)) or "no theorem here"
            raise UsageError(f"no family of instances is declared for {entry.key}; there are {having}")
    return [f for f in families if not entries or any(_belongs(f, entry.key) for entry in entries)]


def _belongs(family: Family, key: str) -> bool:
    return Key.of(family.theorem.key).within(key)


def evaluate(family: Family, goal: str, point: Point, horizon: int, runs: int, noise: str) -> Value:
    """One instance. noise: `SEARCH` or `FRESH`. Raises ValueError for a point that is not admissible."""
    result = _result(family, point, horizon, runs, noise)
    if (result.status != Status.OK).any():
        # A run that is not finite exceeds every bound and falls at no rate.
        worst = 0.0 if goal == "slack" else np.inf
        return Value(worst, worst, worst, result.runs)
    estimate = _slack(family, point, result) if goal == "slack" else _slope(family, point, result)
    low, high = estimate.interval(LEVEL)
    if goal == "slack":
        return Value(float(np.exp(estimate.value)), float(np.exp(low)), float(np.exp(high)), result.runs)
    return Value(estimate.value, low, high, result.runs)


def _result(family: Family, point: Point, horizon: int, runs: int, noise: str) -> Result:
    simulation = family.simulation(point)
    batch = simulation.make(horizon, Runs(runs, seed_for(noise)))
    problem = Problem(algorithm_of(simulation), batch.instance, batch.steps, batch.start, batch.grid)
    # Eager: a compiled kernel would live for one evaluation.
    run = Run(log_marks(horizon), seed_for(simulation.key, seed_for(noise)), engine="eager")
    return simulate(problem, run)


def _slack(family: Family, point: Point, result: Result) -> Estimate:
    """log(bound/measured) at the horizon, both averaged over the runs."""
    bound = family.bound(family.simulation(point)).curves(result)[:, -1]
    measured = result.table(family.metric)[:, -1]
    _check_positive(measured.mean())
    (estimate,) = jackknife(
        np.stack([bound, measured], axis=1), lambda m: np.log(m[:, :1]) - np.log(m[:, 1:])
    )
    return estimate


def _slope(family: Family, point: Point, result: Result) -> Estimate:
    """The log-log slope of the mean curve over the last octaves, minus the claimed exponent."""
    first = result.at(result.horizon >> OCTAVES)
    ends = result.table(family.metric)[:, [first, -1]]
    _check_positive(ends.mean(axis=0).min())
    length = np.log(result.horizon / result.marks[first])
    claimed = family.claimed(point)
    (estimate,) = jackknife(ends, lambda m: (np.log(m[:, 1:]) - np.log(m[:, :1])) / length - claimed)
    return estimate


def _check_positive(value: float) -> None:
    if not value > 0:
        raise ValueError(f"the mean of what is measured is {value:.4g}, which has no logarithm")


def search(
    family: Family, goal: str, budget: int, horizon: int | None = None, runs: int | None = None
) -> Found:
    """The worst instance that differential evolution finds with at most ``budget`` simulations.

    Raises UsageError for a budget below two generations, and where no point of the box can be evaluated.
    """
    from scipy.optimize import differential_evolution

    members = MEMBERS * len(family.parameters)
    if budget < 2 * members:
        raise UsageError(f"{family.key} needs a budget of at least {2 * members} simulations, got {budget}")
    horizon, runs = horizon or family.horizon, runs or family.runs
    if horizon < 2 << OCTAVES:
        raise UsageError(f"a slope over {OCTAVES} octaves needs a horizon of at least {2 << OCTAVES}")

    def objective(shares: np.ndarray) -> float:
        try:
            value = evaluate(family, goal, _point(family, shares), horizon, runs, SEARCH).value
        except ValueError:
            return HOPELESS
        badness = float(np.log(value)) if goal == "slack" and value > 0 else -value
        return badness if np.isfinite(badness) else -HOPELESS

    optimum = differential_evolution(
        objective,
        [(0.0, 1.0)] * len(family.parameters),
        popsize=MEMBERS,
        maxiter=budget // members - 1,
        x0=[p.share(family.usual[p.name]) for p in family.parameters],
        rng=np.random.default_rng(seed_for(family.key)),
        polish=False,
        tol=0.0,
    )
    if optimum.fun >= HOPELESS:
        raise UsageError(f"{family.key}: no point of the box could be evaluated")
    point = _point(family, optimum.x)
    return Found(
        family,
        goal,
        point,
        int(optimum.nfev),
        horizon,
        runs,
        evaluate(family, goal, point, horizon, runs, SEARCH).value,
        evaluate(family, goal, point, horizon, MORE * runs, FRESH),
        evaluate(family, goal, family.usual, horizon, MORE * runs, FRESH),
    )


def _point(family: Family, shares: np.ndarray) -> dict[str, float]:
    """Six digits, which is what is shown and stored."""
    return {
        p.name: min(max(float(f"{p.at(share):.6g}"), p.low), p.high)
        for p, share in zip(family.parameters, shares, strict=True)
    }


def replay(family: Family, record: dict[str, Any]) -> Value:
    """The fresh value of a stored instance, computed again."""
    goal, at = record["goal"], record["parameters"]
    return evaluate(family, goal, at, record["horizon"], record["fresh"]["runs"], FRESH)


def row(worst: Found) -> tuple[str, ...]:
    """A row of the table: theorem, family, goal, value found, on fresh noise, at the usual instance, parameters."""
    fresh, point = worst.fresh, ", ".join(f"{n} = {v:g}" for n, v in worst.point.items())
    return (
        worst.family.theorem.key,
        worst.family.name,
        "smallest slack" if worst.goal == "slack" else "slope - claimed",
        f"{worst.in_search:.4g}",
        f"{fresh.value:.4g} [{fresh.low:.4g}, {fresh.high:.4g}]",
        f"{worst.usual.value:.4g}",
        point,
    )
