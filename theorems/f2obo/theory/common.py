"""Constants, steps and laws that the theorems share."""

from collections.abc import Mapping

from sympy import E, Expr, Rational, S, Symbol, exp, log
from sympy.core.relational import Relational

from workbench.theory import Definition, Gamma, Law, Max, PowerSum, expansion

from . import symbols as s
from .symbols import L_f0, L_f1, L_g1, L_g2, T, d_y, d_z, lam_1, mu_g, rho, rho_y, tau, theta


def smoothness() -> tuple[Definition, ...]:
    """kappa_g (L76), L_F (Lemma B.3, L407), D_1 (B.2).

    The paper takes D_1 from Chen et al. without a value. This one is the project's own: |y*_lambda - y*| is at most
    L_f0/(lambda mu_g), and D_1 follows by a Taylor expansion at y*.
    """
    inner = L_f1 * L_f0 / mu_g + L_g2 * L_f0**2 / (2 * mu_g**2)
    return (
        (s.kappa_g, L_g1 / mu_g),
        (
            s.L_F,
            L_f1
            + L_f0 * L_g2 / mu_g
            + 2 * L_g1 * L_f1 / mu_g
            + L_g1**2 * L_f1 / mu_g**2
            + 2 * L_f0 * L_g1 * L_g2 / mu_g**2
            + L_f0 * L_g1**2 * L_g2 / mu_g**3,
        ),
        (s.D_1, (1 + s.kappa_g) * inner),
    )


def rates(y: Expr, z: Expr) -> tuple[Definition, ...]:
    """rho_y, rho_z, rho = max (L600), theta = -log rho (L606)."""
    return (rho_y, y), (s.rho_z, z), (rho, Max(rho_y, s.rho_z)), (theta, -log(rho))


def transient_printed() -> Definition:
    """c_tau of Eq. (23), L620."""
    return s.c_tau, lam_1**2 * exp(theta) * (Gamma(2 * tau + 1) * theta ** (-2 * tau - 1) + 1)


def transient_repaired() -> Definition:
    """The same with the maximum of x^(2 tau) e^(-theta x) in place of 1: the sum is at most integral plus maximum."""
    top = (2 * tau / (E * theta)) ** (2 * tau)
    return s.c_tau, lam_1**2 * exp(theta) * (Gamma(2 * tau + 1) * theta ** (-2 * tau - 1) + top)


def start(factor: int, noise_y: Expr = S.Zero, noise_z: Expr = S.Zero) -> tuple[Definition, ...]:
    """Y_2 and Z_2, upper bounds on |y_2 - y*_(lambda_1,1)(x_1)|^2 and |z_2 - y*_1(x_1)|^2.

    The first inner loop contracts (17), so the distances at the start are upper bounds; y* and the penalty solution are
    at most `factor` L_f0/(lambda_1 mu_g) apart (Lemma B.5: 2; tight: 1). `noise_y`, `noise_z`: what one noisy step
    adds.
    """
    away = d_y + factor * L_f0 / (lam_1 * mu_g)
    return (s.Y_2, away**2 + noise_y), (s.Z_2, d_z**2 + noise_z)


def first_error() -> tuple[Definition, ...]:
    """Delta_1 with its third term (L600, L640), which is bounded by (20)."""
    inner = 6 * L_g1**2 * s.Y_2 + 3 * L_g1**2 * s.Z_2
    return (s.E_1, lam_1**2 * inner), (s.Delta_1, inner + s.E_1)


def first_error_short() -> tuple[Definition, ...]:
    """Delta_1 without the third term, which the sum in (23), from t = 1 on, already contains."""
    return ((s.Delta_1, 6 * L_g1**2 * s.Y_2 + 3 * L_g1**2 * s.Z_2),)


def spread() -> tuple[Definition, ...]:
    """A_y and A bound sum_k (1+k)^(2 tau) rho^k for rho_y and rho, where 2 tau <= 1 (Jensen's inequality)."""
    power = -1 - 2 * tau
    return (s.A_y, (1 - rho_y) ** power), (s.A, (1 - rho) ** power)


def bias_sum() -> Definition:
    """S_tau = sum over t <= T of t^(-2 tau)."""
    return s.S_tau, PowerSum(T, 2 * tau)


def schedule(chain: tuple[Definition, ...], **own: Expr) -> dict[str, Expr]:
    """The fields of `Steps` that all algorithms have, and ``own`` ones, in terms of the chain's parameters.

    lambda_t = lam t^tau and beta_t = beta t^-b.
    """
    entries = {
        "alpha": s.r_alpha / L_g1,
        "beta": s.r_beta / (lam_1 * L_g1),
        "b": tau,
        "lam": lam_1,
        "tau": tau,
        "gamma": s.gamma,
        **own,
    }
    in_parameters = expansion(chain[:-1])
    return {name: in_parameters(e) for name, e in entries.items()}


def law(
    name: str,
    terms: Mapping[str, Expr],
    source: str,
    ranges: tuple[Relational, ...] = (),
    at: Mapping[Symbol, Expr] | None = None,
    of: Symbol | None = None,
) -> Law:
    """A `Law` at powers of T for the drift sums; ``at``: the other exponents, by default tau alone."""
    return Law(name, {**(at or {tau: tau}), **s.DRIFT}, terms, ranges, source, of=of)


HALF = Rational(1, 2)
