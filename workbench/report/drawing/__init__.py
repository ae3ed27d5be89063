"""Figures, one package per paper, drawn from stored results; nothing here simulates.

In: results by simulation key and the ledger's outcomes. Out: PDF, PNG and caption files. One figure, followed through:
a `Figure` (`figure`) names the simulations it needs; `draw` draws it with the shared `panels` and `readings`, adds the
measured sentences of its caption (`facts`) and saves it (`_style`); `stamps` records what it was drawn from.

Shared shapes: `panels.curve_grid` (methods in a grid of panels), `rates_and_bounds` (one theorem: curves, local slopes,
bound, slack).
"""
