"""Checks convergence theorems against their own algorithms. See README.md.

The rooms, from the ground up; each imports only from those above it in this list, and says in its own docstring what
comes in and what leaves::

    arrays        what a step is written with: primitives, random numbers, noise laws, sets, backends
    engine        runs a step: the eager loop and the compiled one; the records of a run
    algorithms, instances, probes      the papers' methods, test problems, what is watched beside a run
    evidence      statistics: curves in, findings and verdicts out
    calibration   the checker itself on planted curves
    experiments   what is simulated and what is claimed of it
    ledger        the proof ledger: every line of a proof as a record, and its checkers
    store         results as files, their keys, positions of interrupted runs
    catalog       everything there is, found by walking the packages
    run           from simulations to stored results: options, jobs, worker processes, replay
    verify        from claims to verdicts
    report        what is drawn from results and verdicts
    doctor, cli   what this machine offers; the command line

`theorems` lies below all of them and `figures` beside `catalog`: it draws and cannot simulate.
"""
