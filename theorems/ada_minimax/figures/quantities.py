"""How quantities and grid points of paper `ada_minimax` are shown to a reader (`workbench.report.quantities`)."""

SHOWN_AS = {
    "grad_norm_mean": "mean |grad Phi(x_t)|",
    "dist_y_max": "largest |y_t - y*(x_t)|",
    "d2_xy": "grad_xy^2",
    "weight = ": "alpha = ",
    "kappa = ": "kappa_sigma = ",
}
