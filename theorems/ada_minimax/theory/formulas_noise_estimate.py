"""t_0 of the records."""

from sympy import log

from workbench.vocabulary import T, delta, sigma_bar, sigma_low

from .common import A_T, B_T, c_0, ell_T, noise_constants, t_0, t_0_closed_form
from .theorem_5_6 import PRINTED

CHAIN = dict(noise_constants(sigma_low, sigma_bar, whole_t_0=False))

FORMULAS = {
    "t_0_equation_6": CHAIN[t_0]
    .args[1]
    .xreplace({A_T: CHAIN[A_T], B_T: CHAIN[B_T]})
    .xreplace({c_0: CHAIN[c_0]}),
    "t_0_equation_16": t_0_closed_form().args[1].xreplace({log(60 * log(6 * T) / delta): ell_T}),
    "t_0_of_record": PRINTED[t_0].args[1],
}
