"""What is simulated for a paper, and what is claimed about it.

In: theorem records, methods and problems. Out: simulations, which a `Study` knows, and claims, which the catalog
collects from the attribute ``CLAIMS`` of a paper's modules. One claim, followed through:

    STUDY = Study(PAPER, ...)                     `study`: defaults of the paper's simulations and readings
    SIM = STUDY.simulation(...)                   `records`: a `Simulation`; ``make(horizon, runs)`` gives its `Batch`,
                                                  put together from parts by `batches`
    READING = STUDY.reading(THEOREM, SIM, ...)    `readings`: a curve (`views`) with the exponent of the theorem
                                                  (`claimed_exponents`)
    CLAIM = READING.tight()                       `claims`: one line of the verdict table
    CLAIM.finding(results, plan)                  evidence from stored results (`workbench.evidence`), read as planned

`mutation` makes falsifiers, `constants` checks the constants of an instance, `runs` has seed and data,
`competition` runs several methods on one problem, `interim_analyses` says with how many runs a claim is decided.
"""

from workbench.homes import on_demand

__getattr__, __dir__, __all__ = on_demand.names(__name__, __file__)
