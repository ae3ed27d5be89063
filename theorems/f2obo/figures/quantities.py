"""How quantities and grid points of paper `f2obo` are shown to a reader (`workbench.report.quantities`)."""

SHOWN_AS = {
    "inner_steps": "inner steps",
    "E_fxT": "E_T(f_x)",
    "E_fyT": "E_T(f_y)",
    "E_gxyT": "E_T(g_xy)",
    "case = 0": "on D",
    "case = 1": "on E",
    "part = 0": "the theorem's gamma",
    "part = 1": "gamma = 1/(2 L_F)",
}
