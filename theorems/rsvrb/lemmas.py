"""The proof chain of Theorems 1-3 (L282-310, L359-738), line by line where a line is an inequality of numbers.

Norms of vectors are nonnegative symbols, inner products real ones with what the proof uses of them. A check is marked
`.states()` if its conclusion is the whole statement of its link, and its conditions are hypotheses of the link or the
statement of a link that it uses; everything else is a line of a proof. Lines of vectors that are not reduced to numbers
here (Lemma 13 for F, the expectation over samples in Lemmas 8 and 12) are left out.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from sympy import Expr, Le, Rational, symbols

from theorems import lemma
from theorems.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    AlongTrajectory,
    Box,
    Identity,
    Inequality,
    Interval,
    at_least,
    misprint,
)
from theorems.rsvrb import common
from theorems.rsvrb import constants as k
from theorems.rsvrb.paper import PAPER

link = partial(lemma.link, PAPER)
HALF, THIRD = Rational(1, 2), Rational(1, 3)

a, b, c, d, e = symbols("a b c d e", nonnegative=True)  # errors and distances
gamma, eta, tau, lam, L, C, C_0, C_6, m = symbols("gamma eta tau lam L C C_0 C_6 m", positive=True)
beta, tau_t, q, T = symbols("beta tau_t q T", positive=True)
g, z, drop = symbols("g z drop", nonnegative=True)
p, n, o, u, w, h = symbols("p n o u w h", real=True)
RUNS = ("rsvrb/sim-ledger-svrb",)
# What the probe records at iteration t (`workbench.probes.rsvrb.parts`).
fall, slope2, err2, z2, lag2, lag2_next, moved_x, moved_y = symbols(
    "fall slope2 err2 z2 lag2 lag2_next moved_x moved_y", real=True
)
err_fx, err_fy, err_gxy, err_gyy, err_gy = symbols("err_fx err_fy err_gxy err_gyy err_gy", real=True)


def inequality(
    name: str, lhs: Expr, rhs: Expr, *given: Any, box: Box | None = None, **more: Any
) -> Inequality:
    """An `Inequality` whose symbols range over their declared signs, except for those in ``box``."""
    free = set().union(*(x.free_symbols for x in (lhs, rhs, *given)))
    signs = {
        x: POSITIVE if x.is_positive else NONNEGATIVE if x.is_nonnegative else REAL
        for x in sorted(free, key=str)
    }
    return Inequality(name, lhs, rhs, {**signs, **(box or {})}, given, **more)


SOLUTION = link(
    "lem-13",
    "Lipschitz constants of y* and of the gradient of F",
    "Lemma 13, L608-615",
    "y* is Lipschitz with C_gxy/lambda, and F is smooth with L_J (1 + (C_gxy/lambda)^2)^(1/2).",
    ("asm-1", "asm-2(i)", "asm-2(iii)"),
    inequality(
        "y*, from strong convexity and a change of gradient",
        lam * d,
        a,
        Le(lam * d**2, p),
        Le(p, w * d),
        Le(w, a),
        note="d = |y*(x) - y*(x')|, w = |grad_y g(x, y*(x'))|, a = C_gxy |x - x'|, p their inner product.",
    ),
)

DESCENT = link(
    "lem-4",
    "Descent of F in any direction z",
    "Lemmas 1 and 4, L282, L361-365",
    "For gamma eta_t L_F <= 1/2, F(x_(t+1)) is at most F(x_t) + (gamma eta_t/2) (|grad F - z|^2 - |grad F|^2) - "
    "(gamma eta_t/4) |z|^2.",
    ("lem-13",),
    inequality(
        "the quadratic upper bound",
        -gamma * eta * p + L * gamma**2 * eta**2 / 2 * z**2,
        gamma * eta / 2 * (g**2 - 2 * p + z**2) - gamma * eta / 2 * g**2 - gamma * eta / 4 * z**2,
        Le(gamma * eta * L, HALF),
        note="g = |grad F|, z = |z|, p their inner product, L = L_F; left: the upper bound of F(x_(t+1)) - F(x_t).",
    ).states(),
    AlongTrajectory(
        "along runs", fall, gamma * eta / 2 * (err2 - slope2) - gamma * eta / 4 * z2, on=RUNS
    ).states(),
)

PARTS = link(
    "lem-5",
    "The error of z in terms of those of its parts",
    "Lemma 5, L369-377, L617-665",
    "|z_(t+1) - grad F(x_t)|^2 is at most 2 C_0 delta_y + 2 C_1 delta_fx + 2 C_2 delta_gxy + 2 C_3 delta_gyy + 2 C_4 "
    "delta_fy.",
    ("asm-1", "asm-2(i)", "asm-2(iii)"),
    inequality(
        "four terms of one difference",
        (a + b + c + d) ** 2,
        2 * a**2 + 6 * (b**2 + c**2 + d**2),
        note="a: from u or grad_x f; b, c, d: from V, H^-1 and v, where H >= lambda and |v| <= C_fy.",
    ),
    inequality(
        "errors of the estimators and of y",
        (a + b + c + d + e) ** 2,
        2 * e**2 + 4 * a**2 + 12 * (b**2 + c**2 + d**2),
        note="e = the difference at y_t and y*(x_t), e^2 <= C_0 delta_y by the four terms.",
    ),
    AlongTrajectory(
        "along runs",
        err2,
        common.closed(
            2 * (k.C_0 * lag2 + k.C_1 * err_fx + k.C_2 * err_gxy + k.C_3 * err_gyy + k.C_4 * err_fy),
            common.LEMMA_5,
        ),
        on=RUNS,
    ).states(),
)

ONE_QUADRATIC = inequality(
    "g = y^2/2 at a fixed x",
    (1 - tau_t * tau * w) ** 2,
    1
    - tau_t * tau / 4
    + 8 * tau_t * tau * (1 - w) ** 2
    - tau_t * tau**2 * (1 + tau_t * tau / 4) * (1 - 3 * tau / 2) * w**2,
    box={tau: Interval(0, Rational(2, 3), low_open=True)},
    witness={tau: Rational(13, 20), tau_t: Rational(15, 2), w: Rational(19, 20)},
    note="y_t = 1, L_g = lambda = 1, w in place of grad_y g = 1; the printed lemma has no bound on tau_t.",
)

LOWER = link(
    "lem-6",
    "One step of y",
    "Lemmas 3 and 6, L302, L381, L667-738",
    "For tau <= 2/(3 L_g), delta_y,t+1 is at most (1 - tau_t tau lambda/4) delta_y,t + (8 tau_t tau/lambda) delta_gy,t "
    "+ (8 L_y^2/(tau_t tau lambda)) |x_(t+1) - x_t|^2 - (2 tau/tau_t) (1 + tau_t tau lambda/4) (1/(2 tau) - 3 L_g/4) "
    "|y_(t+1) - y_t|^2.",
    ("asm-1", "lem-13"),
    ONE_QUADRATIC.states().refuted("E2"),
    replace(
        ONE_QUADRATIC,
        name="g = y^2/2 at a fixed x, tau_t <= 1/2",
        given=(Le(tau_t, HALF),),
        witness={},
        note="",
    ).repaired("E2"),
    AlongTrajectory(
        "along runs, tau_t <= 1/2",
        lag2_next,
        (1 - eta * tau * k.lam / 4) * lag2
        + 8 * eta * tau / k.lam * err_gy
        + 8 * k.L_y**2 / (eta * tau * k.lam) * moved_x
        - 2 * tau / eta * (1 + eta * tau * k.lam / 4) * (1 / (2 * tau) - Rational(3, 4) * k.L_g) * moved_y,
        on=RUNS,
        note="tau_t = eta_t.",
    )
    .states()
    .repaired("E2"),
)

STORM = link(
    "lem-8",
    "One step of STORM",
    "Lemma 8, L399",
    "E|h_(t+1) - h(e_t)|^2 is at most (1 - beta) |h_t - h(e_(t-1))|^2 + 2 beta^2 sigma^2 + 2 L^2 |e_t - e_(t-1)|^2.",
    ("asm-2(i)", "asm-2(ii)"),
    Identity(
        "the error after one step",
        (1 - beta) * (u - o) + n - h,
        (1 - beta) * (u - (o - w)) + beta * (n - h) + (1 - beta) * ((n - h) - w),
        note="u the estimate, o and n the sample at the old and the new point, w = o - h(e_(t-1)), h = h(e_t).",
    ),
    inequality(
        "mean square, the noise being centred",
        (1 - beta) ** 2 * u**2 + (beta * n + (1 - beta) * p) ** 2,
        (1 - beta) * u**2 + 2 * beta**2 * n**2 + 2 * p**2,
        box={beta: Interval(0, 1, low_open=True)},
        note="u the old error, n the noise, p the centred change of the sampled function, |p| <= L |e_t - e_(t-1)|.",
    ),
    note="Quoted with a reference to [5]. h(.; xi) has to be Lipschitz, not only h (E19).",
)

STEP_RATIO = link(
    "eq-8",
    "Change of 1/eta_t",
    "(8), L424",
    "1/eta_t - 1/eta_(t-1) is at most eta_t/(7 L_F c^3) for c_0 >= 2 and eta_t <= 1/(4 L_F).",
    (),
    inequality(
        "cube roots",
        7 * q * u,
        u**2 + u * w + w**2,
        Le(4 * q, u),
        Le(Rational(3, 4) * u, w),
        box={u: POSITIVE, w: POSITIVE},
        note="u^3 = c_0 + t = w^3 + 1 <= 2 w^3, so w >= (3/4) u; q = L_F c; 1/eta_t - 1/eta_(t-1) = (u - w)/c and "
        "u - w = 1/(u^2 + u w + w^2).",
    ),
    inequality(
        "the cube root of 1/2",
        Rational(27, 64) * u**3,
        w**3,
        Le(u**3, 2 * w**3),
        box={u: POSITIVE, w: POSITIVE},
    ),
)

THEOREM_1 = link(
    "thm-1",
    "Theorem 1: the coefficients of the potential",
    "L426-486",
    "The mean of E|grad F(x_t)|^2 over t = 0, ..., T is O(T^(-2/3)) up to logarithms.",
    ("lem-4", "lem-5", "lem-6", "lem-8", "eq-8", "asm-2(iv), 4(iv)"),
    inequality(
        "the coefficient of |z|^2",
        8 * a + 2 * b,
        Rational(1, 4),
        Le(a, Rational(1, 64)),
        Le(b, Rational(1, 16)),
        note="a = C gamma^2 L_y^2/(tau lambda), b = gamma times the sum of the squared Lipschitz constants.",
    ),
    inequality("the coefficient of delta_y", C_0, C * tau * lam / 4, Le(4 * C_0, C * tau * lam)),
    *misprint(
        "E23",
        inequality(
            "gamma eta_t L_F from eta_t L_F alone",
            gamma * eta * L,
            HALF,
            Le(eta * L, Rational(1, 4)),
            note="what Theorem 1 secures (L162).",
        ),
        "gamma eta_t L_F with gamma <= 2",
        given=(Le(eta * L, Rational(1, 4)), Le(gamma, 2)),
    ),
    *misprint(
        "E1",
        inequality(
            "beta_gy from the printed c_0",
            b * c**2,
            q / 2,
            Le(c**2, 2 * b * q),
            box={b: POSITIVE, c: POSITIVE},
            note="b = 8 C gamma tau/lambda, the larger part of b_gy; q = c_0^(2/3), so that beta_gy is about b c^2/q.",
        ),
        "beta_gy from the repaired c_0",
        given=(Le(2 * b * c**2, q),),
    ),
)

MEAN = link(
    "lem-10",
    "The error of d",
    "Lemmas 2 and 10, L290, L494",
    "|d_(t+1) - grad F|^2 is at most 2 delta_d + (1/m) sum over i of twice the right side of Lemma 5.",
    ("lem-5", "asm-3", "asm-4"),
    inequality(
        "two parts",
        (a + b) ** 2,
        2 * a**2 + 2 * b**2,
        note="a = |d - mean of z_i|, b = |mean of z_i - grad F|.",
    ),
    inequality(
        "Jensen for two tasks",
        ((a + b) / 2) ** 2,
        (a**2 + b**2) / 2,
        note="of which m - 1 uses give m tasks.",
    ),
)

ONE_CHANGES = inequality(
    "V_i of one task changes, C'_2 with lambda",
    (1 - 1 / m) * C**2 * a**2,
    24 * lam * C**2 * a**2,
    box={m: at_least(2)},
    witness={C: 1, a: 1, lam: Rational(1, 100), m: 2},
    note="beta = 0 and d = mean of z_i: both sides times m lambda^2. z_i changes by C_fy a/lambda where |v_i| = C_fy "
    "and H_i = lambda, so E_j of delta_d becomes (1 - 1/m)/m times its square.",
)

CHANGE = link(
    "lem-11",
    "One step of d",
    "Lemma 11, L506-516, L740-775",
    "E_j delta_d,t+1 is at most (1 - beta) delta_d,t + 2 beta^2 sigma_z^2 + (1/m) sum over i of C'_1 |change of u_i|^2 "
    "+ C'_2 |change of V_i|^2 + C'_3 |change of H_i|^2 + C'_4 |change of v_i|^2.",
    ("asm-3", "asm-4"),
    ONE_CHANGES.states().refuted("E5"),
    replace(
        ONE_CHANGES,
        name="V_i of one task changes, C'_2 with lambda^2",
        rhs=24 * C**2 * a**2,
        witness={},
        note="",
    ).repaired("E5"),
)

BLOCKS = link(
    "lem-12",
    "One step of the block estimators",
    "Lemma 12, L518-528, L777-781",
    "The estimator with weight 1/p_i is unbiased for every block; E delta_t+1 is at most (1 - beta) delta_t + 2 beta^2 "
    "C(p) + 2 L(p) |e_(t+1) - e_t|^2.",
    ("asm-4",),
    Identity(
        "one block, sampled with probability q",
        q * ((1 - beta) * (u - o / q) + n / q) + (1 - q) * (1 - beta) * u,
        (1 - beta) * (u - o) + n,
        note="u the block, o and n its functions at the old and the new point.",
    ),
    Identity("second moment of one block", q * (n / q) ** 2, n**2 / q, note="summed over the blocks: C(p)."),
    inequality(
        "mean square, as in Lemma 8",
        (1 - beta) ** 2 * u**2 + (beta * n + (1 - beta) * p) ** 2,
        (1 - beta) * u**2 + 2 * beta**2 * n**2 + 2 * p**2,
        box={beta: Interval(0, 1, low_open=True)},
    ),
)

THEOREM_2 = link(
    "thm-2",
    "Theorem 2: the coefficients of the potential",
    "(9)-(11), L545-570",
    "With eta of order eps, the mean of E|grad F(x_t)|^2 is at most eps^2 after T = O(C(p)/(m eps^3)) steps.",
    ("lem-4", "lem-6", "lem-10", "lem-11", "lem-12", "asm-2(iv), 4(iv)"),
    *misprint(
        "E4",
        inequality(
            "the coefficient of delta_y, C as printed",
            3 * C_0,
            C * tau * lam / 4,
            Le(12 * C_0 * tau * lam, C),
            Le(tau * lam, THIRD),
        ),
        "the coefficient of delta_y, C repaired",
        given=(Le(12 * C_0, C * tau * lam), Le(tau * lam, THIRD)),
    ),
    *misprint(
        "E9",
        inequality(
            "coefficients of the errors",
            -3 + 3 * beta / 2 + 2,
            Rational(-1),
            box={beta: Interval(0, Rational(1, 33), low_open=True)},
            note="of C_k gamma eta delta/m, where beta <= 1/33 by the condition on eta.",
        ),
        "coefficients of the errors, repaired",
        rhs=Rational(-19, 20),
    ),
    errata=("E8",),
)

THEOREM_3 = link(
    "thm-3",
    "Theorem 3: one stage halves the error",
    "(12)-(16), L578-598",
    "E[F(x_K) - F_*] <= eps after O(C(p)/(mu^(3/2) m eps^(1/2)) + C(p)/(mu m eps)) samples.",
    ("thm-2", "asm-PL"),
    inequality(
        "five terms of a stage",
        a + b + c + d + e,
        q,
        *(Le(5 * x, q) for x in (a, b, c, d, e)),
        note="q = mu eps_k; the four entries of T_k and eta_k make each term at most mu eps_k/5.",
    ),
    *misprint(
        "E22",
        inequality(
            "the term of y with the printed T_k",
            2 * C * q,
            q * C_6 * eta * T / 5,
            Le(10 * C, T * C_6 * m * eta),
            box={m: at_least(1)},
            note="the induction hypothesis bounds delta_y/m, not delta_y, by mu eps_(k-1) = 2 q.",
        ),
        "the term of y without 1/m",
        given=(Le(10 * C, T * C_6 * eta),),
    ),
)

LEMMAS = (
    SOLUTION,
    DESCENT,
    PARTS,
    LOWER,
    STORM,
    STEP_RATIO,
    THEOREM_1,
    MEAN,
    CHANGE,
    BLOCKS,
    THEOREM_2,
    THEOREM_3,
)
