"""Constants and cases shared by Theorems 5.6, 4.1 and 4.2; the constants are chains over the noise bounds.

The three theorems use the same expressions with different names for the noise bounds: (sigma_low,
sigma_bar), (sigma_x_low, sigma_x_bar) and (sigma_phi_low, sigma_phi_bar); each function takes the pair.
"""

from collections.abc import Mapping, Sequence

from sympy import E, Expr, Integer, Piecewise, Rational, Symbol, ceiling, log, sqrt

from workbench.theory import Case, Definition, IsPositive, IsZero, Max, ratio
from workbench.vocabulary import Delta_1, T, alpha, delta, eta

kappa_sigma = Symbol("kappa_sigma", positive=True)
ell_T = Symbol("ell_T", positive=True)
A_T, B_T = Symbol("A_T", positive=True), Symbol("B_T", positive=True)
c_0, c_2, t_0 = (Symbol(n, positive=True) for n in ("c_0", "c_2", "t_0"))
K, Lambda = Symbol("K", positive=True), Symbol("Lambda", positive=True)
H, w = Symbol("H", positive=True), Symbol("w", positive=True)
C, bound = Symbol("C", positive=True), Symbol("bound", positive=True)
inverse_sigma = Symbol("inverse_sigma", positive=True)
QUARTER, HALF = Rational(1, 4), Rational(1, 2)

NOTATION: dict[Symbol, str] = {
    kappa_sigma: r"\kappa_\sigma",
    ell_T: r"\ell_T",
    A_T: "A_T",
    B_T: "B_T",
    Lambda: r"\Lambda",
    inverse_sigma: r"\sigma^{-1}",
    bound: r"\mathrm{bound}",
}


def covers(low: Symbol, bar: Symbol) -> Expr:
    """1 where kappa_sigma is defined (L82, Eq. (6) L173), 0 where sigma_low = 0 < sigma_bar."""
    return 1 - IsZero(low) * IsPositive(bar)


def noise_constants(low: Symbol, bar: Symbol, *, whole_t_0: bool) -> tuple[Definition, ...]:
    """kappa_sigma to Lambda: A_T, B_T of Lemma A.1 (L375), c_0 and t_0 of Eq. (6) (L173), Eq. (16) (L519).

    At sigma = 0 the convention 0/0 := 1 could be applied to kappa_sigma (giving c_0 = 1/2) or to c_0 itself
    (giving 1); Eq. (16) decides for kappa_sigma, so c_0 is written in terms of it. The proofs take t_0 to
    be an integer (L525, L818); `whole_t_0` rounds it up.
    """
    t_0_real = Max(2, (A_T + c_0 * sqrt(B_T)) / c_0**2)
    return (
        (kappa_sigma, ratio(bar, low)),
        (ell_T, log(60 * log(6 * T) / delta)),
        (A_T, 16 * ell_T),
        (B_T, 16 * ell_T**2),
        (c_0, 1 / (4 * kappa_sigma**2 - 2)),
        (t_0, ceiling(t_0_real) if whole_t_0 else t_0_real),
        # K abbreviates sqrt(kappa_sigma) (1 + 2 sqrt(sigma_bar/alpha)); Lambda the factor of Lemma 5.4.
        (K, sqrt(kappa_sigma) * (1 + 2 * sqrt(bar / alpha))),
        (Lambda, sqrt(1 + 32 * log(2 * T / delta))),
    )


def t_0_closed_form() -> Expr:
    """t_0 as Eq. (16) prints it (L519)."""
    return Max(2, 8 * (32 * kappa_sigma**4 - 30 * kappa_sigma**2 + 7) * log(60 * log(6 * T) / delta))


def repair_constants(bar: Symbol) -> tuple[Definition, ...]:
    """c_2, H and w of the repairs: H of E1/E2, w in place of 3 sqrt(e) at high noise (E9)."""
    return (
        (c_2, 4 * bar**2 / alpha**2),
        (H, 1 + Rational(201, 100) * kappa_sigma + 2 * kappa_sigma * bar / (alpha * sqrt(t_0))),
        (w, Piecewise((3 * sqrt(E), c_2 <= t_0 - 1), (sqrt(4 * E + Rational(21, 10) * log(T)), True))),
    )


def common_part(first: Expr, bar: Symbol, smoothness: Expr, tail: Expr) -> Expr:
    """The part of C that is the same in all theorems and forms; arguments as in the next three functions."""
    return Delta_1 + initial_error(first) + smoothness * eta**2 / 2 * (1 + log(T)) + noise_error(bar, tail)


def initial_error(first: Expr) -> Expr:
    """2 sum eta_t beta_(2:t) |hat eps_1|, by Lemma G.2(b), for |hat eps_1| <= `first`."""
    return 4 * eta * first * (sqrt(t_0 - 1) - 1 + E * K)


def noise_error(bar: Symbol, tail: Expr) -> Expr:
    """2 sum eta_t |sum beta alpha eps|, by Lemmas 5.4, G.2(c); `tail` is 3 sqrt(e), or w if repaired."""
    early = (t_0 - 1 + 2 * E * sqrt(t_0 - 2) * K) * bar
    return 2 * eta * Lambda * (early + tail * kappa_sigma**2 * alpha * log(T))


def drift_error(smoothness: Expr) -> Expr:
    """2 sum eta_t sum beta_(k:t) |S_k|, by Lemma G.2(d)."""
    late = E * (sqrt(kappa_sigma) + 2 * kappa_sigma) * log(T)
    return 4 * smoothness * eta**2 * ((t_0 - 1) * (1 + E * K) + late)


def adaptivity_error(bar: Symbol) -> Expr:
    """What E1 adds to C because alpha_t of the algorithm depends on the current sample."""
    return 2 * eta * bar * (4 * sqrt(t_0) + 4 * E * K + H / 2)


# --- cases ----------------------------------------------------------------------------------------------------------

c = Symbol("c", positive=True)
LOW_NOISE = c / sqrt(T)  # a noise level that vanishes with the horizon
FIXED_T = {T: Integer(10**8)}  # for exponents in other variables
GENERIC = {delta: Rational(1, 10), **dict.fromkeys((Delta_1, alpha, eta, c), Integer(1))}


def kappa_case(low: Symbol, bar: Symbol, source: str, others: Mapping[Symbol, Expr] | None = None) -> Case:
    """C as a function of kappa_sigma at sigma_bar = 1; others: values of other noise bounds."""
    kappa = Symbol("kappa_sigma", positive=True)
    when = {low: 1 / kappa, bar: Integer(1), **(others or {}), **FIXED_T}
    return Case("kappa_sigma", when, Integer(4), source, variable=kappa, of=C)


def vanishing_case(low: Symbol, bar: Symbol, source: str, also: Sequence[Symbol]) -> Case:
    """C as a function of 1/sigma at kappa_sigma = 1, where sigma_low = sigma_bar = sigma tends to 0.

    A C of order kappa_sigma^4 would be bounded there. also: other noise bounds, which vanish as fast.
    """
    when = {**dict.fromkeys((low, bar, *also), 1 / inverse_sigma), **FIXED_T}
    return Case("vanishing noise", when, Integer(0), source, variable=inverse_sigma, of=C)
