"""Sums over step sizes and momentum weights: Lemma G.2, L1237-1328.

(a)-(d) hold on the event of Lemma 5.5. Each part is split into the scalar lines of its proof. The sums themselves are
formed along runs and, by the sampler `smp-weights-at-bounds`, with alpha_t, beta_t replaced by their bounds. c_1 =
sigma_low^2/alpha^2 and c_2 = 4 sigma_bar^2/alpha^2, so sqrt(c_2/c_1) = 2 kappa_sigma. At high noise, c_2 > t_0 - 1, the
proof of (c) needs a tail w in place of 3 sqrt(e) (E9).
"""

from sympy import E, Expr, Le, Rational, Sum, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    UNIT,
    AlongTrajectory,
    Constant,
    Identity,
    Induction,
    Inequality,
    at_least,
    closed,
    misprint,
    positive,
)
from workbench.theory.vocabulary import T, alpha, eta, sigma_bar, sigma_low

from .chain import AT_BOUNDS, NOISE_WEIGHTS, factor, k, link, n
from .common import K, kappa_sigma, repair_constants, t_0, w

u, v, y, z, c = symbols("u v y z c", positive=True)
b = symbols("b", nonnegative=True)


# --- right-hand sides, as the theorems take them ----------------------------------------------------------------------

FIRST = 2 * eta * (sqrt(t_0 - 1) - 1 + E * K)  # (b)
MOVED = 2 * eta**2 * ((t_0 - 1) * (1 + E * K) + E * (sqrt(kappa_sigma) + 2 * kappa_sigma) * log(T))  # (d)
SQUARED = eta**2 * (1 + log(T))  # (e)


def noise_sum(bar: Expr, tail: Expr) -> Expr:
    """(c), with kappa/sigma_low written as kappa^2/sigma_bar; `tail` is w after E9."""
    return eta * (t_0 - 1 + 2 * E * sqrt(t_0 - 2) * K + tail * kappa_sigma**2 * alpha / bar * log(T))


def formed(part: str) -> AlongTrajectory:
    """The whole sum of a part against its bound, both delivered by the samplers."""
    lhs, rhs = symbols(f"lhs_{part} rhs_{part}", nonnegative=True)
    return AlongTrajectory("whole sums", lhs, rhs, on=(AT_BOUNDS, NOISE_WEIGHTS)).states()


HARMONIC = Induction("harmonic sum", Sum(1 / k, (k, 1, n)), 1 + log(n), n, 1)

INPUT = link(
    "lem-G.2a",
    "Decay of an input",
    "L1247, L1269-1275",
    r"For $a \ge t_0$ the sum of $\eta_t \beta_{a:t}$ over $t \ge a$ is at most $2 \eta e \sqrt{\kappa_\sigma} "
    r"((a-1)^{-1/2} + 2 \sqrt{\bar{\sigma}/\alpha} (a-1)^{-1/4})$.",
    ("lem-5.5", "lem-G.1b"),
    Inequality(
        "(4 kappa^2)^(1/4) <= 2 sqrt(kappa)",
        sqrt(2) * z,
        factor * z,
        {z: at_least(1)},
        constants=(Constant(factor, 2),),
        note="z = sqrt(kappa_sigma); sqrt(2) would do.",
    ),
    Inequality(
        "the exponent is at most 1",
        2 / (u + v),
        1,
        {u: at_least(1), v: at_least(1)},
        note="u, v = sqrt(1 + a c_2), sqrt(1 + (a-1) c_2): their difference over c_2/2 is 2/(u + v).",
    ),
    Inequality(
        "fourth root of a sum",
        1 + 4 * b**4,
        (1 + factor * b) ** 4,
        {b: NONNEGATIVE},
        constants=(Constant(factor, 2),),
        note="b^4 = (sigma_bar/alpha)^2 (a - 1); sqrt(2) would do.",
    ),
    Identity(
        "the factor exp(1)",
        2 * (sqrt(1 + z * c) - sqrt(1 + (z - 1) * c)) / c,
        2 / (sqrt(1 + z * c) + sqrt(1 + (z - 1) * c)),
        note="c = c_2 = 4 sigma_bar^2/alpha^2, z = a: the exponent of L1271.",
    ),
    Inequality(
        "powers of a - 1 dropped",
        z ** Rational(-1, 2) + b * z ** Rational(-1, 4),
        1 + b,
        {z: at_least(1), b: NONNEGATIVE},
        note="z = a - 1, b = 2 sqrt(sigma_bar/alpha)",
    ),
    formed("a"),
    note="The mutant with exponent 47/12 in place of 4 is false only for b > 10^7.",
)

