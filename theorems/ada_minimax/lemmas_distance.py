"""Sums of distances to the lower-level solution: Lemma 5.7 (= C.3), L214-222, L628-635, L746-762.

The display at L748-760 turns sum mu eta_(y,k) d_k^2 <= D^2 into sums of d^2 and d. With X^2 = sum d_k^2 these are
statements about a few numbers.
"""

from sympy import Expr, Le, Rational, Symbol, sqrt, symbols

from theorems.ada_minimax import hierarchical as h
from theorems.ada_minimax.chain import DELTA, FAR, SADDLE, link, measured
from theorems.ada_minimax.hierarchical import D
from theorems.ada_minimax.theorem_4_1 import PRINTED, REPAIRED
from theorems.lemma import (
    NONNEGATIVE,
    AlongTrajectory,
    Identity,
    Inequality,
    WithProbability,
    misprint,
    nonnegative,
    positive,
)
from theorems.vocabulary import L, T, eta, gamma, mu, sigma_y

X, z, s = symbols("X z s", nonnegative=True)
t = Symbol("t", positive=True)  # the iteration of the record
p, r = symbols("p r", nonnegative=True)

sum_d, sum_d2 = symbols("sum_d sum_d2", nonnegative=True)
eta_y, gamma_seen = symbols("eta_y gamma", positive=True)


def squares(D_: Expr, mu_eta: Expr) -> Expr:
    """Right-hand side of (22) as printed."""
    return (4 * D_**2 * L**2 + 2 * D_ * gamma_seen + 2 * sqrt(2) * D_ * sigma_y * sqrt(t)) / mu_eta**2


def distances(D_: Expr, mu_eta: Expr) -> Expr:
    """Right-hand side of (23) as printed."""
    near = (sqrt(2) * D_ * L + sqrt(D_ * gamma_seen)) * sqrt(t)
    return (near + sqrt(2 * D_ * sigma_y) * t ** Rational(3, 4)) / mu_eta


D_SEEN, Q_SEEN = measured(PRINTED, D, eta="eta_y"), measured(REPAIRED, h.Q_T, eta="eta_y")
FOUR = 1 - 4 * DELTA

MU_ETA = mu * eta_y
box = {X: NONNEGATIVE, **positive(D, z), **nonnegative(s, p)}
DISTANCE = link(
    "lem-5.7",
    "Distance to the lower-level solution (= Lemma C.3)",
    "L214-222, L628-635, L746-762",
    "With probability 1 - 4 delta, for all t <= T + 1, d_t <= D, and sum d_k^2 and sum d_k are at most the right-hand "
    "sides of (22), (23).",
    ("eq-34", "asm-3.1", "asm-3.2", "asm-3.3", "asm-3.4"),
    # sqrt(gamma^2 + sum |g_y|^2) <= p + s X with p = gamma + sqrt(2) sigma sqrt(t), s = sqrt(2) L; z = mu eta.
    *misprint(
        "E4",
        Inequality(
            "(iii), (iv) the sum of squares",
            X**2,
            (2 * D**2 * s**2 + 2 * D * p) / z**2,
            box,
            given=(Le(z * X**2, D**2 * (p + s * X)),),
            witness={X: 6, D: 3, z: 1, s: 0, p: 4},
            note="from (35): X^2 mu eta_(y,t) <= D^2. One factor D and a square root are lost on the way.",
        ),
        "(iii), (iv) the sum of squares, D^4",
        rhs=(2 * D**4 * s**2) / z**2 + 2 * D**2 * p / z,
    ),
    Inequality(
        "the quadratic inequality", X**2, 2 * r**2 + 2 * p, nonnegative(X, r, p), given=(Le(X**2, p + r * X),)
    ),
    Identity(
        "Q_T of the repaired record",
        REPAIRED[h.Q_T],
        2 * D**4 * (sqrt(2) * L) ** 2 / (mu * eta) ** 2
        + 2 * D**2 * (gamma + sqrt(2) * sigma_y * sqrt(T)) / (mu * eta),
    ).repaired("E4"),
    AlongTrajectory("(22) from a distant start", sum_d2, squares(D_SEEN, MU_ETA), on=(FAR,)).refuted("E4"),
    AlongTrajectory("(23) from a distant start", sum_d, distances(D_SEEN, MU_ETA), on=(FAR,)).refuted("E4"),
    WithProbability("sum of squares along runs", sum_d2, Q_SEEN, on=(FAR, SADDLE), probability=FOUR).repaired(
        "E4"
    ),
    WithProbability(
        "sum of distances along runs", sum_d, sqrt(t * Q_SEEN), on=(FAR, SADDLE), probability=FOUR
    ).repaired("E4"),
    note="Far from the solution the sum of d^2 is of order d_1^4/eta^2, which no multiple of D^2 covers.",
)

LEMMAS = (DISTANCE,)
