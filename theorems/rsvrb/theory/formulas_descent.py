"""Constants of Lemma 5's record, and its bound along a run."""

from sympy import Symbol

from . import common
from . import constants as k

CONSTANTS = dict(common.LEMMA_5)


def quantity(name: str) -> Symbol:
    """A quantity of a probe or a sampler."""
    return Symbol(name, real=True)


FORMULAS = {
    "C_0_of_record": CONSTANTS[k.C_0],
    "C_1_of_record": CONSTANTS[k.C_1],
    "C_2_of_record": CONSTANTS[k.C_2],
    "C_3_of_record": CONSTANTS[k.C_3],
    "C_4_of_record": CONSTANTS[k.C_4],
    "error_of_h_seen": common.in_parameters(
        2
        * (
            k.C_0 * quantity("lag2")
            + k.C_1 * quantity("err_fx")
            + k.C_2 * quantity("err_gxy")
            + k.C_3 * quantity("err_gyy")
            + k.C_4 * quantity("err_fy")
        ),
        common.LEMMA_5,
    ),
}
