"""What the theorems share: the constants of Lemmas 5, 11 and 13, names, notation and generic values."""

from collections.abc import Mapping
from functools import partial

from sympy import Expr, Integer, Rational, Symbol, sqrt

from workbench import vocabulary as v
from workbench.theory import Definition, Max, Statement, Theorem, expansion

from . import constants as k
from .paper import PAPER

T = v.T
C = Symbol("C", positive=True)
C_max, C_5 = Symbol("C_max", positive=True), Symbol("C_5", positive=True)
C_6 = Symbol("C_6", positive=True)
S_L = Symbol("S_L", positive=True)  # the sum of the five squared Lipschitz constants
noise = Symbol("noise", nonnegative=True)  # the sum of b^2 sigma^2 over the five oracles
eta_0, eta_T = Symbol("eta_0", positive=True), Symbol("eta_T", positive=True)
bound = Symbol("bound", positive=True)

NOTATION: dict[Symbol, str] = {
    **k.LATEX,
    C_max: r"C'_{\max}",
    C_5: "C_5",
    C_6: "C_6",
    S_L: r"\Sigma L^2",
    noise: r"\Sigma b^2 \sigma^2",
    eta_0: r"\eta_0",
    eta_T: r"\eta_T",
    bound: r"\mathrm{bound}",
}

# Values compatible with every assumption, at which exponents are derived.
GENERIC: Mapping[Symbol, Expr] = {
    k.L_fx: Integer(1),
    k.L_fy: Rational(1, 2),
    k.L_gy: Integer(2),
    k.L_gxy: Rational(1, 2),
    k.L_gyy: Rational(1, 3),
    k.C_fx: Integer(1),
    k.C_fy: Rational(1, 2),
    k.C_gy: Integer(3),
    k.C_gxy: Rational(3, 4),
    k.C_gyy: Integer(1),
    k.sigma_fx: Rational(1, 2),
    k.sigma_fy: Rational(1, 3),
    k.sigma_gy: Rational(1, 4),
    k.sigma_gxy: Rational(1, 5),
    k.sigma_gyy: Rational(1, 6),
    k.lam: Rational(1, 2),
    k.L_g: Integer(1),
    k.L_y: Rational(3, 2),
    k.L_F: Integer(2),
    k.Delta: Integer(1),
    k.delta_y: Rational(1, 4),
    k.delta_0: Rational(1, 5),
    k.delta_d: Rational(1, 10),
    k.sigma_z: Integer(2),
    k.m: Integer(8),
    k.C_p: Integer(700),
    k.L_p: Integer(300),
    k.C_0: Integer(20),
    k.C_1: Integer(2),
    k.C_2: Integer(6),
    k.C_3: Integer(14),
    k.C_4: Integer(13),
    k.tau: Rational(1, 3),
    v.gamma: Rational(1, 10000),
    k.c: Integer(1),
    k.c_0: Integer(5000),
    k.K_log: Integer(1),
    v.eta: Rational(1, 20),
    v.mu: Rational(1, 2),
    k.accuracy: Rational(1, 10),
    k.precision: Integer(100),
}

theorem = partial(
    Theorem, paper=PAPER, probability=Integer(1), generic=GENERIC, notation=NOTATION, kind="expectation"
)

# Lemma 5, L377: the error of z_(t+1) in terms of those of its parts.
LEMMA_5: tuple[Definition, ...] = (
    (
        k.C_0,
        2 * k.L_fx**2
        + 6 * k.C_fy**2 * k.L_gxy**2 / k.lam**2
        + 6 * k.C_fy**2 * k.C_gxy**2 * k.L_gyy**2 / k.lam**4
        + 6 * k.L_fy**2 * k.C_gxy**2 / k.lam**2,
    ),
    (k.C_1, Integer(2)),
    (k.C_2, 6 * k.C_fy**2 / k.lam**2),
    (k.C_3, 6 * k.C_fy**2 * k.C_gxy**2 / k.lam**4),
    (k.C_4, 6 * k.C_gxy**2 / k.lam**2),
)

SUM_OF_SQUARES: Definition = (S_L, k.L_gy**2 + k.L_fx**2 + k.L_fy**2 + k.L_gxy**2 + k.L_gyy**2)


def largest_change(factor: Expr) -> Definition:
    """C'_max = 8 max C'_k of Lemma 11, L514, L526. C'_k = 4 C_k, but for C'_2, which is printed with ``factor`` times
    that: lambda in place of lambda^2 (E5).
    """
    return C_max, 8 * Max(8, 4 * factor * k.C_2, 4 * k.C_3, 4 * k.C_4)


def in_parameters(e: Expr, chain: tuple[Definition, ...]) -> Expr:
    """``e`` in terms of the parameters of a chain."""
    return expansion(chain)(e)


# Lemma 13 (L608) calls L_y and L_F "appropriate"; these are the values its steps give. Sharper ones may be declared.
L_J = k.L_fx + k.C_fy * k.L_gxy / k.lam + k.C_fy * k.C_gxy * k.L_gyy / k.lam**2 + k.C_gxy * k.L_fy / k.lam
LIPSCHITZ_SOLUTION = Statement(
    PAPER.entry("lem-13-y"),
    PAPER,
    "Lipschitz constant of y*",
    k.C_gxy / k.lam,
    "Lemma 13, L608-615: |J| <= C_gxy/lambda",
)
SMOOTH_OBJECTIVE = Statement(
    PAPER.entry("lem-13-F"),
    PAPER,
    "Smoothness of F",
    L_J * sqrt(1 + (k.C_gxy / k.lam) ** 2),
    "Lemma 13, L608-615: the hypergradient formula is Lipschitz in (x, y) with L_J, y* with C_gxy/lambda",
)
