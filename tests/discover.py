"""Discovers algorithms and instances by walking the papers, and pairs them by trial; nothing is listed by name.

An algorithm is a module of a paper with a ``step``. An instance is a concrete class with ``COSTS`` and ``metrics`` in a
paper's problems or in `workbench.problems`. An algorithm may call only the methods in an instance's ``COSTS``,
so a pair is compatible if two iterations run. An algorithm without a compatible instance is an error that quotes the
failure of every attempt.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import Any

import numpy as np

import workbench.problems
from workbench.arrays import backends, noise
from workbench.arrays.data_matrix import Csr
from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle
from workbench.run import catalog

LAWS = (noise.Sphere, noise.TwoRadius, noise.Skewed, noise.Gaussian)
COUNTS = {
    "N": 4,
    "K": 3,
    "M": 2,
    "w": 3,
    "K_max": 4,
    "q": 2,
    "S": 2,
    "hold": 3,
    "warm": 2,
    "adapt_x": 1,
    "adapt_y": 1,
}  # integer fields of a Steps; all others are real numbers
AWKWARD = (
    0.3273264598041268  # AWKWARD**2 as a Python float (C's pow) and AWKWARD * AWKWARD differ in the last bit
)


def modules(package: ModuleType) -> list[ModuleType]:
    """All modules below a package of the library, sorted by name."""
    names = sorted(m.name for m in pkgutil.walk_packages(package.__path__, package.__name__ + "."))
    return [importlib.import_module(name) for name in names]


def problems() -> list[ModuleType]:
    """All modules of the library and the papers that may hold an instance."""
    return [*modules(workbench.problems), *catalog.modules("problems")]


def short(named: Any) -> str:
    """A test id: module or class name without the common prefix."""
    name = named.__name__ if isinstance(named, ModuleType) else f"{named.__module__}.{named.__qualname__}"
    return name.removeprefix("workbench.theorems.").removeprefix("workbench.problems.")


@functools.cache
def algorithms() -> list[ModuleType]:
    """Every module with a ``step``."""
    return list(catalog.algorithms().values())


@functools.cache
def instance_classes() -> list[type]:
    """Every concrete instance class that needs no arguments; a class with subclasses counts as abstract."""
    found = [
        c
        for m in problems()
        for _, c in inspect.getmembers(m, inspect.isclass)
        if c.__module__ == m.__name__ and hasattr(c, "COSTS") and hasattr(c, "metrics")
    ]
    concrete = [c for c in found if not any(c in other.__mro__[1:] for other in found)]
    return [c for c in concrete if not required_fields(c)]


def required_fields(cls: type) -> list[str]:
    """Names of the fields without a default."""
    if not dataclasses.is_dataclass(cls):
        return [n for n, p in inspect.signature(cls).parameters.items() if p.default is p.empty]
    missing = dataclasses.MISSING
    return [f.name for f in dataclasses.fields(cls) if f.default is missing and f.default_factory is missing]


def with_noise(cls: type, law: Any) -> Any:
    """An instance of the class with ``law`` for all of its noise laws."""
    instance = cls()
    laws = {f.name: law for f in dataclasses.fields(instance) if isinstance(getattr(instance, f.name), LAWS)}
    return dataclasses.replace(instance, **laws)


def without_noise(instance: Any) -> Any:
    """The same instance with an exact oracle."""
    laws = {
        f.name: noise.Sphere(0.0)
        for f in dataclasses.fields(instance)
        if isinstance(getattr(instance, f.name), LAWS)
    }
    exact = {"hessian_noise": 0.0} if hasattr(instance, "hessian_noise") else {}
    return dataclasses.replace(instance, **laws, **exact)


def uses_blas(cls: type) -> bool:
    """Whether a class uses matrix products. BLAS sums in an order that depends on the batch size, so results agree only
    to round-off.
    """
    source = inspect.getsource(inspect.getmodule(cls))  # type: ignore[arg-type]
    return any(word in source for word in ("matvec", "matmul", "einsum", "tensordot", " @ "))


def holds_sparse_rows(cls: type) -> bool:
    """Whether a class holds a sparse data matrix at any depth, on which only the eager engine works."""

    def found(value: Any) -> bool:
        if dataclasses.is_dataclass(value):
            return isinstance(value, Csr) or any(
                found(getattr(value, f.name)) for f in dataclasses.fields(value)
            )
        return False

    return found(cls())


def decomposes(algorithm: ModuleType) -> bool:
    """Whether a step decomposes matrices, for which the standard has an extension and only NumPy and CuPy are used."""
    return "xp.linalg" in inspect.getsource(algorithm)


def starts(runs: int, d: int, seed: int = 5) -> dict[str, np.ndarray]:
    """Start points under every name that an ``init`` may use."""
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal((runs, d)) for name in ("x", "y", "v", "z", "u", "w")}


def feasible(instance: Any, start: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The start projected onto the instance's set, if it has one, since constants assume feasible starts."""
    inside = getattr(instance, "project", lambda x, xp: x)
    return {name: inside(x, np) for name, x in start.items()}


