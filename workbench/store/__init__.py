"""Results as files: one sealed netCDF file per simulation, named by a hash of all that its numbers depend on.

In: a `Result` and its key. Out: the same `Result`, to the bit, or a sentence that says why not. One simulation on its
way::

    key = simulation_key(sim, batch, marks, seed)   `fingerprint`: the inputs' content and the code's (`sources`)
    store.load(key)                                 `results`: None; or checked by seal and digest (`format`)
    Keeper(store, key, interrupts)                  `checkpoint`: where an interrupted run goes on; `interrupts`
    store.save(key, result)                         written under a temporary name, sealed, renamed
"""
