"""What `workbench list KEY` says of one erratum, or of one experiment: its problem, its runs, and what was chosen."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.run import catalog

FEW = 4  # values of a parameter that are written out
LABEL = 9  # columns


def text(entry: catalog.Entry) -> str:
    """Lines to print below that of an entry; "" for one of another kind."""
    if entry.kind == "erratum":
        return of_erratum(next(row for row in catalog.errata_rows() if row["key"] == entry.key))
    return of_experiment(entry.key) if entry.kind == "experiment" else ""


def of_erratum(row: Mapping[str, Any]) -> str:
    """What is printed, what is right, and the ledger's lines that document it with the outcome that is expected.

    row: of `catalog.errata_rows`.
    """
    checks = [(c["expected"], f"{c['lemma']}: {c['check']}") for c in row["checks"]]
    return _lines([("printed", row["printed"]), ("right", row["right"]), *checks])


def _lines(rows: Iterable[tuple[str, str]]) -> str:
    """Each row's label before the first line of its text, and the others below it."""
    lines = []
    for label, text in rows:
        for line in text.splitlines():
            lines.append(f"  {label:<{LABEL}}{line}".rstrip())
            label = ""
    return "\n".join(lines)


def of_experiment(key: str) -> str:
    """The problem with its values, the steps, what was chosen, and how many runs there are of how many iterations."""
    sim = catalog.simulations()[key]
    horizon = max(sim.horizon.values())
    batch = sim.make(horizon, 1)
    problem = type(batch.instance)
    name = f"{problem.__name__} ({catalog.module_name(problem.__module__)})"
    profiles = (f"{p}: T = {sim.horizon[p]:,}, {sim.runs[p]:,} runs" for p in sim.horizon if p in sim.runs)
    rows = [
        ("problem", "\n".join([name, *_docstrings(problem)])),
        ("with", _values(vars_of(batch.instance))),
        ("steps", _values(vars_of(batch.steps))),
        ("grid", _values(batch.grid.params)),
        ("chosen", sim.chosen),
        ("runs", "; ".join(profiles)),
    ]
    return _lines(rows)


def _docstrings(problem: type) -> list[str]:
    """Lines of a problem's docstring, and of its module's, one of which has the formulas."""
    texts = [inspect.getdoc(problem) or "", inspect.getdoc(sys.modules[problem.__module__]) or ""]
    automatic = f"{problem.__name__}("  # how the docstring begins that a dataclass makes for itself
    return [line for t in dict.fromkeys(texts) if not t.startswith(automatic) for line in t.splitlines()]


def vars_of(given: Any) -> dict[str, Any]:
    """Name -> value of a dataclass or named tuple, those of the dataclasses in it by "name.name"; of others nothing."""
    if hasattr(given, "_asdict"):
        return dict(given._asdict())
    if not _has_fields(given):
        return {}
    fields: dict[str, Any] = {}
    for field in dataclasses.fields(given):
        value = getattr(given, field.name)
        inner = vars_of(value) if _has_fields(value) else {"": value}
        fields |= {f"{field.name}.{n}".rstrip("."): v for n, v in inner.items()}
    return fields


def _has_fields(given: Any) -> bool:
    return dataclasses.is_dataclass(given) and not isinstance(given, type)


def _values(of: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in of.items())


def _value(value: Any) -> str:
    """A number; of an array its values, or their range; of anything else its name."""
    if isinstance(value, str):
        return value
    is_array = getattr(getattr(value, "dtype", None), "kind", "") in tuple("biuf")
    if is_array or isinstance(value, float | int):
        numbers = sorted(set(value.ravel().tolist())) if is_array else [value]
        if len(numbers) <= FEW:
            return " and ".join(f"{v:g}" for v in numbers) or "none"
        return f"{len(numbers)} values from {numbers[0]:g} to {numbers[-1]:g}"
    return getattr(value, "__name__", None) or type(value).__name__
