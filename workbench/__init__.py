"""Checks convergence theorems against their own algorithms. See README.md.

The packages and modules, bottom up. Each imports only from those above it in this list, and each package's docstring
states its inputs and outputs::

    threads       one thread for each library of linear algebra
    disk          files that are never half written, and read only if they are plain
    arrays        building blocks of a step: primitives, random numbers, noise laws, sets, backends
    engine        runs a step: the eager loop and the compiled kernels; the records of a run
    algorithms, instances, probes      the papers' methods, test problems, quantities observed along a run
    evidence      statistics: curves in, findings and verdicts out
    calibration   tests of the checker itself on planted curves
    experiments   simulations and the claims about them
    ledger        the proof ledger: every line of a proof as a record, and its checkers
    store         results as files, their keys, checkpoints of interrupted runs
    papers        where papers are: in the tree, in installed packages, in folders and files of the user
    mistakes      what is wrong in a paper's own code, in one sentence with its line
    catalog       index of everything above, found by walking the papers' places
    run           from simulations to stored results: options, jobs, worker processes, replay
    verify        from claims to verdicts
    contracts     what every paper keeps
    studies       what is asked about a theorem beyond its verdict: its plan, its lost factors, its worst instance
    report        output drawn from results and verdicts
    scaffold      new papers from templates
    doctor        diagnosis of the installation
    commands      what each command parses, calls and prints; closed streams and unforeseen errors
    cli, __main__               the commands put together; the entry point

`theorems` lies below all of them. `figures` is on the level of `catalog`: it draws and cannot simulate.
"""
