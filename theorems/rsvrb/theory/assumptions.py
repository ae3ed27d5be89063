"""Assumptions 1-4 and the gradient-dominance condition."""

from sympy import Le

from workbench import Assumption
from workbench import vocabulary as v

from . import constants as k

LOWER = Assumption(
    "1",
    r"$\lambda I \preceq \nabla^2_{yy} g(x, y) \preceq L_g I$ for all $(x, y)$: of the mean $g$, not of each sample.",
    (k.lam, k.L_g),
    "L97-99, L113",
    relations=(Le(k.lam, k.L_g),),
)
LIPSCHITZ = Assumption(
    "2(i)",
    "The five sampled oracles are Lipschitz in $(x, y)$ with $L_{fx}$, $L_{fy}$, $L_{gy}$, $L_{gxy}$, $L_{gyy}$, for "
    "almost every sample.",
    (k.L_fx, k.L_fy, k.L_gy, k.L_gxy, k.L_gyy),
    "L103",
)
VARIANCE = Assumption(
    "2(ii)",
    r"Each of the five oracles has a bounded variance; the paper has one $\sigma$, here each has its own.",
    (k.sigma_fx, k.sigma_fy, k.sigma_gy, k.sigma_gxy, k.sigma_gyy),
    "L105",
)
BOUNDED = Assumption(
    "2(iii)",
    r"$\|\nabla_y f(x, y)\| \le C_{fy}$ and $\|\nabla^2_{xy} g(x, y)\| \le C_{gxy}$, of the means.",
    (k.C_fy, k.C_gxy),
    "L107",
)
GAP = Assumption("2(iv), 4(iv)", r"$F(x_0) - F_* \le \Delta$.", (k.Delta,), "L109, L189")
LOWER_TASKS = Assumption(
    "3",
    r"Assumption 1 for every $g_i$ with common $\lambda$ and $L_g$.",
    (k.lam, k.L_g),
    "L177-179",
    relations=(Le(k.lam, k.L_g),),
)
# By Assumption 3 the second moment of each sampled d2g_i/dydy is at least lambda^2, so C(p) >= (lambda m)^2.
TASKS = Assumption(
    "4",
    r"Per task $i$: sampled oracles with Lipschitz constants $L_{\cdot,i}$ and second moments at most "
    r"$C_{\cdot,i}^2$ (for $\nabla_y g_i$ on $\|y\| \le R_i$ only), and $\|y_i^*(x)\| \le R_i$.",
    (k.C_p, k.L_p),
    "L181-191",
    relations=(Le((k.lam * k.m) ** 2, k.C_p),),
)
DOMINANT = Assumption("PL", r"$\mu (F(x) - F_*) \le \|\nabla F(x)\|^2$ for all $x$.", (v.mu,), "L260")

ASSUMPTIONS = (LOWER, LIPSCHITZ, VARIANCE, BOUNDED, GAP, LOWER_TASKS, TASKS, DOMINANT)
