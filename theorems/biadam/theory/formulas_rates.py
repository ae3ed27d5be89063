"""Bounds of Theorems 1 and 2, in the units of each line, and at the instance of O-2."""

from collections.abc import Mapping
from typing import Any

from sympy import Add, Expr, Rational, Symbol, log, sqrt, symbols

from . import symbols as s
from . import theorem_1, theorem_2
from .symbols import T, b_1, b_u, c_1, c_2, gamma, k, lam, m, mu_g, rho, sigma

HALF, THIRD, QUARTER, SIXTH = Rational(1, 2), Rational(1, 3), Rational(1, 4), Rational(1, 6)
power, power_next, ell = symbols("power power_next ell", positive=True)
ADDED_G = Add(*(value for _, value in theorem_1.repaired_terms_of_g()))
ADDED_M = Add(*(value for _, value in theorem_2.repaired_terms_of_m()))
ROOTS: dict[Expr, Expr] = {
    log(1 + T / m): ell,
    sqrt(m + T): power,
    (m + T + 1) ** Rational(3, 2): power_next**3,
    (m + T) ** (2 * THIRD): power**2,
}
root = Symbol("root", positive=True)
RECORD_G, RECORD_M = ADDED_G.xreplace(ROOTS), ADDED_M.xreplace({**ROOTS, m**THIRD: root})
t = Symbol("t", positive=True)
SEEN: dict[Symbol, Expr] = {
    T: t,
    sigma: Symbol("sigma_6", nonnegative=True),
    b_u: Symbol("b_0", positive=True),
}
G_SEEN = theorem_1.REPAIRED.in_parameters(s.G).xreplace(SEEN)
M_SEEN = theorem_2.REPAIRED.in_parameters(s.M).xreplace(SEEN)
FLAT: Mapping[Symbol, Any] = {
    mu_g: 1,
    s.L_g: 1,
    s.L_f: Rational(3, 20),
    s.L_gxy: 0,
    s.L_gyy: 0,
    s.C_gxy: QUARTER,
    s.C_fy: Rational(1, 10**9),
    sigma: 0,
    s.sigma_fy: 0,
    s.sigma_gxy: 0,
    rho: 1,
    s.b_l: 1,
    b_1: 1,
    s.Delta_1: 0,
    s.d_1: 1,
    lam: SIXTH,
    gamma: Rational(1, 10**9),
    T: 10**6,
}

FORMULAS = {
    "G_of_record": RECORD_G,
    "M_of_record": RECORD_M,
    "G_printed": Add(*(value for _, value in theorem_1.terms_of_g(b_1))),
    "M_printed": Add(*(value for _, value in theorem_2.terms_of_m(b_1))).xreplace(
        {m**THIRD: root, (m + T) ** THIRD: power}
    ),
    "G_seen": G_SEEN,
    "M_seen": M_SEEN,
    "bound_1_O_2": theorem_1.THEOREM.form()
    .in_parameters()
    .subs({**FLAT, k: 10, m: 2025, c_1: Rational(9, 2), c_2: Rational(9, 2)}),
    "bound_1_O_2_repaired": theorem_1.THEOREM.form()
    .in_parameters()
    .subs({**FLAT, k: 10, m: 2025, c_1: Rational(9, 2), c_2: Rational(9, 2), b_1: b_u}),
    "bound_2_O_2": theorem_2.THEOREM.form()
    .in_parameters()
    .subs({**FLAT, k: 1, m: 138, c_1: Rational(31, 6), c_2: Rational(31, 6)}),
    "bound_2_O_2_repaired": theorem_2.THEOREM.form()
    .in_parameters()
    .subs({**FLAT, k: 1, m: 138, c_1: Rational(31, 6), c_2: Rational(31, 6), b_1: b_u}),
}
