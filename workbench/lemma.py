"""Records of a proof ledger: ``from workbench.lemma import Inequality, link``.

Another name of `workbench.theory.lemma`, where they are defined.
"""

import sys

from workbench.theory import lemma
from workbench.theory.lemma import *  # noqa: F403 - for editors and type checkers

sys.modules[__name__] = lemma
