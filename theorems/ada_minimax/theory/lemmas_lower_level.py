"""Steps and noise of the lower level: Lemmas C.1 and C.2, Eqs. (26)-(33), L551-626, L667-732.

The minimax problem is the bilevel problem with g = -f, so y descends on g. Per iteration: e = |grad_y g - g_y|, g =
|g_y|, m = |grad_y g|, G = G_(k-1). The step divides by sqrt(G^2 + g^2). The decorrelated step divides by sqrt(G^2 +
m^2), where G and m are known before the sample.
"""

from sympy import Eq, Expr, Le, Max, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    AlongTrajectory,
    Constant,
    Identity,
    Inequality,
    at_least,
    misprint,
    nonnegative,
    positive,
)
from workbench.theory.vocabulary import L, T, alpha, delta, eta, eta_x, eta_y, gamma, mu, sigma_y

from . import hierarchical as h
from .chain import DELTA, DRIFT, SADDLE, factor, likely, link, t
from .lemmas_step_sums import HARMONIC
from .theorem_4_1 import PRINTED

G, P, step = symbols("G P step", positive=True)
e, g, m, d_t, d_next, d_prime, d_bar = symbols("e g m d_t d_next d_prime d_bar", nonnegative=True)
noise_sum, mart, mart_2 = symbols("noise_sum mart mart_2", real=True)  # recorded
inner, part_1, part_2 = symbols("inner part_1 part_2", real=True)
decorrelated, correction = symbols("decorrelated correction", real=True)
scale, a_s = symbols("scale a_s", positive=True)
A, B, S, root, mu_step, projected = symbols("A B S root mu_step projected", nonnegative=True)
ratio_sum, X2, Y2 = symbols("ratio_sum X2 Y2", nonnegative=True)
STEP, DECORRELATED = sqrt(G**2 + g**2), sqrt(G**2 + m**2)  # the two denominators
NORMS = {**nonnegative(e, g, m), G: POSITIVE}
RHO = 1 + L / mu


def concentration(rate: Expr) -> Expr:
    """2 d' sqrt(A_t(delta') sum eta^2 e^2 + (eta/gamma)^2 sigma^2 B_t(delta')), delta' = delta/rate, T = t."""
    ell = log(60 * log(6 * t) * rate / DELTA)
    return 2 * d_prime * sqrt(16 * ell * noise_sum + (eta_y / gamma * sigma_y) ** 2 * 16 * ell**2)


DOUBLING = link(
    "step-C.1",
    "Number of scales in the proof of Lemma C.1",
    "L567-568",
    r"$d_{k+1} \le d_k + \eta$, so that $\log_2(4T)$ doublings of $d'_1$ cover every distance.",
    ("asm-3.1", "lem-D.1", "lem-E.1"),
    *(
        check.states()
        for check in misprint(
            "E4",
            AlongTrajectory(
                "growth of the distance",
                d_next,
                d_t + eta_y,
                on=(DRIFT,),
                note="L567: d_(k+1) <= d_k + eta leaves out that y* moves by up to (L/mu) eta_x.",
            ),
            "growth of the distance, y* moving",
            rhs=d_t + RHO * eta_y,
            on=(DRIFT, SADDLE),
        )
    ),
    Inequality(
        "number of doublings, y* moving",
        m + G * step * (t - 1),
        G * t * P,
        {G: at_least(1), t: at_least(1), m: NONNEGATIVE, **positive(step, P)},
        given=(Le(m, P), Le(step, P)),
        note="m = d_1, step = eta, P = d'_1 = max(d_1, eta), G = rho: d'_t <= rho t d'_1, so log2(4 rho T) "
        "scales a_s = 2^(s-1) d'_1 suffice. The logarithm has base 2.",
    )
    .states()
    .repaired("E4"),
)

