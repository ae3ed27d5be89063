"""Formulas of Theorem 5.1's record for its proof (Appendix E), in the units of each line."""

from sympy import Expr, Symbol, expand, symbols

from workbench import Form
from workbench.theory import PowerSum

from . import symbols as s
from .symbols import B_1, B_2, L_g1, a, b, kappa_g, sigma, tau
from .theorem_5_1 import CORNER, PRINTED, REPAIRED

gain = Symbol("gain", nonnegative=True)
drop_t, S_y, S_z, drift, start, drift_v, upper = symbols(
    "drop_t S_y S_z drift start drift_v upper", nonnegative=True
)
four = Symbol("four_tau", positive=True)
first, S_bias, N_sum = symbols("first S_bias N_sum", nonnegative=True)


def feedback(form: Form) -> Expr:
    """16128 gamma^2 kappa_g^2 L_g1^2 c_lambda/(1 - rho) at the largest gamma that the form allows for that reason."""
    cap = form[s.gamma].subs(s.r_gamma, 1)
    (root,) = [c for c in cap.args if c.has(s.c_lam)]
    return 16128 * root**2 * kappa_g**2 * L_g1**2 * s.c_lam / s.gap


def in_units(bound: Expr) -> Expr:
    """The repaired bound in the units of its last step."""
    upper = PowerSum(s.T, B_1 - 2 * tau)
    inner_y, inner_z = PowerSum(s.T, b + B_2 - tau), PowerSum(s.T, a + B_2)
    noisy = s.gap / (s.lam_1**2 * s.T ** (2 * tau) * kappa_g * sigma**2)
    feedback = gain * s.gap / (336 * kappa_g**2 * L_g1**2 * s.c_lam)  # gamma^2
    units = {
        upper: N_sum / (sigma * s.lam_1) ** 2,
        inner_y: S_y * noisy,
        inner_z: S_z * noisy,
        s.M: start * s.gamma,
        s.V_T: drift_v * s.gamma,
        s.S_tau: S_bias * s.lam_1**2 / s.D_1**2,
        s.Delta_1: first / s.c_tau,
        s.H_2T: drift * s.gap / (84 * L_g1**2 * s.c_lam),
    }
    bound = bound.subs(units).subs(s.gamma**2, feedback)
    return expand(bound.subs(s.D_1**2, S_bias * kappa_g**2 * s.L_f0**2 * s.c_lam / (drop_t * s.gap)))


FORMULAS = {
    "feedback_printed": feedback(PRINTED),
    "feedback_repaired": feedback(REPAIRED),
    "bound_5_1_repaired": in_units(REPAIRED[s.bound]).subs(4**tau, four),
    "exponent_bias": (1 - 2 * tau).subs(CORNER),
    "exponent_upper": (1 + 2 * tau - B_1).subs(CORNER),
    "exponent_y": (1 + 3 * tau - b - B_2).subs(CORNER),
    "exponent_z": (1 + 2 * tau - a - B_2).subs(CORNER),
}
