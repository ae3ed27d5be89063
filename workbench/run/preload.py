"""Imports what workers need, in the server process that they are forked from (see `workbench.run.processes`)."""

import gc
from contextlib import suppress

from workbench.homes import papers
from workbench.run import (
    catalog,
    preload_libraries,  # noqa: F401 (imported for what it imports)
)
from workbench.run.store import sources
from workbench.run.store.checkpoint import CODE

catalog.simulations()
catalog.lemmas()
with suppress(Exception):  # a source that is missing, a method that is none: a worker says it
    sources.read({papers.module_name("methods", s.algorithm) for s in catalog.simulations().values()} | CODE)
gc.collect()
gc.freeze()  # permanent objects: keeps the workers' garbage collectors from scanning them
