"""A constant of Theorem 4.1's record that Lemma C.2 derives."""

from . import hierarchical as h
from .theorem_4_1 import PRINTED

FORMULAS = {
    "C_2_of_record": PRINTED[h.C_2],
}
