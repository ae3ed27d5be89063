"""Lines of the proofs: Lemmas 2, 3, 5, 9-11, (11), the potential (58)-(59), and the last steps of Theorems 1-4.

Exact where they are scalar, along runs of BiAdam else. Lemmas 1, 4, 6-8 and 12 are not encoded yet: the chain below is
a part of the proof.
"""

from sympy import Le, Rational, Sum, Symbol, symbols

from theorems.biadam.paper import PAPER
from theorems.lemma import (
    REAL,
    UNIT,
    AlongTrajectory,
    Identity,
    Inequality,
    closed,
    link,
    misprint,
    nonnegative,
    positive,
)

i, n = symbols("i n", integer=True, positive=True)
C, L_f, mu, rest = symbols("C_gxy L_f mu rest", positive=True)
q = Symbol("q", real=True)
p_1, p_2, p_3, p_4 = symbols("p_1 p_2 p_3 p_4", nonnegative=True)
beta = Symbol("beta", nonnegative=True)
rho, S, g = symbols("rho S g", positive=True)
b, b_next, Y = symbols("b b_next Y", nonnegative=True)
u, v, w = symbols("u v w", real=True)
R = Symbol("R", nonnegative=True)

DESCENT = "biadam/sim-ledger-descent"


def along_runs(lhs: str, rhs: str) -> AlongTrajectory:
    """A line between two quantities of the probe."""
    return AlongTrajectory("along runs", Symbol(lhs, real=True), Symbol(rhs, real=True), on=(DESCENT,))


