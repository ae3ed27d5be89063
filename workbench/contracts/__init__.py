"""What every paper keeps, in the tree or outside: contracts of its steps, constants, schedules, claims and figures.

In: simulations, theorems, figures of the catalog. Out: an `outcome.Outcome` for each contract, with a sentence for each
finding. `workbench check` prints them; the tests of the tree call the same functions.
"""
