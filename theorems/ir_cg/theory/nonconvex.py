"""Theorems 5 and 6: non-convex F. L1011-1061 (Algorithm 1), L1068-1264 (Algorithm 2), and sharper exponents.

Outer level: calF(x) = max over v in X_opt of grad F(x)'(x - v), averaged with the weights sigma_i (Theorem 5) or beta_i
(27) (Theorem 6). Inner level: G(x_t) - G_opt at the last iterate.
"""

from sympy import Expr, Rational, Symbol, log, sqrt

from workbench import vocabulary as v
from workbench.theory import Definition, Form, Max

from . import common
from . import constants as k
from .common import T, bound, ell, noise, sigma_0, smooth

start_sum = Symbol("start_sum", nonnegative=True)  # contribution of the first q + 1 steps, Lemma 15
beta_sum = Symbol("beta_sum", positive=True)
size_B = Symbol("size_B", nonnegative=True)
HALF = Rational(1, 2)

NOTATION = {start_sum: r"R_q", beta_sum: r"\Sigma_\beta", size_B: "B"}


def exponents_one_sample(p: Expr, omega: Expr) -> tuple[Expr, ...]:
    """The exponents whose maximum is minimized over p and omega, L1059."""
    inner = (-p, 1 - p - omega, -omega, 1 - 2 * omega, 1 - 3 * omega / 2)
    return (*inner, omega - 1, p - 1, p - omega, p - omega / 2)


def exponents_finite_sum(p: Expr, omega: Expr) -> tuple[Expr, ...]:
    """The exponents of Theorem 6, L1262."""
    return (p - 1, omega - 1, p - omega, -omega, -p, 1 - 2 * omega, 1 - omega - p)


def exponents_one_sample_own(p: Expr, omega: Expr) -> tuple[Expr, ...]:
    """The exponents of Theorem 5 with the contraction of (25) kept in the inner bound."""
    return (-p, -omega, -omega / 2, omega - 1, p - 1, p - omega, p - omega / 2)


def exponents_finite_sum_own(p: Expr, omega: Expr) -> tuple[Expr, ...]:
    """The exponents of Theorem 6 with the contraction kept; the error of SPIDER decays like t^-omega."""
    return (-p, -omega, omega - 1, p - 1, p - omega)


# --- Theorem 5 ------------------------------------------------------------------------------------------------


def decays(p: Rational, omega: Rational) -> tuple[Definition, ...]:
    """p and omega as the theorem fixes them, and the constants of Phi_0."""
    return (k.p, p), (k.omega, omega), *common.PHI_0


def storm(log_of: Expr, own: bool) -> tuple[Definition, ...]:
    """sqrt(log) and B: 2 D times the sum of the estimator's errors is at most B (t+1)^(1 - omega/2) sqrt(log), L1026.

    own: for almost surely bounded noise. The variances of the error obey S_t <= (1 - alpha_t)^2 S_(t-1) + alpha_t^2
    (sigma + 2 L D)^2, since (1 - alpha_t) alpha_(t-1) <= alpha_t; hence S_t <= alpha_t (sigma + 2 L D)^2, and Pinelis.
    """
    share = 3**k.omega / (3**k.omega - 1)
    if own:
        size = 2 * smooth * k.D + noise
        return (ell, sqrt(log(4 * log_of**2 / v.delta))), (size_B, _error_bound(size))
    size = k.c * (2 * smooth * k.D + share * noise)
    return (ell, sqrt(log(4 * k.d * log_of**2 / v.delta))), (size_B, _error_bound(size))


def _error_bound(size: Expr) -> Expr:
    return 2 * sqrt(2) * size * k.D / (1 - k.omega / 2)


def outer_5(name: str, p: Rational, omega: Rational, source: str) -> Form:
    """The outer bound of Theorem 5, L1053-1055."""
    n, share = T + 1, 2 * (1 - k.p)
    rate = (
        2 * share * k.sup_F * n ** (k.omega - 1)
        + share * k.F_0 * n ** (k.p - 1)
        + share * smooth * k.D**2 / (k.varsigma * (1 - k.omega)) * n ** (k.p - k.omega)
        + share * size_B / k.varsigma * n ** (k.p - k.omega / 2) * ell
    )
    return common.form(name, (*decays(p, omega), *storm(T + 2, name == "own"), (bound, rate)), source)


