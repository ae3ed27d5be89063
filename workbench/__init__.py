"""Checks convergence theorems against their own algorithms: ``import workbench as wb``.

The public names stand in ``__init__.pyi``, each with the module that defines it; one is loaded when it is first used.

The rooms of the library, in the order in which they build on one another; each imports only from those above it, and
its docstring states what goes in and what comes out::

    homes       where papers are, and plain files
    theory      theorems as records, from which bounds, schedules and exponents are derived
    arrays      what a step is written with: array functions, random numbers, noise laws, sets, backends
    engine      runs a step: the eager loop and the compiled kernels
    problems    test problems with exact constants
    evidence    statistics: curves in, findings and verdicts out
    claims      what is simulated, and what is claimed of it
    run         from simulations to stored results, here or on a cluster
    ledger      the proof ledger and its checkers
    verdicts    from claims to verdicts, plans and studies
    report      figures, pages, and the parts of a document
    cli         the commands
"""

from workbench.homes import on_demand as _on_demand
from workbench.homes import papers as _papers

_papers.install()  # so that `workbench.theorems.<key>` can be imported
__getattr__, __dir__, __all__ = _on_demand.names(__name__, __file__)
