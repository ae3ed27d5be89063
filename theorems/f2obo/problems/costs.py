"""What one call of each oracle method costs."""

COSTS = {
    "grad_x_f": {"gradient_x_f": 1, "gradient": 1},
    "grad_y_f": {"gradient_y_f": 1, "gradient": 1},
    "grad_x_g": {"gradient_x_g": 1, "gradient": 1},
    "grad_y_g": {"gradient_y_g": 1, "gradient": 1},
    "jac_xy_g": {"jacobian_vector": 1},
    "hess_yy_g": {"hessian_vector": 1},
    "project": {"projection": 1},
}
