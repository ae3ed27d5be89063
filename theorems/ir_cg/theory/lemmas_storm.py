"""The STORM estimator: Lemma 3 (L442-450), Proposition 2 (L452-470), and its form in Theorem 5 (L1018-1022).

What is recorded at t is the error at x_(t-1): there alpha_(t-1) = 2/(t + 1), and the paper's (t + 1) is t.
"""

from sympy import Expr, Rational, Sum, log, sqrt, symbols

from workbench.theory.lemma import (
    UNIT,
    Identity,
    Induction,
    Inequality,
    InExpectation,
    at_least,
    closed,
    nonnegative,
    opened,
    positive,
)
from workbench.theory.vocabulary import sigma_f

from .chain import C_STORM, DELTA, NC, NOISE, ONE_SAMPLE, SMOOTH, likely, link, quantities, t
from .constants import D, L_f, L_g, d, sigma_g, varsigma

err_g, err_g2, sum_ie, e_t = quantities("err_g", "err_g2", "sum_ie", "e_t")
x, y = symbols("x y", positive=True)
a, b, v = symbols("a b v", nonnegative=True)
e_f, e_g = symbols("e_f e_g", nonnegative=True)
diff, eps, noise = symbols("diff eps noise", real=True)
n, i = symbols("n i", integer=True, positive=True)  # upper limit and index of a sum
L, sigma = symbols("L sigma", nonnegative=True)  # smoothness and noise of one level


def storm_printed(L_: Expr, sigma_: Expr) -> Expr:
    """(14) at x_(t-1), with the admissible c."""
    return C_STORM * sqrt(2) * (4 * L_ * D + 3 * sigma_) * sqrt(log(4 * d / DELTA) / t)


def storm_own(L_: Expr, sigma_: Expr) -> Expr:
    """This project's bound for one level."""
    return (4 * L_ * D + 2 * sigma_) * sqrt(2 * log(2 / DELTA) / (3 * t))


STORM = link(
    "own-storm",
    "Error of STORM as a martingale",
    "this project, for L442-450",
    r"With $\alpha_t = 2/(t+2)$ the error at $t$ is $\sum_{s \le t} (s+1) (2 n_s + s d_s)/((t+1)(t+2))$, $n_s$ the "
    r"noise at $x_s$, $d_s$ the centred difference of gradients, $\|d_s\| \le 4 L D/(s+1)$. For noise of norm at most "
    r"$\sigma$ the error's mean square is at most $(2 \sigma + 4 L D)^2/(3 (t+1))$, and Pinelis' inequality bounds its "
    "tail.",
    (NOISE, *SMOOTH),
    Identity(
        "one step of the error",
        (1 - x) * (eps + diff) + x * noise,
        (1 - x) * eps + x * noise + (1 - x) * diff,
    ).own(),
    Identity(
        "weights",
        (1 - 2 / (y + 2)) * y * (y + 1),
        y**2 * (y + 1) / (y + 2),
        note="(1 - alpha_t)/(t (t+1)) = 1/((t+1)(t+2)).",
    ).own(),
    Inequality(
        "size of one increment",
        2 * sigma + y * 4 * L * D / (y + 1),
        2 * sigma + 4 * L * D,
        {**nonnegative(sigma, L), **positive(D, y)},
    ).own(),
    Identity(
        "sum of squared weights",
        Sum(i**2, (i, 1, n)),
        n * (n + 1) * (2 * n + 1) / 6,
        n=n,
        note="i = s + 1, n = t + 1.",
    ).own(),
    Inequality(
        "decay of the variance", (2 * y + 3) / (6 * (y + 1) * (y + 2)), 1 / (3 * (y + 1)), positive(y)
    ).own(),
    InExpectation(
        "mean square, inner level",
        err_g2,
        (2 * sigma_g + 4 * L_g * D) ** 2 / (3 * t),
        on=ONE_SAMPLE,
        note="Slack 1e2 on these runs: no power.",
    ).own(),
    likely("tail, inner level", err_g, storm_own(L_g, sigma_g), uniform=False, on=ONE_SAMPLE).own(),
    note="For additive noise (d_s = 0) the mean square is 4 sigma^2 (2t+3)/(6 (t+1)(t+2)) exactly.",
)

