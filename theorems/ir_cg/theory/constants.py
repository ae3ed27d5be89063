"""Constants of this paper, under the names that instances use for them.

`T` in the bounds is the paper's t, the number of steps made: the bounds are on x_T and z_T.
"""

from sympy import Symbol

from workbench.vocabulary import Constant, constant

CONSTANTS: tuple[Constant, ...] = (
    constant("L_f", "L_f", "smoothness of every f(., theta)", zero=True),
    constant("L_g", "L_g", "smoothness of every g(., xi)", zero=True),
    constant("D", "D", "diameter of X"),
    constant("sigma_g", r"\sigma_g", "noise level of grad g (a.s. bound in this project's forms)", zero=True),
    constant("d", "d", "dimension", integer=True),
    constant("c", "c", "unspecified absolute constant of the STORM concentration"),
    constant("varsigma", r"\varsigma", "prefactor of the regularization sigma_t, free"),
    constant("p", "p", "decay of the regularization, free"),
    constant("omega", r"\omega", "decay of the step size, non-convex theorems"),
    constant("q", "q", "period of the full gradients", integer=True),
    constant("S", "S", "minibatch size", integer=True),
    constant("Delta_F", r"\Delta_F", "F_opt - min_X F", zero=True),
    constant("gap_G0", r"\mathcal{G}(x_0)", "G(x_0) - G_opt", zero=True),
    constant("range_F", r"R_F", "max_X F - F_opt", zero=True),
    constant("range_G", r"R_G", "max_X G - G_opt", zero=True),
    constant("sup_F", r"\sup|F|", "sup over X of |F|", zero=True),
    constant(
        "sup_calF", r"\sup|\mathcal{F}|", "sup over X of |max_(v in X_opt) grad F(x)'(x - v)|", zero=True
    ),
    constant("sup_grad_F", r"\sup\|\nabla F\|", "sup over X of |grad F|", zero=True),
    # Two constants may have either sign.
    Constant(Symbol("gap_F0", real=True), r"F(x_0)-F_{\mathrm{opt}}", "F(x_0) - F_opt"),
    Constant(Symbol("F_0", real=True), "F(x_0)", "F(x_0)"),
)

SYMBOLS: dict[str, Symbol] = {x.name: x.symbol for x in CONSTANTS}
LATEX: dict[Symbol, str] = {x.symbol: x.latex for x in CONSTANTS}

L_f, L_g, D, sigma_g, d, c = (SYMBOLS[n] for n in ("L_f", "L_g", "D", "sigma_g", "d", "c"))
varsigma, p, omega, q, S = (SYMBOLS[n] for n in ("varsigma", "p", "omega", "q", "S"))
Delta_F, gap_F0, gap_G0 = (SYMBOLS[n] for n in ("Delta_F", "gap_F0", "gap_G0"))
range_F, range_G, F_0 = (SYMBOLS[n] for n in ("range_F", "range_G", "F_0"))
sup_F, sup_calF, sup_grad_F = (SYMBOLS[n] for n in ("sup_F", "sup_calF", "sup_grad_F"))
