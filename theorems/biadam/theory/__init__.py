"""BiAdam and VR-BiAdam: Theorems 1-4 (5-8 in the appendix) with every constant, printed and repaired."""

from . import theorem_1, theorem_2, theorems_3_4
from .assumptions import ASSUMPTIONS
from .errata import ERRATA
from .paper import PAPER
from .table_1 import TABLE_1

THEOREMS = (theorem_1.THEOREM, theorem_2.THEOREM, theorems_3_4.THEOREM_3, theorems_3_4.THEOREM_4)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "TABLE_1", "THEOREMS"]
