"""Theorem 1: SVRB (Algorithm 1), one lower-level problem. L160-167; proof L417-486.

The theorem claims O~(T^(-2/3)). Its proof ends in a bound with O(log(T + 2)), whose constant is not given: the form
"printed" has it as K_log. The form "repaired" keeps every constant of the proof (this project's derivation), with the
variance of each oracle. C depends on gamma and gamma on C; `parameters` has the solved form.
"""

from math import inf
from typing import Any

from sympy import Expr, Ge, Gt, Integer, Le, Rational, log, sqrt

from workbench import vocabulary as v
from workbench.theory import Case, Condition, Definition, Form, Max, Min, Statement

from . import assumptions as a
from . import common
from . import constants as k
from .common import S_L, C, T, bound, eta_0, eta_T, noise
from .paper import PAPER

THIRD, HALF = Rational(1, 3), Rational(1, 2)
CHAIN: tuple[Definition, ...] = (
    *common.LEMMA_5,
    common.SUM_OF_SQUARES,
    (C, Max(4 * k.C_0 / (k.tau * k.lam), 4 * S_L / v.gamma)),
)

# beta_(., t+1) = b_. eta_t^2; tau_t = eta_t.
BASE = 1 / (7 * k.L_F * k.c**3)
B: dict[str, Expr] = {
    "gy": BASE + 8 * C * v.gamma * k.tau / k.lam,
    "fx": BASE + k.C_1 * v.gamma,
    "fy": BASE + k.C_4 * v.gamma,
    "gxy": BASE + k.C_2 * v.gamma,
    "gyy": BASE + k.C_3 * v.gamma,
}


def eta(t: Expr) -> Expr:
    """eta_t = tau_t."""
    return k.c / (k.c_0 + t) ** THIRD


PRINTED = Form(
    "printed",
    (
        *CHAIN,
        (eta_0, eta(Integer(0))),
        (eta_T, eta(T)),
        (
            bound,
            2
            / (v.gamma * eta_T * T)
            * (k.Delta + C * v.gamma * k.delta_y + k.delta_0 / eta_0 + k.K_log * log(T + 2)),
        ),
    ),
    "L478-482",
    conditions=(
        Condition(
            Ge(
                k.c_0,
                common.in_parameters((k.c**2 * k.lam / (16 * C * v.gamma * k.tau)) ** Rational(3, 2), CHAIN),
            ),
            "c_0 >= (c^2 lambda/(16 C gamma tau))^(3/2)",
            "L162",
        ),
    ),
)
REPAIRED = Form(
    "repaired",
    (
        *CHAIN,
        (eta_0, eta(Integer(-1))),
        (eta_T, eta(T)),
        (noise, sum((B[n] ** 2 * k.SYMBOLS[f"sigma_{n}"] ** 2 for n in B), Integer(0))),
        (
            bound,
            2
            / (v.gamma * eta_T * (T + 1))
            * (
                k.Delta
                + C * v.gamma * k.delta_y
                + k.delta_0 / eta_0
                + 2 * k.c**3 * noise * (1 / k.c_0 + log((k.c_0 + T) / k.c_0))
            ),
        ),
    ),
    "this project: L417-486 with every constant kept, eta_(-1) in place of eta_0",
    repairs=("E1", "E2", "E17", "E23"),
    conditions=(
        Condition(
            Ge(
                k.c_0,
                common.in_parameters((16 * C * v.gamma * k.tau * k.c**2 / k.lam) ** Rational(3, 2), CHAIN),
            ),
            "c_0 >= (16 C gamma tau c^2/lambda)^(3/2)",
            "this project, for beta_gy < 1 (L426)",
        ),
        Condition(Ge(k.c_0, (2 * k.c) ** 3), "c_0 >= (2 c)^3", "this project, for tau_t <= 1/2 (L728)"),
        Condition(Le(v.gamma, 2), "gamma <= 2", "this project, for gamma eta_t L_F <= 1/2 (L361)"),
    ),
)

