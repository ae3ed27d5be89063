"""SVRB, RSVRB and RE-RSVRB: Theorems 1-3 with every constant, sampling probabilities, and what Table 1 claims."""

from theorems.rsvrb import theorem_1, theorem_2, theorem_3
from theorems.rsvrb.assumptions import ASSUMPTIONS
from theorems.rsvrb.errata import ERRATA
from theorems.rsvrb.paper import PAPER

# The catalog finds records called THEOREMS and asks for claims of each: these get that name with the experiments.
RECORDS = (theorem_1.THEOREM, theorem_2.THEOREM, theorem_3.THEOREM)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "RECORDS"]
