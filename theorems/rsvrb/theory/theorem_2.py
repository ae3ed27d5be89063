"""Theorem 2: RSVRB (Algorithm 2), m lower-level problems. L250-254; proof L490-570.

The steps are constant: eta_t = tau_t = eta. The claim is T = O(C(p)/(m eps^3)) for a mean of |grad F|^2 of eps^2; the
forms are the bounds in T and eta behind it. L_y is here the Lipschitz constant of all y*_i together, since Lemma 6 is
applied to them together (L492): sqrt(m) times that of one task where tasks are alike.

The form "printed" is L567-568. The form "repaired" has C and C'_2 as the proof needs them, beta_gy in C_5, and the two
lost factors 2. Its C_5 contains beta_gy, which the parameters of the theorem let grow with m (E8): the powers of T
and eps are as claimed, that of m is not, as the laws show.
"""

from typing import Any

from sympy import Expr, Gt, Integer, Le, Lt, Rational, Symbol, sqrt

from workbench import vocabulary as v
from workbench.theory import Case, Condition, Definition, Form, Law, Max, Min, Statement

from . import assumptions as a
from . import common
from . import constants as k
from .common import C_5, C, C_max, T, bound
from .paper import PAPER

SECOND: Definition = (k.C_1, Integer(2))
DRIFT_PRINTED = Max(6 * k.L_p / (v.gamma * k.tau), 12 * k.C_0 * k.tau * k.lam)  # L252
DRIFT_REPAIRED = Max(6 * k.L_p / v.gamma, 12 * k.C_0 / (k.tau * k.lam))

NOISE = 27 * (k.C_1**2 + k.C_2**2 + k.C_3**2 + k.C_4**2) + 8 * C_max * k.sigma_z**2 * k.m / k.C_p  # L565
BETA_GY = 8 * k.tau / k.lam * C * v.gamma  # over eta^2, L530
SUM_C = k.C_1 + k.C_2 + k.C_3 + k.C_4 + C_max

PRINTED_CHAIN: tuple[Definition, ...] = (
    SECOND,
    (C, DRIFT_PRINTED),
    common.largest_change(k.lam),
    (C_5, NOISE),
)
REPAIRED_CHAIN: tuple[Definition, ...] = (
    SECOND,
    (C, DRIFT_REPAIRED),
    common.largest_change(Integer(1)),
    (C_5, NOISE + 192 * k.tau**2 * C**2 / k.lam**2),
)


def _bound(of_d: int, of_noise: int) -> Expr:
    """L567-568; ``of_d`` and ``of_noise`` are the factors of the error of d and of the variance, printed as 1."""
    return (
        2 * k.Delta / (v.gamma * v.eta * T)
        + 2 * k.delta_0 / (k.m * v.gamma * v.eta**2 * T)
        + of_d * k.delta_d / (C_max * v.gamma * v.eta**2 * T)
        + of_noise * v.gamma * k.C_p * C_5 / k.m * v.eta**2
        + 2 * C * k.delta_y / (k.m * v.eta * T)
    )


def eta_entries(chain: tuple[Definition, ...]) -> tuple[Expr, Expr, Expr]:
    """The three bounds on eta, L252, in the parameters."""
    entries = (
        1 / sqrt(3 * SUM_C * v.gamma),
        1 / (2 * k.L_F * v.gamma),
        k.accuracy / 2 * sqrt(k.m / (v.gamma * k.C_p * C_5)),
    )
    first, second, third = (common.in_parameters(e, chain) for e in entries)
    return first, second, third


def _conditions(chain: tuple[Definition, ...]) -> tuple[Condition, ...]:
    first, second, third = eta_entries(chain)
    gamma = common.in_parameters(sqrt(k.tau * k.lam * k.m) / (8 * sqrt(C) * k.L_y), chain)
    return (
        Condition(Le(v.gamma, gamma), "gamma <= sqrt(tau lambda m)/(8 sqrt(C) L_y)", "L252"),
        Condition(Le(v.eta, first), "eta <= 1/sqrt(3 (C_1 + C_2 + C_3 + C_4 + C'_max) gamma)", "L252"),
        Condition(Le(v.eta, second), "eta <= 1/(2 L_F gamma)", "L252"),
        Condition(Le(v.eta, third), "eta <= (eps/2) sqrt(m/(gamma C(p) C_5))", "L252"),
    )


