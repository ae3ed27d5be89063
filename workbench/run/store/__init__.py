"""The result store: one sealed netCDF file per simulation, named by a hash of everything its numbers depend on.

In: a `Result` and its key. Out: the same `Result`, bit for bit, or one sentence that explains why not. One simulation,
followed through::

    key = simulation_key(sim, batch, marks, seed)   `fingerprint`: hash of the inputs and of the code (`sources`)
    store.load(key)                                 `results`: None, or verified by seal and digest (`format`)
    Checkpointer(store, key, interrupts)            `checkpoint`: resumes an interrupted run; `interrupts`
    store.save(key, result)                         written to a temporary file, sealed, renamed
"""
