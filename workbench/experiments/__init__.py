"""What is simulated and what is claimed of it, one package per paper, gathered by the catalog.

In: theorems, instances, algorithms by name; results by simulation key. Out: simulations (``SIMULATIONS``) and claims
(``CLAIMS``), which find their own evidence. One claim on its way::

    STUDY = Study(PAPER, metric="regret_sum", view=increments)      `study`: what a paper's records share
    BIAS = STUDY.simulation("bias", ..., make, horizon, runs)       `records`: data; ``make`` gives a `Batch`
    RATE = STUDY.readings(THEOREM, BIAS, points, law="regret")      `readings`: a curve (`views`) and its exponent
    CLAIMS = RATE.tight()                                           `claims`: lines of the verdict table
    CLAIMS[0].finding(results)                                      `workbench.evidence`, not decided yet

`constants` checks what an instance declares of itself, `mutation` makes wrong methods out of right ones,
`competition` sets several methods on one problem.
"""
