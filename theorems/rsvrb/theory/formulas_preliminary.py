"""A constant of the record that Lemma 13 derives."""

from . import common

FORMULAS = {
    "L_J_of_record": common.L_J,
}
