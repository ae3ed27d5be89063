"""From simulations to stored results, in parallel processes here or on a cluster.

In: simulations and `Options`, the user's settings, validated once. Out: results by simulation key. One simulation,
followed through::

    ensure([sim], options, store)         `pool`: reads what the store holds, computes the rest
    job = prepare(sim, options)           `jobs`: fills in horizon, runs, marks, seed and key
    _work(...)                            `pool`, in a worker process (`processes`, forked from `preload`)
    execute(job, backend, ...)            `jobs`: passes a `Problem` and a `Run` to the engine, adds metadata

A result may have the runs of an early look only (`workbench.claims.interim_analyses`). `pending` knows which are there
and which are asked for next, and `row_blocks` extends it by the missing rows, with the bits of one made whole.

On a cluster (`connection`), the job is cut into `row_blocks`, which `cluster` sends out, joins and stores; `remote` is
what a worker does with one, in a process of its own, on papers that came by `shipping`.

`replay` recomputes one row of a stored batch on its own and compares the two.
"""
