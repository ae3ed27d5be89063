"""A benchmark case: a method on an instance, and the same method as a JAX user would write it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.engine.records import Problem

SEED = 20_240  # of the noise and, independently, of the starts


@dataclass(frozen=True)
class Case:
    """One line of the table.

    make: runs -> `Problem`. jax_simulate: (key, start, horizon) -> name -> (runs,), a pure function to be jitted with
    ``horizon`` static: the same method on the same instance, written directly, including everything that the instance
    records in every iteration. metric: a name in it and in a Result's data. noisy: without noise the two must agree run
    by run, with noise in the mean over runs. goal: target speed-up of the fused engine over JAX, one thread each; None
    if "not slower" suffices. least: iterations of a turn, at least; more where a start costs as much as many
    iterations.
    """

    key: str
    title: str
    make: Callable[[int], Problem]
    jax_simulate: Callable[..., dict[str, Any]]
    metric: str
    noisy: bool
    goal: float | None = None
    least: int = 32  # eager noise is generated in blocks of 32


def cases() -> dict[str, Case]:
    """Every case by its key, from the modules of `benchmarks.cases`. Raises ValueError for a key used twice."""
    package = importlib.import_module("benchmarks.cases")
    found: dict[str, Case] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        for case in importlib.import_module(f"benchmarks.cases.{module}").CASES:
            if case.key in found:
                raise ValueError(f"two cases have the key {case.key!r}")
            found[case.key] = case
    return found


def chosen(names: str) -> list[Case]:
    """The cases of a comma-separated list, all for ``all``. Raises ValueError for an unknown key."""
    known = cases()
    if names == "all":
        return list(known.values())
    keys = [name.strip() for name in names.split(",")]
    if unknown := [k for k in keys if k not in known]:
        raise ValueError(f"unknown case {unknown[0]!r}; choose from {', '.join(known)}")
    return [known[k] for k in keys]


def beginnings(runs: int) -> np.random.Generator:
    """The generator for start points."""
    return np.random.default_rng([SEED, runs])
