"""Worst cases over a class: from a step and a theorem to certificates that `workbench.ledger.worst_cases` re-checks.

`scalars` and `vectors` are what a step is traced with, `trace` runs it, `problem` makes the statement, `solve` asks the
solver, `certify` rounds its answer to fractions, `replay` runs the example through the engine.
"""
