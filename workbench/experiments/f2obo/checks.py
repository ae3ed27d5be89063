"""Shapes of claims that this paper's theorems share: bounds with measured drift, slopes of increments, counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import Finding, rates
from workbench.experiments.build import curve_claim
from workbench.experiments.f2obo.choices import REGRET, TOL, completed
from workbench.experiments.records import PROFILES, Claim, Simulation

Results = Mapping[str, Result]
SPAN = 64.0  # slopes are read over the last six octaves: three, and the three before them
SCHEDULE = ("tau", "a", "b", "B_1", "B_2")  # grid parameters that are the theorem's, where a grid has them


def bound_values(theorem: Any, form: str, result: Result, of: str = "bound") -> np.ndarray:
    """(rows, M): the theorem's right side for each row, each mark taken as T, with the drift measured up to it.

    of: another quantity of the theorem's chain, such as I_T.
    """
    values = completed(result.constants)
    values |= {n: result.params[n][:, None] for n in SCHEDULE if n in result.params}
    values["T"] = result.marks.astype(float)[None, :]
    found = theorem.numeric(form)(**values) if of == "bound" else theorem.constants(form, **values)[of]
    return np.broadcast_to(found, (result.size, len(result.marks)))


def bound_claim(theorem: Any, form: str, sim: Simulation, label: str = "", **where: float) -> Claim:
    """regret <= bound at every mark and grid point; in expectation over the runs (pathwise where nothing is random)."""

    def check(results: Results) -> Finding:
        result = results[sim.key]
        rows = result.rows(**where)
        bound = bound_values(theorem, form, result)[rows]
        regret, bound = result.by_run(result.data[REGRET][rows]), result.by_run(bound)
        return evidence.bound(regret, bound, np.tile(result.marks, regret.shape[1] // len(result.marks)))

    return Claim(theorem.key, "bound", f"{sim.title}{label}; {form}", check, (sim.key,))


def window(marks: np.ndarray) -> tuple[float, float]:
    return float(marks[-1]) / SPAN, float(marks[-1])


def increments(kind: str, claimed: float, tol: float = TOL) -> Callable[[np.ndarray, np.ndarray], Finding]:
    """``rate`` or ``tight`` on the increments R(T) - R(T/2)."""

    def measure(regret: np.ndarray, marks: np.ndarray) -> Finding:
        values, at = rates.dyadic_increments(regret, marks)
        if kind == "tight":
            return evidence.tight(values, at, claimed, tol, drift_tol=tol, window=window(at))
        return evidence.rate(values, at, claimed, tol=tol, window=window(at))

    return measure


def slope(
    key: str,
    kind: str,
    sim: Simulation,
    claimed: float,
    where: Mapping[str, float],
    tol: float = TOL,
    **options: Any,
) -> Claim:
    """A claim on the slope of the regret's increments at one grid point."""
    return curve_claim(key, kind, sim, increments(kind, claimed, tol), REGRET, where, **options)


def caught(
    key: str,
    sim: Simulation,
    claimed: float,
    where: Mapping[str, float],
    diverges: bool = False,
    **options: Any,
) -> Claim:
    """A wrong twin must violate the slope that the right method has."""

    def measure(regret: np.ndarray, marks: np.ndarray) -> Finding:
        return evidence.falsifier(increments("rate", claimed)(regret, marks), diverges)

    return curve_claim(key, "falsifier", sim, measure, REGRET, where, **options)


def by_horizon(result: Result, quantity: np.ndarray, **where: float) -> tuple[np.ndarray, np.ndarray]:
    """(runs, G) and (G,): a quantity (rows, M) of the rows made for each horizon ``until``, read at that horizon."""
    horizons = np.unique(result.params["until"][result.rows(**where)])
    columns = []
    for T in horizons:
        rows = result.rows(**where, until=T)
        columns.append(quantity[rows, result.at(int(T))])
    return np.stack(columns, axis=1), horizons


def horizon_claim(
    key: str,
    kind: str,
    sim: Simulation,
    label: str,
    quantity: Callable[[Result], np.ndarray],
    measure: Callable[[np.ndarray, np.ndarray], Finding],
    where: Mapping[str, float],
    profiles: Sequence[str] = PROFILES,
    **options: Any,
) -> Claim:
    """A claim on a quantity against the horizon, where every horizon has rows of its own."""

    def check(results: Results) -> Finding:
        result = results[sim.key]
        values, horizons = by_horizon(result, quantity(result), **where)
        return measure(values, horizons)

    point = ", ".join(f"{name} = {value:g}" for name, value in where.items())
    return Claim(
        key, kind, f"{sim.title}; {label}; {point}", check, (sim.key,), profiles=tuple(profiles), **options
    )


def calls_of(resource: str) -> Callable[[Result], np.ndarray]:
    """(rows, M) metered calls."""
    return lambda result: np.broadcast_to(result.calls[resource], (result.size, len(result.marks))).astype(
        float
    )
