"""Constants of Theorem 4.1's record that AdaGrad's sums give."""

from . import hierarchical as h
from .theorem_4_1 import PRINTED, REPAIRED

FORMULAS = {
    "C_1_of_record": PRINTED[h.C_1].xreplace({h.Delta_y: PRINTED[h.Delta_y]}),
    "C_1_repaired_argument": REPAIRED[h.C_1].args[0],
}
