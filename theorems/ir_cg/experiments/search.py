"""Instances of Theorem 1, inner level, in which the worst one is searched for: EXP, its noise and schedule."""

from __future__ import annotations

from functools import partial

from workbench import Batch
from workbench.claims import Family, Parameter, Point

from ..problems.witness import Exponential
from ..theory.paper import PAPER
from .study import INNER_1, OUTER_1, batch, known_values


def make(point: Point, horizon: int, runs: int) -> Batch:
    """EXP in one dimension; p and varsigma are free in the theorem."""
    instance = partial(Exponential, kappa=point["kappa"], b=point["b"])
    at = {"varsigma": point["varsigma"]}
    return batch(OUTER_1, instance, 1, horizon, runs, points=[{"p": point["p"]}], at=at)


CASE = INNER_1.case("rate")
FAMILIES = (
    Family(
        name="exponentials",
        title="IR-SCG on EXP",
        theorem=INNER_1,
        form="printed",
        algorithm=f"{PAPER.key}.ir_scg",
        metric="inner_gap",
        make=make,
        parameters=(
            Parameter("kappa", 2.0, 40.0, logarithmic=True),
            Parameter("b", 0.01, 1.0, logarithmic=True),
            Parameter("p", 0.05, 0.45),
            Parameter("varsigma", 0.05, 5.0, logarithmic=True),
        ),
        usual={"kappa": 10.0, "b": 0.05, "p": 0.25, "varsigma": 1.0},
        claimed=lambda point: float(CASE.claimed.subs({s: point[s.name] for s in CASE.claimed.free_symbols})),
        known=known_values,
        shift=-1,
    ),
)
