"""Convergence theorems as data. SymPy only: no arrays, no files, nothing of the workbench.

In: a paper, read. Out: records from which bounds, numbers, exponents, schedules and checks are derived. One theorem on
its way (`<paper>/theorem_*.py`)::

    PRINTED = Form("printed", ((C, ...), (bound, C / sqrt(T))), "L202")    `record`: an ordered chain of definitions
    THEOREM.exponent("noisy")                                             `asymptotics`: -1/4, exactly
    THEOREM.counterexample("regret")                                      `laws`: a point where a rate does not follow
    THEOREM.numeric("printed")(L=..., T=...)                              the bound as a NumPy function
    THEOREM.steps(L=..., eta=...)                                         fields of the algorithm's ``Steps``

`lemma` holds the records of the proof ledger, one per line of a proof; `vocabulary` the symbols that papers share.
"""
