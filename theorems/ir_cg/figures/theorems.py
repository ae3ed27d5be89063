"""The rates of Theorems 1, 2, 5 and 6 on their witnesses, with the claimed slopes."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.claims import Reading
from workbench.drawing import Slopes, panel_row, readings

from ..experiments import claims_finite_sum, claims_nonconvex, claims_one_sample
from ..experiments.study import Q
from ..theory.paper import PAPER


def panel(title: str, ylabel: str, curves: Sequence[Reading]) -> Slopes:
    points = [readings.point_label(r.where) for r in curves]
    look = {"first": 10, "middle": "mean"}
    return Slopes(title, curves, points, ylabel, words=points, xlabel="$t$", look=look)


FIGURE = panel_row(
    PAPER.entry("fig-rates"),
    "Rates of IR-SCG and IR-FSCG on their witnesses",
    "Gaps at the output z_t, (a, d) outer, (b, e) inner, and (c, f) the merit function averaged over (t/2, t] with "
    "weights sigma_t. Means and 10-90 % of the runs, dotted: claimed slopes. varsigma = 1, "
    f"q = S = {Q}. Marks of (d) lie half a period after the refreshes, where the error of SPIDER is not zero.",
    panel("(a) Theorem 1, HC", "outer gap", claims_one_sample.OUTER),
    panel("(b) Theorem 1, EXP", "inner gap", claims_one_sample.INNER),
    panel("(c) Theorem 5, NC", "merit", [claims_nonconvex.MERIT_5]),
    panel("(d) Theorem 2, FS-EXP", "outer gap", claims_finite_sum.OUTER),
    panel("(e) Theorem 2, EXP", "inner gap", claims_finite_sum.INNER),
    panel("(f) Theorem 6, NC", "merit", [claims_nonconvex.MERIT_6]),
    columns=3,
    height=5.6,
    source="workbench; Theorems 1, 2, 5, 6 (L160-170, L1011, L1068)",
)
