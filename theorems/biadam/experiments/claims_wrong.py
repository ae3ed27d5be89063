"""Negative controls: wrong methods violate the rates, and follow the exponents that theory gives for them."""

from __future__ import annotations

from typing import Any

from workbench import FULL, LONG, Claimed, Theorem
from workbench.claims import Reading, Readings, caught

from . import wrong_runs
from .claims import ERROR, GRADIENT, LOWER
from .study import STUDY, THEOREM_1, THEOREM_2, THEOREM_3, THEOREM_4

SIMS = wrong_runs.SIMS
FAR = 0.1  # tolerance in exponents that are wrong by 1/4 or more, so that the drift need not be known better
WRONG = "the wrong method's own exponent"  # derived in `wrong_runs`


def reading(theorem: Theorem, name: str, metric: str, where: Any = None, **more: Any) -> Reading:
    """The theorem's rate, on a wrong method."""
    return STUDY.reading(theorem, SIMS[name], where or {}, case="rate", metric=metric, **more)


def own(theorem: Theorem, name: str, metric: str, value: float, where: Any = None, **more: Any) -> Reading:
    """The wrong method's exponent."""
    claimed = Claimed(value, WRONG)
    return STUDY.reading(theorem, SIMS[name], where or {}, claimed=claimed, metric=metric, **more)


Q_FLAT, Q_THIRD, Q_ONE = ({"exponent": p["exponent"]} for p in wrong_runs.POWERS)
SIXTH = 1 / 6
CAUGHT = Readings(
    (
        reading(THEOREM_1, "heavy", "metric_mean"),
        reading(THEOREM_1, "power", "metric_mean", Q_FLAT, profiles=LONG),
        reading(THEOREM_1, "power", "metric_mean", Q_THIRD, profiles=LONG),
        reading(THEOREM_3, "short", GRADIENT, profiles=LONG),
        reading(THEOREM_2, "heavy-vr", "metric_mean", profiles=LONG),
        reading(THEOREM_2, "beta-vr", ERROR, profiles=LONG),
        reading(THEOREM_2, "schedule-vr", ERROR, profiles=LONG),
        reading(THEOREM_4, "uncorrected-vr", GRADIENT, profiles=LONG),
        reading(THEOREM_2, "fresh-vr", "metric_mean", tol=FAR),
        reading(THEOREM_2, "fresh-k-vr", "metric_mean", tol=FAR, profiles=LONG),
    )
)
TOO_FAST = Readings((reading(THEOREM_1, "power", "metric_mean", Q_ONE, profiles=LONG, tol=FAR),))
OWN = Readings(
    (
        own(THEOREM_1, "heavy", ERROR, 0.0),
        own(THEOREM_3, "heavy", GRADIENT, -1 / 4, profiles=LONG),
        own(THEOREM_1, "power", "metric_mean", 0.0, Q_FLAT, profiles=LONG),
        own(THEOREM_1, "power", "metric_mean", -SIXTH, Q_THIRD, profiles=LONG),
        own(THEOREM_1, "power", "metric_mean", -1 / 2, Q_ONE, profiles=LONG, tol=0.06, drift_tol=0.12),
        own(THEOREM_3, "short", GRADIENT, 0.0, profiles=LONG),
        own(THEOREM_1, "short", LOWER, -1 / 4, profiles=LONG),
        own(THEOREM_2, "heavy-vr", ERROR, 0.0, profiles=LONG),
        own(THEOREM_4, "heavy-vr", GRADIENT, -SIXTH, profiles=LONG),
        own(THEOREM_2, "beta-vr", ERROR, -SIXTH, profiles=LONG),
        own(THEOREM_4, "beta-vr", GRADIENT, -SIXTH, profiles=LONG),
        own(THEOREM_2, "schedule-vr", ERROR, -1 / 4, profiles=LONG),
        own(THEOREM_4, "schedule-vr", GRADIENT, -1 / 4, profiles=LONG),
        own(THEOREM_4, "uncorrected-vr", GRADIENT, -SIXTH, profiles=LONG),
        own(THEOREM_2, "fresh-vr", ERROR, 1 / 3, tol=0.1, drift_tol=0.2, profiles=FULL),
        own(THEOREM_2, "fresh-k-vr", ERROR, 1 / 3, tol=0.1, drift_tol=0.2, profiles=FULL),
    )
)
TIGHT = OWN.tight()
CLAIMS = (*CAUGHT.caught(), *(caught(claim) for claim in TOO_FAST.tight()), *TIGHT)
