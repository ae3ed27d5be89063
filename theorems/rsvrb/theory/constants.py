"""Constants of this paper, under the names that instances use for them.

The five oracles are fx, fy (gradients of f), gy (gradient of g), gxy and gyy (its second derivatives, in the
Frobenius norm). For many tasks, C_0, ..., C_4 are maxima over the tasks, C_p and L_p the sums C(p) and L(p) of L248;
`workbench.theorems.rsvrb.theory.sampling` computes them.
"""

from sympy import Symbol

from workbench.vocabulary import Constant, constant

ORACLES = {
    "fx": "grad_x f",
    "fy": "grad_y f",
    "gy": "grad_y g",
    "gxy": "d2g/dxdy",
    "gyy": "d2g/dydy",
}

CONSTANTS: tuple[Constant, ...] = (
    *(constant(f"L_{n}", rf"L_{{{n}}}", f"Lipschitz constant of {x}", zero=True) for n, x in ORACLES.items()),
    *(
        constant(f"C_{n}", rf"C_{{{n}}}", f"bound on {x} (Theorem 1) or its root mean square", zero=True)
        for n, x in ORACLES.items()
    ),
    *(
        constant(f"sigma_{n}", rf"\sigma_{{{n}}}", f"standard deviation of {x}", zero=True)
        for n, x in ORACLES.items()
    ),
    constant("lam", r"\lambda", "strong convexity of g in y"),
    constant("L_g", "L_g", "smoothness of g in y"),
    constant("L_y", "L_y", "Lipschitz constant of y*"),
    constant("L_F", "L_F", "smoothness of F"),
    constant("Delta", r"\Delta", "F(x_0) - F_*", zero=True),
    constant("delta_y", r"\delta_{y,0}", "|y_0 - y*(x_0)|^2, summed over the tasks", zero=True),
    constant("delta_0", r"\delta_{0}", "mean squared errors of the five first estimators, summed", zero=True),
    constant("delta_d", r"\delta_{d,0}", "|d_1 - mean of the z_(i,1)|^2", zero=True),
    constant("sigma_z", r"\sigma_z", "root mean square over the tasks of z_i minus their mean", zero=True),
    constant("m", "m", "number of tasks", integer=True),
    constant("C_p", r"C(\mathbf{p})", "C(p), the second moments weighted by 1/p_i"),
    constant("L_p", r"L(\mathbf{p})", "L(p), the squared Lipschitz constants weighted by 1/p_i"),
    *(
        constant(f"C_{i}", f"C_{i}", "constant of Lemma 5, its maximum over the tasks", zero=True)
        for i in range(5)
    ),
    constant("tau", r"\tau", "step-size factor of y, free"),
    constant("c", "c", "factor of the step sizes, free"),
    constant("c_0", "c_0", "offset of the step sizes, free"),
    constant("K_log", r"K_{\log}", "unspecified constant of O(log(T + 2)), L478"),
    constant("accuracy", r"\epsilon", "the accuracy for which the steps are chosen"),
    constant("precision", r"\epsilon^{-1}", "1/eps, of the accuracy eps that is asked for"),
)

SYMBOLS: dict[str, Symbol] = {x.name: x.symbol for x in CONSTANTS}
LATEX: dict[Symbol, str] = {x.symbol: x.latex for x in CONSTANTS}

L_fx, L_fy, L_gy, L_gxy, L_gyy = (SYMBOLS[f"L_{n}"] for n in ORACLES)
C_fx, C_fy, C_gy, C_gxy, C_gyy = (SYMBOLS[f"C_{n}"] for n in ORACLES)
sigma_fx, sigma_fy, sigma_gy, sigma_gxy, sigma_gyy = (SYMBOLS[f"sigma_{n}"] for n in ORACLES)
lam, L_g, L_y, L_F = (SYMBOLS[n] for n in ("lam", "L_g", "L_y", "L_F"))
Delta, delta_y, delta_0, delta_d = (SYMBOLS[n] for n in ("Delta", "delta_y", "delta_0", "delta_d"))
sigma_z, m, C_p, L_p = (SYMBOLS[n] for n in ("sigma_z", "m", "C_p", "L_p"))
C_0, C_1, C_2, C_3, C_4 = (SYMBOLS[f"C_{i}"] for i in range(5))
tau, c, c_0, K_log = (SYMBOLS[n] for n in ("tau", "c", "c_0", "K_log"))
accuracy, precision = SYMBOLS["accuracy"], SYMBOLS["precision"]
