"""Formulas of Theorem 3.1's record for its proof (Section C.1), in the units of each line."""

from sympy import Expr, Rational, Symbol, expand, log, symbols

from . import symbols as s
from .along_runs import as_recorded
from .common import transient_printed
from .symbols import L_f0, kappa_g, lam_1, rho, tau
from .theorem_3_1 import PRINTED, REPAIRED

gain, first, S_bias = symbols("gain first S_bias", nonnegative=True)
drop, drift, start, drift_v = symbols("drop drift start drift_v", nonnegative=True)
sum_regret = Symbol("sum_regret", nonnegative=True)
FED_BACK = s.gamma**2 * s.C_lam * kappa_g**2 / (1 - rho)
SUMMED = (
    2 * s.c_tau * s.Delta_1
    + (288 * (1 + 4**tau) * s.c * kappa_g**3 * L_f0**2 + 8 * FED_BACK * s.D_1**2) / lam_1**2 * s.S_tau
    + 4 * FED_BACK * sum_regret
    + 2 * s.C_lam / (1 - rho) * s.H_2T
)


def in_units(bound: Expr, drop_c: Expr) -> Expr:
    """The bound of a form in the units of the last step.

    start = M/gamma, drift_v = V_T/gamma, S_bias = D_1^2 S_tau/lambda_1^2, first = c_tau Delta_1, drop = c kappa_g^3
    L_f0^2 S_tau/lambda_1^2, gain = gamma^2 C_lambda kappa_g^2/(1 - rho), drift = C_lambda H_2T/(1 - rho).
    """
    e = bound.subs(s.C_lam, gain * (1 - rho) / (s.gamma * kappa_g) ** 2)
    e = e.subs(s.c, drop_c * lam_1**2 / (kappa_g**3 * L_f0**2 * s.S_tau))
    units = {
        s.M: start * s.gamma,
        s.V_T: drift_v * s.gamma,
        s.S_tau: S_bias * lam_1**2 / s.D_1**2,
        s.Delta_1: first / s.c_tau,
        s.H_2T: drift * (s.gamma * kappa_g) ** 2 / gain,
    }
    return expand(e.subs(units))


FOUR = Symbol("four_tau", positive=True)

FORMULAS = {
    "c_tau_of_record": transient_printed()[1],
    "c_tau_seen": REPAIRED[s.c_tau].xreplace({s.theta: -log(rho)}),
    "geometric_y": 1 / (1 - REPAIRED[s.rho_y]),
    "geometric_y_at_half": 1 / (1 - PRINTED[s.rho_y]).subs(s.r_beta, Rational(1, 2)),
    "errors_seen": as_recorded(SUMMED, REPAIRED),
    "bound_3_1": in_units(PRINTED[s.bound].subs(s.r_beta, Rational(1, 2)), drop).subs(4**tau, FOUR),
    "bound_3_1_repaired": in_units(REPAIRED[s.bound].subs(s.r_beta, Rational(1, 2)), drop).subs(4**tau, FOUR),
}
