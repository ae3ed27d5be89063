"""The cost of alpha_t containing the current sample: the repair of E1 and the factor H of E1, E2.

These lines are this project's. Let alpha^p_t be the weight without the current sample, w_t = |g_t - g~_t|^2 <= 4
sigma_bar^2 and S the sum before t. Then alpha_t = alpha^p_t sqrt((alpha^2 + S)/(alpha^2 + S + w_t)), and once S >=
sigma_low^2 (t - 1) the two differ by the factor 2 kappa_sigma^2/(t - 1). The difference of the two averages obeys the
same recursion, with the difference of the weights times |eps_t - Z^p_(t-1)| <= 2 sigma_bar as its input; H bounds how
long an input lives.
"""

from sympy import E, Ge, Le, Rational, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    AlongTrajectory,
    Constant,
    Identity,
    Inequality,
    at_least,
    positive,
)
from workbench.theory.vocabulary import eta, sigma_bar, sigma_low

from . import common
from .chain import AT_BOUNDS, NOISE_WEIGHTS, link
from .common import H, K, t_0

half, rate = symbols("half rate", positive=True)  # bracketed constants
z, v, c, k, u, total = symbols("z v c k u total", positive=True)
square = symbols("square", nonnegative=True)
lifetime, H_seen, distance, adaptivity_half = symbols(
    "lifetime H sum_eta_distance adaptivity_half", nonnegative=True
)  # recorded

PREDICTABLE = link(
    "own-predictable",
    "Distance between alpha_t and its predictable neighbour",
    "this project, for E1",
    r"$\alpha^p_t - \alpha_t$ lies between $0$ and $2 \kappa_\sigma^2/(t - 1)$ times $\alpha^p_t$ once the sum of "
    r"squares has reached $\underline{\sigma}^2 (t - 1)$.",
    ("lem-5.5", "asm-5.2"),
    Inequality(
        "one square more",
        1 - 1 / z,
        half * (z**2 - 1),
        {z: at_least(1)},
        constants=(Constant(half, Rational(1, 2)),),
        note="z^2 = 1 + w_t/(alpha^2 + S), and 1 - 1/z is the difference over alpha^p_t.",
    )
    .states()
    .own("E1"),
    Inequality(
        "the square against the sum",
        square / (2 * total),
        2 * sigma_bar**2 / (sigma_low**2 * k),
        {square: NONNEGATIVE, **positive(total, sigma_bar, sigma_low, k)},
        given=(Le(square, 4 * sigma_bar**2), Ge(total, sigma_low**2 * k)),
        note="square = w_t, total = alpha^2 + S >= sigma_low^2 (t - 1), k = t - 1: the second bound of (z^2 - 1)/2.",
    )
    .states()
    .own("E1"),
)

LIFETIME = link(
    "own-lifetime",
    "How long an input to the momentum lives",
    "this project, for E1 and E2",
    r"$\alpha_k \sum_{t \ge k} \bar{\beta}_{(k+1):t}$ is at most $H$ for $k \ge t_0$.",
    ("lem-5.5",),
    # R_k = sum_{t>=k} bar-beta_((k+1):t) obeys R_k = 1 + bar-beta_(k+1) R_(k+1). With v^2 = 1 + c_2 (k + 1) and
    # w^2 = v^2 + c_2 the bound 1 + v + c_2/2 reproduces itself, going backwards from t = T.
    Inequality(
        "the bound of R_k reproduces itself",
        1 + (1 - 1 / v) * (1 + sqrt(v**2 + c) + half * c),
        1 + v + half * c,
        {v: at_least(1), c: POSITIVE},
        constants=(Constant(half, Rational(1, 2)),),
    ).own("E2"),
    Inequality(
        "roots of 1 + c_2 (k + 1) and 1 + c_1 k",
        100**2 * (1 + c * (k + 1)) * 4 * z**2,
        rate**2 * z**2 * (4 * z**2 + c * k),
        {c: POSITIVE, k: at_least(100), z: at_least(1)},
        constants=(Constant(rate, 201),),
        note="z = kappa_sigma and c_1 = c_2/(4 z^2): sqrt((1 + c_2 (k+1))/(1 + c_1 k)) <= 2.01 z for k >= 100.",
    ).own("E2"),
    Inequality(
        "the last part of H",
        c**2 / 4,
        4 * z**2 * v**2 * (1 + c / (4 * z**2) * k),
        {c: POSITIVE, z: at_least(1), k: at_least(1), v: POSITIVE},
        given=(Ge(4 * v**2 * k, c),),
        note="(c_2/2)/sqrt(1 + c_1 k) <= 2 kappa_sigma v with v = sigma_bar/(alpha sqrt(k)), that is 4 v^2 k = "
        "c_2.",
    ).own("E2"),
    AlongTrajectory("at the bounds of Lemma 5.5", lifetime, H_seen, on=(AT_BOUNDS,)).states().own("E2"),
    errata=("E1",),
)

ADAPTIVITY = link(
    "own-adaptivity",
    "What the non-predictable weight adds to C",
    "this project, for E1",
    r"$2 \sum_t \eta_t \|Z_t - Z^p_t\|$ is at most $2 \eta \bar{\sigma} (4 \sqrt{t_0} + 4 e K + H/2)$.",
    ("own-predictable", "own-lifetime", "lem-G.2a", "lem-5.4"),
    Identity(
        "the term of the repaired C",
        # 2 sigma_bar sum_{t<=t_0} eta_t, the difference at t_0 (Lemma G.2a), and the inputs after t_0.
        2 * (2 * sigma_bar * 2 * eta * sqrt(t_0) + 2 * sigma_bar * 2 * eta * E * K + sigma_bar * eta * H / 2),
        common.adaptivity_error(sigma_bar),
    ).own("E1"),
    Inequality(
        "t_0 is large enough for the last summand",
        72 * z**4,
        8 * (32 * z**4 - 30 * z**2 + 7),
        {z: at_least(1)},
        note="z = kappa_sigma. With log(60 log(6T)/delta) > 5.5 for delta < 1/3, 8 z^2/sqrt(t_0 - 1) is below 1/2.",
    ).own("E1"),
    Inequality(
        "8 kappa^2/sqrt(t_0 - 1) <= 1/2",
        256 * z**4,
        u - 1,
        {z: at_least(1), u: POSITIVE},
        given=(Ge(u, Rational(11, 2) * 72 * z**4),),
        note="squared; z = kappa_sigma and u = t_0.",
    ).own("E1"),
    AlongTrajectory(
        "distance of the two averages",
        distance,
        adaptivity_half,
        on=(NOISE_WEIGHTS,),
        note="slack 130: no power on these runs",
    )
    .states()
    .own("E1"),
)

LEMMAS = (PREDICTABLE, LIFETIME, ADAPTIVITY)
