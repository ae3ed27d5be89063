"""One figure per theorem of paper `ada_minimax`: the curves that are claimed, their local slopes, bounds and slack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench import Figure, as_recorded, window_means
from workbench.claims import Bound, Point, Readings
from workbench.drawing import RatesAndBounds, facts, readings

from ..experiments import claims_4_1, claims_4_2, claims_5_6
from ..experiments.study import DELTA, STUDY
from ..theory.paper import PAPER


def label_of(where: Point) -> str:
    """ "sigma = 0.1" where all noise levels are equal, else each."""
    levels = {v for name, v in where.items() if name.startswith("sigma")}
    return rf"$\sigma = {levels.pop():g}$" if len(levels) == 1 else readings.point_label(where)


def bounds_on(bounds: Sequence[Bound], *forms: str, on: Sequence[str]) -> list[Bound]:
    """The claimed bounds of these forms on these simulations."""
    return [b for b in bounds if b.form in forms and b.sim.key.split("/sim-")[1] in on]


def figure(
    number: str, title: str, caption: str, curves: Readings, bounds: list[Bound], metric: str, **more: Any
) -> Figure:
    panels = RatesAndBounds(curves.but(view=as_recorded), bounds, metric, window_means, label_of, **more)
    return Figure(
        key=PAPER.entry(f"fig-thm-{number}"),
        title=f"Theorem {number}: {title}",
        source="workbench",
        needs=panels.needs,
        draw=panels.draw,
        caption=f"{caption} Median and 10-90 % band over the runs; bounds: right side of the theorem with delta = "
        f"{DELTA:g}, each T taken as the horizon; {STUDY.chosen.split(' (')[0]}. Slopes below: of means over (T/2, T].",
        summary=panels.summary,
        outcome=panels.outcome,
    )


FIGURES = (
    figure(
        "5.6",
        "Ada-NSGDM on I1",
        "Ada-NSGDM on f = x^2/2 with plus-minus sigma noise; markers: NSGDM tuned with the true sigma for each T, "
        f"{facts.competitors('nsgdm')} {facts.LABELS}.",
        claims_5_6.QUIET + claims_5_6.LEVELS.where(sigma=(0.01, 0.1, 1.0)),
        bounds_on(claims_5_6.BOUNDS, "printed", "repaired", on=["i1"]),
        r"$\|\nabla f(x_t)\|$",
        rival=claims_5_6.YARDSTICK,
        rival_name="NSGDM, {point} known",
    ),
    figure(
        "4.1",
        "Ada-Minimax on I2",
        "Ada-Minimax on f = -x^2/4 + x y - y^2/2 with plus-minus sigma noise.",
        claims_4_1.QUIET + claims_4_1.LEVELS.where(sigma_x=(0.01, 0.1, 1.0)) + claims_4_1.NOISE_IN_Y,
        bounds_on(claims_4_1.BOUNDS, "printed", "repaired", on=["i2"]),
        r"$\|\nabla\Phi(x_t)\|$",
    ),
    figure(
        "4.2",
        "Ada-BiO on B1",
        "Ada-BiO on the scalar bilevel problem B1, Neumann length as printed; the repaired bound and its slack are for "
        "runs with a third of this length.",
        claims_4_2.QUIET + claims_4_2.LEVELS,
        bounds_on(claims_4_2.BOUNDS, "given noise", "repaired", on=["b1", "b1-short"]),
        r"$|\Phi'(x_t)|$",
    ),
)
