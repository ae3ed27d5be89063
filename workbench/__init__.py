"""Checks convergence theorems against their own algorithms. See README.md.

The library's rooms; each imports only rooms that stand above it:

    homes     where papers are, their mistakes in a sentence, plain files
    theory    theorems as records, laws, vocabulary, asymptotics
    arrays    one interface to array libraries, noise by address, sets
    engine    one definition of a step, run eagerly or compiled
    problems  ready-made instances with exact constants
    evidence  intervals, trends, margins: from curves to a verdict
    claims    what a simulation is to show of a theorem, and the plan
    run       from simulations to stored results, here or on a cluster
    ledger    the proof's lines: searchers, certificates, the re-checker
    verdicts  lines of the verdict table, the planner, studies
    report    drawing, pages, LaTeX
    cli       commands, contracts, the scaffold of a new paper
"""

from workbench.homes import papers as _papers  # noqa: F401  # lets `workbench.theorems.<key>` be imported
