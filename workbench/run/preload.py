"""Imports what workers need, in the server process that they are forked from (see `workbench.run.processes`)."""

import gc

from workbench import catalog
from workbench.run import preload_libraries  # noqa: F401 (imported for what it imports)

catalog.simulations()
catalog.lemmas()
gc.collect()
gc.freeze()  # permanent objects: keeps the workers' garbage collectors from scanning them
