"""From (11) to Theorem 3: one stage, the induction over stages, and the sum of their lengths. (12)-(16), L574-600.

`output` is the mean over a stage of |grad F|^2 + (delta_y + ... + delta_gyy)/m + delta_d, that is what its output has
in expectation. As printed, delta_gy is not in it (E10); as repaired, all errors are. It bounds the errors of
u_(t+1), ..., d_(t+1) at x_t, y_t, and a stage starts from these if it is handed them, as it is not as printed (E26).
q stands for mu eps_k, so that mu eps_(k-1) = 2 q.
"""

from sympy import Eq, Expr, Integer, Le, Lt, Rational, Sum, Symbol, sqrt, symbols

from workbench.theory.lemma import (
    Identity,
    Inequality,
    Interval,
    above,
    at_least,
    misprint,
    nonnegative,
    positive,
)

from .chain import (
    C_0,
    C_1,
    C_2,
    C_3,
    C_4,
    HALF,
    C,
    beta,
    dd,
    dy,
    eta,
    gamma,
    inequality,
    lam,
    link,
    m,
    slope2,
    tau,
)

C_5, C_6, C_max, C_p, T, mu, eps_k, eps_1, q = symbols("C_5 C_6 C_max C_p T mu eps_k eps_1 q", positive=True)
Delta, start_y, start_e, start_d, gap, noise = symbols(
    "Delta start_y start_e start_d gap noise", nonnegative=True
)
right, kept, whole = symbols(
    "right kept whole", nonnegative=True
)  # of (11): its right side, its errors; all errors
output, start = symbols("output start", nonnegative=True)  # start: the potential at the start of a stage
a, b, c, d, e = symbols("a b c d e", nonnegative=True)
# delta_gy, delta_fx, delta_gxy, delta_gyy, delta_fy
d_0, d_1, d_2, d_3, d_4 = symbols("d_0 d_1 d_2 d_3 d_4", nonnegative=True)
old, new = symbols("old new", real=True)
PARTS = C_1 * d_1 + C_2 * d_2 + C_3 * d_3 + C_4 * d_4
SHARE = Rational(19, 20)
AT_MOST = (Le(C_6, C_0), *(Le(C_6, SHARE * C_k) for C_k in (C_1, C_2, C_3, C_4)))

LINE_12 = link(
    "eq-12",
    "(11) with one constant",
    "(12), L576-578",
    r"$C_6 \gamma \eta$ times the sum over $t$ of $\|\nabla F\|^2 "
    r"+ (\delta_y + \delta_{fx} + \ldots + \delta_{gyy})/m + \delta_d$ is at most the right side of (11).",
    ("eq-10", "eq-11"),
    *misprint(
        "E6",
        inequality(
            "C_6 at most 2",
            C_6 * gamma * eta * slope2,
            right,
            Le(gamma * eta / 2 * slope2, right),
            Le(C_6, 2),
            note="the sum of |grad F|^2 where all errors are 0: (12) does not follow from (11).",
        ),
        "C_6 at most 1/2",
        given=(Le(gamma * eta / 2 * slope2, right), Le(C_6, HALF)),
    ),
    inequality(
        "the errors with one constant",
        C_6 * (dy + d_0 + d_1 + d_2 + d_3 + d_4),
        C_0 * dy + d_0 + SHARE * PARTS,
        Le(C_6, HALF),
        *AT_MOST,
        note="C_6 = min(1/2, C_0, 0.95 C_1, ..., 0.95 C_4).",
    ).repaired("E6"),
    inequality(
        "(12), repaired",
        C_6 * (slope2 + whole / m + dd),
        right / (gamma * eta),
        Le(slope2 / 2 + kept / m + dd, right / (gamma * eta)),
        Le(C_6 * whole, kept),
        Le(C_6, HALF),
        note="(11) over gamma eta, with delta_gy among its errors (eq-10, E10), and the line before, summed over t.",
    )
    .states()
    .repaired("E6"),
    errata=("E10",),
)

# ------------------------------------------------------------------------------------------- one stage

NOISE = gamma * C_p / (C_6 * m) * C_5 * eta**2
ETA_K_SQUARE = C_6 * m * mu * eps_k / (5 * gamma * C_p * C_5)


def term(name: str, size: Expr, length: Expr, note: str = "") -> Inequality:
    """A term of (13) is at most mu eps_1/5 from one entry of T_1."""
    return inequality(name, size, mu * eps_1 / 5, Le(length, T), note=note)


