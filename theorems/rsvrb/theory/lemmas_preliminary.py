"""Propositions 1 and 2, Lemma 13: the hypergradient, Lipschitz constants of y* and grad F. L117, L197, L608."""

from sympy import Eq, Expr, Le, Symbol, symbols

from workbench.theory.lemma import Identity

from . import common
from .chain import inequality, link
from .constants import C_fy, C_gxy, L_fx, L_fy, L_gxy, L_gyy, lam

slope, f_x, f_y, g_xy = symbols("slope f_x f_y g_xy", real=True)
h = Symbol("h", positive=True)

y, mean_g = symbols("y mean_g", real=True)
PROPOSITION_1 = link(
    "prop-1",
    "The hypergradient",
    "Proposition 1, L117-122",
    r"$\nabla F = \nabla_x f - \nabla^2_{xy} g [\nabla^2_{yy} g]^{-1} \nabla_y f$ at $(x, y^*(x))$.",
    ("asm-1",),
    inequality(
        "implicit differentiation",
        (f_x + f_y * slope - (f_x - g_xy * f_y / h)) ** 2,
        0,
        Eq(g_xy + h * slope, 0),
        note="F' = f_x + f_y slope by the chain rule, slope = y*'; the condition is the derivative of grad_y g(x, "
        "y*(x)) = 0. One coordinate of x, one eigenvector of the symmetric Hessian with the eigenvalue h; the "
        "formula adds up over them.",
    ).states(),
    inequality(
        "the lower level of (3) and (4)",
        -(mean_g**2) + mean_g**2 / 2,
        -y * mean_g + y**2 / 2,
        note="L61, L70, each coordinate: -y^T E g(x; zeta) + |y|^2/2 is least at y* = E g(x; zeta) = mean_g.",
    ),
    quoted=True,
)

total_n, wanted_n = symbols("total_n wanted_n", real=True)
PROPOSITION_2 = link(
    "prop-2",
    "The hypergradient of many tasks",
    "Proposition 2, L197-202",
    r"$\nabla F$ is the mean over $i$ of $\nabla_x f_i - \nabla^2_{xy} g_i [\nabla^2_{yy} g_i]^{-1} \nabla_y f_i$ at "
    "$(x, y_i^*(x))$.",
    ("prop-1", "asm-3"),
    inequality(
        "one more task",
        (total_n + f_x + f_y * slope - (wanted_n + f_x - g_xy * f_y / h)) ** 2,
        0,
        Eq(total_n, wanted_n),
        Eq(g_xy + h * slope, 0),
        note="L201-202 times m by induction over the tasks, which begins with Proposition 1: total_n and wanted_n "
        "are the sums of both lines over n tasks.",
    ).states(),
    quoted=True,
)

d, moved, apart, total, w = symbols("d moved apart total w", nonnegative=True)
change_f, change_V, change_H, change_v = symbols("change_f change_V change_H change_v", nonnegative=True)
V_1, V_2, v_1, v_2, inner = symbols("V_1 V_2 v_1 v_2 inner", real=True)
h_1, h_2 = symbols("h_1 h_2", positive=True)
J = Symbol("J", nonnegative=True)
PRODUCT = Identity(
    "the change of V H^-1 v in three parts",
    V_1 * v_1 / h_1 - V_2 * v_2 / h_2,
    (V_1 - V_2) * v_1 / h_1 + V_2 * ((h_2 - h_1) / (h_1 * h_2)) * v_1 + V_2 / h_2 * (v_1 - v_2),
    note="numbers in the order of the matrices: A^-1 - B^-1 = A^-1 (B - A) B^-1.",
)
L_Y: Expr = C_gxy / lam

LIPSCHITZ = link(
    "lem-13",
    "Lipschitz constants of y* and of the gradient of F",
    "Lemma 13, L608-615",
    r"$y^*$ is Lipschitz with $C_{gxy}/\lambda$, and $F$ is smooth with $L_J (1 + (C_{gxy}/\lambda)^2)^{1/2}$.",
    ("prop-1", "asm-1", "asm-2(i)", "asm-2(iii)"),
    inequality(
        "y*, from strong convexity and a change of gradient",
        d,
        L_Y * moved,
        Le(lam * d**2, inner),
        Le(inner, w * d),
        Le(w, C_gxy * moved),
        note="d = |y*(x) - y*(x')|, w = |grad_y g(x, y*(x'))|, moved = |x - x'|, inner the product of the first two.",
    ).states(),
    PRODUCT,
    inequality(
        "L_J: four changes",
        change_f + change_V * C_fy / lam + C_gxy * (change_H / lam**2) * C_fy + C_gxy / lam * change_v,
        common.L_J * apart,
        Le(change_f, L_fx * apart),
        Le(change_V, L_gxy * apart),
        Le(change_H, L_gyy * apart),
        Le(change_v, L_fy * apart),
        note="of the formula of Proposition 1 between two points (x, y) at the distance `apart`.",
    ),
    inequality(
        "grad F, squared",
        total**2,
        J**2 * (1 + L_Y**2) * moved**2,
        Le(total, J * apart),
        Eq(apart**2, moved**2 + d**2),
        Le(d, L_Y * moved),
        note="J = L_J; apart is the distance of (x, y*(x)) and (x', y*(x')).",
    ).states(),
    quoted=True,
    note="L_y and L_F are 'appropriate' in the text; these are the values that the steps give.",
)
LEMMAS = (PROPOSITION_1, PROPOSITION_2, LIPSCHITZ)
