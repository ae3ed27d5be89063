"""This project's lines on the sampling probabilities: the least C(p), and what uniform sampling costs. L248, L254.

With a_i^2 = C_fx,i^2 + ... + C_gyy,i^2, C(p) = sum of a_i^2/p_i. The primal optimum is p_i = a_i/sum a_j, the dual one
(of the condition sum p_i = 1) the square of s = sum a_j. Sums over m = n tasks are proved by induction.
"""

from sympy import IndexedBase, Le, Symbol, symbols

from workbench.theory.lemma import Identity

from .chain import inequality, lam, link, m
from .lemmas_descent import JENSEN

n = Symbol("n", integer=True, positive=True)
p_i, s = symbols("p_i s", positive=True)
a_i, a_1, a_2 = symbols("a_i a_1 a_2", nonnegative=True)
COST, LOSS, SIZES, CHANCES, RATIO, P = (
    IndexedBase(name) for name in ("COST", "LOSS", "SIZES", "CHANCES", "RATIO", "P")
)
C_p, total = symbols("C_p total", nonnegative=True)

SAMPLING = link(
    "own-sampling",
    "The probabilities that make C(p) least",
    "L248, L254",
    r"$C(\mathbf{p}) \ge (a_1 + \ldots + a_m)^2$ for all $\mathbf{p}$, with equality for "
    r"$p_i = a_i/(a_1 + \ldots + a_m)$; $C(\mathbf{p}) \ge (\lambda m)^2$.",
    ("asm-3", "asm-4"),
    Identity(
        "what C(p) exceeds its least value by",
        COST[n] - 2 * s * SIZES[n] + s**2 * CHANCES[n],
        LOSS[n],
        n=n,
        recursion={
            COST[1]: P[1] * RATIO[1] ** 2,
            LOSS[1]: P[1] * (RATIO[1] - s) ** 2,
            SIZES[1]: P[1] * RATIO[1],
            CHANCES[1]: P[1],
            COST[n + 1]: COST[n] + P[n + 1] * RATIO[n + 1] ** 2,
            LOSS[n + 1]: LOSS[n] + P[n + 1] * (RATIO[n + 1] - s) ** 2,
            SIZES[n + 1]: SIZES[n] + P[n + 1] * RATIO[n + 1],
            CHANCES[n + 1]: CHANCES[n] + P[n + 1],
        },
        note="P_i = p_i, RATIO_i = a_i/p_i: COST = C(p), SIZES = sum a_i, CHANCES = 1. With s = sum a_i this is C(p) "
        "- s^2, a sum of squares times p_i, which vanishes only for p_i = a_i/s.",
    ),
    inequality(
        "one task, dual",
        2 * s * a_i,
        a_i**2 / p_i + s**2 * p_i,
        note="for every s > 0: the sum over i is 2 s sum a_i - s^2 <= C(p), the dual function at the multiplier s^2.",
    ),
    inequality(
        "the largest value of the dual function",
        2 * s * total - s**2,
        total**2,
        note="total = sum a_i; attained for s = total, so that the bound is the best one.",
    ),
    inequality(
        "the least C(p)",
        total**2,
        C_p,
        Le(2 * total * total - total**2, C_p),
        note="weak duality at s = total.",
    ).states(),
    Identity(
        "attained",
        a_i**2 / (a_i / s),
        s * a_i,
        note="one task at p_i = a_i/s; the sum is s^2 for s = sum a_i.",
    ).states(),
    inequality(
        "C(p) of tasks with C_gyy,i >= lambda",
        (lam * m) ** 2,
        C_p,
        Le(total**2, C_p),
        Le(lam * m, total),
        note="a_i >= C_gyy,i >= lambda by Assumption 3: no p makes C(p)/(m eps^3) of lower order than m/eps^3.",
    )
    .states()
    .own("E11"),
    JENSEN,
    inequality(
        "uniform sampling costs less than m times the least C(p)",
        a_1**2 + a_2**2,
        (a_1 + a_2) ** 2,
        note="two tasks, of which m - 1 uses give m: uniform sampling has m sum a_i^2, at least (sum a_i)^2 by Jensen.",
    ),
)
LEMMAS = (SAMPLING,)