def steps_of(algorithm: ModuleType, instance: Any, start: dict[str, np.ndarray]) -> Any:
    """Harmless parameters: the instance's constants for fields of the same name, small numbers for the others."""
    return _steps(algorithm, instance.constants(feasible(instance, start)))


def _steps(algorithm: ModuleType, constants: dict[str, np.ndarray]) -> Any:
    known = {k: v for k, v in constants.items() if k.startswith(("L", "l_", "mu"))}
    values = {n: COUNTS.get(n, float(np.max(known.get(n, AWKWARD)))) for n in algorithm.Steps._fields}
    return algorithm.Steps(**values)


def trajectory(algorithm, instance, steps, start, ids, horizon, xp=np, seed=1, calls=None):
    """States x_1, ..., x_{horizon+1}, by calling ``init`` and ``step`` directly, with the shared functions.

    calls: a dict for the metered calls of the steps.
    """
    xp = backends.namespace_of(xp)
    placed = backends.place(instance, xp)
    c = type(steps)(*(backends.place(v, xp) for v in steps))
    oracle, draw = Oracle(placed, xp), Draws(seed, ids, xp)
    states = [algorithm.init({k: xp.asarray(v) for k, v in start.items()}, c, oracle, draw.at(1), xp)]
    oracle.calls.clear()
    for t in range(1, horizon + 1):
        states.append(algorithm.step(states[-1], xp.asarray(float(t)), c, oracle, draw.at(t), xp))
    if calls is not None:
        calls.update(oracle.calls)
    return states


def measured(instance: Any, state: Any) -> dict[str, np.ndarray]:
    """All metrics, including ``checkpoint_metrics``."""
    now = np.asarray(3.0)
    costly = getattr(instance, "checkpoint_metrics", lambda *_: {})
    return {**instance.metrics(state, now, np), **costly(state, now, np)}


@functools.cache
def _ready(cls: type, d: int) -> tuple[dict[str, np.ndarray], Any, dict[str, np.ndarray]]:
    """(start of two runs, noisy instance, its constants there). Raises what a class does that has no such start."""
    start, instance = starts(2, d), with_noise(cls, noise.Sphere(0.5))
    return start, instance, instance.constants(feasible(instance, start))


@functools.cache
def pairs() -> list[tuple[ModuleType, type, int]]:
    """(algorithm, instance class, d) for every pair that runs, d in {1, 3}."""
    found = []
    for algorithm in algorithms():
        refusals = []
        for cls in instance_classes():
            for d in (1, 3):
                try:
                    start, instance, constants = _ready(cls, d)
                    steps = _steps(algorithm, constants)
                    states = trajectory(algorithm, instance, steps, start, [0, 1], 2)
                    shapes = {v.shape for v in measured(instance, states[-1]).values()}
                    if states[-1].x.shape != (2, d) or shapes != {(2, 1)}:
                        raise ValueError(f"x of shape {states[-1].x.shape}, metrics of shape {shapes}")
                except (AttributeError, TypeError, ValueError) as refusal:
                    refusals.append(f"  {short(cls)}, d = {d}: {refusal}")
                else:
                    found.append((algorithm, cls, d))
        if not any(a is algorithm for a, _, _ in found):
            raise AssertionError(f"{short(algorithm)} runs on no instance:\n" + "\n".join(refusals))
    return found


def pair_id(pair: tuple[ModuleType, type, int]) -> str:
    return f"{short(pair[0])}-{pair[1].__name__}-{pair[2]}"


def take_rows(record: Any, rows: Any, runs: int) -> Any:
    """A record (dataclass, named tuple, dict) with every array of ``runs`` rows restricted to some of them.

    A sparse data matrix is one value, shared by all runs, whatever the length of its parts.
    """
    if isinstance(record, Csr):
        return record
    if isinstance(record, np.ndarray) and record.ndim and record.shape[0] == runs:
        return record[rows]
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        changes = {f.name: take_rows(getattr(record, f.name), rows, runs) for f in dataclasses.fields(record)}
        return dataclasses.replace(record, **changes)
    if isinstance(record, dict):
        return {k: take_rows(v, rows, runs) for k, v in record.items()}
    if hasattr(record, "_fields"):
        return type(record)(*(take_rows(v, rows, runs) for v in record))
    return record


def same(a: Any, b: Any, rtol: float = 0.0) -> None:
    """Asserts equal bits (NaN equals NaN), or equality up to ``rtol`` if given; dtype and shape must always agree."""
    a, b = backends.to_host(a), backends.to_host(b)
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    if rtol:
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)
    else:
        kind = np.uint64 if a.dtype == np.float64 else a.dtype
        np.testing.assert_array_equal(np.ascontiguousarray(a).view(kind), np.ascontiguousarray(b).view(kind))
