"""Figures, one package per paper. They draw stored results and never simulate.

In: results by simulation key. Out: PDF, PNG and a caption whose numbers are computed. One curve on its way: a `Reading`
of a paper's claims says simulation, grid point, view and claimed exponent; `readings.panel` draws it with its band and
slope; `readings.said_slopes` puts the slope that the verdict judges into the caption; `draw` writes the files and
`stamps` remembers what they were drawn from. `ledger` draws the proof of every paper that has one.

Shapes that papers share: `panels.curve_grid` (methods in a grid of panels), `rates_and_bounds` (one theorem: curves,
local slopes, bound, slack).
"""
