"""Distance to the lower-level solution: Lemma 5.7 (= C.3), L214-222, L628-658, L734-762.

One step of the distance is Eq. (24). It is summed, its martingale is bounded by `eq-31`, and d_t <= D follows by
induction (34). The display at L748-760 turns sum mu eta_(y,k) d_k^2 <= D^2 into sums of d^2 and d. With X^2 = sum d_k^2
these are statements about a few numbers.
"""

from sympy import Expr, Le, Rational, Symbol, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    AlongTrajectory,
    Constant,
    Identity,
    Inequality,
    misprint,
    nonnegative,
    positive,
)
from workbench.theory.vocabulary import L, T, alpha, d_1, eta, eta_y, gamma, mu, sigma_y

from . import hierarchical as h
from .chain import DRIFT, FAR, SADDLE, factor, likely, link, measured, t
from .common import A_T, B_T
from .hierarchical import C_1, C_2, D
from .theorem_4_1 import PRINTED, REPAIRED

d_t, weighted, sum_d, sum_d2 = symbols("d_t sum_mu_eta_d2 sum_d sum_d2", nonnegative=True)  # recorded
D_PRINTED, D_REPAIRED = (measured(form, D, eta="eta_y") for form in (PRINTED, REPAIRED))
Q_T = measured(REPAIRED, h.Q_T, eta="eta_y")

# --- one step -------------------------------------------------------------------------------------------------------

p, r, z, X, s = symbols("p r z X s", nonnegative=True)
a, gy, eps = symbols("a gy eps", real=True)
y_step, step = symbols("y_step step", positive=True)
inner, noise, total = symbols("inner noise total", real=True)
weighted_0, now, far, d_0, up, down = symbols("weighted_0 now far d_0 up down", nonnegative=True)
RECURSION = link(
    "eq-24",
    "Recursion of the distance",
    "Eq. (24) before summation, L641-658",
    r"$d_{k+1}^2$ is at most $(1 - \mu \eta_k) d_k^2 + 2 (1 + \mu \eta_k) \eta_k \langle \nabla_y g - g_y, y_k - "
    r"y^*_k \rangle + (1 + \mu \eta_k) \eta_k^2 \|g_y\|^2 + (1 + 1/(\mu \eta_k)) (L \eta_{x,k}/\mu)^2$.",
    ("asm-3.1", "asm-3.3", "lem-D.1", "lem-E.1"),
    Inequality(
        "Young's inequality for the motion of y*",
        (p + r) ** 2,
        (1 + y_step) * p**2 + (1 + 1 / y_step) * r**2,
        {**nonnegative(p, r), y_step: POSITIVE},
        note="y_step = mu eta_k, p = |y_(k+1) - y*_k|, r = |y*_(k+1) - y*_k| <= (L/mu) eta_x.",
    ).states(),
    Inequality(
        "the two factors of d^2",
        (1 + y_step) * (1 - 2 * y_step) * z**2,
        (1 - y_step) * z**2,
        {y_step: POSITIVE, z: NONNEGATIVE},
    ),
    Identity(
        "one step of y",
        (a - y_step * gy) ** 2,
        a**2 - 2 * y_step * a * (gy + eps) + 2 * y_step * a * eps + y_step**2 * gy**2,
        note="per coordinate; gy + eps is the exact gradient.",
    ).states(),
    Inequality(
        "strong convexity",
        -2 * step * (inner - noise),
        -2 * mu * step * z**2 + 2 * step * noise,
        {inner: REAL, noise: REAL, z: NONNEGATIVE, **positive(step, mu)},
        given=(Le(mu * z**2, inner),),
        note="inner = <grad_y g, y_k - y*_k>, noise = <grad_y g - g_y, y_k - y*_k>, step = eta_(y,k).",
    ).states(),
    Inequality(
        "one step of the distance, in squares",
        X,
        (1 - y_step) * z + (1 + y_step) * (up - down) + (1 + 1 / y_step) * r,
        {**nonnegative(X, p, r, z, up, down), y_step: POSITIVE},
        given=(Le(X, (1 + y_step) * p + (1 + 1 / y_step) * r), Le(p, (1 - 2 * y_step) * z + up - down)),
        note="X = d_(k+1)^2, z = d_k^2, p = |y_(k+1) - y*_k|^2, r = |y*_(k+1) - y*_k|^2, up - down = 2 eta_k <grad_y g "
        "- g_y, y_k - y*_k> + eta_k^2 |g_y|^2; the conditions are Young's inequality and L652.",
    ).states(),
    Inequality(
        "Eq. (24), one iteration more",
        s,
        X
        - (weighted_0 + y_step * z)
        + (p + (1 + y_step) * now)
        + (r + far)
        + 2 * (total + (step + mu * step**2) * noise),
        {
            **nonnegative(s, X, weighted_0, z, p, now, r, far, d_0),
            **positive(y_step, step, mu),
            noise: REAL,
            total: REAL,
        },
        given=(
            Le(s, (1 - y_step) * d_0 + 2 * (1 + mu * step) * step * noise + (1 + y_step) * now + far),
            Le(d_0, X - weighted_0 + p + r + 2 * total),
            Le(y_step * z, y_step * d_0),
        ),
        note="s, d_0, X = d^2 at k + 1, k and 1; y_step = mu eta_k; weighted_0, p, r, total are the sums of (24) so "
        "far, now = eta_k^2 |g_y|^2 and far = (1 + 1/(mu eta_k)) (L eta_(x,k)/mu)^2.",
    ),
    AlongTrajectory(
        "along runs", Symbol("d_next_sq", nonnegative=True), Symbol("rhs_24", real=True), on=(SADDLE, DRIFT)
    ).states(),
    note="The four marked lines are the statement, one after the other as in L643-658; the sums of (24) are `eq-34`.",
)

