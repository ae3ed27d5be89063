"""What Theorems 4.1 (minimax) and 4.2 (bilevel) share: Lemma C.3, C, and the last bracket, in both forms.

The two bounds are one formula with different constants. `Level` names them:

                     Theorem 4.1 = D.4        Theorem 4.2 = E.6
    smooth_Phi       L_Phi = (mu+L)L/mu       L_F   (39)
    bias             L                        L_f   (38)
    L, mu            L, mu (of f(x, .))       l_g1, mu_g (of g(x, .))
    sigma            sigma_y                  sigma_g1
    low, bar         sigma_x_low, sigma_x_bar sigma_phi_low, sigma_phi_bar
"""

from dataclasses import dataclass

from sympy import E, Expr, Integer, Rational, S, Symbol, log, sqrt

from workbench.theory import Definition, IsPositive, IsZero
from workbench.vocabulary import T, alpha, d_1, delta, eta, gamma

from . import common
from .common import A_T, B_T, QUARTER, C, H, K, bound, kappa_sigma, t_0

C_1, C_2, D, rho = (Symbol(n, positive=True) for n in ("C_1", "C_2", "D", "rho"))
A_rho, B_rho = Symbol("A_rho", positive=True), Symbol("B_rho", positive=True)
Q_T, q = Symbol("Q_T", positive=True), Symbol("q", positive=True)
Delta_y = Symbol("Delta_y", nonnegative=True)
SCHEDULE = {"alpha": alpha, "gamma": gamma, "eta_x": eta, "eta_y": eta}
GENERIC = {**common.GENERIC, d_1: Integer(1), gamma: Integer(1)}

NOTATION: dict[Symbol, str] = {
    **common.NOTATION,
    rho: r"\rho",
    A_rho: r"A_T^{\rho}",
    B_rho: r"B_T^{\rho}",
    Q_T: "Q_T",
    Delta_y: r"\Delta_y",
}


@dataclass(frozen=True)
class Level:
    """The constants of one of the two theorems in the common formula."""

    smooth_Phi: Expr
    bias: Expr
    L: Symbol
    mu: Symbol
    sigma: Symbol
    low: Symbol
    bar: Symbol


def lower_level_printed(p: Level) -> tuple[Definition, ...]:
    """C_1 (9), C_2 (L620) and D (21), L399, L620, L632-633, as printed.

    Delta_1 of (9) belongs to the function that AdaGrad-Norm minimises, here g(x_1, .): by smoothness at most
    L d_1^2/2. eta_(y,0) = eta/gamma.
    """
    growth = 2 * p.sigma**2 * T + 4 * eta**2 * p.L**2 * T**3 + 8 * p.L * Delta_y * T
    D2 = d_1**2 + (1 + p.mu * eta / gamma) * C_1 + _drift(p) + _martingale(p, A_T, B_T)
    return ((Delta_y, p.L * d_1**2 / 2), (C_1, log(1 + growth / gamma**2)), (C_2, _c_2(p)), (D, sqrt(D2)))


def lower_level_repaired(p: Level) -> tuple[Definition, ...]:
    """The same after E4: D^2 doubled, eta^2 C_1, y* may move (rho), A_T and B_T at delta/log2(4 rho T).

    Q_T bounds the sum of d_t^2, and q the noiseless bias sum (48) divided by L.
    """
    growth = 2 * p.sigma**2 * T + 4 * p.L**2 * d_1**2 * T + 4 * rho**2 * eta**2 * p.L**2 * T**3
    ell = log(60 * log(6 * T) * log(4 * rho * T) / (log(2) * delta))
    D2 = d_1**2 + eta**2 * (1 + p.mu * eta / gamma) * C_1 + _drift(p) + _martingale(p, A_rho, B_rho)
    far = 4 * D**4 * p.L**2 / (p.mu * eta) ** 2
    return (
        (rho, 1 + p.L / p.mu),
        (A_rho, 16 * ell),
        (B_rho, 16 * ell**2),
        (C_1, log(1 + growth / gamma**2)),
        (C_2, _c_2(p)),
        (D, sqrt(2 * D2)),
        (Q_T, far + 2 * D**2 * (gamma + sqrt(2) * p.sigma * sqrt(T)) / (p.mu * eta)),
        (q, D * sqrt(eta * (alpha + gamma) * (1 + log(T)) / p.mu)),
    )


def _c_2(p: Level) -> Expr:
    """Lemma C.2, L620."""
    ratio = (p.sigma / gamma) ** 2
    return 2 * eta**2 * log(1 + ratio * T / 2) + 7 * eta**2 * ratio * log(T / delta)


