"""Constants of the assumptions, free parameters and intermediate constants, by their Python names.

The paper's mu is mu_g here, its F(x_1) - F* is Delta_1 and its Delta_0 is d_1^2, the names of the shared vocabulary.
K, the length of the sum in (6), is a function of the horizon and so belongs to the chain.
"""

from sympy import Symbol, symbols

from workbench import vocabulary
from workbench.vocabulary import constant

CONSTANTS = (
    constant("L_g", "L_g", "smoothness of g(x, .; zeta), Lipschitz constant of grad_y g"),
    constant("L_f", "L_f", "Lipschitz constant of grad_x f and grad_y f, in x and in y"),
    constant("L_gxy", "L_{gxy}", "Lipschitz constant of grad^2_xy g", zero=True),
    constant("L_gyy", "L_{gyy}", "Lipschitz constant of grad^2_yy g", zero=True),
    constant("C_fy", "C_{fy}", "bound on |grad_y f|", zero=True),
    constant("C_gxy", "C_{gxy}", "bound on |grad^2_xy g|", zero=True),
    constant("sigma", r"\sigma", "standard deviation of the estimates of Assumption 6", zero=True),
    constant(
        "sigma_fy", r"\sigma_{fy}", "standard deviation of grad_y f(.; xi); 0 if |it| <= C_fy", zero=True
    ),
    constant(
        "sigma_gxy",
        r"\sigma_{gxy}",
        "standard deviation of grad^2_xy g(.; zeta); 0 if |it| <= C_gxy",
        zero=True,
    ),
    constant("rho", r"\rho", "A_t >= rho I"),
    constant("b_l", "b_l", "least b_t"),
    constant("b_u", "b_u", "largest b_t"),
    constant("b_1", "b_1", "b_t at t = 1"),
    constant("k", "k", "eta_t = k (m + t)^-1/2 or -1/3, free"),
    constant("m", "m", "offset of eta_t, free"),
    constant("c_1", "c_1", "alpha_(t+1) = c_1 eta_t or c_1 eta_t^2, free"),
    constant("c_2", "c_2", "beta_(t+1) = c_2 eta_t or c_2 eta_t^2, free"),
    constant("lam", r"\lambda", "step size of y, free"),
    constant("gamma", r"\gamma", "step size of x, free"),
    constant("A_rms", r"\|A\|", "root of the mean over t <= T of E|A_t|^2"),
    constant("G_1", "G_1", "bound on |grad_x f(x, y; xi)|"),
)
(
    L_g, L_f, L_gxy, L_gyy, C_fy, C_gxy, sigma, sigma_fy, sigma_gxy, rho, b_l, b_u, b_1, k, m, c_1, c_2, lam,
    gamma, A_rms, G_1,
) = (constant.symbol for constant in CONSTANTS)  # fmt: skip
T, mu_g, Delta_1, d_1 = vocabulary.T, vocabulary.mu_g, vocabulary.Delta_1, vocabulary.d_1

# Defined in the chains. L_y, L, L_0, L_1, L_K, L_2 are the paper's; *_least and *_most are the extreme values that a
# theorem admits.
L_y, L, L_0, L_1, L_2 = symbols("L_y L L_0 L_1 L_2", positive=True)
kappa, L_K, Delta_0 = symbols("kappa L_K Delta_0", nonnegative=True)
K = Symbol("K", positive=True, integer=True)
c_1_least, c_2_least, m_least = symbols("c_1_least c_2_least m_least", positive=True)
lam_most, gamma_most = symbols("lam_most gamma_most", positive=True)

# The terms of G and M, in the paper's order, and those of the bounds.
gap, start, first, noise = symbols("gap start first noise", nonnegative=True)
bias_1, bias_2 = symbols("bias_1 bias_2", positive=True)
G, M, G_prime, M_prime = symbols("G M G_prime M_prime", positive=True)
early, late, last, prefactor, bound = symbols("early late last prefactor bound", positive=True)

NOTATION: dict[Symbol, str] = {c.symbol: c.latex for c in CONSTANTS} | {
    mu_g: r"\mu",
    Delta_1: r"(F(x_1)-F^*)",
    d_1: r"\|y_1-y^*(x_1)\|",
    c_1_least: r"c_1^{\min}",
    c_2_least: r"c_2^{\min}",
    m_least: r"m^{\min}",
    lam_most: r"\lambda^{\max}",
    gamma_most: r"\gamma^{\max}",
    gap: r"\mathrm{gap}",
    start: r"\mathrm{start}",
    first: r"\mathrm{first}",
    noise: r"\mathrm{noise}",
    bias_1: r"\mathrm{bias}_1",
    bias_2: r"\mathrm{bias}_2",
    G_prime: r"G^\prime",
    M_prime: r"M^\prime",
    early: r"\mathrm{early}",
    late: r"\mathrm{late}",
    last: r"\mathrm{last}",
    prefactor: r"\mathrm{condition}",
    bound: r"\mathrm{bound}",
}
