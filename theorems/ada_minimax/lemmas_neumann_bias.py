"""What the bias of the Neumann sum costs: Lemma G.4, L1399-1422.

Its first step spends t - 1 on the sum over k of beta_((k+1):t) alpha_k, which is at most one (`own-convex`).
"""

from sympy import Rational, Sum, Symbol, exp, sqrt, symbols

from theorems.ada_minimax.chain import B1, link
from theorems.ada_minimax.theorem_4_2 import LEVER, NEUMANN_PRINTED
from theorems.lemma import AlongTrajectory, Constant, Identity, Induction, Inequality, closed
from theorems.vocabulary import T, eta, l_g1, mu_g

n, k = symbols("n k", integer=True, positive=True)
a, b = symbols("a b", nonnegative=True)
factor = Symbol("factor", positive=True)
sum_neumann = Symbol("sum_neumann", nonnegative=True)

NEUMANN = link(
    "lem-G.4",
    "Neumann bias of the momentum",
    "L1399-1422",
    "sum eta_(x,t) |sum_k beta_((k+1):t) alpha_k eps^N_k| is at most (2 eta T^(3/2)/3) l_g1 l_f0/mu_g (1 - "
    "mu_g/l_g1)^N.",
    ("lem-E.2", "own-convex"),
    Induction(
        "sum of (t - 1) t^(-1/2)",
        Sum((k - 1) / sqrt(k), (k, 1, n)),
        factor * n ** Rational(3, 2),
        n,
        1,
        constants=(Constant(factor, Rational(2, 3)),),
    ),
    Identity(
        "the Neumann term of the record, once",
        2 * eta * T ** Rational(3, 2) * LEVER / 3 * T ** Rational(-3, 2),
        NEUMANN_PRINTED,
        note="(1 - mu_g/l_g1)^N <= T^(-3/2) by the choice of N.",
    ),
    Inequality(
        "the printed length of the sum",
        exp(-a) * exp(-Rational(3, 2) * b),
        exp(-Rational(3, 2) * b),
        {a: closed(0, 100), b: closed(0, 60)},
        note="b = log T, N log(1/(1 - mu_g/l_g1)) = 3 b/2 + a.",
    ),
    AlongTrajectory(
        "along runs",
        sum_neumann,
        2
        * Symbol("eta_x", positive=True)
        * Symbol("t", positive=True) ** Rational(3, 2)
        * LEVER
        / 3
        * (1 - mu_g / l_g1) ** Symbol("N", integer=True, positive=True),
        on=(B1,),
    ),
    AlongTrajectory(
        "along runs, with T^(1/2)",
        sum_neumann,
        2
        * Symbol("eta_x", positive=True)
        * sqrt(Symbol("t", positive=True))
        * LEVER
        * (1 - mu_g / l_g1) ** Symbol("N", integer=True, positive=True),
        on=(B1,),
    ).own("E13"),
    note="With `own-convex` T^(3/2)/3 becomes T^(1/2), and a third of the printed N suffices.",
)

LEMMAS = (NEUMANN,)
