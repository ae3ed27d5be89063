"""Constants that the theorems share, as chains of definitions."""

from collections.abc import Mapping

from sympy import E, Expr, Max, Rational, S, Symbol, exp, log

from theorems.f2obo.symbols import (
    D_1,
    E_1,
    L_F,
    Y_2,
    Z_2,
    A,
    A_y,
    Delta_1,
    L_f0,
    L_f1,
    L_g1,
    L_g2,
    S_tau,
    T,
    c_tau,
    d_y,
    d_z,
    kappa_g,
    lam_1,
    mu_g,
    rho,
    rho_y,
    rho_z,
    tau,
    theta,
)
from theorems.record import Definition
from theorems.special import Gamma, PowerSum


def smoothness() -> tuple[Definition, ...]:
    """kappa_g (L76), L_F (Lemma B.3, L407), D_1 (B.2).

    The paper takes D_1 from Chen et al. without a value. This one is the project's own: y*_lambda is L_f0/(lambda mu_g)
    away from y*, and a Taylor expansion at y* does the rest.
    """
    inner = L_f1 * L_f0 / mu_g + L_g2 * L_f0**2 / (2 * mu_g**2)
    return (
        (kappa_g, L_g1 / mu_g),
        (
            L_F,
            L_f1
            + L_f0 * L_g2 / mu_g
            + 2 * L_g1 * L_f1 / mu_g
            + L_g1**2 * L_f1 / mu_g**2
            + 2 * L_f0 * L_g1 * L_g2 / mu_g**2
            + L_f0 * L_g1**2 * L_g2 / mu_g**3,
        ),
        (D_1, (1 + kappa_g) * inner),
    )


def rates(y: Expr, z: Expr) -> tuple[Definition, ...]:
    """rho_y, rho_z, rho = max (L600), theta = -log rho (L606)."""
    return (rho_y, y), (rho_z, z), (rho, Max(rho_y, rho_z)), (theta, -log(rho))


def transient_printed() -> Definition:
    """c_tau of Eq. (23), L620."""
    return c_tau, lam_1**2 * exp(theta) * (Gamma(2 * tau + 1) * theta ** (-2 * tau - 1) + 1)


def transient_repaired() -> Definition:
    """The same with the maximum of x^(2 tau) e^(-theta x) in place of 1: integral plus maximum bound the sum."""
    top = (2 * tau / (E * theta)) ** (2 * tau)
    return c_tau, lam_1**2 * exp(theta) * (Gamma(2 * tau + 1) * theta ** (-2 * tau - 1) + top)


def start(factor: int, noise_y: Expr = S.Zero, noise_z: Expr = S.Zero) -> tuple[Definition, ...]:
    """Y_2 and Z_2, upper bounds on |y_2 - y*_(lambda_1,1)(x_1)|^2 and |z_2 - y*_1(x_1)|^2.

    The first inner loop only contracts (17), so the distances at the start serve, with the penalty solution at most
    `factor` L_f0/(lambda_1 mu_g) away (Lemma B.5: 2; tight: 1). `noise_y`, `noise_z`: what one noisy step can add.
    """
    away = d_y + factor * L_f0 / (lam_1 * mu_g)
    return (Y_2, away**2 + noise_y), (Z_2, d_z**2 + noise_z)


def first_error() -> tuple[Definition, ...]:
    """Delta_1 with its third term (L600, L640), the latter by (20)."""
    inner = 6 * L_g1**2 * Y_2 + 3 * L_g1**2 * Z_2
    return (E_1, lam_1**2 * inner), (Delta_1, inner + E_1)


def first_error_short() -> tuple[Definition, ...]:
    """Delta_1 without the third term: the sum in (23) starts at t = 1 and covers it."""
    return ((Delta_1, 6 * L_g1**2 * Y_2 + 3 * L_g1**2 * Z_2),)


def spread() -> tuple[Definition, ...]:
    """A_y and A bound sum_k (1+k)^(2 tau) rho^k for rho_y and rho, where 2 tau <= 1 (Jensen, geometric law)."""
    power = -1 - 2 * tau
    return (A_y, (1 - rho_y) ** power), (A, (1 - rho) ** power)


def bias_sum() -> Definition:
    """S_tau = sum over t <= T of t^(-2 tau)."""
    return S_tau, PowerSum(T, 2 * tau)


def in_parameters(entries: Mapping[str, Expr], chain: tuple[Definition, ...]) -> dict[str, Expr]:
    """Schedule entries over the constants of a chain, in terms of the chain's parameters."""
    known: dict[Symbol, Expr] = {}
    for symbol, definition in chain[:-1]:
        known[symbol] = definition.xreplace(known)
    return {name: e.xreplace(known) for name, e in entries.items()}


HALF = Rational(1, 2)
