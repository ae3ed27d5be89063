"""One step of the distance to the lower-level solution: Eq. (24) before it is summed, L641-658."""

from sympy import Symbol, symbols

from theorems.ada_minimax.chain import DRIFT, SADDLE, link
from theorems.lemma import NONNEGATIVE, POSITIVE, AlongTrajectory, Identity, Inequality, nonnegative

z = Symbol("z", nonnegative=True)
p, r = symbols("p r", nonnegative=True)

a, gy, eps = symbols("a gy eps", real=True)
y_step = Symbol("y_step", positive=True)
RECURSION = link(
    "eq-24",
    "Recursion of the distance",
    "Eq. (24) before summation, L641-658",
    "d_(k+1)^2 is at most (1 - mu eta_k) d_k^2 + 2 (1 + mu eta_k) eta_k <grad - g_y, y_k - y*_k> + (1 + mu eta_k) "
    "eta_k^2 |g_y|^2 + (1 + 1/(mu eta_k)) (L eta_(x,k)/mu)^2.",
    ("asm-3.1", "asm-3.3", "lem-D.1", "lem-E.1"),
    Inequality(
        "Young's inequality for the motion of y*",
        (p + r) ** 2,
        (1 + y_step) * p**2 + (1 + 1 / y_step) * r**2,
        {**nonnegative(p, r), y_step: POSITIVE},
        note="y_step = mu eta_k, p = |y_(k+1) - y*_k|, r = |y*_(k+1) - y*_k| <= (L/mu) eta_x.",
    ),
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
    ),
    AlongTrajectory(
        "along runs", Symbol("d_next_sq", nonnegative=True), Symbol("rhs_24", real=True), on=(SADDLE, DRIFT)
    ),
)

LEMMAS = (RECURSION,)