PER = mu * C_6
FIRST = link(
    "eq-13",
    "The first stage",
    "(13), (14), L580-588",
    r"$\mathbb{E}\|\nabla F(x_1)\|^2$ and the errors over $m$ are at most $\mu \epsilon_1$ after the first stage, so "
    r"$\mathbb{E}[F(x_1) - F_*] \le \epsilon_1$.",
    ("eq-12", "asm-PL"),
    inequality(
        "(12) divided by C_6 gamma eta (T + 1)",
        output,
        start / (C_6 * gamma * eta * T) + noise,
        Le(C_6 * gamma * eta * (T + 1) * output, start + C_6 * gamma * eta * (T + 1) * noise),
        note="first inequality of (13): the output is the state at a uniformly random time.",
    ),
    Identity(
        "(12) divided, term by term",
        (
            Delta
            + C * gamma * start_y / m
            + start_e / (eta * m)
            + start_d / (C_max * eta)
            + gamma**2 * C_p / m * C_5 * eta**3 * T
        )
        / (C_6 * gamma * eta * T),
        Delta / (C_6 * eta * gamma * T)
        + C * start_y / (C_6 * m * eta * T)
        + start_e / (C_6 * m * eta**2 * gamma * T)
        + start_d / (C_6 * C_max * eta**2 * gamma * T)
        + NOISE,
    ),
    *misprint(
        "E7",
        term(
            "Delta, T_1 as printed",
            Delta / (C_6 * eta * gamma * T),
            5 * Delta / (PER * eta * gamma),
            "every entry of T_1 lacks 1/eps_1.",
        ),
        "Delta, T_1 repaired",
        given=(Le(5 * Delta / (PER * eps_1 * eta * gamma), T),),
    ),
    *misprint(
        "E7",
        term(
            "the first errors, T_1 as printed",
            start_e / (C_6 * m * eta**2 * gamma * T),
            5 * start_e / (PER * eps_1),
            "with 1/eps_1, but without 1/(m eta_1^2 gamma).",
        ),
        "the first errors, T_1 repaired",
        given=(Le(5 * start_e / (PER * eps_1 * m * eta**2 * gamma), T),),
    ),
    term("y_0", C * start_y / (C_6 * m * eta * T), 5 * C * start_y / (PER * eps_1 * m * eta)).repaired("E7"),
    term(
        "d_1",
        start_d / (C_6 * C_max * eta**2 * gamma * T),
        5 * start_d / (PER * eps_1 * C_max * eta**2 * gamma),
    ).repaired("E7"),
    Identity(
        "the noise of the first stage",
        NOISE,
        mu * (5 * eta**2 * gamma * C_p * C_5 / (C_6 * m * mu)) / 5,
        note="mu eps_1/5 with eps_1 of L580 and eta_1 = eta_0.",
    ),
    inequality(
        "five terms of a stage",
        a + b + c + d + e,
        q,
        *(Le(5 * x, q) for x in (a, b, c, d, e)),
        note="q = mu eps_k; the four entries of T_k and eta_k make each term at most mu eps_k/5.",
    ).states(),
    *misprint(
        "E24",
        inequality(
            "(14) with 2 mu",
            gap,
            slope2 / (2 * mu),
            Le(mu * gap, slope2),
            note="for F = x^2, mu = 4: F - F_* = |F'|^2/mu.",
        ),
        "(14) with mu",
        rhs=slope2 / mu,
    ),
    inequality(
        "eps_1 from mu eps_1", gap, eps_1, Le(mu * gap, slope2), Le(slope2, mu * eps_1), note="(14)."
    ).states(),
    *misprint(
        "E7",
        inequality(
            "beta_d < 1 from eta_1 without gamma (L266)",
            2 * gamma * C_max * eta**2,
            Integer(1),
            Le(3 * C_max * eta**2, 1),
        ),
        "beta_d < 1 from eta_1 with gamma (L580)",
        given=(Le(3 * C_max * gamma * eta**2, 1),),
    ),
)

OLD = 2 * q  # mu eps_(k-1)


def next_error(b: Expr) -> Expr:
    """Mean of (u_(i,t+1) - h_i)^2, one of m alike tasks; h_i is old at t - 1, where u_(i,t) is exact, and new at t."""
    sampled = (1 - b) * (old - m * old) + m * new  # with probability 1/m
    return (sampled - new) ** 2 / m + (1 - 1 / m) * ((1 - b) * old - new) ** 2