ROOTS = link(
    "step-G.2b",
    "Sum before t_0 in the proof of Lemma G.2(b)",
    "L1283",
    r"The sum of $t^{-1/2}$ over $t < t_0$ is at most $2 (\sqrt{t_0 - 1} - 1)$.",
    (),
    *(
        check.states()
        for check in misprint(
            "E11",
            Induction("sum of t^(-1/2) up to t_0 - 1", Sum(1 / sqrt(k), (k, 1, n)), 2 * (sqrt(n) - 1), n, 1),
            "sum of t^(-1/2), one less",
            bound=2 * sqrt(n) - 1,
        )
    ),
    Inequality(
        "the factor (t_0 - 1)^(-1/4) pays for it",
        2 * y**2 - 1 + 2 * E * K / y,
        2 * (y**2 - 1 + E * K),
        {y: at_least(2), K: at_least(1)},
        note="y = (t_0 - 1)^(1/4) >= 2, since t_0 > 400 always; the proof drops 1/y one line earlier.",
    ).repaired("E11"),
)

EARLY = link(
    "lem-G.2b",
    "Weight of the first error",
    "L1251, L1277-1284",
    r"The sum of $\eta_t \beta_{2:t}$ is at most $2 \eta (\sqrt{t_0 - 1} - 1 + e K)$.",
    ("lem-G.2a", "step-G.2b"),
    Inequality(
        "Lemma G.2(a) at a = t_0",
        z**-2 + b / z,
        (1 + b) / z,
        {z: at_least(1), b: NONNEGATIVE},
        note="z = (t_0 - 1)^(1/4), b = 2 sqrt(sigma_bar/alpha); L1279 ends without the factor 1/z.",
    ),
    Identity("collected", FIRST, 2 * eta * (sqrt(t_0 - 1) - 1) + 2 * eta * E * K, note="L1279, L1283"),
    formed("b"),
)

AT_T_0 = link(
    "step-G.2c",
    "Use of Lemma G.1(c) in the proof of Lemma G.2(c)",
    "L1286-1289",
    "The condition of Lemma G.1(c) holds at $a = t_0$, $p = 1$, $q = 1/2$, whatever the noise.",
    ("lem-G.1c",),
    *(
        check.states()
        for check in misprint(
            "E9",
            Inequality(
                "condition of Lemma G.1(c) at a = t_0, p = 1, q = 1/2",
                c**2,
                1 + (b - 1) * c,
                {c: POSITIVE, b: at_least(400)},
                note="(1/2) c_2 (1 + (t_0 - 1) c_2)^(-1/2) <= 1/2, b = t_0: fails at high noise, 4 sigma_bar^2/alpha^2 "
                "> t_0.",
                witness={c: Rational(1600), b: Rational(659)},
            ),
            "the same for c_2 <= t_0 - 1",
            given=(Le(c, b - 1),),
        )
    ),
    # w: for t <= 1 + c_2 the sum of bar-alpha_k^2 alone, beyond it Lemma G.1(c) as corrected.
    Inequality(
        "before 1 + c_2",
        sqrt(1 + c * (y + 1)),
        factor / 1000 * c,
        {c: closed(400, 10**9), y: closed(1, 10**9)},
        given=(Le(y, 1 + c),),
        constants=(Constant(factor, 1003),),
        note="y = t, so sum bar-alpha^2 <= (4 kappa^2/c_2) log T is at most 4.2 kappa^2 log T (1 + c_2 (t+1))^(-1/2).",
    ).repaired("E9"),
    Identity(
        "w of the record beyond that",
        sqrt((8 * E + Rational(42, 10) * log(T)) / 2),
        dict(repair_constants(sigma_bar))[w].args[1][0],
    ).repaired("E9"),
    note="Where it fails, 3 sqrt(e) becomes w = sqrt(4 e + 2.1 log T) in C.",
)

