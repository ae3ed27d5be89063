"""Constants of the records that Lemmas 1-3 derive."""

from sympy import Expr

from . import common
from . import symbols as s

SMOOTHNESS = dict(common.SMOOTHNESS)
KAPPA = SMOOTHNESS[s.kappa]
L_Y: Expr = SMOOTHNESS[s.L_y]
L: Expr = SMOOTHNESS[s.L].xreplace({s.L_y: L_Y})
L_0_SQUARE: Expr = SMOOTHNESS[s.L_0] ** 2

FORMULAS = {
    "kappa_of_record": KAPPA,
    "L_y_of_record": L_Y,
    "L_of_record": L,
    "L_0_sq_of_record": L_0_SQUARE,
}