LATER = link(
    "eq-15",
    "A later stage halves the error",
    "(15), (16), L590-598",
    r"If, after stage $k - 1$, $\mathbb{E}[F - F_*] \le \epsilon_{k-1}$ and the errors over $m$ are at "
    r"most $\mu \epsilon_{k-1}$, then after stage $k$ they are at most $\epsilon_k$ and $\mu \epsilon_k$. Repaired: "
    r"where stage $k$ starts from the estimators that have these errors.",
    ("eq-12", "asm-PL"),
    *misprint(
        "E10",
        inequality(
            "delta_gy in (10)",
            8 * C * gamma * eta * tau / lam * a,
            (beta / eta - gamma * eta) * a,
            Eq(lam * beta, 8 * tau * C * gamma * eta**2),
            note="the hypothesis has delta_gy = a; its coefficient in (10) is zero.",
        ),
        "delta_gy with beta_gy + gamma eta^2",
        given=(Eq(lam * beta, 8 * tau * C * gamma * eta**2 + lam * gamma * eta**2),),
    ),
    inequality(
        "stage k makes u_(t+1) with its own beta",
        next_error(beta),
        next_error(2 * beta),
        box={beta: Interval(0, HALF, low_open=True), m: at_least(1)},
        witness={beta: Rational(1, 100), m: Integer(4), old: Integer(1), new: Rational(49, 50)},
        note="the first error of stage k, and what the hypothesis bounds: that of u_(t+1) in stage k - 1, where beta "
        "is twice as large. One of m alike tasks, p = 1/m, no noise; old, new: h at t - 1 and t, u_t = h at t - 1.",
    ).refuted("E26"),
    Identity(
        "what another beta changes",
        ((1 - beta) * (a - old) + new) - ((1 - 2 * beta) * (a - old) + new),
        beta * (a - old),
        note="a = u_t; old, new: the sampled values at t - 1 and t.",
    ).own("E26"),
    inequality(
        "the term of F",
        a / (C_6 * eta * gamma * T),
        q / 5,
        Le(a, OLD / mu),
        Le(10, mu * C_6 * eta * gamma * T),
        note="a = E[F(x_(k-1)) - F_*].",
    ),
    *misprint(
        "E22",
        inequality(
            "the term of y with the printed T_k",
            C * gamma * start_y / (C_6 * m * eta * gamma * T),
            q / 5,
            Le(start_y / m, OLD),
            Le(10 * C, C_6 * m * eta * T),
            box={m: at_least(1)},
            note="the induction hypothesis bounds delta_y/m, not delta_y, by mu eps_(k-1) = 2 q.",
        ),
        "the term of y without 1/m",
        given=(Le(start_y / m, OLD), Le(10 * C, C_6 * eta * T)),
    ),
    *misprint(
        "E22",
        inequality(
            "the terms of the errors with the printed T_k",
            start_e / (C_6 * m * eta**2 * gamma * T),
            q / 5,
            Le(start_e / m, OLD),
            Le(10, C_6 * m * eta**2 * gamma * T),
            box={m: at_least(1)},
        ),
        "the terms of the errors without 1/m",
        given=(Le(start_e / m, OLD), Le(10, C_6 * eta**2 * gamma * T)),
    ),
    *misprint(
        "E7",
        inequality(
            "the term of d with eta_1",
            d,
            start_d / (C_6 * C_max * e**2 * gamma * T),
            Le(d, start_d / (C_6 * C_max * eta**2 * gamma * T)),
            Le(eta, e),
            box={e: above(0)},
            note="(15) writes eta_1 = e for eta_k.",
        ),
        "the term of d with eta_k",
        rhs=start_d / (C_6 * C_max * eta**2 * gamma * T),
        given=(Le(d, start_d / (C_6 * C_max * eta**2 * gamma * T)),),
        box=positive(C_6, C_max, eta, gamma, T) | nonnegative(d, start_d),
    ),
    inequality(
        "the term of d",
        start_d / (C_6 * C_max * eta**2 * gamma * T),
        q / 5,
        Le(start_d, OLD),
        Le(10, C_6 * C_max * eta**2 * gamma * T),
    ),
    Identity(
        "the noise of stage k",
        NOISE.subs(eta, sqrt(ETA_K_SQUARE)),
        mu * eps_k / 5,
        note="eta_k^2 = C_6 m mu eps_k/(5 gamma C(p) C_5), L594.",
    ),
    inequality(
        "(15), repaired",
        output,
        q,
        Le(
            output,
            gap / (C_6 * eta * gamma * T)
            + C * start_y / (C_6 * eta * T)
            + start_e / (C_6 * eta**2 * gamma * T)
            + start_d / (C_6 * C_max * eta**2 * gamma * T)
            + noise,
        ),
        Le(gap / (C_6 * eta * gamma * T), q / 5),
        Le(C * start_y / (C_6 * eta * T), q / 5),
        Le(start_e / (C_6 * eta**2 * gamma * T), q / 5),
        Le(start_d / (C_6 * C_max * eta**2 * gamma * T), q / 5),
        Le(noise, q / 5),
        note="start_y, start_e: the errors over m of the output of stage k - 1, which hands on u_(t+1), ..., d_(t+1).",
        budget=15,
    )
    .states()
    .repaired("E22"),
    inequality("(16) with mu", gap, eps_k, Le(mu * gap, slope2), Le(slope2, mu * eps_k))
    .states()
    .repaired("E24"),
    errata=("E10",),
)

