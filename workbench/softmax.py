"""Softmax regression: ``from workbench.softmax import cross_entropy, grad``.

Another name of `workbench.problems.softmax`, where they are defined.
"""

import sys

from workbench.problems import softmax as _module
from workbench.problems.softmax import *  # noqa: F403 - for editors and type checkers

sys.modules[__name__] = _module
