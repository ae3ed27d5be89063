"""The answer to a worst case at one horizon: certificates on both sides, kept as sealed files and checked when read."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from sympy import N

from workbench.claims.worst_cases import WorstCase
from workbench.homes import disk
from workbench.ledger import certificate
from workbench.ledger.trees import Wrong, number
from workbench.ledger.worst_case import certify, replay, solve
from workbench.ledger.worst_case.oracle import FAR
from workbench.ledger.worst_case.question import at_horizon
from workbench.ledger.worst_case.trace import ROOTS, Traced, trace

SIDES = ("upper", "lower")
DIGITS = 30
NEAR = 1e-4  # a bound that is attained can be certified from above only by a number that is a little larger
ROUNDING = 1e-12  # of the claimed bound in floating point


@dataclass(frozen=True)
class Answer:
    """The worst case at one horizon.

    T: the theorem's index; count: steps. claimed: the bound (squared where the metric is a root: `is_root`). upper,
    lower: certified, a fraction each, or None where none was found. attained: what a run of the workbench's engine on
    the example gives. why: why a side is missing.
    """

    T: int
    count: int
    claimed: float
    upper: Fraction | None
    lower: Fraction | None
    at_end: float | None
    is_root: bool
    why: str
    certificates: dict[str, Any]

    @property
    def covers(self) -> bool | None:
        """Is the bound at least the worst case, to within `NEAR` of it? None if neither is shown."""
        if self.upper is not None and float(self.upper) <= self.claimed * (1 + NEAR):
            return True
        if self.lower is not None and float(self.lower) > self.claimed * (1 + ROUNDING):
            return False
        return None

    @property
    def is_far(self) -> bool:
        """Is the worst case that over gradients of norm at most `FAR` at the reference?"""
        forms = self.certificates.get("upper", {"statement": {"start": []}})["statement"]["start"]
        return any(form["constant"] == str(FAR**2) for form in forms)

    @property
    def excess(self) -> float:
        """The share by which what is certified from above exceeds the bound; 0 where it does not."""
        return 0.0 if self.upper is None else max(0.0, float(self.upper) / self.claimed - 1 - ROUNDING)

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """(worst case at least, at most) as a share of the bound, in the metric's own unit."""
        low, high = self.in_unit(self.lower, -math.inf), self.in_unit(self.upper, math.inf)
        bound = self.in_unit(self.claimed)
        assert bound is not None
        return (
            None if low is None else math.nextafter(low / bound, -math.inf),
            None if high is None else math.nextafter(high / bound, math.inf),
        )

    def in_unit(self, value: Fraction | float | None, towards: float | None = None) -> float | None:
        """A number in the metric's own unit. towards: an infinity, in whose direction floating point may err."""
        if value is None:
            return None
        x = float(value)
        if towards is not None:
            x = math.nextafter(x, towards)
        if self.is_root:
            x = math.sqrt(max(x, 0.0))
            x = x if towards is None else math.nextafter(x, towards)
        return x

    def record(self) -> dict[str, Any]:
        """The stable JSON form."""
        low, high = self.shares
        return {
            "T": self.T,
            "steps": self.count,
            "claimed": self.in_unit(self.claimed),
            "at_most": self.in_unit(self.upper, math.inf),
            "at_least": self.in_unit(self.lower, -math.inf),
            "replayed": self.in_unit(self.at_end),
            "share_at_most": high,
            "share_at_least": low,
            "covers": self.covers,
            "why": self.why,
        }


def answers(
    claim: WorstCase, folders: Iterable[Path | None], horizons: Iterable[int] | None = None
) -> list[Answer]:
    """The answers at the horizons of a claim. folders: of certificates, that are read; the first is written to.

    Raises NotLinear and NoClass for what is not covered.
    """
    return [answer(claim, T, folders) for T in (claim.horizons if horizons is None else horizons)]


def answer(claim: WorstCase, T: int, folders: Iterable[Path | None]) -> Answer:
    """The answer at one horizon."""
    horizon = at_horizon(claim, T)
    run = trace(horizon.question, horizon.count)
    existing = [folder for folder in folders if folder is not None]
    documents: dict[str, Any] = {}
    reasons: list[str] = []
    for side in SIDES:
        try:
            documents[side] = _certificate(run, side, existing)
        except solve.NoSolution as reason:
            reasons.append(_why(side, str(reason)))
    values = {side: number(c["statement"]["claimed"]) for side, c in documents.items()}
    at_end = replay.metric(horizon, run, documents["lower"]) if "lower" in documents else None
    return Answer(
        T,
        horizon.count,
        float(N(horizon.claimed, DIGITS)),
        values.get("upper"),
        values.get("lower"),
        at_end,
        claim.metric in ROOTS,
        "; ".join(dict.fromkeys(reasons)),
        documents,
    )


def _why(side: str, reason: str) -> str:
    if side == "upper" and "PrimalInfeasible" in reason:
        return "the worst case is infinite: no multiple of the start bounds the metric"
    if "Infeasible" in reason:
        return "the solver finds no finite worst case"
    return reason


def _certificate(run: Traced, side: str, folders: list[Path]) -> dict[str, Any]:
    """From a file, checked, or made now and written."""
    name = f"{certificate.digest([run.statement, side])[:32]}.json"
    sense = "at most" if side == "upper" else "at least"
    for folder in folders:
        if (old := _read(folder / name, {**run.statement, "sense": sense})) is not None:
            return old
    document = getattr(certify, side)(run.statement)
    if folders:
        with contextlib.suppress(OSError):  # a certificate that cannot be kept is made again
            folders[0].mkdir(parents=True, exist_ok=True)
            disk.replace(folders[0] / name, certificate.seal(json.dumps(document).encode()))
    return document


def _read(path: Path, statement: dict[str, Any]) -> dict[str, Any] | None:
    """The certificate in a file, if it is right and about this statement; else None."""
    try:
        document = json.loads(certificate.unseal(path.read_bytes()))
        certificate.check(document, {**statement, "claimed": document["statement"]["claimed"]})
    except (OSError, ValueError, KeyError, TypeError, Wrong):
        return None
    return document
