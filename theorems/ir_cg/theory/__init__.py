"""IR-SCG and IR-FSCG: Theorems 1-6 with every constant, and this project's own refinements."""

from . import absolute, remark_1, theorem_1, theorem_2, theorems_3_4, theorems_5_6
from .assumptions import ASSUMPTIONS
from .errata import ERRATA
from .paper import PAPER

THEOREMS = (
    theorem_1.OUTER,
    theorem_1.INNER,
    theorem_2.OUTER,
    theorem_2.INNER,
    remark_1.ONE_SAMPLE.theorem,
    remark_1.FINITE_SUM.theorem,
    theorems_3_4.THEOREM_3,
    theorems_3_4.THEOREM_4,
    *theorems_5_6.THEOREM_5.values(),
    *theorems_5_6.THEOREM_6.values(),
    *theorems_5_6.OWN.values(),
    *theorems_5_6.OWN_FS.values(),
    absolute.THEOREM,
)

__all__ = ["ASSUMPTIONS", "ERRATA", "PAPER", "THEOREMS"]
