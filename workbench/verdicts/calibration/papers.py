"""Planted papers: several claims decided jointly, as one call of `workbench verify` decides those of a paper.

The promise is about calls: the chance that any decisive verdict of a call is wrong is at most 1 %. It is tried on
papers of one claim, which most files of a user's own are, each of a planted family; on papers of twenty claims of one
kind, all of them as hard as what a line says that it would see; and on a paper with one claim of each family.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.stats import clopper_pearson
from workbench.evidence.verdicts import Finding, decide
from workbench.verdicts.calibration import adversaries, enclosed, kinds, planted
from workbench.verdicts.calibration.calibrate import SIDE
from workbench.verdicts.calibration.planted import (
    HORIZONS,
    NO,
    OPEN,
    YES,
    Generator,
    Scenario,
    View,
    draw_until_clear,
)

MANY = 20  # claims of one kind
MOST = 2  # of the calls of the other papers one in so many is made of the largest


@dataclass(frozen=True)
class Paper:
    """Planted families, one claim of each. kind: in words, which papers of this sort are counted together."""

    name: str
    claims: tuple[Scenario, ...]

    def errs(self, rng: Generator) -> bool:
        """Whether one call decides any of its claims wrongly."""
        decisions = decide([s.evidence(rng) for s in self.claims], LEVEL / len(FAMILIES))
        return any(d.verdict == s.wrong for s, d in zip(self.claims, decisions, strict=True))


def papers() -> list[Paper]:
    """All planted papers, those of one claim first."""
    alone = [Paper(f"one claim: {s.name}", (s,)) for s in _families(1)]
    v = View(max(HORIZONS), MANY)
    other = kinds.Setting(max(HORIZONS), 256, MANY)
    slow, late = kinds.BOUNDED["1 + log log T"][1], kinds.LIMITS["1 + 1/log T"][1]
    falls, slower = kinds.BOUNDED["1 + log T + 1000 T^-1/2"][1], kinds.GEOMETRIC["0.909^T"][2]
    linear = kinds.Setting(kinds.SHORT, 256, MANY)
    # In the window means, 2 f(T) - f(T/2) of the means up to T. Of 20 %, a note says, less would not be seen.
    floor = 0.799 / (2 - 2**0.5) * v.power(-0.5) + 0.201
    many: dict[str, tuple[str, Callable[[Generator], Finding]]] = {
        "rates -1/4: T^-1/2 onto a floor of 20.1 %, 1024 runs": (NO, v.rate(floor, -0.25, 1024)),
        "rates -1/4: T^-0.219, just beyond the tolerance, 256 runs": (
            NO,
            v.rate(v.power(-0.219), -0.25, 256),
        ),
        "rates -1/4: T^-0.22, on its edge, 256 runs": (YES, v.rate(v.power(-0.22), -0.25, 256)),
        "bounds: mean = 1.02 bound, 256 runs": (NO, v.bound(1.02, 256)),
        "bounds: mean = bound, 256 runs": (YES, v.bound(1.0, 256)),
        "bounded curves: 1 + log log T, 256 runs": (NO, other.draw("bounded", slow)),
        "bounded curves: 1 + log T + 1000 T^-1/2, 256 runs": (NO, other.draw("bounded", falls)),
        "geometric rates 0.9^T: 0.909^T, 256 runs": (NO, linear.draw("geometric", slower, 0.9)),
        "worst members T^-1: T^-0.9, 512 runs": (NO, partial(enclosed.worst, power=0.9, family=MANY)),
        "limits 1: 1 + 1/log T, 256 runs": (YES, other.draw("limit", late, 1.0)),
    }
    joint = [
        Paper(f"{MANY} {name}", MANY * (Scenario(name, truth, False, draw),))
        for name, (truth, draw) in many.items()
    ]
    each = _families(len(_families(1)))
    return [*alone, *joint, Paper(f"{len(each)} claims, one of each family", tuple(each))]


def _families(family: int) -> list[Scenario]:
    """The families of known truth that are seen up to the longer horizon."""
    scenarios = (*planted.scenarios(family), *adversaries.scenarios(family), *kinds.scenarios(family))
    return [
        s
        for s in scenarios
        if s.truth != OPEN and s.name.endswith(f"{max(HORIZONS):.0e}".replace("e+0", "e"))
    ]


def calls(repeats: int = 30, seed: int = 0, names: tuple[str, ...] | None = None) -> list[dict[str, object]]:
    """Rows, one per planted paper: the share of calls with a wrong verdict, in per cent, with 99 % limits.

    repeats: calls of a paper; three times as many where one of them is wrong (`planted.draw_until_clear`). ok: the
    limits are compatible with the promise. The last row counts all papers of one claim together, and is ok only if the
    limits show the promise, where so many calls could. names: of the papers, if not all.
    """
    rows, wrong_alone, alone = [], 0, 0
    for paper in papers():
        if names is not None and paper.name not in names:
            continue
        first = repeats if len(paper.claims) <= MANY else max(1, repeats // MOST)
        errs = partial(paper.errs, np.random.default_rng([seed, *paper.name.encode()]))
        outcomes = draw_until_clear(errs, first, bool)
        wrong, count = sum(outcomes), len(outcomes)
        rows.append(_row(paper.name, len(paper.claims), wrong, count, strict=False))
        if len(paper.claims) == 1:
            wrong_alone, alone = wrong_alone + wrong, alone + count
    return [*rows, _row("all papers of one claim", 1, wrong_alone, alone, strict=True)] if alone else rows


def failures(rows: list[dict[str, object]]) -> list[str]:
    """Names of the planted papers whose calls are wrong more often than promised."""
    return [str(row["paper"]) for row in rows if not row["ok"]]


def _row(name: str, claims: int, wrong: int, count: int, strict: bool) -> dict[str, object]:
    low, high = clopper_pearson(wrong, count, SIDE)
    could = clopper_pearson(0, count, SIDE)[1] <= LEVEL
    return {
        "paper": name,
        "claims": claims,
        "calls": count,
        "wrong_%": 100 * wrong / count,
        "wrong_from": 100 * low,
        "wrong_to": 100 * high,
        "ok": (high if strict and could else low) <= LEVEL,
    }
