"""Constants of Theorem 3.1's record that Appendix B derives."""

from . import symbols as s
from .theorem_3_1 import PRINTED

FORMULAS = {
    "D_1_of_record": PRINTED[s.D_1],
    "L_F_of_record": PRINTED[s.L_F],
}
