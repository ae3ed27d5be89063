"""What a paper's ``make`` must keep to, found by calling it again before it runs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from workbench.claims.exact_curves import ExactCurve
from workbench.claims.records import Batch, Simulation
from workbench.claims.runs import Runs
from workbench.engine.per_row import PerRow, typed_record
from workbench.homes import mistakes, papers
from workbench.run.options import UsageError
from workbench.run.store.content import content

SHORTER = (2, 4, 16)  # times shorter are the horizons with which steps and starts are compared
SMALL = 1000  # a horizon below which whole numbers may follow it in any way


def check(sim: Simulation, batch: Batch, horizon: int, runs: Runs) -> None:
    """Raises UsageError where another call gives other values, and for data that look like one number per run.

    What is drawn anew in each process, as with a seed from the clock, is noticed when a worker finds another key.
    """
    if _digest(sim.make(horizon, runs)) != _digest(batch):
        raise UsageError(
            "make gives other values each time it is called; random starts are those of grid.random_start,"
            " and other random numbers need a generator with a seed of its own",
            sim.key,
            mistakes.defined_at(sim.make),
        )
    rows = batch.grid.rows
    try:
        more = sim.make(horizon, runs.more(1))
        shapes = {} if more.grid.rows == rows else {name: np.shape(value) for name, value in _values(more)}
    except (Exception, SystemExit):  # this number of runs may be none for it
        return
    for name, value in _values(batch):
        if rows > 1 and isinstance(value, PerRow) and value.shape == shapes.get(name):
            raise UsageError(
                f"{name} has as many rows as the batch ({rows}) and would count as one number per run, but does not"
                " grow with the runs; give its field metadata={'per_run': False}, or keep it in the shape"
                f" (1, {rows})",
                sim.key,
                mistakes.defined_at(sim.make),
            )


def of_the_horizon(sim: Simulation, horizon: int, runs: int) -> str:
    """Which of the steps, or of the numbers in the start, depends on the horizon, in words; "" if none is seen to.

    A whole number that at most doubles while the horizon grows sixteenfold is the length of an inner loop, which grows
    with its logarithm: a longer loop than a shorter horizon needs.
    """
    answers = _known_answers()
    if (sim.key, horizon, runs) not in answers:
        answers[sim.key, horizon, runs] = _of_the_horizon(sim, horizon, runs)
    return answers[sim.key, horizon, runs]


@papers.per_view
def _known_answers() -> dict[tuple[str, int, int], str]:
    return {}


def _of_the_horizon(sim: Simulation, horizon: int, runs: int) -> str:
    if isinstance(sim, ExactCurve):  # which has neither steps nor a start
        return ""
    far = _steps_and_start(sim, horizon, runs)
    for shorter in sorted({max(2, horizon // times) for times in SHORTER}):
        near = _steps_and_start(sim, shorter, runs)
        for name in far.keys() & near.keys():
            a, b = far[name], near[name]
            if a.shape != b.shape or {a.dtype.kind, b.dtype.kind} - set("iuf") or (a == b).all():
                continue
            whole = (a == np.round(a)).all() and (b == np.round(b)).all()
            if not (whole and (horizon < SMALL or (a <= 2 * b + 1).all())):
                return f"{name} is {b.flat[0]:.3g} for a horizon of {shorter} and {a.flat[0]:.3g} for one of {horizon}"
    return ""


def _steps_and_start(sim: Simulation, horizon: int, runs: int) -> dict[str, np.ndarray]:
    """The steps and the start that a horizon gets; empty if it may have none."""
    try:
        batch = sim.make(horizon, runs)
        parts = [*_values(batch.steps, "Steps"), *_values(list(batch.start.values()), "start")]
    except (Exception, SystemExit):
        return {}
    return {name: np.asarray(value) for name, value in parts}


def _digest(batch: Batch) -> list[bytes]:
    parts = {"instance": batch.instance, "steps": batch.steps, "start": dict(batch.start)}
    parts |= {"params": batch.grid.params, "run_ids": batch.grid.run_ids}
    return [content(value, name) for name, value in parts.items()]


def _values(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers and arrays in the instance and the steps of a batch, or in one of its records, with their names."""
    if isinstance(value, Batch):
        instance, rows = value.instance, value.grid.rows
        yield from _values(typed_record(instance, rows), type(instance).__name__)
        yield from _values(type(value.steps)(*(typed_record(v, rows) for v in value.steps)), "Steps")
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _values(getattr(value, field.name), f"{name}.{field.name}")
    elif isinstance(value, tuple | list):
        for part, item in zip(getattr(value, "_fields", range(len(value))), value, strict=True):
            yield from _values(item, f"{name}.{part}")
    elif isinstance(value, int | float | np.ndarray | np.generic):
        yield name, value
