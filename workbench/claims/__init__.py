"""Experiments, one package per paper: what is simulated, and what is claimed about it.

In: theorem records, algorithms and instances. Out: ``SIMULATIONS`` and ``CLAIMS``, collected from a paper's modules by
the catalog. One claim, followed through:

    STUDY = Study(PAPER, ...)                     `study`: defaults of the paper's simulations and readings
    SIM = STUDY.simulation(...)                   `records`: a `Simulation`; ``make(horizon, runs)`` gives its `Batch`
    READING = STUDY.reading(THEOREM, SIM, ...)    `readings`: a curve (`views`) with the exponent of the theorem
    CLAIM = READING.tight()                       `claims`: one line of the verdict table
    CLAIM.finding(results)                        evidence from stored results (`workbench.evidence`)

`mutation` makes falsifiers, `constants` checks the constants of an instance, `data_source` selects the data,
`competition` runs several methods on one problem, `looks` says with how many runs a claim is decided.
"""