MARTINGALE = link(
    "lem-C.1",
    "Noise of the lower level along the error",
    "L551-614",
    r"With probability $1 - 2 \delta$, for all $t \le T$, the sum of $\hat{\eta}_k \langle \nabla_y g - g_y, y_k - "
    r"y^*_k \rangle$ is at most $2 d'_t \sqrt{A_t(\delta') \sum_k \eta_{k-1}^2 e_k^2 + \eta_0^2 \sigma^2 "
    r"B_t(\delta')}$, $\delta' = \delta/\log(4T)$, $d'_t = \max(d_1, \ldots, d_t, \eta)$; with $\hat{\eta}_k^2$, an "
    r"additional factor $\eta_0$.",
    ("lem-A.1", "step-C.1", "asm-3.2", "asm-3.4"),
    Inequality(
        "the projection leaves the scaled error as it is",
        Max(1, d_t / P),
        1,
        {d_t: NONNEGATIVE, P: POSITIVE},
        given=(Le(d_t, P),),
        note="P = a_(s_t) >= d'_t >= d_t, and Pi_1(v) = v/max(1, |v|).",
    ),
    Inequality(
        "Eq. (18)",
        step * e / DECORRELATED,
        step / gamma * sigma_y,
        {**nonnegative(e, m, sigma_y), **positive(G, step, gamma)},
        given=(Le(gamma, G), Le(e, sigma_y)),
    ),
    Inequality(
        "the decorrelated step looks back",
        step / DECORRELATED,
        step / G,
        {m: NONNEGATIVE, **positive(G, step)},
    ),
    Inequality(
        "the square of X_k",
        inner**2,
        (step * e / (G * scale)) ** 2,
        {inner: REAL, **nonnegative(e, m), **positive(G, step, scale), projected: UNIT},
        given=(
            Le(inner * scale * DECORRELATED, step * e * projected),
            Le(-inner * scale * DECORRELATED, step * e * projected),
        ),
        note="inner = X_k^(s), scale = eta_(y,0) sigma, projected = |Pi_1(...)|: the conditions are Cauchy-Schwarz.",
    ),
    Inequality(
        "multiplied by eta_(y,0) sigma a_s",
        scale * a_s * sqrt(A * S / scale**2 + B),
        2 * d_prime * sqrt(A * S + scale**2 * B),
        {**nonnegative(A, B, S, d_prime), **positive(scale, a_s)},
        given=(Le(a_s, 2 * d_prime),),
        note="A, B of Lemma A.1, S = sum eta_(y,k-1)^2 e_k^2.",
    ),
    Inequality(
        "squared steps",
        sqrt(A * X2 + step**4 * B),
        step * sqrt(A * S + step**2 * B),
        {**nonnegative(A, B, S, X2), step: POSITIVE},
        given=(Le(X2, step**2 * S),),
        note="step = eta_(y,0), X2 = sum eta_(y,k-1)^4 e_k^2; B includes sigma^2.",
    ),
    likely(2, "along runs", mart, concentration(log(4 * t)), SADDLE, erratum="E4").states(),
    likely(2, "along runs, base 2 and rho", mart, concentration(log(4 * RHO * t) / log(2)), SADDLE)
    .states()
    .repaired("E4"),
    likely(
        2,
        "squared steps along runs",
        mart_2,
        eta_y / gamma * concentration(log(4 * t)),
        SADDLE,
        erratum="E4",
    ).states(),
    note="The paper bounds X_k^(s) from above only; |X| <= 1 holds as well, by (18).",
)

RATIO = (sigma_y / gamma) ** 2
C_2 = 2 * eta**2 * log(1 + RATIO * T / 2) + 7 * eta**2 * RATIO * log(T / delta)
SQUARES = link(
    "lem-C.2",
    "Noise of the lower level in squares",
    "L616-626",
    r"With probability $1 - 2 \delta$, for all $t \le T$, $\sum_k \eta_{y,k-1}^2 \|\nabla_y g - g_y\|^2$ is at most "
    "$C_2$.",
    ("asm-3.2", "asm-3.4"),
    Identity("C_2 of Theorem 4.1", PRINTED[h.C_2], C_2).arithmetic(),
    likely(2, "along runs", noise_sum, C_2.xreplace({eta: eta_y, T: t, delta: DELTA}), SADDLE).states(),
    quoted=True,
)


