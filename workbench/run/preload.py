"""Imports what workers need, in the server process that they are forked from (see `workbench.run.processes`)."""

import gc
from contextlib import suppress

from workbench import catalog, papers
from workbench.run import preload_libraries  # noqa: F401 (imported for what it imports)

catalog.simulations()
catalog.lemmas()
with suppress(papers.NoPaper):  # a worker says it
    papers.tree()
gc.collect()
gc.freeze()  # permanent objects: keeps the workers' garbage collectors from scanning them
