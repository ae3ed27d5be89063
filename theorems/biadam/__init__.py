"""BiAdam and VR-BiAdam: Theorems 1-4 (5-8 in the appendix) with every constant, printed and repaired."""

from theorems.biadam import theorem_1, theorem_2, theorems_3_4
from theorems.biadam.assumptions import ASSUMPTIONS
from theorems.biadam.errata import ERRATA
from theorems.biadam.paper import PAPER
from theorems.biadam.table_1 import TABLE_1

THEOREMS = (theorem_1.THEOREM, theorem_2.THEOREM, theorems_3_4.THEOREM_3, theorems_3_4.THEOREM_4)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "TABLE_1", "THEOREMS"]
