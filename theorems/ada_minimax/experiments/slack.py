"""Where the bound of Theorem 4.1 (= D.4, L800-840) is lost: the lines of its proof on compliant runs.

eta = alpha = gamma = 1 is a choice that the theorem allows. The bound holds with probability 1 - 7 delta, and so do its
lines, run by run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sympy import E, Expr, Rational, log, sqrt

from workbench import profile
from workbench.claims import Step, Waterfall, data
from workbench.problems import QuadraticSaddle
from workbench.vocabulary import Delta_1, L, T, alpha, eta, sigma_x_bar

from ..theory import common
from ..theory.common import C, K, Lambda, bound, kappa_sigma, t_0
from ..theory.theorem_4_1 import L_Phi
from .minimax import equal, plus_minus
from .study import STUDY, THEOREM_4_1, known_values

NOISY, QUIET = equal(1.0), equal(0.0)
SIMULATION = STUDY.watched(
    "slack", "Ada-Minimax on I2, sums of its proof", "ada_minimax",
    partial(plus_minus, QuadraticSaddle, [QUIET, NOISY]),
    profile(10_000, 100_000, 1_000_000), profile(64, 128, 256), "slack",
)  # fmt: skip


CURVATURE = L_Phi / 2 * data("sum_eta2")
FIRST, NOISE, MOVED, BIAS = (2 * data(f"sum_{name}") for name in ("first", "noise", "moved", "bias"))
NOISE_LIKELY = 2 * Lambda * sigma_x_bar * data("sum_spread")
FIRST_MOST = common.initial_error(sigma_x_bar)
NOISE_MOST = common.noise_error(sigma_x_bar, 3 * sqrt(E))
MOVED_MOST = 4 * L_Phi * eta**2 * (t_0 - 1 + E * K + E * (sqrt(kappa_sigma) + 2 * kappa_sigma) * log(T))


def numerators() -> Iterator[tuple[str, Expr, str, str]]:
    """L816-837, line by line: name, what bounds sum_t eta_t |grad Phi(x_t)|, source, erratum."""
    hat = data("phi_start") - data("f_next") + 2 * data("sum_eta_hat")
    yield "eta_T for every eta_t", data("sum_eta_grad"), "L831-837", ""
    yield "descent of Phi", hat + CURVATURE, "Lemma D.3, L788-796", ""
    yield "Phi at least its infimum", Delta_1 + 2 * data("sum_eta_hat") + CURVATURE, "L820", ""
    start_terms = Delta_1 + CURVATURE
    yield (
        "error of m in four parts",
        start_terms + FIRST + NOISE + MOVED + BIAS,
        "Lemma D.2, L772-786, L821",
        "",
    )
    start_terms += FIRST_MOST  # sigma_x for |m_1 - grad Phi(x_1)|, whose bias may be as large as L d_1
    yield "weight of the first error", start_terms + NOISE + MOVED + BIAS, "Lemma G.2(b), L1251, L823", "E5"
    yield "concentration of the noise", start_terms + NOISE_LIKELY + MOVED + BIAS, "Lemma 5.4, L423-457", ""
    start_terms += NOISE_MOST
    yield "weights of the noise", start_terms + MOVED + BIAS, "Lemma G.2(c), L1255, L824", ""
    start_terms += MOVED_MOST
    yield "change of the gradient", start_terms + BIAS, "Lemma G.2(d), L1259, L825", ""
    yield "bias at most L d_t", start_terms + 2 * L * data("sum_lipschitz"), "Lemma D.1, L766-771", ""
    distances = C - L_Phi * eta**2 / 2 * (1 + log(T)) + CURVATURE
    yield "weighted sum of the distances d_t", distances, "Lemma G.3, L1330-1397, L826-828", ""
    yield "sum of eta_t^2", C, "Lemma G.2(e), L1263", ""


def steps() -> tuple[Step, ...]:
    """L816-840: the numerator line by line, then eta_(x,T)."""
    shrunk = 1 / (T * data("eta_t"))
    root = (alpha**2 + 4 * sigma_x_bar**2 * T + data("sum_gy2")) ** Rational(1, 4)
    return (
        *(Step(name, value * shrunk, source, erratum) for name, value, source, erratum in numerators()),
        Step("sum of |g_x - g_x'|^2", C / (eta * sqrt(alpha * T)) * root, "L837-838"),
        Step("sum of |g_y|^2, root of a sum", bound, "Lemma C.3, L838-840"),
    )


WATERFALLS = tuple(
    Waterfall(
        THEOREM_4_1,
        SIMULATION,
        data("sum_grad") / T,
        steps(),
        known=known_values,
        where=where,
        name=f"Ada-Minimax on I2, {name}",
    )
    for name, where in (("noise 1", NOISY), ("no noise", QUIET))
)
