"""Theorem 3: RE-RSVRB (Algorithm 3) for gradient-dominant F. L264-268; proof L574-600.

K = 1 + log2(eps_1/eps) stages; stage k runs RSVRB with eta_k = eta_0 2^(-(k-1)/2) and all beta proportional to eta_k^2,
for T_k iterations, and leaves E[F - F_*] <= eps_k = eps_1 2^(-(k-1)). The bound is the number of samples until
E[F - F_*] <= eps, as a function of `precision` = 1/eps: T_1 and sums over k of the two kinds of entries of T_k,

    T_k = max(A/eta_k, B/eta_k^2) <= A/eta_k + B/eta_k^2,   sum_(k=2..K) 2^((k-1)/2) <= sqrt(2 e)/(sqrt(2) - 1),
    sum_(k=2..K) 2^(k-1) <= 2 e,   e = 2^(K-1).

The form "printed" has e = eps_1/eps, as if K were always whole; "repaired" rounds K up, so that e < 2 eps_1/eps (E25).
It also has gamma eta_k^2 more in beta_gy, which bounds the error of w that the next stage starts from (E10), with what
this adds to C_5. It is about stages that hand on u_(t+1), ..., d_(t+1) with x_t, y_t and begin with line 14 of
Algorithm 2 (E26). The samples of T_1 are counted, those of the first mini-batch are not.
"""

from math import ceil
from typing import Any

from sympy import Expr, Gt, Integer, Le, Piecewise, Rational, S, Symbol, sqrt

from workbench import vocabulary as v
from workbench.theory import Case, Condition, Definition, Form, Law, Max, Min

from . import assumptions as a
from . import common, theorem_2
from . import constants as k
from .common import C_5, C_6, C, C_max, bound, eta_0
from .paper import PAPER

eps_1, first = Symbol("eps_1", positive=True), Symbol("T_1", positive=True)
slow, fast = Symbol("A", positive=True), Symbol("B", positive=True)
stages = Symbol("e", positive=True)
NOTATION = {
    **common.NOTATION,
    eps_1: r"\epsilon_1",
    first: "T_1",
    slow: "A",
    fast: "B",
    stages: "2^{K-1}",
}
Q = Rational


def _chain(
    theorem: tuple[Definition, ...],
    C_6_: Expr,
    first_: tuple[Expr, ...],
    per_task: Expr,
    rounding: int = 1,
    start: tuple[Expr, ...] = (),
) -> tuple[Definition, ...]:
    """The definitions behind the bound.

    per_task: what two entries of T_k are divided by, m as printed. rounding: the most that 2^(K-1) is over eps_1/eps.
    start: more bounds on eta_0.
    """
    return (
        *theorem,
        (C_6, C_6_),
        (eta_0, Min(1 / sqrt(3 * theorem_2.SUM_C * v.gamma), 1 / (2 * k.L_F * v.gamma), *start)),
        (eps_1, 5 * eta_0**2 * v.gamma * k.C_p * C_5 / (C_6 * k.m * v.mu)),
        (first, Max(*first_)),
        (slow, Max(10 / (v.mu * C_6 * v.gamma), 10 * C / (C_6 * per_task))),
        (fast, Max(10 / (C_6 * per_task * v.gamma), 10 / (C_6 * C_max * v.gamma))),
        (stages, rounding * eps_1 * k.precision),
        (bound, first + slow / eta_0 * sqrt(2 * stages) / (sqrt(2) - 1) + fast / eta_0**2 * 2 * stages),
    )


_PER = v.mu * C_6
PRINTED_CHAIN = _chain(
    theorem_2.PRINTED_CHAIN,
    Min(2, k.C_0, k.C_1, k.C_2, k.C_3, k.C_4),
    (
        5 * k.Delta / (_PER * eta_0 * v.gamma),
        5 * C * k.delta_y / (_PER * k.m * eta_0),
        5 * k.delta_0 / _PER,
        5 * k.delta_d / (_PER * C_max * eta_0**2 * v.gamma),
    ),
    k.m,
)
_PER_1 = _PER * eps_1
LEAST = Min(Q(1, 2), k.C_0, *(Q(19, 20) * x for x in (k.C_1, k.C_2, k.C_3, k.C_4)))
BETA_GY = theorem_2.BETA_GY + v.gamma  # over eta^2, E10
_C_5 = theorem_2.NOISE + 3 * (8 * k.tau * C / k.lam + 1) ** 2
REPAIRED_CHAIN = _chain(
    tuple((x, _C_5 if x == C_5 else e) for x, e in theorem_2.REPAIRED_CHAIN),
    LEAST,
    (
        5 * k.Delta / (_PER_1 * eta_0 * v.gamma),
        5 * C * k.delta_y / (_PER_1 * k.m * eta_0),
        5 * k.delta_0 / (_PER_1 * k.m * eta_0**2 * v.gamma),
        5 * k.delta_d / (_PER_1 * C_max * eta_0**2 * v.gamma),
    ),
    S.One,
    2,
    (Q(1, 2), sqrt(1 / BETA_GY) / 2),  # tau_t <= 1/2 and beta_gy <= 1/4
)


