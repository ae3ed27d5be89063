"""Symbols of constants: ``from workbench.vocabulary import L, T``.

Another name of `workbench.theory.vocabulary`, where they are defined.
"""

import sys

from workbench.theory import vocabulary
from workbench.theory.vocabulary import *  # noqa: F403 - for editors and type checkers

sys.modules[__name__] = vocabulary