# ------------------------------------------------------------------------------------------- all stages

k = Symbol("k", integer=True, positive=True)
n = Symbol("n", integer=True, positive=True)
eta_0 = Symbol("eta_0", positive=True)
root, ratio, first, slow, fast = symbols("root ratio first slow fast", positive=True)
sum_slow, sum_fast, samples = symbols("sum_slow sum_fast samples", nonnegative=True)
x, z = symbols("x z", positive=True)
r = Symbol("r", positive=True)
THEOREM_3 = link(
    "thm-3",
    "Theorem 3: the stages and their samples",
    "Theorem 3, L264-268, L580, L594-600",
    r"$\mathbb{E}[F(x_K) - F_*] \le \epsilon$ after $K = 1 + \log_2(\epsilon_1/\epsilon)$ stages (rounded up), whose "
    r"$T_k$ add up to at most $T_1 + (A/\eta_0) 2^{K/2}/(2^{1/2} - 1) + (B/\eta_0^2) 2^K$, "
    r"$T_k = \max(A/\eta_k, B/\eta_k^2)$, $2^{K-1} < 2 \epsilon_1/\epsilon$, which is "
    r"$O(C(\mathbf{p})/(\mu^{3/2} m \epsilon^{1/2}) + C(\mathbf{p})/(\mu m \epsilon))$. Repaired: for stages that hand "
    r"on $u_{t+1}, \ldots, d_{t+1}$ with $x_t$ and $y_t$.",
    ("eq-13", "eq-15"),
    Identity(
        "eta_k = eta_0 2^(-(k-1)/2)",
        ETA_K_SQUARE.subs(eps_k, 5 * eta_0**2 * gamma * C_p * C_5 / (C_6 * m * mu) * r),
        eta_0**2 * r,
        note="L580, L594: the squares, eps_k = eps_1 r with r = 2^(-(k-1)).",
    ),
    Identity(
        "sum of powers of the square root of 2",
        (r - 1) * Sum(r**k, (k, 1, n)),
        r ** (n + 1) - r,
        n,
        note="r = 2^(1/2), n = K - 1: the sum of eta_0/eta_k over k = 2, ..., K; r = 2 for eta_0^2/eta_k^2.",
    ),
    inequality(
        "the sum of eta_0/eta_k",
        sum_slow,
        r * root / (r - 1),
        Le((r - 1) * sum_slow, r * root - r),
        box={r: above(1)},
        note="root = 2^((K - 1)/2) = r^(K - 1).",
    ),
    inequality(
        "the sum of eta_0^2/eta_k^2",
        sum_fast,
        2 * ratio,
        Le(sum_fast, 2 * ratio - 2),
        note="ratio = 2^(K - 1).",
    ),
    inequality(
        "the samples of all stages",
        samples,
        first + slow / eta_0 * r * root / (r - 1) + fast / eta_0**2 * 2 * ratio,
        Le(samples, first + slow / eta_0 * sum_slow + fast / eta_0**2 * sum_fast),
        Le(sum_slow, r * root / (r - 1)),
        Le(sum_fast, 2 * ratio),
        box={r: above(1)},
        note="first = T_1, slow = A, fast = B of the theorem's form `repaired`.",
        budget=15,
    )
    .states()
    .repaired("E22"),
    inequality(
        "the last stage",
        gap,
        z,
        Le(gap, eps_k),
        Le(eps_k, z),
        note="eps_K = eps_1 2^(-(K-1)) <= eps = z for a whole K >= 1 + log2(eps_1/eps).",
    )
    .states()
    .repaired("E22"),
    *misprint(
        "E25",
        inequality(
            "1 + log2(eps_1/eps) <= log2(eps_0/eps)",
            2 * x,
            z,
            Lt(x, z),
            box={x: above(1), z: above(1)},
            note="powers of 2 of both sides, x = eps_1/eps, z = eps_0/eps; assumed is eps_0 = Delta > eps_1 (L580).",
        ),
        "1 + log2(eps_1/eps) <= 1 + log2(eps_0/eps)",
        rhs=2 * z,
    ),
    inequality(
        "the whole number of stages",
        2 * ratio,
        4 * z,
        Lt(ratio, 2 * x),
        Lt(x, z),
        note="powers of 2 of K < 2 + log2(eps_0/eps), K being 1 + log2(eps_1/eps) rounded up.",
    ).repaired("E25"),
    errata=("E10", "E26"),
)
LEMMAS = (LINE_12, FIRST, LATER, THEOREM_3)
