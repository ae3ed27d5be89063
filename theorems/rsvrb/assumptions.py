"""Assumptions 1-4 and the gradient-dominance condition."""

from sympy import Le

from theorems import vocabulary as v
from theorems.record import Assumption
from theorems.rsvrb import constants as k

LOWER = Assumption(
    "1",
    "lambda I <= d2g/dydy(x, y) <= L_g I for all (x, y): of the mean g, not of each sample.",
    (k.lam, k.L_g),
    "L97-99, L113",
    relations=(Le(k.lam, k.L_g),),
)
LIPSCHITZ = Assumption(
    "2(i)",
    "The five sampled oracles are Lipschitz in (x, y) with L_fx, L_fy, L_gy, L_gxy, L_gyy, for almost every sample.",
    (k.L_fx, k.L_fy, k.L_gy, k.L_gxy, k.L_gyy),
    "L103",
)
VARIANCE = Assumption(
    "2(ii)",
    "Each of the five oracles has a bounded variance; the paper has one sigma, here each has its own.",
    (k.sigma_fx, k.sigma_fy, k.sigma_gy, k.sigma_gxy, k.sigma_gyy),
    "L105",
)
BOUNDED = Assumption(
    "2(iii)",
    "|grad_y f(x, y)| <= C_fy and |d2g/dxdy(x, y)| <= C_gxy, of the means.",
    (k.C_fy, k.C_gxy),
    "L107",
)
GAP = Assumption("2(iv), 4(iv)", "F(x_0) - F_* <= Delta.", (k.Delta,), "L109, L189")
LOWER_TASKS = Assumption(
    "3",
    "Assumption 1 for every g_i with common lambda and L_g.",
    (k.lam, k.L_g),
    "L177-179",
    relations=(Le(k.lam, k.L_g),),
)
# By Assumption 3 the second moment of each sampled d2g_i/dydy is at least lambda^2, so C(p) >= (lambda m)^2.
TASKS = Assumption(
    "4",
    "Per task i: sampled oracles with Lipschitz constants L_(.,i) and second moments at most C_(.,i)^2 (for grad_y g_i "
    "on |y| <= R_i only), and |y_i*(x)| <= R_i.",
    (k.C_p, k.L_p),
    "L181-191",
    relations=(Le((k.lam * k.m) ** 2, k.C_p),),
)
DOMINANT = Assumption("PL", "mu (F(x) - F_*) <= |grad F(x)|^2 for all x.", (v.mu,), "L260")

ASSUMPTIONS = (LOWER, LIPSCHITZ, VARIANCE, BOUNDED, GAP, LOWER_TASKS, TASKS, DOMINANT)