def inner_5(
    name: str, p: Rational, omega: Rational, far: Expr, source: str, repairs: tuple[str, ...] = ()
) -> Form:
    """The inner bound of Theorem 5, L1039-1040 with t + q read as t + 1; `far` is the supremum in its second term."""
    rate = (
        2 * k.varsigma * k.sup_F * T ** (-k.p)
        + k.varsigma * far / (1 - k.p) * T ** (1 - k.p - k.omega)
        + k.varsigma * k.F_0 * T ** (-k.omega)
        + smooth * k.D**2 / (1 - k.omega) * T ** (1 - 2 * k.omega)
        + size_B * T ** (1 - 3 * k.omega / 2) * ell
    )
    return common.form(name, (*decays(p, omega), *storm(T + 1, False), (bound, rate)), source, repairs)


def contribution(b: Expr, s: Expr) -> Expr:
    """The bound on g_T that a term b (t + 1)^-s of the recursion in `inner_own` contributes."""
    return b * T ** (-s) / (1 - s * (2**k.omega - 1))


def inner_own(p: Rational, omega: Rational, source: str) -> Form:
    """The last iterate with the contraction (1 - alpha_t) of (25) kept.

    If g_(t+1) <= (1 - alpha_t) g_t + alpha_t b (t + 1)^-s with alpha_t = (t + 1)^-omega and s <= omega < 1, then
    g_t <= b t^-s/(1 - s (2^omega - 1)). Here b (t+1)^-s is sigma_t (sup |calF| + D sup |grad F|), then 2 D e_t with
    e_t <= (2 smooth D + noise) sqrt(2 log) (t+1)^(-omega/2), then alpha_t smooth D^2/2.
    """

    error = 2 * k.D * sqrt(2) * (2 * smooth * k.D + noise) * ell
    rate = (
        contribution(k.varsigma * (k.sup_calF + k.D * k.sup_grad_F), k.p)
        + contribution(error, k.omega / 2)
        + contribution(smooth * k.D**2 / 2, k.omega)
    )
    logs = (ell, sqrt(log(4 * (T + 1) ** 2 / v.delta)))
    return common.form("own", (*decays(p, omega), logs, (bound, rate)), source)


# --- Theorem 6 ------------------------------------------------------------------------------------------------


def start(p: Rational, omega: Rational) -> tuple[Definition, ...]:
    """p, omega, sigma_0 = varsigma (q + 2)^-p and a bound on the smoothness of every Phi_t."""
    return (k.p, p), (k.omega, omega), (sigma_0, k.varsigma * (k.q + 2) ** (-k.p)), common.PHI_0[0]


def carry_over(p: Rational, omega: Rational) -> tuple[Definition, ...]:
    """`start`, and what Lemma 15 (L1195-1196) carries over from the first q + 1 steps."""
    n = k.q + 1
    logs = sqrt(log(8 * (k.q + 2) ** 2 / v.delta))
    first = (2 * k.varsigma * n ** (k.omega - k.p) + k.varsigma * (k.q + 2) ** (-k.p)) * k.sup_F
    noisy = (sigma_0 * k.L_f + k.L_g) * k.D**2 * log(n) / (2 * n ** (1 - k.omega)) * (1 + 16 * logs)
    return *start(p, omega), (start_sum, k.gap_G0 / n ** (1 - k.omega) + first + noisy)


def lemma_14(t: Expr, p: Expr) -> Expr:
    """What Lemma 14 leaves of calG(x_t) + sigma_0 alpha sum_(i<t) (1-alpha)^(t-1-i) calF(x_i), for t <= q + 1.

    L1132-1133 with the logarithm of L1209, which its proof gives: it has 8 (i+1)(i+2)/delta for i < t. Since -calF is
    at most sup |calF| and the weights add up to 1 - (1-alpha)^t, the inner bound at t <= q + 1 is this and

        sigma_0 (1 - (1-alpha)^t) sup |calF|,

    and since calG(x_(q+1)) >= 0 and beta_i = (q+1)^omega sigma_0 alpha (1-alpha)^(q-i) for i <= q, the outer bound at q
    is this at t = q + 1 over sigma_0 (1 - (1-alpha)^(q+1)). `outer_6` and `inner_6` are larger from t = q on (I19).
    """
    n = k.q + 1
    alpha, sigma = log(n) / n, k.varsigma * (k.q + 2) ** (-p)
    noisy = (sigma * k.L_f + k.L_g) * k.D**2 * alpha / 2 * (1 + 16 * sqrt(log(8 * (t + 1) ** 2 / v.delta)))
    return (1 - alpha) ** t * k.gap_G0 + 2 * sigma * k.sup_F + noisy


