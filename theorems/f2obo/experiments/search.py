"""Instances of Theorem 3.1 in which the worst one is searched for: the sine family with its growth, tilt and drift."""

from __future__ import annotations

from dataclasses import replace

from workbench import Batch
from workbench.claims import Family, Parameter, Point

from ..problems.sine import Sine
from .study import THEOREM_3_1, Scheduled, columns, known_values

# The form "repaired": the printed number of inner steps is not enough (O-2).
SCHEDULED = Scheduled(THEOREM_3_1, "repaired", [], columns(Sine, "p h"), part=None)


def make(point: Point, horizon: int, runs: int) -> Batch:
    """Every parameter from the theorem; the inner solution drifts, and the value does not move."""
    return replace(SCHEDULED, points=[dict(point)])(horizon, runs)


LAW = THEOREM_3_1.law("regret")


def claimed(point: Point) -> float:
    """With H_2T of order T^(1/2), the instance's, and V_T = 0."""
    values = {"tau": point["tau"], "v": 0, "h": Sine.b}
    return float(LAW.claimed.subs({s: values[s.name] for s in LAW.claimed.free_symbols}))


FAMILIES = (
    Family(
        name="sines",
        title="F2OBO on the sine family",
        theorem=THEOREM_3_1,
        form="repaired",
        algorithm="f2obo.f2obo",
        metric="regret_sum",
        make=make,
        parameters=(Parameter("tau", 0.1, 1.5), Parameter("p", 0.0, 0.7), Parameter("h", 0.0, 0.5)),
        usual={"tau": 0.5, "p": 0.3, "h": 0.3},
        claimed=claimed,
        known=known_values,
        horizon=512,
    ),
)
