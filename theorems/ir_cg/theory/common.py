"""What the theorems share: names of intermediate constants, schedules, chains of definitions, and suprema."""

from collections.abc import Mapping
from functools import partial

from sympy import E, Expr, Ge, Gt, Integer, Piecewise, Rational, S, Symbol, log

from workbench import vocabulary as v
from workbench.theory import Condition, Definition, Form, Max, Min, Theorem

from . import constants as k
from .paper import PAPER

T = v.T
sigma_0, sigma_T = Symbol("sigma_0", positive=True), Symbol("sigma_T", positive=True)
smooth = Symbol("smooth", nonnegative=True)  # sigma_0 L_f + L_g, the smoothness of Phi_0
noise = Symbol("noise", nonnegative=True)  # sigma_0 sigma_f + sigma_g
ell = Symbol("ell", positive=True)
C, C_bar, V = (Symbol(n, nonnegative=True) for n in ("C", "C_bar", "V"))
M_0 = Symbol("M_0", nonnegative=True)
bound = Symbol("bound", positive=True)

NOTATION: dict[Symbol, str] = {
    **k.LATEX,
    sigma_0: r"\sigma_0",
    sigma_T: r"\sigma_T",
    smooth: r"L_{\Phi}",
    noise: r"\sigma_{\Phi}",
    ell: r"\ell_T",
    C_bar: r"\bar{C}_\delta",
    M_0: "M_0",
    bound: r"\mathrm{bound}",
}

OWN_FORMS = ("own", "exact gradients")  # names of the forms that are this project's statements

# Values compatible with every assumption, at which exponents are derived.
GENERIC: Mapping[Symbol, Expr] = {
    k.L_f: Integer(2),
    k.L_g: Integer(3),
    k.D: Rational(3, 2),
    v.sigma_f: Rational(1, 2),
    k.sigma_g: Rational(1, 3),
    k.d: Integer(5),
    k.c: Integer(1),
    k.varsigma: Rational(2, 3),
    k.p: Rational(1, 4),
    k.q: Integer(4),
    k.Delta_F: Integer(1),
    k.gap_F0: Rational(1, 2),
    k.gap_G0: Rational(3, 4),
    k.range_F: Integer(2),
    k.range_G: Rational(5, 2),
    k.F_0: Rational(1, 5),
    k.sup_F: Integer(2),
    k.sup_calF: Integer(3),
    k.sup_grad_F: Integer(4),
    v.delta: Rational(1, 10),
}

theorem = partial(Theorem, paper=PAPER, probability=1 - v.delta, generic=GENERIC, notation=NOTATION)

# Hypotheses that the symbols' declared signs imply; a caller's numbers are checked against them.
POSITIVE = (
    Condition(Gt(k.p, 0, evaluate=False), "p > 0", "L162, L167"),
    Condition(Gt(k.varsigma, 0, evaluate=False), "varsigma > 0", "L162, L167"),
)
PERIOD = Condition(Ge(k.q, 1, evaluate=False), "q >= 1", "L105")

# Steps of Algorithm 1: alpha_t = (a/(t + b))^omega, sigma_t = varsigma (t + 1)^-p.
CONVEX_1: Mapping[str, Expr] = {
    "varsigma": k.varsigma,
    "p": k.p,
    "a": Integer(2),
    "b": Integer(2),
    "omega": Integer(1),
}
# Steps of Algorithm 2: alpha_t = alpha_0 for t < hold, then as above; sigma_t = varsigma (max(t, hold) + 1)^-p.
CONVEX_2: Mapping[str, Expr] = {**CONVEX_1, "q": k.q, "S": k.q, "alpha_0": log(k.q) / k.q, "hold": k.q}


def nonconvex_1(p: Expr, omega: Expr) -> dict[str, Expr]:
    """Steps of Algorithm 1 in Theorem 5: alpha_t = (t + 1)^-omega, sigma_t = varsigma (t + 1)^-p."""
    return {"varsigma": k.varsigma, "p": p, "a": Integer(1), "b": Integer(1), "omega": omega}


def nonconvex_2(p: Expr, omega: Expr) -> dict[str, Expr]:
    """Steps of Algorithm 2 in Theorem 6, L1070: the first q + 1 steps are log(q + 1)/(q + 1)."""
    start = {"q": k.q, "S": k.q, "alpha_0": log(k.q + 1) / (k.q + 1), "hold": k.q + 1}
    return {**nonconvex_1(p, omega), **start}


# The constants of Phi_0 for sigma_0 = varsigma.
PHI_0: tuple[Definition, ...] = (
    (smooth, k.varsigma * k.L_f + k.L_g),
    (noise, k.varsigma * v.sigma_f + k.sigma_g),
)
SIGMA_T: Definition = (sigma_T, k.varsigma * (T + 1) ** (-k.p))
# Algorithm 2: sigma_0, sigma_T for T >= q, the smoothness of Phi_0, and M_0 = max(Phi_0(x_0) - Phi_0(x_opt), 0).
FINITE_SUM: tuple[Definition, ...] = (
    (sigma_0, k.varsigma * (k.q + 1) ** (-k.p)),
    SIGMA_T,
    (smooth, sigma_0 * k.L_f + k.L_g),
    (M_0, Max(sigma_0 * k.gap_F0 + k.gap_G0, 0)),
)


def form(
    name: str,
    chain: tuple[Definition, ...],
    source: str,
    repairs: tuple[str, ...] = (),
    first: Expr | None = None,
) -> Form:
    """A form of a bound, for T >= `first` only, if one is given."""
    covers = S.One if first is None else Piecewise((1, first <= T), (0, True))
    return Form(name, chain, source, covers, repairs, own=name in OWN_FORMS)


def inner_gap(C_: Expr, C_bar_: Expr, V_: Expr) -> tuple[Definition, ...]:
    """C_delta (1 + V) sigma_t, C_delta = C + C_bar, with closed bounds of the suprema (15) or (23)."""
    return (C, C_), (C_bar, C_bar_), (V, V_), (bound, (C + C_bar) * (1 + V) * sigma_T)


def spread_printed(p: Expr) -> Expr:
    """The closed bound of Lemmas 6 and 11 on V and V_q, L556, L855."""
    return 2 * p / Min(1, 2 * (1 - p))


def spread_own(p: Expr) -> Expr:
    """V <= p/min(1, 2 (1 - p)), half of what is printed.

    V_t = a_t + r_t V_(t-1) with a_t = (1 + 1/t)^p - 1 and r_t = (1 - 1/t) (1 + 1/t)^(2p-1), so V <= sup a_t/(1 - r_t),
    and a_t <= p/t, 1 - r_t >= min(1, 2 - 2p)/t.
    """
    return p / Min(1, 2 * (1 - p))


def log_supremum(start: Expr, factor: Expr, b: Expr) -> Expr:
    """sup over real t >= start of t^-b log(factor t^2), for factor start^2 > 1 and b > 0: exact.

    The derivative has the sign of 2 - b log(factor t^2): at once negative, or zero where factor t^2 = exp(2/b).
    """
    first = log(factor * start**2)
    return Piecewise((first / start**b, b * first >= 2), (2 / (b * E) * factor ** (b / 2), S.true))
