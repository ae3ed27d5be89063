"""Theorems 3 = 6 and 4 = 8: BiAdam and VR-BiAdam without constraints on x. L93, L97, L101.

The metric is E|grad F(x_t)|. The factor sqrt(mean E|A_t|^2)/rho bounds the condition numbers of the matrices; with A_t
of (4) it is at most (G_1 + rho)/rho (Remarks 3 and 4).
"""

from dataclasses import replace

from sympy import Expr, Integer, Rational, sqrt

from workbench.theory import Case, Definition

from . import assumptions as asm
from . import common, theorem_1, theorem_2
from . import symbols as s
from .paper import PAPER
from .symbols import G_prime, M_prime, T, m

HALF = Rational(1, 2)
IN_4 = {s.A_rms: s.G_1 + s.rho}  # printed (G_1 + lambda)/lambda; rho is the offset of (4)
ADD_UP: Definition = (s.bound, s.prefactor * (s.early + s.late + s.last))


def _bound(constant: Definition, early: Expr, late: Expr) -> tuple[Definition, ...]:
    """(14): m^early in the first term, T^-late in the second; 2 sqrt(3)/T is right, its 1/rho is in the prefactor."""
    root = 2 * sqrt(6 * constant[0])
    return (
        constant,
        (s.prefactor, s.A_rms / s.rho),
        (s.early, root * m**early / sqrt(T)),
        (s.late, root / T**late),
        (s.last, 2 * sqrt(3) / T),
        ADD_UP,
    )


ONE, QUARTER, THIRD, SIXTH = Integer(1), Rational(1, 4), Rational(1, 3), Rational(1, 6)
SUM_3: Definition = (G_prime, theorem_1.SUM)
SUM_4: Definition = (M_prime, theorem_2.SUM)
FORMS_3 = (
    common.form(
        "printed",
        (*theorem_1.HEAD_PRINTED, *theorem_1.terms_of_g(s.b_1, ONE), *_bound(SUM_3, HALF, QUARTER)),
        "Theorem 3, L93",
        theorem_1.CONDITIONS_PRINTED,
    ),
    common.form(
        "restated",
        (*theorem_1.HEAD_PRINTED, *theorem_1.terms_of_g(s.b_u, ONE), *_bound(SUM_3, HALF, QUARTER)),
        "Theorem 6, L97, with b_u where Theorem 3 has b_1",
        theorem_1.CONDITIONS_PRINTED,
    ),
    common.form(
        "repaired",
        (*theorem_1.HEAD_REPAIRED, *theorem_1.repaired_terms_of_g(ONE), *_bound(SUM_3, QUARTER, QUARTER)),
        "this project: Theorem 3 with the repairs of Theorem 1 and m^(1/4), as the proof has it",
        theorem_1.CONDITIONS_REPAIRED,
        ("O-1", "O-2", "O-6", "O-10"),
    ),
)
FORMS_4 = (
    common.form(
        "printed",
        (*theorem_2.HEAD_PRINTED, *theorem_2.terms_of_m(s.b_1, ONE), *_bound(SUM_4, HALF, THIRD)),
        "Theorem 4, L93; Theorem 8, L101",
        theorem_2.CONDITIONS_PRINTED,
    ),
    common.form(
        "repaired",
        (*theorem_2.HEAD_REPAIRED, *theorem_2.repaired_terms_of_m(ONE), *_bound(SUM_4, SIXTH, THIRD)),
        "this project: Theorem 4 with the repairs of Theorem 2 and m^(1/6), as the proof has it",
        theorem_2.CONDITIONS_REPAIRED,
        ("O-2", "O-3", "O-4", "O-6"),
    ),
)
METRIC = r"mean over $t \le T$ of $\mathbb{E}\|\nabla F(x_t)\|$"
STATEMENT = (
    r"With $X = \mathbb{R}^d$ the mean over $t \le T$ of $\mathbb{E}\|\nabla F(x_t)\|$ is at most "
    r"$\sqrt{(1/T) \sum_{t \le T} \mathbb{E}\|A_t\|^2}/\rho$ times "
)
ADAM = (asm.GRADIENTS,)

THEOREM_3 = replace(
    theorem_1.THEOREM,
    key=PAPER.entry("thm-3"),
    title="BiAdam, unconstrained",
    method="biadam.biadam",
    statement=STATEMENT + r"$2 \sqrt{6 G' m}/T^{1/2} + 2 \sqrt{6 G'}/T^{1/4} + 2 \sqrt{3}/T$.",
    source="Theorem 3 (L93), restated as Theorem 6 (L97)",
    metric=METRIC,
    assumes=(*theorem_1.ASSUMES, *ADAM),
    forms=FORMS_3,
    cases=(*theorem_1.CASES, Case("A_t of (4)", IN_4, -QUARTER, "L93, Remark 3")),
)
THEOREM_4 = replace(
    theorem_2.THEOREM,
    key=PAPER.entry("thm-4"),
    title="VR-BiAdam, unconstrained",
    method="biadam.vr_biadam",
    statement=STATEMENT + r"$2 \sqrt{6 M' m}/T^{1/2} + 2 \sqrt{6 M'}/T^{1/3} + 2 \sqrt{3}/T$.",
    source="Theorem 4 (L93), restated as Theorem 8 (L101)",
    metric=METRIC,
    assumes=(*theorem_2.ASSUMES, *ADAM),
    forms=FORMS_4,
    cases=(*theorem_2.CASES, Case("A_t of (4)", IN_4, -THIRD, "L93, Remark 4")),
)