LEM_3 = link(
    "lem-3",
    "Concentration of STORM",
    "Lemma 3, (14), L442-450",
    r"With probability $1 - \delta$ both errors at $t$ are at most "
    r"$c \sqrt{2} (4 L D + 3 \sigma) \sqrt{\log(4 d/\delta)/(t+1)}$.",
    ("own-storm",),
    Inequality(
        "c = 1/sqrt(3) is admissible",
        (4 * L * D + 2 * sigma) ** 2 * Rational(2, 3),
        (C_STORM * sqrt(2)) ** 2 * (4 * L * D + 3 * sigma) ** 2,
        {**nonnegative(L, sigma), **positive(D)},
        note="squares of the factors of sqrt(log); two levels jointly: log(4/delta) in place of log(2/delta).",
    ).repaired("I3"),
    likely(
        "along runs, inner level", err_g, storm_printed(L_g, sigma_g), uniform=False, on=ONE_SAMPLE
    ).repaired("I3"),
    note="Quoted from [4, Lemma 4.1] with its proof omitted; c is not given. Unbounded noise is not covered here.",
    quoted=True,
)


def summed(c: Expr, both: Expr, log_of: Expr) -> Expr:
    return c * both * (t + 1) ** Rational(3, 2) * sqrt(log(log_of * t**2 / DELTA))


SMOOTH_PHI, NOISE_PHI = varsigma * L_f + L_g, varsigma * sigma_f + sigma_g

PROP_2 = link(
    "prop-2",
    "Weighted sum of the errors",
    "Proposition 2, L452-470",
    r"With probability $1 - \delta$, for all $t \ge 1$, $\sum_{i \le t} i e_{i-1}$ is at most $c (4 (\sigma_0 L_f + "
    r"L_g) D + 3 (\sigma_0 \sigma_f + \sigma_g)) (t+1)^{3/2} \sqrt{\log(8 d t^2/\delta)}$.",
    ("lem-3",),
    Induction(
        "sum of square roots",
        Sum(sqrt(i), (i, 1, n)),
        Rational(2, 3) * (n + 1) ** Rational(3, 2),
        n,
        1,
        note="i e_(i-1) is at most sqrt(2 i), times the common factor c (...) sqrt(log(8 d t^2/delta)), by Lemma 3 for "
        "estimator i - 1 at level delta/(i (i+1)).",
    ).states(),
    Inequality(
        "both levels of one estimator",
        a * e_f + e_g,
        b * e_f + e_g,
        nonnegative(a, b, e_f, e_g),
        given=(a <= b,),
        note="a = sigma_(i-1), b = sigma_0, e_f and e_g the errors of the two levels: with the triangle inequality, "
        "the step from L461 (with sigma_(i-1)) to L462.",
    ).states(),
    Inequality(
        "union bound, one term",
        x * (x + 1),
        2 * y**2,
        {x: at_least(1), y: at_least(1)},
        given=(x <= y,),
        note="x = i <= y = t: log(4 d i (i+1)/delta) <= log(8 d t^2/delta).",
    ).states(),
    Inequality("the numbers", sqrt(2) * Rational(2, 3) * x, x, positive(x)).states(),
    Inequality(
        "sigma_i in place of sigma_(i-1)",
        x**2 * eps,
        (x - y) ** 2 * eps,
        {x: opened(0, 1), y: opened(0, 1), eps: closed(0, 1)},
        given=(y < x,),
        witness={x: Rational(1, 2), y: Rational(1, 4), eps: 1},
        note="sigma_(i-1) = x multiplies the error; the printed sigma_i = x - y is smaller.",
    ).refuted("I17"),
    Identity("level of the union bound", Sum(1 / (i * (i + 1)), (i, 1, n)), 1 - 1 / (n + 1), n=n).states(),
    likely(
        "along runs",
        sum_ie,
        summed(C_STORM, 4 * SMOOTH_PHI * D + 3 * NOISE_PHI, 8 * d),
        on=ONE_SAMPLE,
        note="Slack 2e3 on these runs: no power.",
    ).repaired("I3"),
    likely(
        "along runs, explicit",
        sum_ie,
        summed(Rational(2, 3) * sqrt(Rational(2, 3)), 4 * SMOOTH_PHI * D + 2 * NOISE_PHI, 8),
        on=ONE_SAMPLE,
        note="Slack 2e3 on these runs: no power.",
    ).own(),
)