CONDITIONS = (
    Condition(Gt(k.tau, 0, evaluate=False), "tau > 0", "L162"),
    Condition(Gt(v.gamma, 0, evaluate=False), "gamma > 0", "L162"),
    Condition(Le(k.tau, 1 / (3 * k.L_g)), "tau <= 1/(3 L_g)", "L162"),
    Condition(
        Le(v.gamma, common.in_parameters(sqrt(k.tau * k.lam) / (8 * sqrt(C) * k.L_y), CHAIN)),
        "gamma <= sqrt(tau lambda)/(8 sqrt(C) L_y)",
        "L162",
    ),
    Condition(
        Le(v.gamma, common.in_parameters(1 / (16 * S_L), CHAIN)),
        "gamma <= 1/(16 (L_gy^2 + L_fx^2 + L_fy^2 + L_gxy^2 + L_gyy^2))",
        "L162",
    ),
    Condition(Ge(k.c_0, 2), "c_0 >= 2", "L162"),
    Condition(Ge(k.c_0, (4 * k.L_F * k.c) ** 3), "c_0 >= (4 L_F c)^3", "L162"),
    Condition(Ge(k.c_0, (2 / (7 * k.L_F * k.c)) ** Rational(3, 2)), "c_0 >= (2/(7 L_F c))^(3/2)", "L162"),
    Condition(
        Ge(
            k.c_0,
            common.in_parameters(
                (2 * (k.C_1 + k.C_2 + k.C_3 + k.C_4) * v.gamma * k.c**2) ** Rational(3, 2), common.LEMMA_5
            ),
        ),
        "c_0 >= (2 (C_1 + C_2 + C_3 + C_4) gamma c^2)^(3/2)",
        "L162",
    ),
)

THEOREM = common.theorem(
    key=PAPER.entry("thm-1"),
    title="SVRB, one lower-level problem",
    method="rsvrb.svrb",
    statement=r"The mean of $\mathbb{E}\|\nabla F(x_t)\|^2$ over $t = 0, \ldots, T$ is $O(T^{-2/3})$ up to "
    "logarithms.",
    source="Theorem 1 (L160-164), with the constants of its proof (L417-486)",
    metric=r"mean of $\|\nabla F(x_t)\|^2$ over $t \le T$",
    assumes=(a.LOWER, a.LIPSCHITZ, a.VARIANCE, a.BOUNDED, a.GAP),
    forms=(PRINTED, REPAIRED),
    cases=(Case("rate", {}, Rational(-2, 3), "L164"),),
    schedule={
        "gamma": v.gamma,
        "tau": k.tau,
        "c": k.c,
        "c_0": k.c_0,
        **{f"b_{n}": common.in_parameters(e, CHAIN) for n, e in B.items()},
        "C_fy": k.C_fy,
        "C_gxy": k.C_gxy,
        "lam": k.lam,
    },
    conditions=CONDITIONS,
)

# Parameters that obey all conditions of the form "repaired". gamma solves its two circular conditions, one for each
# entry of the maximum in C.
_C0, _SL = (common.in_parameters(e, CHAIN) for e in (k.C_0, S_L))
GAMMA = Statement(
    PAPER.entry("own-gamma-1"),
    PAPER,
    "Largest gamma of Theorem 1",
    Min(k.tau * k.lam / (256 * _SL * k.L_y**2), k.tau * k.lam / (16 * sqrt(_C0) * k.L_y), 1 / (16 * _SL), 2),
    "gamma <= sqrt(tau lambda)/(8 sqrt(C) L_y) solved for C = 4 S_L/gamma and for C = 4 C_0/(tau lambda)",
)
OFFSET = Statement(
    PAPER.entry("own-offset-1"),
    PAPER,
    "Least c_0 of Theorem 1",
    Max(
        *(c.relation.rhs for c in (*CONDITIONS, *REPAIRED.conditions) if c.relation.lhs == k.c_0),
    ),
    "the largest of the lower bounds on c_0",
)


def parameters(c: float = 1.0, /, **constants: Any) -> dict[str, Any]:
    """tau, gamma, c and c_0 for an instance's constants: the largest tau and gamma, the least c_0, for a free c > 0.

    Raises ValueError for another c.
    """
    if not 0 < c < inf:
        raise ValueError(f"c is a positive number, got {c}")
    values = {**constants, "c": c, "tau": (1 - 1e-12) / (3 * constants["L_g"])}
    values["gamma"] = GAMMA.value(**values) * (1 - 1e-12)  # conditions are checked in floating point
    values["c_0"] = OFFSET.value(**values) * (1 + 1e-12)
    return {n: values[n] for n in ("tau", "gamma", "c", "c_0")}
