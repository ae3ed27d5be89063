"""Ada-NSGDM, Ada-Minimax and Ada-BiO: Theorems 5.6, 4.1 and 4.2 with every constant."""

from theorems.ada_minimax import theorem_4_1, theorem_4_2, theorem_5_6
from theorems.ada_minimax.assumptions import ASSUMPTIONS
from theorems.ada_minimax.errata import ERRATA
from theorems.ada_minimax.paper import PAPER
from theorems.ada_minimax.witness import STATEMENTS

THEOREMS = (theorem_5_6.THEOREM, theorem_4_1.THEOREM, theorem_4_2.THEOREM)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "STATEMENTS", "THEOREMS"]
