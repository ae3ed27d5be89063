"""From simulations to stored results, in parallel processes.

In: simulations and `Options`, the user's settings, validated once. Out: results by simulation key. One simulation,
followed through::

    ensure([sim], options, store)         `pool`: reads what the store holds, computes the rest
    job = prepare(sim, options)           `jobs`: fills in horizon, runs, marks, seed and key
    _work(...)                            `pool`, in a worker process (`processes`, forked from `preload`)
    execute(job, backend, ...)            `jobs`: passes a `Problem` and a `Run` to the engine, adds metadata

`replay` recomputes one row of a stored batch on its own and compares the two.
"""