NOISE = link(
    "lem-G.2c",
    "Weight of the noise",
    "L1255, L1286-1306",
    r"The sum of $\eta_t \sqrt{\sum_k \bar{\beta}_{(k+1):t}^2 \bar{\alpha}_k^2}$ is at most $\eta (t_0 - 1 + 2 e "
    r"\sqrt{t_0 - 2} K + 3 \sqrt{e} (\kappa_\sigma \alpha/\underline{\sigma}) \log T)$.",
    ("lem-G.1c", "lem-G.2a", "step-G.2c"),
    Inequality(
        "3 sqrt(e) from 12 e kappa^2",
        sqrt(12) * b,
        factor * sqrt(2) * b,
        {b: NONNEGATIVE},
        constants=(Constant(factor, 3),),
        note="sqrt(12) (c_1 c_2)^(-1/4) = sqrt(6) alpha/sqrt(sigma_low sigma_bar); G.1(c) gives 8 in place of 12.",
    ),
    Inequality(
        "the exponent is at most 1",
        2 * (sqrt(1 + c) - 1) / c,
        1,
        {c: POSITIVE},
        note="c = c_2",
    ),
    Inequality(
        "the weights of step and noise",
        u * v * y**2,
        (1 + u * y) * (1 + v * (y + 1)),
        positive(u, v, y),
        note="u, v = c_1, c_2, y = t; to the power -1/4, with (c_1 c_2)^(-1/4) = alpha/sqrt(2 sigma_low sigma_bar).",
    ),
    Inequality(
        "before t_0",
        eta * sqrt((y - 1) / y),
        eta,
        {eta: POSITIVE, y: at_least(1)},
        note="y = t, and each of the t - 1 squares is at most 1.",
    ),
    Inequality(
        "root of a sum of two",
        sqrt(b * y**2 + v),
        sqrt(b) * y + sqrt(v),
        {b: NONNEGATIVE, **positive(y, v)},
        note="b = t_0 - 2, y = beta_(t_0:t), v the second sum.",
    ),
    Identity(
        "collected",
        noise_sum(sigma_bar, 3 * sqrt(E)).xreplace({kappa_sigma: sigma_bar / sigma_low}),
        eta * (t_0 - 1)
        + sqrt(t_0 - 2) * 2 * eta * E * K
        + 3 * eta * sqrt(E) * sigma_bar / sigma_low * alpha / sigma_low * log(T),
        note="L1294, L1300",
    ),
    HARMONIC,
    formed("c"),
    note="8 would suffice in place of 12. No run violated the printed sum; only its proof is incomplete.",
)

DRIFT = link(
    "lem-G.2d",
    "Weight of the drift",
    "L1259, L1308-1324",
    r"The sum of $\eta_t \sum_k \eta_{k-1} \beta_{k:t}$ is at most $2 \eta^2 ((t_0 - 1)(1 + e K) + e "
    r"(\sqrt{\kappa_\sigma} + 2 \kappa_\sigma) \log T)$.",
    ("lem-5.5", "lem-G.2a"),
    Induction("inner sum before t_0", Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n), n, 1),
    Induction("sum before t_0", Sum(2 * sqrt((k - 1) / k), (k, 1, n)), 2 * n, n, 1),
    Identity(
        "weight of the terms after t_0",
        sqrt(v / u) * 2 * sqrt(v / y) * sqrt(y / u),
        2 * v / u,
        note="u, v, y = sigma_low, sigma_bar, alpha: sqrt(kappa) 2 sqrt(sigma_bar/alpha) sqrt(alpha/sigma_low) = "
        "2 kappa.",
    ),
    Inequality(
        "one term after t_0",
        eta * b / y**2 * (1 / y**2 + 2 * v / (z * y)),
        eta * (1 + 2 * v / u) / y**4,
        {b: UNIT, y: at_least(1), **positive(eta, u, v, z)},
        given=(Le(b * u * y, z),),
        note="y = k^(1/4); u, v, z = roots of sigma_low, sigma_bar, alpha; b = sqrt(alpha_k) <= z/(u y). The exponents "
        "are those of Lemma G.2(a).",
    ),
    HARMONIC,
    Identity(
        "collected",
        MOVED,
        2 * eta**2 * (t_0 - 1)
        + eta * (t_0 - 1) * 2 * eta * E * K
        + 2 * eta**2 * E * sqrt(kappa_sigma) * (1 + 2 * sqrt(kappa_sigma)) * log(T),
        note="L1312 with Lemma G.2(a), L1320",
    ),
    formed("d"),
)

SQUARES = link(
    "lem-G.2e",
    "Sum of squared steps",
    "L1263, L1326-1328",
    r"The sum of $\eta_t^2$ is at most $\eta^2 (1 + \log T)$.",
    (),
    Inequality(
        "alpha_t is at most 1", alpha / sqrt(alpha**2 + b), 1, {alpha: POSITIVE, b: NONNEGATIVE}
    ).states(),
    HARMONIC.states(),
    formed("e"),
    note="eta_t^2 is eta^2 alpha_t/t, so the first two lines are the statement.",
)

LEMMAS = (INPUT, ROOTS, EARLY, AT_T_0, NOISE, DRIFT, SQUARES)
