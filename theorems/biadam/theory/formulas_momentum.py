"""A constant of the record that BiAdam's step needs."""

from . import common

SQUARE = common.L_1[1] ** 2

FORMULAS = {
    "L_1_sq_of_record": SQUARE,
}
