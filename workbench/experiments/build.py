"""Builders for the few kinds of claims that papers share, from theorem records and stored results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from theorems import vocabulary
from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import rates
from workbench.evidence.verdicts import Finding
from workbench.experiments.claims import Claim, Custom, exponents
from workbench.experiments.records import Simulation

Results = Mapping[str, Result]


def exponent_claims(theorem: Any, findings: Mapping[tuple[str, str], str]) -> list[Claim]:
    return list(exponents(theorem, findings))


def caught(values: np.ndarray, marks: np.ndarray, claimed: float) -> Finding:
    """A negative control: the wrong method must violate the right method's rate."""
    return evidence.falsifier(evidence.rate(values, marks, claimed))


def bound_curves(theorem: Any, form: str, result: Result, **free: float) -> np.ndarray:
    """(rows, M): the theorem's bound for each row, each mark taken as the horizon T."""
    constants = {**result.constants, **free}
    values = theorem.numeric(form)(**constants, T=result.marks.astype(float)[None, :])
    return np.broadcast_to(values, (result.size, len(result.marks)))


def bound_claim(
    theorem: Any,
    form: str,
    sim: Simulation,
    metric: str,
    free: Callable[[Result], Mapping[str, float]],
    expected: str = "holds",
) -> Claim:
    """measured <= bound at every mark of every grid point, in at least the theorem's share of the runs.

    free: values that the bound needs besides the instance's constants (delta, the free parameters).
    """

    def check(results: Results) -> Finding:
        result = results[sim.key]
        parameters = free(result)
        curves = bound_curves(theorem, form, result, **parameters)
        failure = 1.0 - float(theorem.probability.subs(vocabulary.delta, parameters["delta"]))
        values = result.by_run(result.data[metric])
        marks = np.tile(result.marks, values.shape[1] // len(result.marks))
        return evidence.bound(values, result.by_run(curves), marks, "probability", failure)

    return Custom(theorem.key, "bound", f"{sim.title}; {form}", check, (sim.key,), expected=expected)


def curve_claim(
    key: str,
    kind: str,
    sim: Simulation,
    measure: Callable[[np.ndarray, np.ndarray], Finding],
    metric: str,
    where: Mapping[str, float],
    **options: Any,
) -> Claim:
    """A claim about the curves (runs, M) of one grid point: ``measure(values, marks)`` computes the finding.

    Options: ``label`` (added to the experiment's name), ``windows`` (measure means over (T/2, T] instead of the
    running mean: the same exponent, without the initial transient), and those of ``Claim``.
    """
    point = ", ".join(f"{name} = {value:g}" for name, value in where.items() if name != "until")
    label, windows = options.pop("label", ""), options.pop("windows", False)

    def check(results: Results) -> Finding:
        result = results[sim.key]
        values, marks = result.curve(metric, **where), result.marks
        return measure(*rates.window_means(values, marks)) if windows else measure(values, marks)

    return Custom(key, kind, f"{sim.title}{label}; {point}", check, (sim.key,), **options)


slope_claim = partial(curve_claim, windows=True)


def at_horizon(
    result: Result, metric: str, points: Sequence[Mapping[str, float]], at: Sequence[int]
) -> np.ndarray:
    """(runs, G): the metric of grid point g at iteration at[g]."""
    columns = [result.curve(metric, **p)[:, result.at(t)] for p, t in zip(points, at, strict=True)]
    return np.stack(columns, axis=1)


def count_claim(key: str, sim: Simulation, resource: str, per_iteration: Callable[[Result], float]) -> Claim:
    """Metered calls per run over the whole horizon against ``per_iteration(result)`` times the horizon."""

    def check(results: Results) -> Finding:
        result = results[sim.key]
        claimed = round(per_iteration(result) * result.horizon)
        measured = int(result.calls[resource][:, -1].max())
        return evidence.complexity(measured, claimed, result.horizon, f"{resource} calls per run")

    return Custom(key, "complexity", f"{sim.title}; {resource}", check, (sim.key,))