L_y = L_f + L_f * C / mu + rest
LEMMA_2 = link(
    PAPER,
    "lem-2",
    "Smoothness of F",
    "L21",
    "The surrogate is L_y-Lipschitz in y, y* is kappa-Lipschitz and F is L-smooth with L = L_y (1 + kappa).",
    ("asm-1", "asm-2", "asm-4"),
    Identity("L from L_y", L_f + (L_f + L_y) * C / mu + rest, L_y * (1 + C / mu)),
)
LEMMA_3 = link(
    PAPER,
    "lem-3",
    "Bias of the estimate (6)",
    "L29",
    "The bias is at most C_gxy C_fy/mu (1 - mu/L_g)^K.",
    ("asm-1", "asm-4", "asm-5"),
    Identity(
        "truncated Neumann sum",
        (1 - q) * Sum(q ** (i - 1), (i, 1, n)),
        1 - q**n,
        n=n,
        start=1,
        note="The mean over k of K q^k/L_g, with q = 1 - h/L_g for a curvature h.",
    ),
)
LEMMA_5 = link(
    PAPER,
    "lem-5",
    "The metric's weight L_0",
    "L45, Lemma 7, L97",
    "|w - grad F|^2 is at most L_0^2 |y* - y|^2 + 2 |w - grad f|^2.",
    ("lem-2",),
    Inequality(
        "2 L_y^2 <= L_0^2",
        2 * (p_1 + p_2 + p_3 + p_4) ** 2,
        8 * (p_1**2 + p_2**2 + p_3**2 + p_4**2),
        nonnegative(p_1, p_2, p_3, p_4),
    ),
    Inequality("Young", (u + v) ** 2, 2 * (u**2 + v**2), {u: REAL, v: REAL}),
    along_runs("error_sq", "rhs_5"),
)
MAPPING = link(
    PAPER,
    "eq-11",
    "The metric bounds the gradient mapping",
    "(11), L45",
    "|G_X(x_t, grad F(x_t), gamma)| is at most calG_t.",
    ("lem-5", "asm-7"),
    along_runs("mapping_t", "metric_t"),
)
LEMMA_9 = link(
    PAPER,
    "lem-9",
    "Descent of F",
    "L97",
    "F decreases by the squared move of x, up to the squared error of w.",
    ("lem-2", "asm-7"),
    along_runs("phi_next", "rhs_9"),
)
LEMMA_10 = link(
    PAPER,
    "lem-10",
    "Distance of y from y*(x)",
    "L97, L131",
    "The squared distance contracts by 1 - eta mu lambda/(4 b_t), up to the error of v and the move of x.",
    ("lem-2", "asm-1", "asm-7"),
    along_runs("dist_next_sq", "rhs_10"),
)
LEMMA_11 = link(
    PAPER,
    "lem-11",
    "Error of w and v in BiAdam",
    "L97",
    "The mean squared error of w contracts by 1 - beta, up to beta^2 sigma^2, the move and the bias.",
    ("lem-3", "asm-6"),
    Inequality("contraction", (1 - beta) ** 2 * (1 + beta), 1 - beta, {beta: UNIT}),
    Inequality("factor of the move", (1 - beta) ** 2 * (1 + beta), 1, {beta: UNIT}, note="Times 1/beta."),
)
POTENTIAL = link(
    PAPER,
    "eq-58",
    "Decrease of the potential",
    "(58)-(59), L97; (83)-(84), L101",
    "The potential decreases by the squared terms of the metric, up to noise and bias.",
    ("lem-5", "lem-9", "lem-10", "lem-11", "asm-7"),
    *misprint(
        "O-1",
        Inequality(
            "move of x",
            rho / 4,
            rho / 2 - S * g**2,
            positive(rho, S, g),
            given=(Le(S * g**2, rho),),
            note="S gamma^2 <= rho is the printed condition, S the sum of both coefficients of gamma; times gamma.",
        ),
        "move of x, half of gamma",
        given=(Le(4 * S * g**2, rho),),
    ),
    *misprint(
        "O-2",
        Inequality("weight of the next potential", b_next * Y, b * Y, nonnegative(b, b_next, Y)),
        "weight of the next potential, b_t not increasing",
        given=(Le(b_next, b),),
    ),
    Inequality(
        "momentum of w", 4 - Rational(9, 2) - w, -Rational(1, 2), {w: closed(0, 100)}, note="c_2 = 9/2 + w."
    ),
)
JENSEN = link(
    PAPER,
    "eq-61",
    "From squares to the metric",
    "(61), L97; (87), L101",
    "The squared mean of the three parts of calG_t is at most three times the mean of their squares.",
    ("eq-58",),
    Inequality("three terms", (u + v + w) ** 2, 3 * (u**2 + v**2 + w**2), dict.fromkeys((u, v, w), REAL)),
)
PRIMED = Identity(
    "G' = rho^2 G",
    rho**2 * (p_1 / rho + p_2 / rho**2),
    rho * p_1 + p_2,
    note="The gap has 1/rho in G, every other term 1/rho^2; so for M'.",
)
BIAS = misprint(
    "O-7",
    Inequality("bias of the metric", R / rho, R, {R: nonnegative(R)[R], rho: positive(rho)[rho]}),
    "bias of the metric, over rho",
    rhs=R / rho,
)
CHAIN = ("eq-11", "eq-61", "asm-6", "asm-7")
CONSTRAINED = (
    (
        "thm-1",
        "BiAdam, constrained",
        "L97",
        "Theorem 1 follows by summation of (59) and Jensen's inequality.",
    ),
    (
        "thm-2",
        "VR-BiAdam, constrained",
        "L101",
        "Theorem 2 follows by summation of (84) and Jensen's inequality.",
    ),
)
UNCONSTRAINED = (
    (
        "thm-3",
        "BiAdam, unconstrained",
        "L97",
        "Theorem 3 follows from |grad F| <= |A_t| calG_t and Cauchy-Schwarz.",
    ),
    (
        "thm-4",
        "VR-BiAdam, unconstrained",
        "L101",
        "Theorem 4 follows from |grad F| <= |A_t| calG_t and Cauchy-Schwarz.",
    ),
)
LEMMAS = (
    LEMMA_2,
    LEMMA_3,
    LEMMA_5,
    MAPPING,
    LEMMA_9,
    LEMMA_10,
    LEMMA_11,
    POTENTIAL,
    JENSEN,
    *(link(PAPER, *named, CHAIN, *BIAS) for named in CONSTRAINED),
    *(link(PAPER, *named, CHAIN, PRIMED) for named in UNCONSTRAINED),
)
