"""Constants, drift quantities, free parameters and intermediate constants, by their Python names.

L_f0 is the Lipschitz constant of f_t in (x, y) jointly (Assumption 2.1); l_f0 of the shared vocabulary is another
constant. The ratios r_alpha, r_beta and r_gamma say which share of the largest admissible step size is taken.
"""

from sympy import Symbol, symbols

from workbench import vocabulary
from workbench.vocabulary import constant

CONSTANTS = (
    constant("M", "M", "bound on |F_t| over X"),
    constant("L_f0", "L_{f,0}", "Lipschitz constant of f_t, jointly in (x, y)"),
    constant("L_f1", "L_{f,1}", "smoothness of f_t"),
    constant("L_g1", "L_{g,1}", "smoothness of g_t, jointly in (x, y)"),
    constant("L_g2", "L_{g,2}", "Lipschitz constant of the second derivatives of g_t", zero=True),
    constant("sigma", r"\sigma", "standard deviation of the sampled gradients", zero=True),
    constant("d_y", "d_y", "|y_1 - y*_1(x_1)|", zero=True),
    constant("d_z", "d_z", "|z_1 - y*_1(x_1)|", zero=True),
    constant("V_T", "V_T", "sum over t of sup |F_t - F_(t-1)|", zero=True),
    constant("H_2T", "H_{2,T}", "sum over t of sup |y*_t - y*_(t-1)|^2", zero=True),
    constant("E_fT", r"E^f_{\mathbf{y},T}", "sum over t of sup |grad_y f_t - grad_y f_(t-1)|^2", zero=True),
    constant("E_gT", r"E^g_{\mathbf{y},T}", "sum over t of sup |grad_y g_t - grad_y g_(t-1)|^2", zero=True),
    constant("tau", r"\tau", "growth of the multiplier: lambda_t = lambda_1 t^tau"),
    constant("lam_1", r"\lambda_1", "first multiplier"),
    constant("c", "c", "free bound on lambda_T^2 rho^K"),
    constant("c_0", "c_0", "T times c, free"),
    constant("a", "a", "decay of alpha_t = alpha t^-a", zero=True),
    constant("b", "b", "decay of beta_t = beta t^-b", zero=True),
    constant("B_1", "B_1", "growth of the upper batch t^B_1", zero=True),
    constant("B_2", "B_2", "growth of the inner batch t^B_2", zero=True),
    constant("r_alpha", r"r_\alpha", "alpha L_g1, in (0, 1]"),
    constant("r_beta", r"r_\beta", "beta_t lambda_t L_g1, in (0, 1/2]"),
    constant("r_gamma", r"r_\gamma", "share of the largest admissible gamma, in (0, 1]"),
)
(
    M, L_f0, L_f1, L_g1, L_g2, sigma, d_y, d_z, V_T, H_2T, E_fT, E_gT, tau, lam_1, c, c_0, a, b, B_1, B_2,
    r_alpha, r_beta, r_gamma,
) = (constant.symbol for constant in CONSTANTS)  # fmt: skip
T, mu_g = vocabulary.T, vocabulary.mu_g

# Defined in the chains of the theorems.
kappa_g, L_F, D_1, rho_y, rho, theta, gap = symbols("kappa_g L_F D_1 rho_y rho theta gap", positive=True)
C_lam, c_lam, C_g, c_g, c_gz, c_gamma = symbols("C_lam c_lam C_g c_g c_gz c_gamma", positive=True)
C_S, A_y, A, c_tau, gamma, gamma_T = symbols("C_S A_y A c_tau gamma gamma_T", positive=True)
S_tau, L_L0, S_y, S_z, bound = symbols("S_tau L_L0 S_y S_z bound", positive=True)
# These may vanish: gradient descent with step 1/L on a perfectly conditioned g, or a start at the solution.
rho_z, Y_2, Z_2, E_1, Delta_1 = symbols("rho_z Y_2 Z_2 E_1 Delta_1", nonnegative=True)
I_y, I_z, I_T = symbols("I_y I_z I_T", nonnegative=True)

# SymPy's own LaTeX of the other names is right.
NOTATION: dict[Symbol, str] = {c.symbol: c.latex for c in CONSTANTS} | {
    rho_y: r"\rho_{\mathbf{y}}",
    rho_z: r"\rho_{\mathbf{z}}",
    gap: r"\bar{\rho}",  # 1 - rho, as a name that can be defined
    C_lam: r"C_\lambda",
    c_lam: r"c_\lambda",
    c_gz: r"c_g^\prime",
    A_y: r"A_{\mathbf{y}}",
    E_1: r"\varepsilon_1",
    L_L0: r"L_{\mathcal{L},0}",
    S_y: r"\mathcal{S}_{\mathbf{y}}",
    S_z: r"\mathcal{S}_{\mathbf{z}}",
    I_y: r"\mathcal{I}_T^{\mathbf{y}}",
    I_z: r"\mathcal{I}_T^{\mathbf{z}}",
    I_T: r"\mathcal{I}_T",
    bound: r"\mathrm{bound}",
}

# Exponents of the drift quantities, where these grow like powers of T.
v, h, e, g = symbols("v h e g", nonnegative=True)
DRIFT = {V_T: T**v, H_2T: T**h, E_fT: T**e, E_gT: T**g}
