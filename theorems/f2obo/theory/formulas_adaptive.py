"""Formulas of Theorem 4.1's record for its proof (Appendix D), in the units of each line."""

from sympy import Expr, Symbol, expand, expand_log, log, symbols

from . import symbols as s
from .symbols import L_g1, T, lam_1, mu_g, tau
from .theorem_4_1 import DELTA_Y, DELTA_Z, LOGARITHM, PRINTED, REPAIRED

lam = Symbol("lam", positive=True)
theta = Symbol("theta", positive=True)
log_T = Symbol("log_T", real=True)
start, drift_v, S_bias = symbols("start drift_v S_bias", nonnegative=True)
PER_ROUND = (
    6 * (lam * L_g1) ** 2 * 4 * DELTA_Y**2 / (lam * mu_g) ** 2 + 3 * (lam * L_g1) ** 2 * DELTA_Z**2 / mu_g**2
)


def _regret(bound: Expr) -> Expr:
    """The bound of the record in the units of the last step."""
    units = {s.M: start * s.gamma, s.V_T: drift_v * s.gamma, s.S_tau: S_bias * lam_1**2 / s.D_1**2}
    return expand(bound.subs(units))


def _count(steps: Expr, rate: Expr) -> Expr:
    """A number of inner steps of the record in theta = log(1/rate) and log_T = log(T)."""
    return expand_log(steps, force=True).subs({log(rate): -theta, log(T): log_T})


FORMULAS = {
    "errors_4_1": (T * PER_ROUND).subs(lam, lam_1 * T**tau).expand(),
    "L_L0_gap": REPAIRED[s.L_L0] - PRINTED[s.L_L0],
    "bound_4_1": _regret(PRINTED[s.bound]),
    "bound_4_1_repaired": _regret(REPAIRED[s.bound]),
    "steps_y": _count(REPAIRED[s.I_y], s.rho_y),
    "steps_z": _count(REPAIRED[s.I_z], s.rho_z),
    "logarithmic_count": (LOGARITHM[s.I_y] - T) * log(1 / s.rho_y) / T,
}
