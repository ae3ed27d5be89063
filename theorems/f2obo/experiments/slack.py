"""Where the bound of Theorem 3.1 (= C.5, L448-667) is lost: the lines of its proof on a compliant run of F2OBO.

Every parameter is the theorem's, of the repaired form: the printed number of inner steps is not enough (O-2).
"""

from __future__ import annotations

from workbench import profile
from workbench.claims import Step, Waterfall, data

from ..problems.sine import Sine
from ..theory import symbols as s
from ..theory.formulas_multi import SUMMED
from ..theory.symbols import L_g1
from ..theory.theorem_3_1 import REPAIRED
from .study import DRAWN, STUDY, THEOREM_3_1, Scheduled, columns, known_values

POINT = {"tau": 0.5, "p": 0.3, "h": 0.3, "flip": 0.0, "a": 0.5}  # tilt, drift of y*, and jumps of F
SIMULATION = STUDY.watched(
    "slack", "F2OBO, sums of its proof", "f2obo",
    Scheduled(THEOREM_3_1, "repaired", [POINT], columns(Sine, "p h flip a"), part=None),
    profile(2048, 16_384, 131_072), profile(32, 64, 128), "slack", kind="compliant",
    chosen=f"every parameter from the theorem; {DRAWN}",
)  # fmt: skip


def steps() -> tuple[Step, ...]:
    range_term = 8 * (2 * s.M + s.V_T) / s.gamma
    bias_term = 16 * s.D_1**2 / s.lam_1**2 * s.S_tau
    sum_term = SUMMED.xreplace({symbol: REPAIRED.in_parameters(symbol) for symbol in OF_CHAIN})
    return (
        Step(
            "descent of F_t",
            8 * data("sum_fall") / s.gamma + 8 * data("sum_full"),
            "Lemma C.1, (15), (16), L448-488",
        ),
        Step("sum over the rounds", range_term + 8 * data("sum_full"), "Lemma C.1, L448-488"),
        Step(
            "bias and error of h_t apart",
            range_term + 16 * (data("sum_penalty") + data("sum_error")),
            "Lemma C.1, L448-488",
        ),
        Step(
            "bias of the penalty at most D_1/lambda_t",
            range_term + bias_term + 16 * data("sum_error"),
            "Lemma B.2, L392-398",
        ),
        Step(
            "error by the inner distances",
            range_term + bias_term + 48 * L_g1**2 * data("sum_inner"),
            "(20), L576-584",
        ),
        Step(
            "inner loops",
            range_term + bias_term + 48 * L_g1**2 * data("sum_lemmas"),
            "Lemmas C.2, C.3, L494-563",
        ),
        Step("sum of the errors", range_term + bias_term + 16 * sum_term, "Lemma C.4, (21), (23), L565-640"),
        Step("solved for the regret", REPAIRED.in_parameters(), "Theorem C.5, L642-667"),
        Step("constants as printed", s.bound, "Theorem C.5, L646"),
    )


OF_CHAIN = (s.c_tau, s.Delta_1, s.S_tau, s.C_lam, s.kappa_g, s.rho, s.D_1)
WATERFALLS = (
    Waterfall(
        THEOREM_3_1,
        SIMULATION,
        data("sum_regret"),
        steps(),
        known=known_values,
        where=POINT,
        name="F2OBO, everything moves",
    ),
)
