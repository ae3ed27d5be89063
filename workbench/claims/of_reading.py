"""What claims about one reading have in common: its theorem, its name, its simulation, and the tolerances of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.claims.claims import Claim, caught
from workbench.claims.plan import Plan
from workbench.claims.views import read_by


@dataclass(frozen=True)
class OfReading(Claim):
    """A claim about one reading (`workbench.claims.readings.Reading`)."""

    reading: Any

    @property
    def key(self) -> str:
        return self.reading.key

    @property
    def experiment(self) -> str:
        return self.reading.in_words()

    @property
    def parts(self) -> tuple[str, ...]:
        return self.reading.parts

    @property
    def needs(self) -> tuple[str, ...]:
        needs: tuple[str, ...] = self.reading.needs
        return needs

    @property
    def metrics(self) -> tuple[str, ...]:
        return read_by(self.reading.metric)

    def caught(self, diverges: bool = False) -> Claim:
        """The negative twin: this claim is wrong on purpose, and must come out violated. diverges: by failed runs."""
        return caught(self, diverges)

    @property
    def given(self) -> float:
        """The widest tolerance that is admitted."""
        return self.reading.tol

    @property
    def number(self) -> float:
        """The number that is claimed."""
        return self.reading.claimed.value

    def tolerance(self, plan: Plan) -> float:
        """As given, or narrower if the plan of the paper says so."""
        return plan.tolerance(self.id, self.number, self.given)

    def drift_tolerance(self, plan: Plan) -> float:
        """Of the drift, in the same proportion to the one that is given."""
        r = self.reading
        return self.tolerance(plan) * (1.0 if r.drift_tol is None else r.drift_tol / r.tol)