PRINTED = Form(
    "printed",
    (*PRINTED_CHAIN, (bound, _bound(1, 1))),
    "L567-568, with C of L252 and C_5 of L565",
    conditions=_conditions(PRINTED_CHAIN),
)
REPAIRED = Form(
    "repaired",
    (*REPAIRED_CHAIN, (bound, _bound(2, 2))),
    "this project: (11) with every constant of its derivation",
    repairs=("E2", "E4", "E5", "E8", "E9", "E14"),
    conditions=(
        *_conditions(REPAIRED_CHAIN),
        Condition(Le(v.eta, Rational(1, 2)), "eta <= 1/2", "this project, Lemma 6 (L728)"),
        Condition(
            Lt(common.in_parameters(BETA_GY * v.eta**2, REPAIRED_CHAIN), 1),
            "beta_gy = (8 tau/lambda) C gamma eta^2 < 1",
            "this project, L530",
        ),
    ),
    schedule={
        "b_gy": common.in_parameters(BETA_GY, REPAIRED_CHAIN),
        "b_d": common.in_parameters(2 * v.gamma * C_max, REPAIRED_CHAIN),
    },
)

# Alike tasks and uniform p: C(p) and L(p) of order m^2. m = T^theta; gamma of order m/L(p), as the proof has it, and
# eta of order eps with eps^3 = m/T. First errors as the proof asks for them (L570).
theta = Symbol("theta", nonnegative=True)
_eps = -(1 - theta) / 3
_claimed = 2 * _eps
_ALIKE = {
    k.m: T**theta,
    k.C_p: T ** (2 * theta),
    k.L_p: T ** (2 * theta),
    v.gamma: T ** (-theta),
    v.eta: T**_eps,
    k.delta_0: T ** (theta + _eps),
    k.delta_d: Integer(0),
}
_TERMS = {
    "distance of F(x_0)": _claimed,
    "distance of y_0": _claimed,
    "errors of the first estimators": _claimed,
    "sampling noise": _claimed,
}
_RANGE = (Lt(theta, 1),)


def _law(name: str, delta_y: Expr) -> Law:
    return Law(name, {**_ALIKE, k.delta_y: delta_y}, _TERMS, _RANGE, "L252-254, L570")


# eta of order eps = T^(-1/3); d_1 is the mean of the z_(i,1), and the first mini-batch makes delta_0 <= eta m (L570).
_FIXED_M = {v.eta: T ** Rational(-1, 3), k.delta_0: k.m * T ** Rational(-1, 3), k.delta_d: Integer(0)}

LAWS = (
    _law("m, y_0 as printed", T ** (2 * theta)),  # delta_(y,0) = O(L(p))
    _law("m, y_0 accurate", T ** (-theta)),  # delta_(y,0) = O(m/L(p)), which the bound needs
)

COMPLEXITY = Statement(
    PAPER.entry("thm-2-samples"),
    PAPER,
    "Iterations of RSVRB for accuracy eps, up to a factor",
    k.C_p / (k.m * k.accuracy**3),
    "Theorem 2, L253",
    own=False,
)
largest = Symbol("M", positive=True)  # the largest L_(.,i)^2/p_i
COMPLEXITY_OWN = Statement(
    PAPER.entry("own-samples-2"),
    PAPER,
    "Iterations with repaired parameters, up to a factor",
    sqrt(largest * k.C_p / k.m) / k.accuracy**3,
    "gamma and the weight of delta_y free of m, all beta of order M eta^2, eta of order eps sqrt(m/(M C(p))), L_y of "
    "one task: m/eps^3 for alike tasks and uniform p, where M is of order m. Proof: own-samples-2 in proof.txt",
)