# --- Theorem 5: alpha_t = (t+1)^-omega ------------------------------------------------------------------------------

omega = Rational(6, 7)
LATE_SIZE = 2 * SMOOTH_PHI * D + NOISE_PHI

STORM_5 = link(
    "own-storm-omega",
    "STORM with alpha_t = (t+1)^-omega",
    "this project, for L1018-1022",
    r"The variance proxies $S_t = (1 - \alpha_t)^2 S_{t-1} + (\alpha_t \sigma + 2 (1 - \alpha_t) L D \alpha_{t-1})^2$, "
    r"$S_0 = \sigma^2$, are at most $\alpha_t (\sigma + 2 L D)^2$, so $e_t \le (2 (\sigma_0 L_f + L_g) D + \sigma_0 "
    r"\sigma_f + \sigma_g) \sqrt{2 \log(4/\eta)} (t+1)^{-\omega/2}$ with probability $1 - \eta$: $c = 1$, no "
    r"dimension, no $3^\omega/(\ldots)$.",
    (NOISE, *SMOOTH, "own-power-sum"),
    *(
        Inequality(
            f"(1 - alpha_t) alpha_(t-1) <= alpha_t, omega = {w}",
            (x + 1) ** w,
            x**w + 1,
            positive(x),
            note="multiplied by t^omega (t+1)^omega: the power is subadditive (`own-power-sum` for every omega).",
        ).own()
        for w in (Rational(6, 7), Rational(4, 5))
    ),
    Inequality(
        "size of one increment",
        a * sigma + 2 * (1 - a) * L * D * b,
        a * (sigma + 2 * L * D),
        {a: UNIT, b: UNIT, **positive(D), **nonnegative(sigma, L)},
        given=((1 - a) * b <= a,),
        note="a = alpha_t, b = alpha_(t-1).",
    )
    .own()
    .states(),
    Inequality(
        "the recursion keeps S_t <= alpha_t",
        (1 - a) ** 2 * v + a**2,
        a,
        {a: UNIT, b: UNIT, v: UNIT},
        given=((1 - a) * b <= a, v <= b),
        note="v = S_(t-1) <= b = alpha_(t-1), in units of (sigma + 2 L D)^2; S_0 = sigma^2 <= 1 = alpha_0.",
    )
    .own()
    .states(),
    likely(
        "along runs",
        e_t,
        LATE_SIZE * sqrt(2 * log(4 / DELTA)) * t ** (-omega / 2),
        uniform=False,
        on=(NC,),
    ).own(),
    errata=("I3",),
)

REF_4 = link(
    "ref-4",
    "STORM with alpha_t = (t+1)^-omega, sub-Gaussian noise",
    "L1018-1020, following [4, Lemma 4.1]",
    r"With probability $1 - \eta$, $e_i \le c \sqrt{2} (2 (\sigma_i L_f + L_g) D + 3^\omega/(3^\omega - 1) \cdot "
    r"(\sigma_i \sigma_f + \sigma_g)) (i+1)^{-\omega/2} \sqrt{\log(4 d/\eta)}$.",
    note="Without proof and without a value of c. `own-storm-omega` is the version for almost surely bounded noise.",
    quoted=True,
)

LEMMAS = (STORM, LEM_3, PROP_2, STORM_5, REF_4)
