"""Formulas of Theorem 3.2's record for its proof (Section C.2), in the units of each line."""

from sympy import Add, Expr, Integer, Rational, Symbol, expand, simplify, symbols

from . import symbols as s
from .along_runs import as_recorded
from .symbols import tau
from .theorem_3_2 import PRINTED, REPAIRED

w = Symbol("w", nonnegative=True)
first, S_bias = symbols("first S_bias", nonnegative=True)
sum_regret = Symbol("sum_regret", nonnegative=True)


def _jumps(power: int, last: int, rate: Expr) -> Expr:
    """S(T) of L817 at tau = `power`, where lambda_1 cancels."""
    jump = [Integer(0), Integer(0)]
    jump += [Rational(m**power - (m - 1) ** power, (m * (m - 1)) ** power) ** 2 for m in range(2, last + 1)]
    return Add(
        *(t ** (2 * power) * rate ** (t - m) * jump[m] for t in range(2, last + 1) for m in range(2, t + 1))
    )


def _printed_C_S(power: int, last: int, rate: Expr) -> Expr:
    """C_S of L837 at tau = `power`."""
    first = [Rational(2 ** (2 * power + 2), t**2) for t in range(2, last + 1)]
    second = [
        rate ** (t // 2 + 1) * Rational(t ** (2 * power), 2 ** (2 * power + 2)) for t in range(2, last + 1)
    ]
    return power**2 * Add(*first, *second) / (1 - rate)


FED_BACK = s.C_g * 4**tau * s.A * (s.lam_1 * s.gamma) ** 2
LATE = s.lam_1**2 * s.T ** (2 * tau)
SUMMED = 2 * (
    s.c_tau * s.Delta_1
    + s.c_lam * s.C_S
    + 3 * FED_BACK * (sum_regret + s.D_1**2 / s.lam_1**2 * s.S_tau)
    + s.c_gz * LATE / (1 - s.rho_z) * s.H_2T
    + s.c_g * LATE / (1 - s.rho_y) * (s.E_fT + s.E_gT)
)
lag, jumps, drift, start, drift_v = symbols("lag jumps drift start drift_v", nonnegative=True)


def in_units(bound: Expr) -> Expr:
    """The repaired bound in the units of the last step; drift: all three terms with lambda_T^2."""
    late = s.lam_1**2 * s.T ** (2 * tau)
    units = {
        s.M: start * s.gamma_T,
        s.V_T: drift_v * s.gamma_T,
        s.S_tau: S_bias * s.lam_1**2 / s.D_1**2,
        s.Delta_1: first / s.c_tau,
        s.C_S: jumps / s.c_lam,
        s.H_2T: drift * (1 - s.rho_z) / (s.c_gz * late),
        s.E_fT: lag * (1 - s.rho_y) / (s.c_g * late),
        s.E_gT: w * (1 - s.rho_y) / (s.c_g * late),
    }
    return expand(simplify(bound.subs(units)))


FORMULAS = {
    "jumps_up_to_9": _jumps(3, 9, Rational(7, 8)),
    "C_S_at_9": _printed_C_S(3, 9, Rational(7, 8)),
    "C_S_of_record": REPAIRED[s.C_S],
    "C_g_of_record": PRINTED[s.C_g],
    "c_g_of_record": PRINTED[s.c_g],
    "c_g_repaired": REPAIRED[s.c_g],
    "c_gamma_repaired": REPAIRED[s.c_gamma],
    "errors_single_seen": as_recorded(SUMMED, REPAIRED),
    "bound_3_2_repaired": in_units(REPAIRED[s.bound]),
    "first_term_3_2": PRINTED[s.bound].coeff(s.M),
}