CORRECTION = link(
    "eq-26",
    "Step against decorrelated step",
    "Eqs. (26)-(27), (30), L672-684, L696-701",
    r"$|\eta_k - \hat{\eta}_k|$ is at most $\eta e/(P R)$, so the correction sums to at most $(\bar{d}/\eta) \sum_k "
    r"\eta_{k-1}^2 e_k^2$; for squared steps, $2 \eta_0$ times that.",
    (),
    *(
        Inequality(
            f"difference of the roots, {label}", big - small, e, NORMS, given=(Le(g - m, e), Le(m - g, e))
        ).states()
        for label, big, small in (
            ("step too small", STEP, DECORRELATED),
            ("step too large", DECORRELATED, STEP),
        )
    ),
    Inequality(
        "Eq. (27): both denominators exceed the last one",
        e**2 / (STEP * DECORRELATED),
        e**2 / G**2,
        NORMS,
    ).states(),
    Inequality(
        "Eq. (30): sum of the two steps",
        1 / STEP + 1 / DECORRELATED,
        factor / G,
        {**nonnegative(g, m), G: POSITIVE},
        constants=(Constant(factor, 2),),
    ).states(),
    note="|eta_k - hat-eta_k| is eta times the difference of the roots over their product, and |m - g| <= e; the sums "
    "are termwise, with d_k <= d_bar. The mutant with e^(13/12) is false only for e < 1 in the limit G = 0.",
)

