"""What the record gives for Lemma C.1 along a run."""

from sympy import Symbol, symbols

from . import symbols as s
from .along_runs import V_seen, as_recorded
from .theorem_3_1 import PRINTED

gamma_t = Symbol("gamma_t", positive=True)
error, inverse = symbols("sum_error sum_inverse", nonnegative=True)

FORMULAS = {
    "regret_seen": as_recorded(
        (16 * s.M + 8 * V_seen) / gamma_t + 16 * s.D_1**2 * inverse + 16 * error, PRINTED
    ),
}
