"""Imports what workers need, in the server process that they are forked from (see `workbench.run.processes`)."""

import gc
from contextlib import suppress

from workbench import catalog, papers
from workbench.run import preload_libraries  # noqa: F401 (imported for what it imports)
from workbench.store import sources
from workbench.store.checkpoint import CODE

catalog.simulations()
catalog.lemmas()
with suppress(Exception):  # a source that was edited or is missing, a method that is none: a worker says it
    papers.tree()
    methods = {papers.module_name("method", sim.algorithm) for sim in catalog.simulations().values()}
    sources.read({m for m in methods if papers.inside(m, papers.PACKAGES)} | CODE)
gc.collect()
gc.freeze()  # permanent objects: keeps the workers' garbage collectors from scanning them
