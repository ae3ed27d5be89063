"""F2OBO, AF2OBO and SF2OBO: Theorems 3.1, 3.2, 4.1, 5.1 and Corollary 5.2 with every constant."""

from . import theorem_3_1, theorem_3_2, theorem_4_1, theorem_5_1
from .assumptions import ASSUMPTIONS
from .errata import ERRATA
from .paper import PAPER
from .witness import STATEMENTS

THEOREMS = (theorem_3_1.THEOREM, theorem_3_2.THEOREM, theorem_4_1.THEOREM, *theorem_5_1.THEOREMS)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "STATEMENTS", "THEOREMS"]