def _stage_entries(chain: tuple[Definition, ...]) -> dict[str, Expr]:
    """eta_1, T_1 and the two kinds of entries of T_k, by the names of the algorithm's steps."""
    return {
        n: common.in_parameters(e, chain) for n, e in (("c", eta_0), ("T_1", first), ("A", slow), ("B", fast))
    }


def _form(name: str, chain: tuple[Definition, ...], source: str, repairs: tuple[str, ...] = ()) -> Form:
    covers = Piecewise((1, eps_1 * k.precision >= 1), (0, True))  # eps <= eps_1
    gamma = common.in_parameters(sqrt(k.tau * k.lam * k.m) / (8 * sqrt(C) * k.L_y), chain)
    conditions = (Condition(Le(v.gamma, gamma), "gamma <= sqrt(tau lambda m)/(8 sqrt(C) L_y)", "L252, L266"),)
    repaired = {
        **theorem_2.REPAIRED.schedule,
        "b_gy": common.in_parameters(BETA_GY, chain),
        **_stage_entries(chain),
    }
    schedule = {} if name == "printed" else repaired
    return Form(name, chain, source, common.in_parameters(covers, chain), repairs, schedule, conditions)


PRINTED = _form("printed", PRINTED_CHAIN, "L264-266, L580-594")
REPAIRED = _form(
    "repaired",
    REPAIRED_CHAIN,
    "this project: (12)-(16) with the constants that their steps need, for stages that hand on u_(t+1), ..., d_(t+1)",
    ("E2", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E22", "E25", "E26"),
)

# Alike tasks, uniform p: as in Theorem 2; m = (1/eps)^theta, mu = eps^nu.
theta, nu = Symbol("theta", nonnegative=True), Symbol("nu", nonnegative=True)
LAW = Law(
    "m and mu",
    {
        k.m: k.precision**theta,
        k.C_p: k.precision ** (2 * theta),
        k.L_p: k.precision ** (2 * theta),
        v.gamma: k.precision ** (-theta),
        v.mu: k.precision ** (-nu),
        k.delta_y: k.precision ** (-theta),
        k.delta_0: k.precision**theta,
        k.delta_d: Integer(0),
    },
    {
        "m/(mu^(3/2) eps^(1/2))": theta + Q(3, 2) * nu + Q(1, 2),
        "m/(mu eps)": theta + nu + 1,
    },
    (Le(theta, 2), Le(nu, 2)),
    "L267",
    variable=k.precision,
)

THEOREM = common.theorem(
    key=PAPER.entry("thm-3"),
    title="RE-RSVRB, gradient-dominant F",
    method="rsvrb.re_rsvrb",
    statement=r"$\mathbb{E}[F(x_K) - F_*] \le \epsilon$ after "
    r"$O(C(\mathbf{p})/(\mu^{3/2} m \epsilon^{1/2}) + C(\mathbf{p})/(\mu m \epsilon))$ samples.",
    source="Theorem 3 (L264-268), with the constants of its proof (L574-600)",
    metric=r"samples until $\mathbb{E}[F(x_K) - F_*] \le \epsilon$",
    assumes=(a.LOWER_TASKS, a.TASKS, a.GAP, a.DOMINANT),
    forms=(PRINTED, REPAIRED),
    cases=(Case("samples", {}, Integer(1), "L267", k.precision),),
    schedule={**theorem_2.THEOREM.schedule, **_stage_entries(PRINTED_CHAIN)},
    horizon=k.precision,
    notation=NOTATION,
    laws=(LAW,),
    conditions=(
        *theorem_2.THEOREM.conditions,
        Condition(Gt(v.mu, 0, evaluate=False), "mu > 0", "L260"),
    ),
)


def plan(K: int, form: str = "repaired", **constants: Any) -> list[tuple[float, float, int]]:
    """(eta_k, eps_k, T_k) of the stages 1, ..., K. T_k is rounded up.

    Raises ValueError for less than one stage and for parameters that the theorem does not allow.
    """
    if K < 1:
        raise ValueError(f"the number of stages is at least 1, got {K}")
    THEOREM.check(form, **constants)
    at = THEOREM.constants(form, precision=1.0, **constants)
    stages = [(float(at["eta_0"]), float(at["eps_1"]), ceil(at["T_1"]))]
    for j in range(1, K):
        eta = float(at["eta_0"]) * 2.0 ** (-j / 2)
        stages.append((eta, float(at["eps_1"]) / 2**j, ceil(max(at["A"] / eta, at["B"] / eta**2))))
    return stages
