"""What figures are drawn with: panels, captions, tables and colours.

The names stand in ``drawing.pyi``, each with the module that defines it; one is loaded when it is first used.
"""

from workbench.homes import on_demand

__getattr__, __dir__, __all__ = on_demand.names(__name__, __file__)
