"""The records of a simulation: `Simulation`, the `Batch` that it makes, and the `Mutation` of a falsifier.

A ``Simulation`` is data: algorithm, instance, grid, horizon per profile. It is hashed for the store, run by
`workbench.run.pool` and used by claims and figures. Its kind is one of:

* ``compliant``: every parameter satisfies the theorem's conditions (tests the *bound*);
* ``practical``: the theorem's schedule with chosen multiplicative constants (tests *rate*, *tight*, *scaling*);
* ``paper``: the settings of a figure of the paper, with stated defaults for unspecified ones;
* ``falsifier``: a negative control, deliberately not the theorem's method (a statement or a schedule is wrong).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, get_args

import numpy as np

from workbench.engine.marks import log_marks
from workbench.engine.records import Grid
from workbench.homes.records import Record

PROFILES = ("quick", "default", "full")
AS_READ = ("what claims read",)  # as `Simulation.record`, or part of it
Kind = Literal["compliant", "practical", "paper", "falsifier"]


@dataclass(frozen=True)
class Batch:
    """What a function ``make(horizon, runs)`` gives: a `Problem` without its algorithm, which the `Simulation` names.

    instance: the problem, an object. steps: the method's ``Steps``. Numbers in both may be (rows, 1) columns of the
    grid. start: name -> (rows, d). grid: the rows.
    """

    instance: Any
    steps: Any
    start: Mapping[str, np.ndarray]
    grid: Grid

    @property
    def horizons(self) -> tuple[int, ...]:
        """The iterations at which rows end: the values of the grid parameter ``until``, of which 0 means none.

        Raises ValueError for one that is no number of iterations.
        """
        ends = sorted(set(self.grid.params.get("until", np.zeros(0)).tolist()) - {0.0})
        if wrong := [T for T in ends if not (T > 0 and T.is_integer())]:
            raise ValueError(f"until is the number of iterations of a row; {wrong[0]:g} is none")
        return tuple(map(int, ends))


@dataclass(frozen=True)
class Mutation(Record):
    """A falsifier: one statement of the algorithm's ``step`` replaced by a nearby wrong one (see `mutation`).

    Rarely, in a compliant simulation, by another one that the theorem admits: its schedule may be any of a class.

    statement: the assignment target as in the listing ("h", "xi, xi2"), or the whole statement if the target is not
    unique or missing (a return). becomes: the new right-hand side or, if ``part`` is given, the replacement of this
    sub-expression, which must occur exactly once in the right-hand side. also: a wrong method that needs a second
    statement changed has it here; the name is that of the whole.
    """

    name: str
    statement: str
    becomes: str
    part: str = ""
    also: Mutation | None = None


@dataclass(frozen=True)
class Simulation(Record):
    """key: "<paper>/sim-<name>". algorithm: a module of a paper, "<paper>.<module>". make: (horizon, runs) -> Batch.

    horizon, runs: profile -> number. marks: extra iterations to record. probe: dotted module below
    `workbench.claims.probes`, if any. record: the quantities that a result keeps of those that the instance
    measures. If none is named all of them are kept, but with a probe none besides the probe's. (Where there are
    thousands of runs, each takes megabytes of the store.) `AS_READ` stands for those of which the paper's claims
    speak; what only a figure reads is added, ``(*AS_READ, "gap")``. Of a probe's quantities those are kept which a
    line of a proof, a waterfall or a claim names, or all if none does. Runs that agree in what is kept may differ in
    the rest, so they are never exact. method: an optimizer of a library (`workbench.claims.optimizers`) in place of
    the module's step; it has no statement that a mutation could replace.
    """

    key: str
    title: str
    algorithm: str
    make: Callable[[int, int], Batch]
    horizon: Mapping[str, int]
    runs: Mapping[str, int]
    kind: Kind
    chosen: str = ""
    mutation: Mutation | None = None
    marks: tuple[int, ...] = ()
    probe: str = ""
    record: tuple[str, ...] = ()
    method: Any = None

    def marks_up_to(self, horizon: int, ends: Iterable[int] = ()) -> np.ndarray:
        """The iterations that are recorded. ends: those at which rows end."""
        return log_marks(horizon, extra=[m for m in (*self.marks, *ends) if m <= horizon])

    def __post_init__(self) -> None:
        """Raises ValueError for a horizon or runs that are not a number per profile, or an unknown kind.

        Likewise for quantities that are no tuple of names.
        """
        if not isinstance(self.record, tuple) or not all(isinstance(n, str) for n in self.record):
            raise ValueError(
                f"{self.key}: record is {self.record!r}; wanted a tuple of names, as ('gap_mean',)"
            )
        if self.kind not in get_args(Kind):
            raise ValueError(f"{self.key}: kind is {self.kind!r}; there are {', '.join(get_args(Kind))}")
        if not callable(self.make):
            raise ValueError(
                f"{self.key}: make is a {type(self.make).__name__}; wanted a function of (horizon, runs)"
            )
        if self.method is not None and (self.mutation or self.probe):
            what = f"the mutation {self.mutation.name!r}" if self.mutation else f"the probe {self.probe!r}"
            raise ValueError(f"{self.key}: {what} needs a step of its own, and {self.method.title} has none")
        for name in ("horizon", "runs"):
            given = getattr(self, name)
            if (
                not isinstance(given, Mapping)
                or not set(given) <= set(PROFILES)
                or not all(isinstance(n, Integral) and int(n) > 0 for n in given.values())
            ):
                raise ValueError(
                    f"{self.key}: {name} is {given!r}; wanted a whole number per profile: profile(quick, default, full)"
                )
