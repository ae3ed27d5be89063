"""Probes: quantities in the lines of a proof, computed along a run without changing algorithm, instance or engine.

A probe is a module of a paper (in its folder ``probes``) with

* ``QUANTITIES``: name -> reductions ("last", "max", "mean", "sum"), the quantities in the lines of the proof;
* ``observe(s, new, t, c, instance, draw, memory, xp)`` -> {name: (runs, 1)}: the quantities of iteration t, from the
  state s before the step and ``new`` after it. ``c`` are the `Steps`, ``instance`` the exact instance (its methods take
  ``xp=xp`` and are not metered here), ``draw(i)`` the samples that the step used. Equal addresses give equal numbers,
  so a value inside the step can be recomputed;
* optionally ``MEMORY``, names of arrays carried between iterations (running sums, x_{t-1}, ...), of any (runs, ...)
  shape, with ``begin(s, c, instance, draw, xp)`` -> {name: array}, called at iteration 1 before the step. ``memory`` is
  a dict of the quantities and the memory of iteration t - 1; ``observe`` also returns the memory's new values.

A `Simulation` with ``probe="<paper>.<module>"`` runs with the probe. Mark m records the
quantities of iteration m - 1 (0 at m = 1, before the first step), because an engine records before it steps.

A sampler draws a process that belongs to no algorithm, such as the martingale of a concentration inequality. Modules
list their samplers in the attribute ``SAMPLERS``.
"""

from __future__ import annotations

import importlib
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from workbench.arrays.random import Draws
from workbench.engine.records import Wrapped, quantities
from workbench.homes import papers
from workbench.homes.records import Record

Array = Any


@dataclass(frozen=True)
class Sampler(Record):
    """A random process that belongs to no method: lines of a proof about it are tested on its samples.

    key: "<paper>/smp-...". sample: (draws, runs) -> {name: (runs, M)}, every name with the same number M of
    marks; "t" (M,), if given, are their iterations. ``draws.at(t)(0).sign(1)`` is (runs, 1).
    """

    key: str
    title: str
    sample: Callable[[Draws, int], dict[str, np.ndarray]]
    runs: int = 2000


def module(name: str) -> ModuleType:
    """The probe module that a paper names. Raises ValueError if there is none."""
    try:
        module_found = importlib.import_module(papers.module_name("probes", name))
    except ModuleNotFoundError as error:
        raise ValueError(f"there is no probe {name!r}") from error
    if not hasattr(module_found, "observe") or not hasattr(module_found, "QUANTITIES"):
        raise ValueError(f"the probe {name!r} must define QUANTITIES and observe")
    return module_found


def computed_names(name: str) -> tuple[str, ...]:
    """The names in a result of what a probe computes; none without a probe. Raises ValueError as `module` does."""
    return quantities(module(name).QUANTITIES) if name else ()


@dataclass(frozen=True)
class Probed(Wrapped):
    """An instance whose metrics include the quantities of a probe."""

    probe: str

    @property
    def COSTS(self) -> dict[str, dict[str, int]]:
        return {**self.instance.COSTS, "probe_begin": {}, "probe_observe": {}}

    @property
    def RECORD(self) -> dict[str, tuple[str, ...]]:
        quantities = module(self.probe).QUANTITIES
        if twice := sorted(set(quantities) & set(self.instance.RECORD)):
            raise ValueError(f"probe {self.probe!r}: {twice[0]!r} is already a metric of the instance")
        return {**self.instance.RECORD, **quantities}

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        values = {name: getattr(s, name) for name in module(self.probe).QUANTITIES}
        return {**self.instance.metrics(s, t, xp), **values}

    def probe_begin(self, s: Any, c: Any, draw: Any, xp: Any) -> dict[str, Array]:
        """Quantities before the first iteration (zero) and the probe's memory."""
        probe = module(self.probe)
        zero = {name: xp.zeros((s[0].shape[0], 1)) for name in probe.QUANTITIES}
        memory = probe.begin(s, c, self.instance, draw, xp) if _memory(probe) else {}
        return {**zero, **memory}

    def probe_observe(self, s: Any, new: Any, t: Array, c: Any, draw: Any, memory: dict, xp: Any) -> dict:
        return module(self.probe).observe(s, new, t, c, self.instance, draw, memory, xp)


def with_probe(algorithm: Any, name: str) -> SimpleNamespace:
    """The algorithm with the probe's arrays added to its State. Run it on a `Probed` instance.

    Raises ValueError if the probe uses the name of a state variable.
    """
    probe, inner = module(name), algorithm.State
    extra = (*probe.QUANTITIES, *_memory(probe))
    if twice := sorted(set(extra) & set(inner._fields)):
        raise ValueError(f"probe {name!r}: {twice[0]!r} is already a state variable of the algorithm")
    Fields = namedtuple("State", (*inner._fields, *extra))  # type: ignore[misc]
    State = type("State", (Fields,), {"__slots__": (), **_properties(inner)})
    n = len(inner._fields)

    def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        s = algorithm.init(start, c, oracle, draw, xp)
        memory_of_step = oracle.probe_begin(s, c, draw)
        return State(*s, *(memory_of_step[e] for e in extra))

    def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        before = inner(*s[:n])
        new = algorithm.step(before, t, c, oracle, draw, xp)
        memory = dict(zip(extra, s[n:], strict=True))
        quantities = oracle.probe_observe(before, new, t, c, draw, memory)
        return State(*new, *(quantities[e] for e in extra))

    own = {k: v for k, v in vars(algorithm).items() if not k.startswith("__")}
    return SimpleNamespace(**{**own, "State": State, "init": init, "step": step})


def _properties(state: type) -> dict[str, property]:
    """What a State computes from its fields; the instance's metrics may read it."""
    of_classes = [vars(cls).items() for cls in reversed(state.__mro__)]
    return {name: value for items in of_classes for name, value in items if isinstance(value, property)}


def _memory(probe: ModuleType) -> tuple[str, ...]:
    return tuple(getattr(probe, "MEMORY", ()))