# S, root: the two sums and the square root of (31); mu_step = mu eta_0; d_prime = max(d_bar, eta).
A_1 = d_bar / eta * S + 2 * d_prime * root
ALL = 2 * (1 + 2 * mu_step) * d_bar / eta * S + 4 * (1 + mu_step) * d_prime * root
COMBINED = link(
    "eq-31",
    "The two martingale parts together",
    "Eqs. (28)-(31) and below, L686-718",
    r"(A) is at most $2 (1 + 2 \mu \eta_0) (\bar{d}/\eta) S + 4 (1 + \mu \eta_0) d'\,\mathrm{root}$, and by Young's "
    r"inequality at most $\bar{d}^2/2 + 4 (1 + 2 \mu \eta_0)^2 S^2/\eta^2 + \eta^2/4 + 16 (1 + \mu \eta_0)^2 "
    r"\mathrm{root}^2$.",
    ("lem-C.1", "eq-26"),
    Inequality(
        "Eq. (28)",
        part_1,
        A_1,
        {
            part_1: REAL,
            decorrelated: REAL,
            correction: REAL,
            **nonnegative(S, root, d_bar, d_prime),
            eta: POSITIVE,
        },
        given=(
            Eq(part_1, decorrelated + correction),
            Le(decorrelated, 2 * d_prime * root),
            Le(correction, d_bar / eta * S),
        ),
        note="the conditions are (25), Lemma C.1 and (27)",
    ),
    *misprint(
        "E11",
        Identity(
            "2 (A_1) + 2 (A_2) with (31) as printed",
            2 * A_1 + 2 * (2 * mu_step * d_bar / eta * S + 2 * d_prime * step * root),
            ALL,
            note="(31) has mu in its first term only; step = eta_0, mu_step = mu eta_0.",
        ),
        "2 (A_1) + 2 mu (A_2)",
        lhs=2 * A_1 + 2 * mu * (2 * step * d_bar / eta * S + 2 * d_prime * step * root),
        rhs=ALL.xreplace({mu_step: mu * step}),
    ),
    Inequality(
        "(A) from (28) and (31) without its mu",
        2 * part_1 + 2 * mu * part_2,
        2 * (1 + 2 * mu * step) * d_bar / eta * S + 4 * (1 + mu * step) * d_prime * root,
        {part_1: REAL, part_2: REAL, **nonnegative(S, root, d_bar, d_prime), **positive(mu, step, eta)},
        given=(Le(part_1, A_1), Le(part_2, 2 * step * d_bar / eta * S + 2 * d_prime * step * root)),
        note="part_1, part_2: (A_1), (A_2); step = eta_(y,0).",
    ).states(),
    Inequality(
        "Young, first part",
        2 * (1 + 2 * mu_step) * d_bar * S,
        d_bar**2 / 4 + 4 * (1 + 2 * mu_step) ** 2 * S**2,
        nonnegative(d_bar, S, mu_step),
        note="S stands for S/eta.",
    ).states(),
    Inequality(
        "Young, second part",
        4 * (1 + mu_step) * d_prime * root,
        d_prime**2 / 4 + 16 * (1 + mu_step) ** 2 * root**2,
        nonnegative(d_prime, root, mu_step),
    ).states(),
    Inequality(
        "d'^2 is at most d_bar^2 + eta^2",
        d_prime**2,
        d_bar**2 + eta**2,
        {**nonnegative(d_prime, d_bar), eta: POSITIVE},
        given=((d_prime - d_bar) * (d_prime - eta) <= 0, Le(d_bar, d_prime), Le(eta, d_prime)),
        note="d' = max(d_bar, eta)",
    ).states(),
    Inequality(
        "the two halves of Young together",
        d_bar**2 / 4 + d_prime**2 / 4,
        d_bar**2 / 2 + eta**2 / 4,
        {**nonnegative(d_prime, d_bar), eta: POSITIVE},
        given=(Le(d_prime**2, d_bar**2 + eta**2),),
    ).states(),
    Inequality(
        "Lemma C.2 put in",
        4 * (1 + 2 * mu_step) ** 2 / eta**2 * S**2 + 16 * (1 + mu_step) ** 2 * (A * S + B),
        4 * (1 + 2 * mu_step) ** 2 / eta**2 * e**2 + 16 * (1 + mu_step) ** 2 * (A * e + B),
        {**nonnegative(S, e, mu_step, A, B), eta: POSITIVE},
        given=(Le(S, e),),
        note="e = C_2; A, B: A_t and eta_0^2 sigma^2 B_t.",
    ),
    note="The printed statement is (A) as a whole, in the lines from `(A) from (28) ...` on. "
    "Mutants of the line before the last with exponent 25/12 fail only where d' equals d_bar or eta exactly, below 1.",
)


SCALES = link(
    "eq-33",
    "The x step against the y step",
    "Eqs. (32)-(33), L725-732",
    r"$\sum_k \eta_{x,k}^2/(\mu \eta_{y,k})$ is at most $(\eta (\alpha + \gamma)/\mu) (1 + \log T)$, in every run.",
    ("lem-G.2e",),
    Inequality(
        "one term",
        alpha**2 * (gamma**2 + Y2),
        (alpha + gamma) ** 2 * (alpha**2 + X2 + Y2),
        {**positive(alpha, gamma), **nonnegative(X2, Y2)},
        note="squared; eta_(x,k)^2/(mu eta_(y,k)) is eta alpha/(mu k) times the quotient of the two roots.",
    ).states(),
    HARMONIC.states(),
    Inequality(
        "one term, the larger of the two suffices",
        alpha**2 * (gamma**2 + Y2),
        G**2 * (alpha**2 + X2 + Y2),
        {**positive(alpha, gamma), **nonnegative(X2, Y2), G: POSITIVE},
        given=(Le(alpha, G), Le(gamma, G)),
    ).own(),
    AlongTrajectory(
        "along runs", ratio_sum, eta_x * (alpha + gamma) / mu * (1 + log(t)), on=(SADDLE, DRIFT)
    ).states(),
    note="The sum of |g_y|^2 in alpha'_t is there for this bound.",
)

LEMMAS = (DOUBLING, MARTINGALE, SQUARES, CORRECTION, COMBINED, SCALES)