THEOREM = common.theorem(
    key=PAPER.entry("thm-2"),
    title="RSVRB, many lower-level problems",
    method="rsvrb.rsvrb",
    statement=r"With $\eta$ of order $\epsilon$, the mean of $\mathbb{E}\|\nabla F(x_t)\|^2$ is at most $\epsilon^2$ "
    r"after $T = O(C(\mathbf{p})/(m \epsilon^3))$ steps.",
    source="Theorem 2 (L250-254), with the constants of its proof (L490-570)",
    metric=r"mean of $\|\nabla F(x_t)\|^2$ over $t \le T$",
    assumes=(a.LOWER_TASKS, a.TASKS, a.GAP),
    forms=(PRINTED, REPAIRED),
    cases=(Case("rate", _FIXED_M, Rational(-2, 3), "L253"),),
    schedule={
        "c": v.eta,
        "gamma": v.gamma,
        "tau": k.tau,
        "b_fx": common.in_parameters(3 * k.C_1 * v.gamma, (SECOND,)),
        "b_fy": 3 * k.C_4 * v.gamma,
        "b_gxy": 3 * k.C_2 * v.gamma,
        "b_gyy": 3 * k.C_3 * v.gamma,
        "b_gy": common.in_parameters(BETA_GY, PRINTED_CHAIN),
        "b_d": common.in_parameters(2 * v.gamma * C_max, PRINTED_CHAIN),
        "lam": k.lam,
    },
    laws=LAWS,
    conditions=(
        Condition(Gt(k.tau, 0, evaluate=False), "tau > 0", "L252"),
        Condition(Gt(v.gamma, 0, evaluate=False), "gamma > 0", "L252"),
        Condition(Le(k.tau, 1 / (3 * k.L_g)), "tau <= 1/(3 L_g)", "L252"),
        Condition(Le(v.gamma, k.m / (24 * k.L_p)), "gamma <= m/(24 L(p))", "L252"),
    ),
)

# Parameters that obey all conditions of the form "repaired".
GAMMA = Statement(
    PAPER.entry("own-gamma-2"),
    PAPER,
    "Largest gamma of Theorem 2",
    Min(
        k.tau * k.lam * k.m / (384 * k.L_p * k.L_y**2),
        k.tau * k.lam * sqrt(k.m) / (16 * sqrt(3) * sqrt(k.C_0) * k.L_y),
        k.m / (24 * k.L_p),
    ),
    "gamma <= sqrt(tau lambda m)/(8 sqrt(C) L_y) solved for C = 6 L(p)/gamma and for C = 12 C_0/(tau lambda)",
)
GAMMA_PRINTED = Statement(
    PAPER.entry("own-gamma-2-printed"),
    PAPER,
    "Largest gamma of Theorem 2 with C as printed",
    Min(
        k.tau**2 * k.lam * k.m / (384 * k.L_p * k.L_y**2),
        sqrt(k.m) / (16 * sqrt(3) * sqrt(k.C_0) * k.L_y),
        k.m / (24 * k.L_p),
    ),
    "gamma <= sqrt(tau lambda m)/(8 sqrt(C) L_y) solved for C = 6 L(p)/(gamma tau) and for C = 12 C_0 tau lambda",
)
ETA = Statement(
    PAPER.entry("own-eta-2"),
    PAPER,
    "Largest eta of Theorem 2",
    Min(
        *eta_entries(REPAIRED_CHAIN),
        Rational(1, 2),
        sqrt(common.in_parameters(1 / BETA_GY, REPAIRED_CHAIN)) / 2,
    ),
    "the least of the bounds on eta, and beta_gy <= 1/4",
)


def parameters(accuracy: float, /, **constants: Any) -> dict[str, Any]:
    """The largest tau, gamma and eta that the form "repaired" allows, for an instance's constants and an accuracy eps.

    Raises ValueError for an accuracy that is not positive.
    """
    if not accuracy > 0:
        raise ValueError(f"the accuracy is a positive number, got {accuracy}")
    values = {**constants, "accuracy": accuracy, "tau": (1 - 1e-12) / (3 * constants["L_g"])}
    values["gamma"] = GAMMA.value(**values) * (1 - 1e-12)  # conditions are checked in floating point
    values["eta"] = ETA.value(**values) * (1 - 1e-12)
    return {n: values[n] for n in ("tau", "gamma", "eta", "accuracy")}
