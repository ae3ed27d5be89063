"""The claim that a theorem's bound covers the worst case over a whole class of functions, as data.

What decides it is in the ledger (`workbench.ledger.worst_case`): the worst case of the traced step, certified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from sympy import Expr, Symbol

from workbench.claims import identifiers
from workbench.claims.claims import Bound, Claim, Results
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.records import Simulation
from workbench.evidence.verdicts import Finding
from workbench.theory.record import Theorem

HORIZONS = (1, 2, 5, 10, 20)


@dataclass(frozen=True)
class WorstCase(Claim):
    """At each horizon T the bound of a theorem is at least the worst case of its metric over a class.

    form: of the bound. method: the module of the step. classes: oracle method -> class of functions or operators.
    metric: as a problem records it. shift: as in `Bound`. horizons: values of T. values: symbol -> exact number, where
    it is not the theorem's `generic`. distance: of the start from the reference, if the bound has no D_1. sim: runs
    whose measured curve says what of the slack is the instance's.
    """

    theorem: Theorem
    form: str
    method: str
    classes: Mapping[str, str]
    metric: str
    shift: int = 0
    horizons: tuple[int, ...] = HORIZONS
    values: Mapping[Symbol, Expr] = field(default_factory=dict)
    distance: Expr | None = None
    sim: Simulation | None = None
    measured: Bound | None = None

    @property
    def key(self) -> str:
        return self.theorem.key

    evidence: ClassVar[str] = "worst case"

    @property
    def covers(self) -> str:
        """The classes, in words."""
        return ", ".join(dict.fromkeys(self.classes.values()))

    @property
    def experiment(self) -> str:
        return f"{self.covers}; {self.form}"

    @property
    def parts(self) -> tuple[str, ...]:
        classes = "+".join(identifiers.part(c) for c in dict.fromkeys(self.classes.values()))
        return (classes, identifiers.part(self.metric), identifiers.part(self.form))

    @property
    def needs(self) -> tuple[str, ...]:
        return () if self.sim is None else (self.sim.key,)

    @property
    def metrics(self) -> tuple[str, ...]:
        return (self.metric,) if self.sim else ()

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        """What decides it is in the ledger. Raises NotImplementedError."""
        raise NotImplementedError(f"{self.key}: `workbench.ledger.worst_case` decides a worst case")


def from_bound(
    bound: Bound, classes: Mapping[str, str], horizons: tuple[int, ...], distance: Expr | None = None
) -> WorstCase:
    """The worst case that belongs to a claim about measured runs. Raises ValueError for a metric that is a function."""
    if not isinstance(bound.metric, str):
        raise ValueError(f"{bound.key}: its metric is a function, of which no worst case is known")
    return WorstCase(
        bound.theorem,
        bound.form,
        bound.sim.algorithm,
        classes,
        bound.metric,
        bound.shift,
        horizons,
        distance=distance,
        sim=bound.sim,
        measured=bound,
    )
