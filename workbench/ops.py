"""Array functions of a step: ``from workbench.ops import norm, sq``.

Another name of `workbench.arrays.ops`, where they are defined.
"""

import sys

from workbench.arrays import ops
from workbench.arrays.ops import *  # noqa: F403 - for editors and type checkers

sys.modules[__name__] = ops
