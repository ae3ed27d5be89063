"""Convergence theorems as data, one package per paper. SymPy only: no arrays, no files.

In: what a paper states, and constants by the names in `vocabulary`. Out: numbers, exponents, schedules and LaTeX, all
derived from the same expressions. One bound, followed through::

    Form(definitions)                 `record`: the chain of definitions that ends in the bound
    theorem.numeric(form)             the bound as a function of an instance's constants
    theorem.exponent(case, form)      its exponent, by the rules of `asymptotics`
    theorem.law_exponent(law, form)   with symbolic exponents: `laws`, compared by linear programs (`simplex`)
    theorem.steps(**constants)        the algorithm's step sizes

`lemma` has the records of the proof ledger; `sentences` reads what records say in words; `indicator` and `special` are
functions that occur in bounds; `baselines` has the step-size rules of competing methods.
"""

import os

from workbench.homes import on_demand

__getattr__, __dir__, __all__ = on_demand.names(__name__, __file__)
os.environ.setdefault("SYMPY_CACHE_SIZE", "10000")  # ten times SymPy's own: ledgers load a tenth faster