# --- the largest distance -------------------------------------------------------------------------------------------

d_bar, d_next, rest = symbols("d_bar d_next rest", nonnegative=True)


def budget(c_1: Expr, a_t: Expr, b_t: Expr) -> Expr:
    """Everything but d_bar^2/2 on the right of (24): what (21) calls D^2."""
    rise, step_noise = mu * eta / gamma, (eta * sigma_y / gamma) ** 2
    motion = eta * L**2 / mu**3 * (mu * eta + alpha + gamma) * (1 + log(T))
    young = eta**2 / 4 + 4 * (1 + 2 * rise) ** 2 * C_2**2 / eta**2
    return d_1**2 + (1 + rise) * c_1 + motion + young + 16 * (1 + rise) ** 2 * (a_t * C_2 + step_noise * b_t)


REACH = link(
    "eq-34",
    "Distances stay below D",
    "Eqs. (21), (34), (35), L632-633, L734-744",
    r"With probability $1 - 4 \delta$, for all $t \le T + 1$, $d_t \le D$ and $\sum_k \mu \eta_{y,k} d_k^2 \le D^2$.",
    ("eq-24", "eq-31", "eq-33", "step-A.4", "lem-C.1", "lem-C.2"),
    Identity("D of the record", PRINTED[D] ** 2, budget(C_1, A_T, B_T)).arithmetic(),
    Identity("D of the repaired record", REPAIRED[D] ** 2, 2 * budget(eta**2 * C_1, h.A_rho, h.B_rho))
    .repaired("E4")
    .arithmetic(),
    *misprint(
        "E4",
        Inequality(
            "(i) the sum is D^2, not D^2/2",
            d_next**2,
            d_bar**2 / 2 + rest / 2,
            nonnegative(d_next, d_bar, rest),
            given=(Le(d_next**2, d_bar**2 / 2 + rest),),
            note="rest is the sum that (21) calls D^2; (34) goes on with D^2/2.",
            witness={d_next: 1, d_bar: 0, rest: 1},
        ),
        "(i) with D^2 twice the sum",
        rhs=d_bar**2 / 2 + factor * rest / 2,
        constants=(Constant(factor, 2),),
    ),
    *misprint(
        "E4",
        Inequality(
            "(ii) sum eta_y^2 |g_y|^2 against C_1",
            eta**2 * z,
            C_1,
            {eta: POSITIVE, z: NONNEGATIVE, C_1: POSITIVE},
            given=(Le(z, C_1),),
            note="z = sum |g_y|^2/G^2 is what Lemma A.4 bounds; eta_y = eta/G.",
        ),
        "(ii) against eta^2 C_1",
        rhs=eta**2 * C_1,
    ),
    *misprint(
        "E4",
        Inequality(
            "(v) A_t(delta/log(4T)) against A_T(delta)",
            (p + log(6)) * (r + log(4)),
            r + log(6),
            nonnegative(p, r),
            given=(Le(p, r),),
            note="p = log t, r = log T, and A = 16 log(60 times this over delta); false for every t <= T.",
        ),
        "(v) the other way round, for every t",
        lhs=r + log(6),
        rhs=(p + log(6)) * (r + log(4)),
    ),
    Inequality(
        "the induction closes",
        d_bar**2 / 2 + D**2 / 2,
        D**2,
        {d_bar: NONNEGATIVE, D: POSITIVE},
        given=(Le(d_bar, D),),
    ),
    likely(4, "d_t <= D along runs", d_t, D_PRINTED, SADDLE, FAR, erratum="E4"),
    likely(4, "d_t <= D along runs, repaired", d_t, D_REPAIRED, SADDLE, FAR).states().repaired("E4"),
    likely(4, "Eq. (35) along runs", weighted, D_REPAIRED**2, SADDLE, FAR).states().repaired("E4"),
    note="No run violated the printed (21); only its proof is wrong.",
)

