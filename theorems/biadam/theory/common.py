"""Constants that the theorems share (L17-29, L45-53, L97-101), and the records' common fields."""

from typing import Any

from sympy import Expr, Integer, Rational, ceiling, log, sqrt

from workbench.theory import Condition, Definition, Form, IsZero, Max, Min, Theorem

from . import symbols as s
from .paper import PAPER
from .symbols import C_fy, C_gxy, L_f, L_g, L_gxy, L_gyy, T, b_l, b_u, kappa, mu_g, rho

SECOND = C_fy * (L_gxy / mu_g + L_gyy * C_gxy / mu_g**2)
SPREAD = b_u / b_l  # r_b: 1 for a constant B_t
KAPPA_LEMMA_10 = L_g / mu_g  # Lemma 10 (L97) redefines kappa; never less than C_gxy/mu, so a smaller gamma

SMOOTHNESS: tuple[Definition, ...] = (
    (kappa, C_gxy / mu_g),
    (s.L_y, L_f + L_f * C_gxy / mu_g + SECOND),
    (s.L, L_f + (L_f + s.L_y) * C_gxy / mu_g + SECOND),
    (
        s.L_0,
        sqrt(
            8
            * (
                L_f**2
                + L_gxy**2 * C_fy**2 / mu_g**2
                + L_gyy**2 * C_gxy**2 * C_fy**2 / mu_g**4
                + L_f**2 * C_gxy**2 / mu_g**2
            )
        ),
    ),
    (s.Delta_0, s.d_1**2),
)
# K of the theorems, rounded up and at least 1, which the paper leaves out; |R| <= 1/T by Lemma 3.
LENGTH: Definition = (s.K, Max(1, ceiling(L_g / mu_g * log(Max(1, C_gxy * C_fy * T / mu_g)))))
L_1: Definition = (s.L_1, sqrt(12 * L_g**2 * mu_g**2 / (125 * s.L_0**2) + 2 * s.L_0**2 / 3))
_BELOW = 2 * mu_g * L_g - mu_g**2


def estimator_square(cross: Expr, slope: Expr, last: Expr, contraction: Expr) -> Expr:
    """L_K^2 of Lemma 4 (L29): E|grad^2_xy g u|^2 <= cross E|u|^2 for a u of other samples, E|grad_y f|^2 <= slope;
    `last` stands in the last term, where contraction divides.
    """
    return (
        2 * L_f**2
        + 6 * cross * L_f**2 * s.K / _BELOW
        + 6 * slope * L_gxy**2 * s.K / _BELOW
        + 6 * cross * last * s.K**3 * L_gyy**2 / (contraction * _BELOW)
    )


# (L_g - mu)^2, and 1 where that vanishes: then every Hessian is mu I, L_gyy is 0, and the term 0/0 counts as 0.
_CONTRACTION = (L_g - mu_g) ** 2 + IsZero(L_g - mu_g)
L_K_PRINTED: Definition = (s.L_K, sqrt(estimator_square(C_gxy**2, C_fy**2, L_f**2, _CONTRACTION)))
_CROSS, _SLOPE = C_gxy**2 + s.sigma_gxy**2, C_fy**2 + s.sigma_fy**2
L_K_REPAIRED: Definition = (s.L_K, sqrt(estimator_square(_CROSS, _SLOPE, _SLOPE, L_g**2)))
L_2: Definition = (s.L_2, sqrt(L_g**2 + s.L_K**2))

MOMENTUM_Y = 125 * s.L_0**2 / (6 * mu_g**2)


def step_limits(
    square: Expr, weight: Expr, root: Expr, divisor: int, curvature: Expr = kappa
) -> tuple[Definition, ...]:
    """The largest lambda and gamma (L49, L53).

    square: L_1^2, or 4 L_2^2. weight: the factor of lambda^2 mu^2 under the root. root: 1/eta_0 times k. divisor: 2
    where the first bound on gamma carries a factor 1/2. curvature: kappa of Lemma 10.
    """
    largest = Min(15 * b_l * s.L_0**2 / (4 * square * mu_g), b_l / (6 * L_g))
    drift = sqrt(weight * s.lam**2 * mu_g**2 + 125 * b_u**2 * s.L_0**2 * curvature**2)
    return (
        (s.lam_most, largest),
        (s.gamma_most, Min(sqrt(6) * s.lam * mu_g * rho / (divisor * drift), root * rho / (4 * s.L * s.k))),
    )


GENERIC = {
    mu_g: Integer(1),
    L_g: Integer(2),
    L_f: Rational(1, 5),
    L_gxy: Rational(1, 10),
    L_gyy: Rational(1, 10),
    C_fy: Rational(1, 5),
    C_gxy: Rational(1, 4),
    s.sigma: Rational(1, 2),
    s.sigma_fy: Rational(1, 10),
    s.sigma_gxy: Rational(1, 10),
    rho: Rational(1, 2),
    b_l: Integer(1),
    s.b_1: Integer(1),
    b_u: Rational(11, 10),
    s.Delta_1: Integer(1),
    s.d_1: Integer(1),
    s.k: Integer(1),
    s.m: Integer(200),
    s.c_1: Integer(11),
    s.c_2: Rational(21, 4),
    s.lam: Rational(1, 100),
    s.gamma: Rational(1, 1000),
    s.A_rms: Integer(2),
    s.G_1: Integer(3),
}


def theorem(**fields: Any) -> Theorem:
    """A record of this paper: all bounds are in expectation."""
    return Theorem(
        paper=PAPER,
        probability=Integer(1),
        generic=GENERIC,
        notation=s.NOTATION,
        kind="expectation",
        **fields,
    )


def values_at_limits(record: Theorem, form: str = "printed", **values: Any) -> dict[str, Any]:
    """``values`` with c_1, c_2, m as small and lambda, gamma as large as the form admits; given ones are kept.

    values: constants of the assumptions, T and k by name. Raises TypeError for a missing one.
    """
    constants = dict(values)
    for names in (("c_1", "c_2"), ("m", "lam"), ("gamma",)):  # each needs those before it
        trial = dict.fromkeys(("c_1", "c_2", "m", "lam", "gamma", "A_rms", "sigma"), 1.0) | constants
        limits = record.constants(form, **trial)
        for name in names:
            side = "most" if name in ("lam", "gamma") else "least"
            constants.setdefault(name, limits[f"{name}_{side}"])
    return constants


def form(
    name: str,
    chain: tuple[Definition, ...],
    source: str,
    conditions: tuple[Condition, ...],
    repairs: tuple[str, ...] = (),
) -> Form:
    return Form(name, chain, source, conditions=conditions, repairs=repairs)
