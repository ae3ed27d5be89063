"""Where the bound of Theorem 1 is lost: the lines of its proof (L417-482) on a compliant run of SVRB.

The printed bound has a constant that the paper does not give, so the waterfall ends in this project's form "repaired",
which keeps every constant of the proof.
"""

from __future__ import annotations

from sympy import Expr

from workbench import powers, profile
from workbench.claims import Step, Waterfall, data
from workbench.vocabulary import gamma

from ..theory import constants as k
from ..theory import theorem_1
from ..theory.common import S_L, C, T, bound, eta_0, eta_T, noise
from .one_task import compliant
from .study import STUDY, THEOREM_1, known_one

SIMULATION = STUDY.watched(
    "slack", "SVRB, sums of its proof", "svrb", compliant, powers(13, 16, 18), profile(48, 96, 200), "slack",
    kind="compliant", chosen="c = 1, largest tau and gamma, least c_0, little noise",
)  # fmt: skip
REPAIRED = theorem_1.REPAIRED


def steps() -> tuple[Step, ...]:
    to_mean = 2 / (gamma * eta_T * (T + 1))
    fall = data("start_F") - data("end_F")
    own_z = gamma / 4 * data("sum_z2")
    parts = {
        k.C_1: data("sum_err_fx"), k.C_2: data("sum_err_gxy"), k.C_3: data("sum_err_gyy"), k.C_4: data("sum_err_fy"),
    }  # fmt: skip
    errors = sum((constant * total for constant, total in parts.items()), start=k.C_0 * data("sum_lag2"))
    by_y = C * gamma * (data("start_lag2") - data("lag2"))
    drift = 8 * C * gamma**3 * k.L_y**2 / (k.tau * k.lam) * data("sum_z2")
    kept = 1 / (2 * k.tau) - 3 * k.L_g / 4
    moved = 2 * C * gamma * k.tau * kept * (data("sum_moved_y") + k.tau * k.lam / 4 * data("sum_moved_y_eta"))
    lower = by_y + 8 * C * gamma * k.tau / k.lam * data("sum_err_gy") + drift - moved
    by_errors = data("start_errors") - data("end_errors") + 2 * noise * data("sum_eta3")
    move_x = 2 * S_L * gamma**2 * data("sum_z2")
    recursions = fall + by_y + by_errors
    start = k.Delta + C * gamma * data("start_lag2") + data("start_errors") + 2 * noise * data("sum_eta3")
    first = k.Delta + C * gamma * k.delta_y + k.delta_0 / eta_0 + 2 * noise * data("sum_eta3")

    def mean(total: Expr) -> Expr:
        return to_mean * total

    return (
        Step("eta_T for every eta_t", data("sum_slope2") / (eta_T * (T + 1)), "L478-482"),
        Step("descent of F", mean(fall + gamma / 2 * data("sum_err2") - own_z), "Lemma 4, L361-365"),
        Step("error of z in five parts", mean(fall + gamma * errors - own_z), "Lemma 5, L369-377"),
        Step(
            "recursion of y",
            mean(fall + gamma * (errors - k.C_0 * data("sum_lag2")) + lower - own_z),
            "Lemma 7, L390-395, L445",
        ),
        Step(
            "recursions of the estimators",
            mean(recursions + drift + move_x - own_z),
            "Lemma 9, L411-415, L417-461",
        ),
        Step("drop the moves of x", mean(recursions), "L463-473"),
        Step("drop the last potential", mean(start), "L472-478"),
        Step("variances at the start", mean(first), "L478"),
        Step("sum of eta_t^3 by its integral", bound, "this project, for O(log(T + 2)), L482"),
    )


WATERFALLS = (
    Waterfall(
        THEOREM_1, SIMULATION, data("total_slope2") / (T + 1), steps(), "repaired", known_one, shift=-2,
        name="SVRB on one task",
    ),
)  # fmt: skip
