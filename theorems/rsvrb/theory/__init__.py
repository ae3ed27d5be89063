"""SVRB, RSVRB and RE-RSVRB: Theorems 1-3 with every constant, sampling probabilities, and what Table 1 claims."""

from . import theorem_1, theorem_2, theorem_3
from .assumptions import ASSUMPTIONS
from .errata import ERRATA
from .paper import PAPER

THEOREMS = (theorem_1.THEOREM, theorem_2.THEOREM, theorem_3.THEOREM)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "THEOREMS"]
