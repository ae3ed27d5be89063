"""What a problem of one's own is written with: data sets, losses on rows, sets, draws.

The names stand in ``instances.pyi``, each with the module that defines it; one is loaded when it is first used.
"""

from workbench.homes import on_demand

__getattr__, __dir__, __all__ = on_demand.names(__name__, __file__)
