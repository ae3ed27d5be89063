"""Imports what workers need, in the process that they are copies of (see `workbench.run.processes`)."""

import gc
import importlib
import importlib.util

from workbench import catalog

catalog.simulations()
catalog.lemmas()
for module in (
    "workbench.ledger.decide",
    "workbench.ledger.study",
    "workbench.run.pool",
    "xarray",
    "h5netcdf",
    "numba",
):
    if importlib.util.find_spec(module) is not None:
        importlib.import_module(module)
gc.collect()
gc.freeze()  # what is here stays: no worker need look through it for garbage
