"""From the potentials to the theorems: sums over t, (60)-(70) and (85)-(96), the last steps. L97, L101.

mean: (1/T) sum of E[Phi_t/(4 rho^2) + |x~ - x_t|^2/(4 gamma^2)]; power: (m + T)^(1/2) or (m + T)^(1/3). A theorem's
last step takes (61) or (87) with its constant G or M; the errata of the constant are those of the lines before.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Add, Eq, Expr, IndexedBase, Integer, Le, Rational, Sum, Symbol, log, sqrt, symbols

from workbench.theory.lemma import (
    Identity,
    Induction,
    Inequality,
    InExpectation,
    Interval,
    above,
    at_least,
    closed,
    misprint,
    positive,
)
from workbench.theory.record import Form, Theorem

from . import symbols as s
from . import theorem_1, theorem_2
from .chain import ADAPTIVE, DESCENT, MOMENTUM, RECURSIVE, inequality, link
from .lemmas_preliminary import along_runs
from .symbols import L_0, T, b_1, b_u, c_1, c_2, gamma, k, lam, m, mu_g, rho, sigma

HALF, THIRD, QUARTER, SIXTH = Rational(1, 2), Rational(1, 3), Rational(1, 4), Rational(1, 6)
n, i = (Symbol(name, integer=True, positive=True) for name in ("n", "i"))
offset = Symbol("m", positive=True)
ALL_M = {offset: above(0)}


def total(power: Rational) -> Sum:
    return Sum((offset + i) ** power, (i, 1, n))


z = Symbol("z", positive=True)
SUMS = link(
    "eq-sums",
    "Sums of powers of the steps",
    "after (60), L97; (86), L101",
    r"The sum over $t \le T$ of $1/(m + t)$ is at most $\ln((m + T)/m)$; those of $(m + t)^{1/2}$, $(m + t)^{-1/2}$, "
    "$(m + t)^{-1/3}$ are at most $(2/3) (m + T + 1)^{3/2}$, $2 (m + T)^{1/2}$, $(3/2) (m + T)^{2/3}$.",
    (),
    Induction("sum of 1/(m + t), m > 0", total(Integer(-1)), log(offset + n), n, 1, ALL_M).refuted("O-10"),
    Inequality(
        "one summand of 1/(m + t)",
        z / (1 + z),
        log(1 + z),
        positive(z),
        note="z = 1/(m + t - 1): 1/(m + t) <= ln((m + t)/(m + t - 1)); the logarithms telescope to ln((m + T)/m), "
        "which is "
        "at most ln(m + T) for m >= 1.",
    )
    .states()
    .repaired("O-10"),
    *misprint(
        "O-6",
        Induction(
            "sum of 1/eta_t, to T",
            total(HALF),
            Rational(2, 3) * (offset + n) ** Rational(3, 2),
            n,
            1,
            {offset: at_least(1)},
            note="times 1/k",
        ),
        "sum of 1/eta_t, to T + 1",
        bound=Rational(2, 3) * (offset + n + 1) ** Rational(3, 2),
        shows="statement",
    ),
    Induction(
        "sum of eta_t, Theorem 1", total(-HALF), 2 * sqrt(offset + n), n, 1, ALL_M, note="times k"
    ).states(),
    Induction(
        "sum of eta_t, Theorem 2",
        total(-THIRD),
        Rational(3, 2) * (offset + n) ** (2 * THIRD),
        n,
        1,
        ALL_M,
        note="times k",
    ).states(),
    note="The statement is that of this project's bounds; the text prints ln(m + T) and (2/3) (m + T)^(3/2).",
)

# ------------------------------------------------------------------------------------------- (60), (61); (86), (87)

mean, start, sum_noise, sum_inverse, sum_steps = symbols(
    "mean start sum_noise sum_inverse sum_steps", nonnegative=True
)
power, power_next, ell = symbols("power power_next ell", positive=True)  # (m+T)^p, (m+T+1)^(1/2), ln((m+T)/m)
distance_sq, variance_v, variance_w = symbols("distance_sq variance_v variance_w", nonnegative=True)
eta_0, last_eta, eta_i = symbols("eta_0 last_eta eta_i", positive=True)
term = Symbol("term", nonnegative=True)
GAMMA_1 = s.Delta_1 + 5 * b_u * L_0**2 * gamma * s.Delta_0 / (lam * mu_g * rho)
ADDED_G = Add(*(value for _, value in theorem_1.repaired_terms_of_g()))
ADDED_M = Add(*(value for _, value in theorem_2.repaired_terms_of_m()))
ROOTS: dict[Expr, Expr] = {
    log(1 + T / m): ell,
    sqrt(m + T): power,
    (m + T + 1) ** Rational(3, 2): power_next**3,
    (m + T) ** (2 * THIRD): power**2,
}
root = Symbol("root", positive=True)  # m^(1/3)
RECORD_G, RECORD_M = ADDED_G.xreplace(ROOTS), ADDED_M.xreplace({**ROOTS, m**THIRD: root})


def start_value(eta_before: Expr | int) -> Inequality:
    """Gamma_1 or Theta_1, whose last bracket is divided by eta_0."""
    return inequality(
        "the start of the potential",
        s.Delta_1
        + 5 * b_u * L_0**2 * gamma / (lam * mu_g * rho) * distance_sq
        + gamma / (rho * eta_before) * (variance_v + variance_w),
        GAMMA_1 + 2 * gamma * sigma**2 / (rho * eta_before),
        Le(distance_sq, s.Delta_0),
        Le(variance_v, sigma**2),
        Le(variance_w, sigma**2),
        note="less F*; the variances by Assumption 6 (the text says 2). b_1 in place of b_u as printed.",
    )


t = Symbol("t", positive=True)
SEEN: dict[Symbol, Expr] = {
    T: t,
    sigma: Symbol("sigma_6", nonnegative=True),
    b_u: Symbol("b_0", positive=True),
}
G_SEEN = theorem_1.REPAIRED.in_parameters(s.G).xreplace(SEEN)
M_SEEN = theorem_2.REPAIRED.in_parameters(s.M).xreplace(SEEN)


def on_average(number: str, summed: str, bound: Expr, on: str, note: str = "") -> InExpectation:
    """A sum over the steps so far, whose mean is at most ``bound``: the line with T = t, for which K is long enough."""
    line = InExpectation(
        f"{number} along runs, repaired", Symbol(summed, real=True), bound, on=(on,), note=note
    )
    return line.repaired("O-6")


NO_POWER = "Slack above 100: no power on these runs."
SUMMED_NOTE = (
    "mean: (1/T) sum of E[Phi_t/(4 rho^2) + |x~ - x_t|^2/(4 gamma^2)]. The first condition is the sum of the "
    "potential's "
    "line over t <= T, in which eta_T <= eta_t, with |R_t| <= 1/T; the others are the lines before."
)
k_1 = Symbol("k", positive=True)
m_1 = Symbol("m", positive=True)
FROM_1 = {m_1: at_least(1)}
potential = IndexedBase("potential")
TELESCOPED = Identity(
    "a sequence telescopes",
    Sum(potential[i] - potential[i + 1], (i, 1, n)),
    potential[1] - potential[n + 1],
    n,
    note="Gamma_t and Theta_t, of which the last one is at least F*; and ln(m + t - 1) up to the sign.",
)
LEAST_STEP = inequality(
    "eta_T <= eta_t",
    last_eta * term,
    eta_i * term,
    Le(last_eta, eta_i),
    note="each summand of the left side, which is not negative.",
)
eta_1 = Symbol("eta", positive=True)
LINE_61 = link(
    "eq-61",
    "The squared metric of BiAdam on average",
    "(60), (61), L97",
    r"$(1/T) \sum_{t \le T} \mathbb{E}[\Phi_t/(4 \rho^2) + \|\tilde{x} - x_t\|^2/(4 \gamma^2)]$ is at most "
    "$(G/T) (m + T)^{1/2}$.",
    ("eq-59", "eq-sums", "lem-3", "asm-6"),
    TELESCOPED,
    LEAST_STEP,
    start_value(1),
    *misprint(
        "O-6",
        inequality(
            "the terms of R at T = 1",
            4 / (3 * eta_1**2) + 4,
            (4 * (m_1 + 1) / (9 * k_1) + 8 * k_1) * power,
            Eq(power**2, m_1 + 1),
            Eq(eta_1 * power, k_1),
            box=FROM_1,
            note="(1/(T eta_T)) (2 (|R_t|^2 + |R_(t+1)|^2)/(3 eta_t) + 4 eta_t |R_t|^2) at |R| = 1/T, against the "
            "printed "
            "terms of G times (m + T)^(1/2)/T.",
        ),
        "the terms of R at T = 1, repaired",
        rhs=(8 * (m_1 + 2) * power / (9 * k_1**2) + 8 * power) * power,
    ),
    inequality(
        "(61), repaired",
        mean,
        RECORD_G * power / T,
        Le(
            mean,
            power
            / (T * k * rho**2)
            * (
                rho / gamma * start
                + (c_1**2 + c_2**2) * sigma**2 * sum_noise
                + 4 / (3 * T**2) * sum_inverse
                + 4 / T**2 * sum_steps
            ),
        ),
        Le(start, GAMMA_1 + 2 * gamma * sigma**2 / rho),
        Le(sum_noise, k**2 * ell),
        Le(sum_inverse, Rational(2, 3) / k * power_next**3),
        Le(sum_steps, 2 * k * power),
        note=f"{SUMMED_NOTE} G: the record's.",
        budget=15,
    )
    .states()
    .repaired("O-6"),
    Identity(
        "the printed terms of G",
        (
            rho
            / gamma
            * (
                s.Delta_1
                + 5 * b_1 * L_0**2 * gamma * s.Delta_0 / (lam * mu_g * rho)
                + 2 * gamma * sigma**2 / rho
            )
            + 2 * m * sigma**2 / k**2 * k**2 * log(m + T)
        )
        * power
        / (T * k)
        + Rational(4, 9) * (m + T) * power / (k * T**3)
        + 8 * k * power / T**2,
        rho**2 * Add(*(value for _, value in theorem_1.terms_of_g(b_1))) * power / T,
        note="last two lines of the chain after (60), power = (m + T)^(1/2); G as printed, times rho^2.",
    ),
    on_average("(61)", "sum_parts", G_SEEN * sqrt(m + t), MOMENTUM),
)
LINE_87 = link(
    "eq-87",
    "The squared metric of VR-BiAdam on average",
    "(86), (87), L101",
    r"$(1/T) \sum_{t \le T} \mathbb{E}[\Phi_t/(4 \rho^2) + \|\tilde{x} - x_t\|^2/(4 \gamma^2)]$ is at most "
    "$(M/T) (m + T)^{1/3}$.",
    ("eq-84", "eq-sums", "lem-3", "asm-6"),
    start_value(eta_0),
    *misprint(
        "O-6",
        inequality(
            "the term of R at T = 1",
            Integer(4),
            6 * k_1 * power**2,
            Eq(power**3, m_1 + 1),
            box={m_1: at_least(2), power: closed(1, 100)},
            note="(1/(T eta_T)) 4 eta_t |R_t|^2 at |R| = 1/T, against the printed term of M times (m + T)^(1/3)/T.",
        ),
        "the term of R at T = 1, repaired",
        rhs=6 * power**3,
    ),
    inequality(
        "(87), repaired",
        mean,
        RECORD_M * power / T,
        Le(
            mean * T * k * rho**2 / power,
            rho / gamma * start + 2 * (c_1**2 + c_2**2) * sigma**2 * sum_noise + 4 / T**2 * sum_steps,
        ),
        Le(start, GAMMA_1 + 2 * gamma * sigma**2 * root / (rho * k)),
        Le(sum_noise, k**3 * ell),
        Le(sum_steps, Rational(3, 2) * k * power**2),
        note=f"{SUMMED_NOTE} M: the record's; 1/eta_0 = m^(1/3)/k.",
    )
    .states()
    .repaired("O-6"),
    Identity(
        "the printed terms of M",
        (
            rho / gamma * (s.Delta_1 + 5 * b_1 * L_0**2 * gamma * s.Delta_0 / (lam * mu_g * rho))
            + 2 * sigma**2 * root / k
            + 2 * (c_1**2 + c_2**2) * sigma**2 * k**3 * log(m + T)
        )
        * power
        / (T * k)
        + 6 * k * power**2 / T**2,
        rho**2
        * Add(*(value for _, value in theorem_2.terms_of_m(b_1))).xreplace(
            {m**THIRD: root, (m + T) ** THIRD: power}
        )
        * power
        / T,
        note="last two lines of (86), power = (m + T)^(1/3), root = m^(1/3); M as printed, times rho^2.",
    ),
    on_average("(87)", "sum_parts", M_SEEN * (m + t) ** THIRD, RECURSIVE),
)

# ------------------------------------------------------------------------------------------- Theorems 1 and 2

u_1, u_2, u_3 = symbols("u_1 u_2 u_3", real=True)
metric, parts, bias = symbols("metric parts bias", nonnegative=True)
g, a, tau, whole = symbols("g a tau whole", positive=True)  # sqrt(3 G); m, T, m + T to the power 1/4 or 1/6


# The O-2 instance of `tests/biadam/test_errata.py`: f = (a/2) x^2 with a = 3/20, g = y^2/2 - c x y with c = 1/4,
# x_1 = 0, y_1 = 1, rho = b_1 = b_l = 1, lambda = 1/6. Then x_t = 0, and y_t falls by at most lambda eta_t/b_t in each
# step.
FLAT: Mapping[Symbol, Any] = {
    mu_g: 1, s.L_g: 1, s.L_f: Rational(3, 20), s.L_gxy: 0, s.L_gyy: 0, s.C_gxy: QUARTER, s.C_fy: Rational(1, 10**9),
    sigma: 0, s.sigma_fy: 0, s.sigma_gxy: 0, rho: 1, s.b_l: 1, b_1: 1, s.Delta_1: 0, s.d_1: 1, lam: SIXTH,
    gamma: Rational(1, 10**9), T: 10**6,
}  # fmt: skip
L_0_FLAT = sqrt(Rational(153, 800))


def exceeded(theorem: Theorem, title: str, free: Mapping[Symbol, Any], travelled: Expr, note: str) -> tuple:
    """The printed bound against calG_t of the O-2 instance; ``travelled``: (sum of eta_t for t <= 10^6)/b_u at most."""
    form: Form = theorem.form()
    values = {**FLAT, **free}
    bound = form.in_parameters().subs(values)
    return misprint(
        "O-2",
        Inequality(
            f"{title}, b_t = b_u from t = 2 on",
            L_0_FLAT * (1 - SIXTH * travelled),
            bound,
            {b_u: closed(1, 10**6)},
            witness={b_u: 10**6},
            note=note,
        ).states(),
        f"{title}, b_t = b_u from t = 2 on, b_u for b_1",
        rhs=form.in_parameters().subs({**values, b_1: b_u}),
        shows="line",
    )


INSTANCE = (
    "f = 3 x^2/40, g = y^2/2 - x y/4, x_1 = 0, y_1 = 1, b_1 = 1, lambda = 1/6, T = 10^6: calG_t = L_0 |y_t| >= L_0 (1 "
    "- "
    "lambda sum eta_s/b_s)"
)
THREE = inequality(
    "Jensen: three terms", (u_1 + u_2 + u_3) ** 2, 3 * (u_1**2 + u_2**2 + u_3**2), note="then over t and E."
)


def last_step(order: int, early: int) -> tuple:
    """(62)-(64) or (88)-(90): m, T, m + T are the powers ``order`` of a, tau, whole; T^(1/2) = tau^early."""
    squares = Le(mean, g**2 / 3 * whole**2 / tau**order)
    summed = Le(metric, 2 * parts + sqrt(2) * bias / rho)
    rate = 2 * g * (a + tau) / tau**early
    name = {4: ("(62)", "(63)", "(64)"), 6: ("(88)", "(89)", "(90)")}[order]
    return (
        THREE,
        inequality(
            f"{name[0]}: from squares to the mean",
            parts,
            g * whole / tau**early,
            Le(parts**2, 3 * mean),
            squares,
            note="parts: mean of half of calG_t with R_t taken out of the error of w; g = sqrt(3 G), by (61) or (87).",
        ),
        inequality(
            f"(a + b)^(1/{order})",
            whole,
            a + tau,
            Le(whole**order, a**order + tau**order),
        ),
        inequality(name[1], 2 * parts, rate, Le(parts, g * whole / tau**early), Le(whole, a + tau)),
        *misprint(
            "O-7",
            inequality(
                name[2],
                metric,
                rate + sqrt(2) / tau**order,
                summed,
                Le(2 * parts, rate),
                Le(bias, 1 / tau**order),
                note="bias: mean of |R_t|, at most 1/T.",
            ),
            f"{name[2]}, repaired",
            rhs=rate + sqrt(2) / (rho * tau**order),
            shows="statement",
        ),
    )


THM_1 = link(
    "thm-1",
    "BiAdam, constrained",
    "L49; Theorem 5, L97",
    r"The mean of $\mathbb{E}\|G_X(x_t, \nabla F(x_t), \gamma)\|$ is at most that of $\mathbb{E}\,\mathcal{G}_t$, "
    "which is at most the bound with $G$.",
    ("eq-11", "eq-61", "lem-3"),
    *exceeded(
        theorem_1.THEOREM,
        "BiAdam",
        {k: 10, m: 2025, c_1: Rational(9, 2), c_2: Rational(9, 2)},
        10 / sqrt(2026) + 20 * sqrt(2025 + 10**6) / b_u,
        f"{INSTANCE}, as 0 <= v_t <= 1; k = 10, m = 2025, c_1 = c_2 = 9/2.",
    ),
    *last_step(4, 2),
)
THM_2 = link(
    "thm-2",
    "VR-BiAdam, constrained",
    "L53; Theorem 7, L101",
    r"The mean of $\mathbb{E}\|G_X(x_t, \nabla F(x_t), \gamma)\|$ is at most that of $\mathbb{E}\,\mathcal{G}_t$, "
    "which is at most the bound with $M$.",
    ("eq-11", "eq-87", "lem-3"),
    *exceeded(
        theorem_2.THEOREM,
        "VR-BiAdam",
        {k: 1, m: 138, c_1: Rational(31, 6), c_2: Rational(31, 6)},
        139**-THIRD + Rational(3, 2) * Integer(138 + 10**6) ** (2 * THIRD) / b_u,
        f"{INSTANCE}, as v_t = y_t; k = 1, m = 138, c_1 = c_2 = 2/3 + 9/2, K = 1.",
    ),
    *last_step(6, 3),
)

# ------------------------------------------------------------------------------------------- Theorems 3 and 4

grad, w_norm, mapped, n_w, size = symbols("grad w_norm mapped n_w size", nonnegative=True)
dist, error, R_norm, square, rms, root_mean = symbols(
    "dist error R_norm square rms root_mean", nonnegative=True
)
h = Symbol("h", positive=True)  # sqrt(6 G') or sqrt(6 M')
GRADIENT = link(
    "eq-68",
    "The metric bounds the gradient",
    "(67), (68), L97; (94), L101",
    r"With $X = \mathbb{R}^d$, $\|\nabla F(x_t)\|$ is at most $\|A_t\| \mathcal{G}_t$.",
    ("lem-5", "asm-7"),
    inequality(
        "(67)",
        grad / size,
        metric,
        Le(grad, w_norm + n_w),
        Le(w_norm, size * mapped),
        Le(mapped + n_w / rho, metric),
        Le(rho, size),
        box={size: above(0)},
        note="n_w = |grad F - w|, mapped = |x~ - x_t|/gamma = |A^-1 w|, size = |A_t| >= rho; the third condition is "
        "Lemma 7.",
    ),
    inequality("(68)", grad, size * metric, Le(grad / size, metric), box={size: above(0)}).states(),
    along_runs("grad_t", "rhs_68", DESCENT, ADAPTIVE),
)


def mean_square(name: str, order: int) -> Inequality:
    """(70) or (96): the mean of calG_t^2, from (61) or (87); G or M = h^2/(6 rho^2)."""
    return inequality(
        f"{name}: (61) or (87) inserted",
        square,
        4 * h**2 / rho**2 * whole**2 / tau**order + 12 / (rho**2 * tau ** (2 * order)),
        Le(square, 24 * mean + 12 * R_norm**2 / rho**2),
        Le(mean, h**2 / (6 * rho**2) * whole**2 / tau**order),
        Le(R_norm, 1 / tau**order),
        note="24 G (m + T)^p/T + 12/(rho^2 T^2), G' = rho^2 G = h^2/6; R_norm: root of the mean of |R_t|^2.",
    )


SQUARED = link(
    "eq-70",
    "The squared metric in one step",
    "(70), L97; (96), L101",
    r"$\mathcal{G}_t^2$ is at most "
    r"$24 (\Phi_t/(4 \rho^2) + \|\tilde{x} - x_t\|^2/(4 \gamma^2)) + 12 \|R_t\|^2/\rho^2$.",
    (),
    inequality(
        "three terms",
        metric**2,
        3 * L_0**2 * dist**2 / rho**2 + 6 * error**2 / rho**2 + 3 * mapped**2,
        Le(metric, mapped + (L_0 * dist + sqrt(2) * error) / rho),
        note="mapped = |x~ - x_t|/gamma, dist = |y_t - y*|, error = |w - grad f|.",
    ),
    inequality(
        "R_t taken out",
        metric**2,
        24 * ((L_0**2 * dist**2 + 2 * size**2) / (4 * rho**2) + mapped**2 / 4) + 12 * R_norm**2 / rho**2,
        Le(metric**2, 3 * L_0**2 * dist**2 / rho**2 + 6 * error**2 / rho**2 + 3 * mapped**2),
        Le(error, size + R_norm),
        note="size = |w - grad f - R_t|, R_norm = |R_t|; Phi_t = L_0^2 dist^2 + 2 size^2.",
    ).states(),
)


def root_step(name: str, order: int, early: int, squared: bool) -> Inequality:
    """The theorem's bound from (69) and (70); squared: a^2 (sqrt(m) for order 4) as printed, or a."""
    printed = a ** (order // 2) if squared else a
    return inequality(
        name,
        grad,
        rms / rho * (2 * h * (printed + tau) / tau**early + 2 * sqrt(3) / tau**order),
        Le(grad, rms * root_mean),
        Le(root_mean, (2 * h * whole / tau**early + 2 * sqrt(3) / tau**order) / rho),
        Le(whole, printed + tau),
        note="(69) is Cauchy-Schwarz; rms = root of the mean of E|A_t|^2.",
    )


def unconstrained(order: int, early: int, numbers: tuple[str, str]) -> tuple:
    """The checks of Theorem 3 or 4, whose last step is that of the proof."""
    square_line, last = numbers
    power = order // 2
    return (
        mean_square(square_line, order),
        inequality(
            "root of a sum",
            root_mean,
            (2 * h * whole / tau**early + 2 * sqrt(3) / tau**order) / rho,
            Le(
                root_mean**2,
                4 * h**2 / rho**2 * whole**2 / tau ** (2 * early) + 12 / (rho**2 * tau ** (2 * order)),
            ),
        ),
        inequality(
            f"(m + T)^(1/{order}) <= m^(1/2) + T^(1/{order})",
            whole,
            a**power + tau,
            Le(whole**order, a**order + tau**order),
            box={tau: at_least(1)},
            note="whatever m > 0 is, as T >= 1.",
        ),
        root_step(f"{last}, with sqrt(m) as printed", order, early, True),
        root_step(last, order, early, False).states().repaired("O-12"),
    )


ema, seen_sq, G_sq, average, moment = symbols("ema seen_sq G_sq average moment", nonnegative=True)
REMARK = (
    inequality(
        "Remarks 3 and 4: the mean (4) of squares",
        ema * average + (1 - ema) * seen_sq,
        G_sq,
        Le(average, G_sq),
        Le(seen_sq, G_sq),
        box={ema: Interval(0, 1)},
        note="each coordinate of w~_t from w~_(t-1) = average and one square, at most G_1^2.",
    ),
    inequality(
        "Remarks 3 and 4: the factor",
        (moment + rho) / rho,
        (s.G_1 + rho) / rho,
        Le(moment, s.G_1),
        note="moment: root of a coordinate of w~_t; |A_t| is its largest value plus rho. The text has lambda for rho.",
    ).repaired("O-14"),
)
THM_3 = link(
    "thm-3",
    "BiAdam, unconstrained",
    "L93; Theorem 6, L97",
    r"With $X = \mathbb{R}^d$ the mean of $\mathbb{E}\|\nabla F(x_t)\|$ is at most the bound with $G'$.",
    ("eq-68", "eq-70", "eq-61", "lem-3"),
    *unconstrained(4, 2, ("(70)", "last line of Theorem 6")),
    *REMARK,
    on_average("(70)", "sum_metric_sq", 24 * G_SEEN * sqrt(m + t) + 12 / (rho**2 * t), MOMENTUM, NO_POWER),
    errata=("O-1", "O-2", "O-6", "O-10"),
)
THM_4 = link(
    "thm-4",
    "VR-BiAdam, unconstrained",
    "L93; Theorem 8, L101",
    r"With $X = \mathbb{R}^d$ the mean of $\mathbb{E}\|\nabla F(x_t)\|$ is at most the bound with $M'$.",
    ("eq-68", "eq-70", "eq-87", "lem-3"),
    *unconstrained(6, 3, ("(96)", "last line of Theorem 8")),
    on_average(
        "(96)", "sum_metric_sq", 24 * M_SEEN * (m + t) ** THIRD + 12 / (rho**2 * t), RECURSIVE, NO_POWER
    ),
    errata=("O-2", "O-3", "O-4", "O-6"),
)
LEMMAS = (SUMS, LINE_61, LINE_87, THM_1, THM_2, GRADIENT, SQUARED, THM_3, THM_4)
