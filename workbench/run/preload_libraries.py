"""Imports the libraries that workers need, in the server process that they are forked from; no paper."""

import gc
import importlib
import importlib.util
import sys

from workbench.run import processes

sys.excepthook = processes.quiet_orphan
for module in (
    "workbench.ledger.decide",
    "workbench.ledger.study",
    "workbench.run.pool",
    "h5py",
    "numba",
):
    if importlib.util.find_spec(module) is not None:
        importlib.import_module(module)
gc.collect()
gc.freeze()  # permanent objects: keeps the workers' garbage collectors from scanning them
