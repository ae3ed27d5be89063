"""Claims made of theorem records and stored results: the few shapes that every paper's claims have."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from theorems import vocabulary
from theorems.asymptotics import NotCovered
from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import rates
from workbench.evidence.verdicts import Finding
from workbench.experiments.records import Claim, Simulation

Results = Mapping[str, Result]


def exponent_claims(theorem: Any, findings: Mapping[tuple[str, str], str]) -> list[Claim]:
    """One claim per form and case: does the claimed exponent follow from the bound?

    findings: (form, case) -> erratum, where it is known not to: expected ``violated``. A case that a form does not
    cover is left out, unless it is named there: then the theorem claims what that form says nothing about.
    Raises ValueError for a finding that names no form and case.
    """
    cases = [(form, case) for form in theorem.forms for case in theorem.cases]
    if unknown := set(findings) - {(form.name, case.name) for form, case in cases}:
        raise ValueError(f"{theorem.key} has no such form and case: {sorted(unknown)}")
    made = []
    for form, case in cases:
        note = findings.get((form.name, case.name), "")
        if not note and not theorem.covers(case, form.name):
            continue
        label, expected = f"{form.name}, {case.name}", "violated" if note else "holds"
        check = partial(_compared, theorem, case, form.name)  # later: most commands need no exponent
        made.append(Claim(theorem.key, "exponent", label, check, (), expected, note))
    return made


def _compared(theorem: Any, case: Any, form: str, _: Results) -> Finding:
    """Derived against claimed exponent; where both are symbolic, for every value of the parameters in their ranges.

    The numbers shown are those at the theorem's generic values. Raises Undecided where the comparison would turn
    within the ranges.
    """
    try:
        derived, claimed = theorem.exponent(case, form), case.claimed
    except NotCovered as nothing:
        return _says_nothing(case, str(nothing))
    ranges = theorem.ranges(case)
    if not ranges:
        return evidence.exponent(derived, claimed, "at_most")
    theorem.agrees(case, form)  # one answer on the whole range, or Undecided
    here = {s: theorem.generic[s] for s in ranges}
    finding = evidence.exponent(derived.xreplace(here), claimed.xreplace(here), "at_most")
    everywhere = ", ".join(f"{s} in ({low}, {high})" for s, (low, high) in ranges.items())
    shown = ", ".join(f"{s} = {value}" for s, value in here.items())
    note = f"derived {derived}, claimed {claimed} for all {everywhere}; shown at {shown}"
    return dataclasses.replace(finding, note=note)


def _says_nothing(case: Any, why: str) -> Finding:
    nan = float("nan")
    return Finding(
        "exponent", float(case.claimed), nan, nan, nan, p_holds=1.0, p_violated=0.0, exact=True, note=why
    )


def caught(values: np.ndarray, marks: np.ndarray, claimed: float) -> Finding:
    """A wrong method must violate the rate that the right one has."""
    return evidence.falsifier(evidence.rate(values, marks, claimed))


def constants_of(sim: Simulation, result: Result) -> dict[str, np.ndarray]:
    """The instance's constants, (rows, 1) columns or numbers, for the rows of a stored result."""
    batch = sim.make(result.horizon, int(result.run_ids.max()) + 1)
    return dict(batch.instance.constants(batch.start))


def bound_curves(theorem: Any, form: str, sim: Simulation, result: Result, **free: float) -> np.ndarray:
    """(rows, M): the theorem's bound for each row, each mark taken as the horizon T."""
    constants = {**constants_of(sim, result), **free}
    values = theorem.numeric(form)(**constants, T=result.marks.astype(float)[None, :])
    return np.broadcast_to(values, (result.runs, len(result.marks)))


def by_run(table: np.ndarray, run_ids: np.ndarray) -> np.ndarray:
    """(rows, M) -> (runs, points * M): the rows of one noise identity side by side, since they are one sample."""
    runs = int(run_ids.max()) + 1
    return np.concatenate(np.split(table, len(table) // runs), axis=1)


def bound_claim(
    theorem: Any,
    form: str,
    sim: Simulation,
    metric: str,
    free: Callable[[Result], Mapping[str, float]],
    expected: str = "holds",
) -> Claim:
    """measured <= bound at every mark of every grid point, in at least the theorem's share of the runs.

    free: what the bound needs beside the instance's constants (delta, the free parameters).
    """

    def check(results: Results) -> Finding:
        result = results[sim.key]
        parameters = free(result)
        curves = bound_curves(theorem, form, sim, result, **parameters)
        failure = 1.0 - float(theorem.probability.subs(vocabulary.delta, parameters["delta"]))
        values = by_run(result.data[metric], result.run_ids)
        marks = np.tile(result.marks, values.shape[1] // len(result.marks))
        return evidence.bound(values, by_run(curves, result.run_ids), marks, "probability", failure)

    return Claim(theorem.key, "bound", f"{sim.title}; {form}", check, (sim.key,), expected)


def curve_claim(
    key: str,
    kind: str,
    sim: Simulation,
    measure: Callable[[np.ndarray, np.ndarray], Finding],
    metric: str,
    where: Mapping[str, float],
    **options: Any,
) -> Claim:
    """A claim on the curves (runs, M) of one grid point: ``measure(values, marks)`` gives the finding.

    Options: ``label`` (added to the experiment's name), ``windows`` (measure means over (T/2, T] in place of the
    running mean: the same exponent, without the memory of the way from the start), and those of ``Claim``.
    """
    point = ", ".join(f"{name} = {value:g}" for name, value in where.items() if name != "until")
    label, windows = options.pop("label", ""), options.pop("windows", False)

    def check(results: Results) -> Finding:
        result = results[sim.key]
        values, marks = result.curve(metric, **where), result.marks
        return measure(*rates.window_means(values, marks)) if windows else measure(values, marks)

    return Claim(key, kind, f"{sim.title}{label}; {point}", check, (sim.key,), **options)


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

    return Claim(key, "complexity", f"{sim.title}; {resource}", check, (sim.key,))