def _drift(p: Level) -> Expr:
    """Third and fourth summand of D^2 (21): the motion of y* and Young's eta^2/4."""
    motion = eta * p.L**2 / p.mu**3 * (p.mu * eta + alpha + gamma) * (1 + log(T))
    return motion + eta**2 / 4


def _martingale(p: Level, a: Symbol, b: Symbol) -> Expr:
    """Last two summands of D^2 (21), with A_T = `a` and B_T = `b`."""
    step = p.mu * eta / gamma
    noise = a * C_2 + (eta * p.sigma / gamma) ** 2 * b
    return 4 * (1 + 2 * step) ** 2 * C_2**2 / eta**2 + 16 * (1 + step) ** 2 * noise


def C_printed(p: Level, extra: Expr = S.Zero) -> Definition:
    """C of Theorems D.4 (L810-815) and E.6 (L955-960); `extra` is the Neumann term of the latter."""
    late = E * (sqrt(kappa_sigma) + 2 * kappa_sigma) * log(T)
    noiseless = p.bias * D * sqrt(eta * (alpha + gamma) / p.mu * (1 + log(T)))
    far = 2 * (sqrt(2) * D * p.L + sqrt(D * gamma)) + sqrt(2 * D * p.sigma) * (1 + log(T))
    noisy = (
        2 * eta * p.bias * D / 3 * ((t_0 - 1) ** Rational(3, 2) - 1)
        + 2 * (t_0 - 2) * p.bias * D * eta * E * K
        # IsZero keeps 1/low finite where the indicator below removes the whole bracket.
        + 2 * p.bias * alpha / (p.mu * (p.low + IsZero(p.low))) * (1 + 2 * E * K) * far
    )
    return C, (
        common.common_part(p.bar, p.bar, p.smooth_Phi, 3 * sqrt(E))
        + 4 * p.smooth_Phi * eta**2 * (t_0 - 1 + E * K + late)  # not G.2(d): see E5
        + extra
        + noiseless * IsZero(p.bar)
        + noisy * IsPositive(p.low)
    )


def C_repaired(p: Level, bias_1: Expr = S.Zero, extra: Expr = S.Zero) -> Definition:
    """C after E1, E2, E4, E5, E9 and E13; `bias_1` adds to |hat eps_1|, `extra` to C (both Neumann)."""
    noiseless = 2 * p.bias * q
    noisy = 2 * p.bias * (2 * eta * D * (sqrt(t_0 - 1) + E * K) + H * q)
    return C, (
        common.common_part(p.bar + p.bias * d_1 + bias_1, p.bar, p.smooth_Phi, common.w)
        + common.adaptivity_error(p.bar)
        + common.drift_error(p.smooth_Phi)
        + extra
        + noiseless * IsZero(p.bar)
        + noisy * IsPositive(p.low)
    )


def bracket_printed(p: Level, last: Expr) -> Definition:
    """The display of Theorems 4.1/D.4 (L804-805) and 4.2/E.6 (L949-950); `last` multiplies T^-1/4."""
    scale = (p.L / (p.mu * eta)) ** 2
    quiet = (alpha**2 + scale * (4 * D**2 * p.L**2 + 2 * D * gamma)) ** QUARTER / sqrt(T)
    cross = (2 * sqrt(2) * scale * D * p.sigma) ** QUARTER / T ** Rational(3, 8)
    return bound, C / (eta * sqrt(alpha)) * (quiet + cross + last / T**QUARTER)


def bracket_repaired(p: Level) -> Definition:
    """C/(T eta_(x,T)) with |g_y|^2 <= 2 sigma^2 + 2 L^2 d^2 and the sum of d^2 at most Q_T (E4, E5)."""
    total = alpha**2 + (4 * p.bar**2 + 2 * p.sigma**2) * T + 2 * p.L**2 * Q_T
    return bound, C / (eta * sqrt(alpha * T)) * total**QUARTER


def chain_printed(p: Level, last: Expr | None = None, extra: Expr = S.Zero) -> tuple[Definition, ...]:
    """The whole printed bound; `last` replaces the coefficient of T^-1/4 (main text of Theorem 4.1)."""
    appendix = (4 * p.bar**2 + p.sigma**2) ** QUARTER
    return (
        *common.noise_constants(p.low, p.bar, whole_t_0=False),
        *lower_level_printed(p),
        C_printed(p, extra),
        bracket_printed(p, appendix if last is None else last),
    )


def chain_repaired(p: Level, bias_1: Expr = S.Zero, extra: Expr = S.Zero) -> tuple[Definition, ...]:
    """The whole repaired bound."""
    return (
        *common.noise_constants(p.low, p.bar, whole_t_0=True),
        *common.repair_constants(p.bar),
        *lower_level_repaired(p),
        C_repaired(p, bias_1, extra),
        bracket_repaired(p),
    )