def powers(low: Expr, high: Expr) -> Expr:
    """The integral of x^-p from low to high."""
    return (high ** (1 - k.p) - low ** (1 - k.p)) / (1 - k.p)


# Lower bounds on the sum of beta_0, ..., beta_T. Printed: a + b t^(1-p), L1250. Repaired: the first q + 1 terms are
# exact, the others are bounded by an integral.
BETA_PRINTED = k.varsigma * (k.q + 2) ** (k.omega - k.p) / 3 + k.varsigma * powers(k.q + 1, T)
FIRST_BETAS = sigma_0 * (k.q + 1) ** k.omega * (1 - (1 - log(k.q + 1) / (k.q + 1)) ** (k.q + 1))
BETA_REPAIRED = FIRST_BETAS + k.varsigma * powers(k.q + 2, T + 2)


def outer_6(
    name: str,
    p: Rational,
    omega: Rational,
    beta: Expr,
    D_power: int,
    source: str,
    repairs: tuple[str, ...] = (),
    first: Expr = k.q + 1,
) -> Form:
    """The outer bound of Theorem 6, L1254-1258. `D_power`, of the noise term: 1 as printed, 2 in Lemma 15.

    The proof uses Lemma 15 at T + 1 > q + 1. At T = q Lemma 14 at q + 1 gives the bound.
    """
    n, logs = T + 1, sqrt(log(8 * (T + 2) ** 2 / v.delta))
    late = 8 * (sigma_0 * k.L_f + k.L_g) if D_power == 1 else 8 * smooth
    rate = (
        start_sum
        + late * k.D**D_power * Max(T - k.q, 0) ** (1 - k.omega) / (1 - k.omega) * ell
        + 2 * k.varsigma * k.sup_F * n ** (k.omega - k.p)
        + smooth * k.D**2 / (1 - k.omega) * n ** (1 - k.omega)
    )
    chain = (*carry_over(p, omega), (ell, logs), (beta_sum, beta), (bound, rate / beta_sum))
    return common.form(name, chain, source, repairs, first)


def inner_6(
    name: str,
    p: Rational,
    omega: Rational,
    source: str,
    repairs: tuple[str, ...] = (),
    first: Expr = k.q + 2,
) -> Form:
    """The inner bound of Theorem 6, L1235-1238. The proof uses Lemma 15 at T > q + 1; before, Lemma 14 gives it."""
    logs = sqrt(log(8 * (T + 1) ** 2 / v.delta))
    far = (k.q + 1) ** (k.omega - k.p) + powers(k.q, T + 1)
    rate = (
        start_sum
        + 8 * smooth * k.D**2 * Max(T - 1 - k.q, 0) ** (1 - k.omega) / (1 - k.omega) * ell
        + smooth * k.D**2 / (1 - k.omega) * T ** (1 - k.omega)
        + 2 * k.varsigma * k.sup_F * T ** (k.omega - k.p)
        + k.varsigma * far * k.sup_calF
    )
    chain = (*carry_over(p, omega), (ell, logs), (bound, rate * T ** (-k.omega)))
    return common.form(name, chain, source, repairs, first)


def inner_own_finite(p: Rational, omega: Rational, source: str) -> Form:
    """The last iterate of Algorithm 2 with the contraction of (25) kept, for 1/2 < omega <= 2/3.

    For i > q the variance proxy of SPIDER is at most 4 L^2 D^2 (2/(i+1))^(2 omega), so e_i <= sqrt(8) 2^omega smooth D
    (i+1)^-omega sqrt(log); for i < q it is at most sqrt(8) alpha smooth D sqrt(log). What is left of x_(q+1) decays
    like ((q+1)/t)^omega, since 1 - (i+1)^-omega <= (i/(i+1))^omega.
    """

    n, alpha = k.q + 1, log(k.q + 1) / (k.q + 1)
    push = k.sup_calF + k.D * k.sup_grad_F
    start_smooth = (sigma_0 * k.L_f + k.L_g) * k.D**2 * alpha
    first = k.gap_G0 / n + sigma_0 * push + start_smooth * (HALF + 4 * sqrt(2) * ell)
    rate = (
        first * (n / T) ** k.omega
        + contribution(k.varsigma * push, k.p)
        + contribution(4 * sqrt(2) * 2**k.omega * smooth * k.D**2 * ell, k.omega)
        + contribution(smooth * k.D**2 / 2, k.omega)
    )
    chain = (*start(p, omega), (ell, sqrt(log(4 * (T + 1) ** 2 / v.delta))), (bound, rate))
    return common.form("own", chain, source, first=k.q + 2)
