"""From simulations to stored results, in parallel processes.

In: simulations and `Options`, the user's wishes, checked once. Out: results by simulation key. One simulation on its
way::

    ensure([sim], options, store)         `pool`: what the store holds is read, the rest is computed
    job = prepare(sim, options)           `jobs`: horizon, runs, marks, seed and key filled in
    _work(...)                            `pool`, in a worker (`processes`, forked from `preload`)
    execute(job, backend, ...)            `jobs`: hands a `Problem` and a `Run` to the engine, adds what it is about

`replay` computes one row of a stored batch again, alone, and compares.
"""
