"""Constants of the hypergradient in Theorem 4.2's record."""

from sympy import Symbol

from workbench.vocabulary import sigma_g2

from . import theorem_4_1
from . import theorem_4_2 as record
from .theorem_4_2 import L_F, L_f

SMOOTH = dict(record.smoothness())
noisy = Symbol("sigma_g2", positive=True)

FORMULAS = {
    "L_Phi_of_record": theorem_4_1.L_PHI[1],
    "L_f_of_record": SMOOTH[L_f],
    "L_F_of_record": SMOOTH[L_F].xreplace({L_f: SMOOTH[L_f]}),
    "nu_of_record": record.BIAS[1],
    "noise_equation_40": record.sigma_phi_equation_40(),
    "noise_last_line": record.sigma_phi_proof(),
    "noise_of_record": record.sigma_phi_safe(),
    "noise_of_record_at": record.sigma_phi_safe().subs(sigma_g2, noisy),
}
