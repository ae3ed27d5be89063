"""How quantities and grid points of paper `biadam` are shown to a reader (`workbench.report.quantities`)."""

SHOWN_AS = {
    "grad_norm_mean": "mean |grad F(x_t)|",
    "grad_sq_mean": "mean |grad F(x_t)|^2",
    "dist_y_mean": "mean |y_t - y*(x_t)|",
    "dist_y_sq_mean": "mean |y_t - y*(x_t)|^2",
    "error_v_sq_mean": "mean |v_t - grad_y g|^2",
    "error_w_mean": "mean |w_t - grad_bar f|",
    "error_w_sq_mean": "mean |w_t - grad_bar f|^2",
    "w_sq_mean": "mean |w_t|^2",
    "metric_mean": "mean calG_t",
    "mapping_mean": "mean |G_X(x_t, grad F(x_t), gamma)|",
    "exponent = ": "q = ",
}
