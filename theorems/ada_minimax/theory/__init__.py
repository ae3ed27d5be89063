"""Ada-NSGDM, Ada-Minimax and Ada-BiO: Theorems 5.6, 4.1 and 4.2 with every constant."""

from . import theorem_4_1, theorem_4_2, theorem_5_6
from .assumptions import ASSUMPTIONS
from .errata import ERRATA
from .paper import PAPER
from .witness import STATEMENTS

THEOREMS = (theorem_5_6.THEOREM, theorem_4_1.THEOREM, theorem_4_2.THEOREM)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "STATEMENTS", "THEOREMS"]
