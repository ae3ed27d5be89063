"""Where a bound is lost: the right-hand sides of a proof, one after the other, from the measured value to the bound.

A `Waterfall` is data. Each `Step` is the right-hand side that the proof has reached after one of its lines, as a
formula of what a probe records: replacing a sum of recorded errors by the lemma that bounds it is
one step. The quotient of consecutive values is the factor that the line loses on these runs
(`workbench.ledger.waterfall`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Expr, Symbol

from workbench.claims.records import Simulation
from workbench.engine.records import Result
from workbench.homes.records import Record
from workbench.theory.record import Theorem


def data(name: str) -> Symbol:
    """A quantity that the probe records (`Result.data`), in the formulas of a waterfall."""
    return Symbol(name, positive=True)


@dataclass(frozen=True)
class Step:
    """One line of the proof.

    value: the right-hand side after it. Symbols are recorded quantities at the last iteration, constants of the
    instance, fields of the algorithm's `Steps`, and constants of the form's chain. For a theorem in expectation they
    stand for means over runs, so that a product of two random quantities has to be recorded as such; for one that holds
    with a probability the formula is evaluated on each run. erratum: set if the line is known to be wrong; only then
    may it make the right-hand side smaller.
    """

    name: str
    value: Expr
    source: str
    erratum: str = ""


@dataclass(frozen=True)
class Waterfall(Record):
    """From the measured value to a form's bound, on one compliant simulation at one grid point.

    measured: formula of what the theorem bounds. steps: the last one's value is the bound. form: the constants of its
    chain may be used in formulas. known: as in `workbench.claims.claims.Bound`. shift: T is the last iteration the
    probe has seen plus this number. name: tells several waterfalls of one theorem apart.
    """

    theorem: Theorem
    sim: Simulation
    measured: Expr
    steps: tuple[Step, ...]
    form: str = "printed"
    known: Callable[[Result], Mapping[str, Any]] = lambda result: {}
    where: Mapping[str, float] = field(default_factory=dict)
    shift: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        """Raises ValueError unless the steps end in the bound of the form."""
        bound = self.theorem.form(self.form).definitions[-1][0]
        if not self.steps or self.steps[-1].value not in (bound, self.theorem.form(self.form).bound):
            raise ValueError(
                f"{self.key}: the last step must be {bound}, the bound of the form {self.form!r}"
            )

    @property
    def key(self) -> str:
        """Key of the theorem."""
        return self.theorem.key

    @property
    def symbols(self) -> set[Symbol]:
        """Of all right-hand sides, and of what is measured."""
        return {s for e in (self.measured, *(step.value for step in self.steps)) for s in e.free_symbols}

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.sim.key,)
