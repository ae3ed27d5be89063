"""Where the inner bound of Theorem 1 is lost: the lines of its proof (L381-604) on EXP, whose inner gap has its rate.

The weighted means of Lemma 5 replace the gap at each x_i by what Lemmas 1, 2 and 4 say of it. The explicit constants
are this project's, for almost surely bounded noise (form "own"); the last line goes to the printed ones, with the
constant c of Lemma 3 that is known to be admissible.
"""

from __future__ import annotations

from workbench import profile
from workbench.claims import Step, Waterfall, data

from ..theory import theorem_1
from ..theory.common import C, C_bar, bound, smooth
from ..theory.constants import D, Delta_F
from ..theory.theorem_1 import BOTH_OWN, ELL_OWN, STORM
from .one_sample import MIDDLE, exp_middle
from .study import INNER_1, STUDY, known_values

SIMULATION = STUDY.watched(
    "slack", "IR-SCG on EXP, averages of its proof", "ir_scg", exp_middle, profile(10_000, 30_000, 100_000),
    profile(64, 128, 256), "slack",
)  # fmt: skip
OWN = theorem_1.INNER.form("own")


def steps() -> tuple[Step, ...]:
    S_t, weights = data("S_t"), Delta_F * (data("avg_sigma") + data("avg_drops"))
    curvature = 2 * smooth * D**2 * data("avg_curve")
    noise = STORM * BOTH_OWN * ELL_OWN[1] * data("avg_proxy")
    suprema = OWN.in_parameters(C) + OWN.in_parameters(C_bar)
    return (
        Step("Jensen for the average", data("avg_G") / S_t, "Lemma 5, L526-541"),
        Step(
            "outer gap at least -Delta_F",
            (data("avg_h") + Delta_F * data("avg_sigma")) / S_t,
            "Prop. 1, L415-434",
        ),
        Step(
            "weighted sums of one step",
            (curvature + 4 * D * data("avg_errors") + weights) / S_t,
            "(10), L381-413",
        ),
        Step("error of the estimator", (curvature + noise + weights) / S_t, "Prop. 2, L452-470"),
        Step("suprema C and C_delta", suprema * data("avg_sigma") / S_t, "(15), Lemma 4, L489-511"),
        Step("supremum V", OWN.in_parameters(), "(15d), Lemma 6, L556"),
        Step("constant of Lemma 3, closed suprema", bound, "Lemma 6, L556-561"),
    )


WATERFALLS = (
    Waterfall(
        INNER_1,
        SIMULATION,
        data("Gz_gap"),
        steps(),
        known=known_values,
        where=MIDDLE[0],
        name="IR-SCG on EXP, p = 1/4",
    ),
)
