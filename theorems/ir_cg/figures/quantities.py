"""How quantities and grid points of paper `ir_cg` are shown to a reader (`workbench.report.quantities`)."""

SHOWN_AS = {
    "inner_gap": "G(z_t) - G_opt",
    "outer_gap": "F(z_t) - F_opt",
    "last_inner_gap": "G(x_t) - G_opt",
    "last_outer_gap": "F(x_t) - F_opt",
    "absolute_outer_gap": "|F(z_t) - F_opt|",
    "last_distance": "dist(x_t, X_opt)",
    "error_f": "error of the estimator of grad F",
    "error_g": "error of the estimator of grad G",
    "weighted_calF": "weighted mean of calF(x_i)",
    "weighted_calF_beta": "mean of calF(x_i) with weights beta_i",
    "block_calF": "weighted mean of calF(x_i) over (T/2, T]",
    "gap_F0": "F(x_0) - F_opt",
    "gap_G0": "G(x_0) - G_opt",
    "range_F": "max F - F_opt",
    "range_G": "max G - G_opt",
    "sup_F": "sup |F|",
    "sup_calF": "sup |calF|",
    "sup_grad_F": "sup |grad F|",
    "hoelder_a": "factor of the error bound",
    "hoelder_r": "exponent of the error bound",
}
