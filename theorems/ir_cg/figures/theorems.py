"""The rates of Theorems 1, 2, 5 and 6 on their witnesses, with the claimed slopes."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as MplFigure

from workbench.claims.readings import Reading, Readings
from workbench.report.drawing import facts, readings
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.panels import legend_below, mean_curve

from ..experiments import claims_finite_sum, claims_nonconvex, claims_one_sample
from ..experiments.study import Q
from ..theory.paper import PAPER

PANELS: tuple[tuple[str, str, Readings], ...] = (  # title, vertical axis, what is drawn
    ("(a) Theorem 1, HC", "outer gap", claims_one_sample.OUTER),
    ("(b) Theorem 1, EXP", "inner gap", claims_one_sample.INNER),
    ("(c) Theorem 5, NC", "merit", Readings((claims_nonconvex.MERIT_5,))),
    ("(d) Theorem 2, FS-EXP", "outer gap", claims_finite_sum.OUTER),
    ("(e) Theorem 2, EXP", "inner gap", claims_finite_sum.INNER),
    ("(f) Theorem 6, NC", "merit", Readings((claims_nonconvex.MERIT_6,))),
)


def draw(results: Results) -> MplFigure:
    figure, axes = plt.subplots(2, 3, figsize=(TEXT_WIDTH, 5.6))
    for ax, (title, label, shown) in zip(axes.flat, PANELS, strict=True):
        readings.panel(ax, results, shown, [slope_label(r) for r in shown], first=10, middle="mean")
        ax.set(title=title, xlabel="$t$", ylabel=label)
        legend_below(ax, ncols=1)
    return figure


def slope_label(r: Reading) -> str:
    """ "$p = 0.1$, slope -0.4"."""
    return f"{readings.point_label(r.where)}, slope {r.claimed.value:.3g}".removeprefix(", ")


def seen(results: Results) -> str:
    """The slopes used by the verdicts, and the means at the end."""
    said = []
    for title, _, shown in PANELS:
        ends = {point(r) or "at T": mean_at_end(results, r) for r in shown}
        said.append(
            f"{title}: slope {readings.said_slopes(results, shown)}; mean {facts.listing(ends, '{:.2g}')}."
        )
    return f"{facts.drawn_together(results)} {' '.join(said)}"


def mean_at_end(results: Results, r: Reading) -> float:
    return float(mean_curve(r.curve(results)[0])[-1])


def point(r: Reading) -> str:
    """ "at p = 0.1"."""
    label = readings.plain(readings.point_label(r.where))
    return label and f"at {label}"


FIGURE = Figure(
    key=PAPER.entry("fig-rates"),
    title="Rates of IR-SCG and IR-FSCG on their witnesses",
    source="workbench; Theorems 1, 2, 5, 6 (L160-170, L1011, L1068)",
    needs=tuple(dict.fromkeys(r.sim.key for _, _, shown in PANELS for r in shown)),
    draw=draw,
    caption=(
        "Gaps at the output z_t, (a, d) outer, (b, e) inner, and (c, f) the merit function averaged over (t/2, t] with "
        "weights sigma_t. Means and 10-90 % of the runs, dotted: claimed slopes. varsigma = 1, "
        f"q = S = {Q}. Marks of (d) lie half a period after the refreshes, where the error of SPIDER is not zero."
    ),
    summary=seen,
)
