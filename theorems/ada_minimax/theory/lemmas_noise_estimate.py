"""Bounds of alpha_t: Lemma 5.5 (= B.3), Eqs. (13)-(15), and t_0 of Eqs. (6), (16); L191-200, L459-497, L519.

g_k - g~_k is the difference of two independent errors a, b with norms in [sigma_low, sigma_bar], so |g_k - g~_k|^2
has mean 2 s with s = sigma_k^2, and lies between 0 and 4 sigma_bar^2. Everything else is about scalars.
"""

from sympy import Ge, Le, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    AlongTrajectory,
    Constant,
    Identity,
    Inequality,
    closed,
    nonnegative,
    positive,
)
from workbench.theory.vocabulary import T, alpha, delta, sigma_bar, sigma_low

from .chain import NOISE_WEIGHTS, ONE_LEVEL, likely, link, t
from .common import A_T, B_T, c_0, ell_T, noise_constants, t_0, t_0_closed_form
from .paper import PAPER
from .theorem_5_6 import PRINTED

a, b, s = symbols("a b s", nonnegative=True)
inner, W, X = symbols("inner W X", real=True)
four, ell, x, A, B = symbols("four ell x A B", positive=True)
BAR, LOW = sigma_bar**2, sigma_low**2
RANGE = 4 * BAR - 2 * s  # of |g - g~|^2 - 2 s, the denominator of X_k

DIFFERENCE = link(
    "eq-13",
    "Difference of two samples",
    "Eq. (13), L469",
    r"$\|g_k - \tilde{g}_k\|^2$ is at most $4 \bar{\sigma}^2$.",
    ("asm-5.2",),
    Inequality(
        "two errors",
        a**2 + b**2 - 2 * inner,
        four * sigma_bar**2,
        {**nonnegative(a, b), inner: REAL, sigma_bar: NONNEGATIVE},
        given=(Le(a, sigma_bar), Le(b, sigma_bar), Le(-a * b, inner), Le(inner, a * b)),
        constants=(Constant(four, 4),),
        note="inner = <g - grad, g~ - grad>, which Cauchy-Schwarz keeps between -a b and a b.",
    ).states(),
)

# t_0 of the chain without its max and ceiling: the value that makes A_T t + B_T <= (c_0 t)^2 from there on.
CHAIN = dict(noise_constants(sigma_low, sigma_bar, whole_t_0=False))
T_0 = (A_T + c_0 * sqrt(B_T)) / c_0**2
START = link(
    "eq-16",
    "The iteration t_0",
    "Eqs. (6), (14)-(16), L173, L487-491, L519",
    r"From $t_0$ on, $\sqrt{A_T t + B_T} \le c_0 t$; and $t_0$ is $8 (32 \kappa_\sigma^4 - 30 \kappa_\sigma^2 + 7) "
    r"\log(60 \log(6T)/\delta)$.",
    ("lem-A.1",),
    Identity(
        "Eq. (6) is Eq. (16)",
        CHAIN[t_0].args[1].xreplace({A_T: CHAIN[A_T], B_T: CHAIN[B_T]}).xreplace({c_0: CHAIN[c_0]}),
        t_0_closed_form().args[1].xreplace({log(60 * log(6 * T) / delta): ell_T}),
    ).states(),
    Identity("the record's t_0", PRINTED[t_0].args[1], T_0).arithmetic(),
    Inequality(
        "from t_0 on",
        16 * ell * t + 16 * ell**2,
        (x * t) ** 2,
        positive(ell, x, t),
        given=(Ge(t * x**2, 16 * ell + 4 * ell * x),),
        note="x = c_0 and ell = log(60 log(6T)/delta), so A_T = 16 ell and sqrt(B_T) = 4 ell.",
    ).states(),
    note="The root of A_T t + B_T = (c_0 t)^2 is smaller than t_0; the paper calls t_0 the solution.",
)

alpha_t, upper, lower = symbols("alpha_t alpha_upper alpha_lower", positive=True)
DRAWN = (NOISE_WEIGHTS, PAPER.entry("smp-skewed-weights"))
BOUNDS = link(
    "lem-5.5",
    "Bounds of the momentum weight (= Lemma B.3)",
    "L191-200, L459-497",
    r"With probability $1 - \delta$, for all $t \le T$, $\alpha_t$ lies between $\alpha/\sqrt{\alpha^2 + 4 "
    r"\bar{\sigma}^2 t}$ and, from $t_0$ on, $\alpha/\sqrt{\alpha^2 + \underline{\sigma}^2 t}$.",
    ("lem-A.1", "eq-13", "eq-16", "asm-5.2"),
    Identity(
        "Z_k as X_k times its range",
        (RANGE * X + 2 * s) - (4 * BAR - 2 * LOW) * X - 2 * LOW,
        2 * (s - LOW) * (1 - X),
    ),
    Inequality(
        "step (15): the smallest denominator will do",
        (4 * BAR - 2 * LOW) * X + 2 * LOW,
        RANGE * X + 2 * s,
        {X: closed(-1, 1), **nonnegative(s, sigma_bar, sigma_low)},
        given=(Ge(s, LOW), Le(s, BAR)),
    ),
    Inequality(
        "X_k lies in [-1, 1]",
        W - 2 * s,
        RANGE,
        {W: NONNEGATIVE, s: NONNEGATIVE, sigma_bar: POSITIVE},
        given=(Le(W, 4 * BAR), Le(s, BAR)),
    ),
    Inequality(
        "X_k lies in [-1, 1], from below",
        2 * s - W,
        RANGE,
        {W: NONNEGATIVE, s: NONNEGATIVE, sigma_bar: POSITIVE},
        given=(Le(s, BAR),),
    ),
    Inequality(
        "Eq. (14): squares of X_k",
        sqrt(A * x + B),
        sqrt(A * t + B),
        positive(A, B, x, t),
        given=(Le(x, t),),
        note="A, B = A_t, B_t and x = sum X_k^2.",
    ),
    Inequality(
        "lower bound of alpha_t from Eq. (13)",
        alpha / sqrt(alpha**2 + 4 * BAR * t),
        alpha / sqrt(alpha**2 + x),
        positive(alpha, x, t, sigma_bar),
        given=(Le(x, 4 * BAR * t),),
        note="x = sum |g_k - g~_k|^2",
    ),
    Inequality(
        "upper bound of alpha_t from Eq. (15)",
        alpha / sqrt(alpha**2 + x),
        alpha / sqrt(alpha**2 + LOW * t),
        positive(alpha, x, t, sigma_low),
        given=(Le(LOW * t, x),),
    ),
    AlongTrajectory("lower bound, surely", lower, alpha_t, on=DRAWN).states(),
    likely(
        1,
        "upper bound",
        alpha_t,
        upper,
        *DRAWN,
        note="The samplers put 1 before t_0 and alpha/sqrt(alpha^2 + sigma_low^2 t) from there on.",
    ).states(),
    AlongTrajectory("lower bound along runs", alpha / sqrt(alpha**2 + 4 * BAR * t), alpha_t, on=(ONE_LEVEL,)),
)

LEMMAS = (DIFFERENCE, START, BOUNDS)
