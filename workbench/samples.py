"""How constants are sampled: ``from workbench.samples import Lipschitz, Samples``.

Another name of `workbench.problems.samples`, where they are defined.
"""

import sys

from workbench.problems import samples
from workbench.problems.samples import *  # noqa: F403 - for editors and type checkers

sys.modules[__name__] = samples