# --- sums of distances ----------------------------------------------------------------------------------------------


def printed(D: Expr) -> tuple[Expr, Expr]:
    """Right-hand sides of (22) and (23)."""
    squares = 4 * D**2 * L**2 + 2 * D * gamma + 2 * sqrt(2) * D * sigma_y * sqrt(t)
    near = (sqrt(2) * D * L + sqrt(D * gamma)) * sqrt(t)
    return squares / (mu * eta_y) ** 2, (near + sqrt(2 * D * sigma_y) * t ** Rational(3, 4)) / (mu * eta_y)


SQUARES, DISTANCES = printed(D_PRINTED)
DISTANCE = link(
    "lem-5.7",
    "Distance to the lower-level solution (= Lemma C.3)",
    "L214-222, L628-635, L746-762",
    r"With probability $1 - 4 \delta$, for all $t \le T + 1$, $d_t \le D$, and $\sum_k d_k^2$ and $\sum_k d_k$ are at "
    "most the right-hand sides of (22), (23).",
    ("eq-34", "asm-3.1", "asm-3.2", "asm-3.3", "asm-3.4"),
    # sqrt(gamma^2 + sum |g_y|^2) <= p + s X with p = gamma + sqrt(2) sigma sqrt(t), s = sqrt(2) L; z = mu eta.
    *misprint(
        "E4",
        Inequality(
            "(iii), (iv) the sum of squares",
            X**2,
            (2 * D**2 * s**2 + 2 * D * p) / z**2,
            {X: NONNEGATIVE, **positive(D, z), **nonnegative(s, p)},
            given=(Le(z * X**2, D**2 * (p + s * X)),),
            witness={X: 6, D: 3, z: 1, s: 0, p: 4},
            note="from (35): X^2 mu eta_(y,t) <= D^2. One factor D and a square root are lost on the way.",
        ),
        "(iii), (iv) the sum of squares, D^4",
        rhs=(2 * D**4 * s**2) / z**2 + 2 * D**2 * p / z,
    ),
    Inequality(
        "root of a sum of three",
        sqrt(gamma**2 + 2 * r**2 + s**2 * X**2),
        gamma + sqrt(2) * r + s * X,
        {gamma: POSITIVE, **nonnegative(r, s, X)},
        note="L749: r = sigma sqrt(t), s = sqrt(2) L, X^2 = sum d_k^2.",
    ),
    Inequality(
        "the quadratic inequality", X**2, 2 * r**2 + 2 * p, nonnegative(X, r, p), given=(Le(X**2, p + r * X),)
    ),
    Identity(
        "Q_T of the repaired record",
        REPAIRED[h.Q_T],
        2 * D**4 * (sqrt(2) * L) ** 2 / (mu * eta) ** 2
        + 2 * D**2 * (gamma + sqrt(2) * sigma_y * sqrt(T)) / (mu * eta),
    )
    .repaired("E4")
    .arithmetic(),
    AlongTrajectory("(22) from a distant start", sum_d2, SQUARES, on=(FAR,)).states().refuted("E4"),
    AlongTrajectory("(23) from a distant start", sum_d, DISTANCES, on=(FAR,)).states().refuted("E4"),
    likely(
        4,
        "sum of squares along runs",
        sum_d2,
        Q_T,
        FAR,
        SADDLE,
        note="slack 700 and more: no power on these runs",
    )
    .states()
    .repaired("E4"),
    likely(4, "sum of distances along runs", sum_d, sqrt(t * Q_T), FAR, SADDLE).states().repaired("E4"),
    note="Far from the solution the sum of d^2 is of order d_1^4/eta^2, which no multiple of D^2 covers. "
    "That d_t <= D is measured in `eq-34`.",
)

LEMMAS = (RECURSION, REACH, DISTANCE)
