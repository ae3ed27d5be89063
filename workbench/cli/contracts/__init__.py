"""What every paper keeps: contracts of its steps, constants, schedules, claims and figures.

In: simulations, theorems, figures of the catalog. Out: an `outcome.Outcome` for each contract, with a sentence for each
finding. `workbench check` prints them; the tests of the tree call the same functions. One contract, followed through:
`check.contracts_of(key, ...)` picks one simulation for each step of the paper; ``"purity"`` calls `steps.purity` on
each, which yields a sentence where a step writes into what it is given, or gives two answers to one input;
`outcome.line` says *kept*, or *BROKEN* and the sentences.
"""
