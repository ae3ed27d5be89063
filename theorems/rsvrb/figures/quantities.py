"""How quantities and grid points of paper `rsvrb` are shown to a reader (`workbench.report.quantities`)."""

SHOWN_AS = {
    "mix = 0": "uniform p_i",
    "mix = 0.5": "p_i half uniform and half ~ 1/i",
    "mix = 1": "p_i ~ 1/i",
}
