"""What adaptivity adds to C in the records."""

from workbench.vocabulary import sigma_bar

from . import common

FORMULAS = {
    "adaptivity_of_record": common.adaptivity_error(sigma_bar),
}
