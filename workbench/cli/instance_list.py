"""What `workbench list --instances` shows: parameters, oracle, constants and recorded quantities of each instance.

Constants are those of the default parameters at a start of ones, moved into the set of the instance if it has one.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from workbench.run import catalog

SIZES = ((3, 3), (1, 1), (2, 3), (4, 4))  # coordinates of x and y that are tried, in this order


def rows(keys: Iterable[str]) -> list[dict[str, Any]]:
    """One record for each instance of these papers or keys; of the ready ones if there are none.

    Raises what `workbench.run.catalog.entries_for` raises.
    """
    keys = list(keys)
    if not keys or keys == [catalog.READY]:
        classes_by_name, keys_shown = catalog.ready_instances(), {catalog.READY}
    else:
        entries = catalog.entries_for(keys)
        classes_by_name, keys_shown = (
            catalog.instances(),
            {e.key for e in entries if e.kind in ("paper", "instance")},
        )
    classes = {catalog.instance_key(name): cls for name, cls in classes_by_name.items()}
    return [
        {
            "key": e.key,
            "title": e.title,
            "source": e.source,
            "class": classes[e.key].__name__,
            **fields_of(classes[e.key]),
        }
        for e in sorted(catalog.instance_entries(classes_by_name), key=lambda e: e.key)
        if {e.key, e.paper} & keys_shown
    ]


def fields_of(cls: type) -> dict[str, Any]:
    """Fields of a class of instances, as names and texts. What cannot be computed without arguments is empty."""
    fields = dataclasses.fields(cls)
    row: dict[str, Any] = {
        "parameters": {f.name: _default(f) for f in fields if f.init},
        "oracle": [],
        "constants": {},
        "recorded": [],
    }
    try:
        instance: Any = cls()
    except TypeError:  # arguments without a default
        costs = getattr(cls, "COSTS", None)  # a property if the costs depend on the arguments
        return {**row, "oracle": sorted(costs) if isinstance(costs, Mapping) else []}
    row["oracle"] = sorted(instance.COSTS)
    reductions_by_metric = instance.RECORD.items()
    row["recorded"] = [
        n if r == "last" else f"{n}_{r}" for n, reductions in reductions_by_metric for r in reductions
    ]
    if (start := start_of(instance)) is not None:
        row["constants"] = {name: _number(v) for name, v in instance.constants(start).items()}
    return row


def start_of(instance: Any) -> dict[str, np.ndarray] | None:
    """A start of ones for which the instance states its constants; None if no size that is tried fits."""
    project = getattr(instance, "project", lambda x, xp: x)
    for sizes in SIZES:
        try:
            start = {n: project(np.ones((1, size)), np) for n, size in zip("xy", sizes, strict=True)}
            instance.constants(start)
        except (ValueError, TypeError, IndexError, KeyError):  # another size, or another kind of start
            continue
        return start
    return None


def _number(value: Any) -> float | str:
    """A number that JSON can hold."""
    number = float(np.max(value))
    return number if np.isfinite(number) else str(number)


def _default(field: dataclasses.Field[Any]) -> str:
    """A default value as text; an array by its shape, a law or a set by its name."""
    if field.default_factory is not dataclasses.MISSING:
        value = field.default_factory()
    elif field.default is not dataclasses.MISSING:
        value = field.default
    else:
        return "required"
    if isinstance(value, np.ndarray):
        return "x".join(map(str, value.shape))
    return type(value).__name__ if dataclasses.is_dataclass(value) else f"{value}"


def text(rows: list[dict[str, Any]]) -> str:
    """The records as paragraphs."""
    lines = []
    for row in rows:
        parameters = ", ".join(f"{n} = {v}" for n, v in row["parameters"].items())
        constants = ", ".join(
            f"{n} = {v:.4g}" if isinstance(v, float) else f"{n} = {v}" for n, v in row["constants"].items()
        )
        lines.append(f"{row['key']}  {row['title']}")
        for name, value in (
            ("class", _place(row)),
            ("parameters", parameters),
            ("oracle", ", ".join(row["oracle"])),
            ("constants", constants or "not without arguments"),
            ("recorded", ", ".join(row["recorded"])),
        ):
            lines.append(f"  {name:<11}{value}")
    return "\n".join(lines)


def _place(row: dict[str, Any]) -> str:
    """How a user's file calls a ready class; the module and class of a paper's own one."""
    ready = row["key"].startswith(f"{catalog.READY}/")
    return f"wb.problems.{row['class']}" if ready else f"{row['source']}.{row['class']}"


def as_json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, indent=1, allow_nan=False)
