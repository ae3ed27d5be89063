"""Iteratively regularized conditional gradient with exact gradients: min F over the minimizers of G on a compact set.

x_(t+1) = x_t + 2 / (t + 2) (v_t - x_t), where v_t minimizes <sigma_t grad F(x_t) + grad G(x_t), v> over the set, and
sigma_t = varsigma (t + 1)^-p; z_t is the average with weights (i + 1) i (sigma_(i-1) - sigma_i), and (t + 1) t sigma_t
more of x_t.
Source: Giang-Tran, Shafiee, Ho-Nguyen, "Efficient Conditional Gradient Methods for Solving Stochastic Convex Bilevel
Optimization Problems", Proposition 1 without noise: (12), and (11) with the supremum of Lemma 4, attained at t = 1.
"""

from sympy import Rational, Symbol

import workbench as wb
from workbench.ops import column, power

v = wb.vocabulary
PAPER = wb.Paper(
    __name__, "Regularized conditional gradient", "Giang-Tran, Shafiee, Ho-Nguyen", "Proposition 1"
)
L_f, L_g, varsigma, p = (Symbol(name, positive=True) for name in ("L_f", "L_g", "varsigma", "p"))
Delta_F = Symbol("Delta_F", nonnegative=True)  # F_opt minus the minimum of F on the set
SMOOTH, SIGMA_T = varsigma * L_f + L_g, varsigma * (v.T + 1) ** -p
SHARED = {"schedule": {"varsigma": varsigma, "p": p}, "conditions": [(p < 1, "p < 1")]}
VALUES = {L_f: 1, L_g: 1, v.D: 1, varsigma: 1, p: Rational(1, 2)}
OUTER = PAPER.theorem(
    "outer",
    bound=2 * SMOOTH * v.D**2 / ((v.T + 1) * SIGMA_T),
    exponent=p - 1,
    metric=r"$F(z_T) - F_{\mathrm{opt}}$",
    generic=VALUES,
    **SHARED,
)
INNER = PAPER.theorem(
    "inner",
    bound=2**p * (Delta_F + SMOOTH * v.D**2 / varsigma) * SIGMA_T,
    exponent=-p,
    metric=r"$G(x_T) - G_{\mathrm{opt}}$",
    generic=VALUES | {Delta_F: 1},
    **SHARED,
)
State, Steps = wb.state("x", "z", "sigma", "past", "total"), wb.steps("varsigma", "p")


def init(start, c, oracle, draw, xp):
    x = start["x"]
    return State(x, x, column(c.varsigma, x, xp), xp.zeros_like(x), column(0.0, x, xp))


def step(s, t, c, oracle, draw, xp):
    vertex = oracle.lmo(s.sigma * oracle.grad_f(s.x) + oracle.grad_g(s.x))
    x = s.x + 2.0 / (t + 1.0) * (vertex - s.x)
    sigma = column(c.varsigma * power(t + 1.0, -c.p, xp), x, xp)
    late, now = (t + 1.0) * t * (s.sigma - sigma), (t + 1.0) * t * sigma
    past, total = s.past + late * x, s.total + late
    return State(x, (past + now * x) / (total + now), sigma, past, total)


STUDY = wb.Study(PAPER, metric="outer_gap", shift=-1)
OF = {
    "grad_f": "outer smooth convex (L = L_f)",
    "grad_g": "smooth convex (L = L_g)",
    "lmo": "bounded convex set",
}
CLAIMS = (
    STUDY.worst_case(OUTER, step, OF, horizons=(1, 2, 5, 10)),
    STUDY.worst_case(INNER, step, OF, metric="last_inner_gap", horizons=(1, 2, 5, 10)),
)
