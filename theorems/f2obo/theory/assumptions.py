"""Assumptions 2.1-2.3, the conditions on parameters that the theorems share, and those that the proofs use tacitly."""

from sympy import Ge, Gt, Le, Lt, Rational

from workbench import Assumption, Condition

from . import symbols as s

UPPER = Assumption(
    "2.1",
    r"Each $f_t$ is $L_{f,0}$-Lipschitz and $L_{f,1}$-smooth in $(x, y)$, and $|F_t| \le M$ on $\mathcal{X}$. (The "
    r"proofs also need $\mathcal{X}$ closed and convex.)",
    (s.L_f0, s.L_f1, s.M),
    "L80",
)
LOWER = Assumption(
    "2.2",
    r"Each $g_t(x, \cdot)$ is $\mu_g$-strongly convex, $g_t$ is $L_{g,1}$-smooth in $(x, y)$, and its second "
    r"derivatives in $(x, y)$ and $(y, y)$ are $L_{g,2}$-Lipschitz.",
    (s.mu_g, s.L_g1, s.L_g2),
    "L84",
    (Le(s.mu_g, s.L_g1),),
)
NOISE = Assumption(
    "2.3",
    r"Sampled gradients of $f_t$ and $g_t$ are unbiased with variance at most $\sigma^2$ at every point.",
    (s.sigma,),
    "L90",
)
ASSUMPTIONS = (UPPER, LOWER, NOISE)

MULTIPLIER = Condition(
    Gt(s.lam_1, 2 * s.L_f1 / s.mu_g, evaluate=False), "lambda_1 > 2 L_f1/mu_g", "L124, L168"
)
CONVEXITY = Condition(Le(s.mu_g, s.L_g1, evaluate=False), "mu_g <= L_g1", "L84")
TAU_POSITIVE = Condition(Gt(s.tau, 0, evaluate=False), "tau > 0", "L168, L235")
TAU_HALF = Condition(Lt(s.tau, Rational(1, 2), evaluate=False), "tau < 1/2", "L184, L283")
ALPHA_POSITIVE = Condition(Gt(s.r_alpha, 0, evaluate=False), "alpha > 0", "L168")
ALPHA = Condition(Le(s.r_alpha, 1, evaluate=False), "alpha <= 1/L_g1, that is r_alpha <= 1", "L168")
BETA_POSITIVE = Condition(Gt(s.r_beta, 0, evaluate=False), "beta_t > 0", "L168")
BETA = Condition(
    Le(s.r_beta, Rational(1, 2), evaluate=False),
    "beta_t <= 1/(2 lambda_t L_g1), that is r_beta <= 1/2",
    "L168",
)
GAMMA_POSITIVE = Condition(Gt(s.r_gamma, 0, evaluate=False), "gamma > 0", "L168")
GAMMA = Condition(
    Le(s.r_gamma, 1, evaluate=False),
    "gamma at most the largest the theorem allows, that is r_gamma <= 1",
    "L168",
)
C_POSITIVE = Condition(Gt(s.c, 0, evaluate=False), "c > 0", "L168")
HORIZON = Condition(Ge(s.T, 1, evaluate=False), "T >= 1", "L103")

COMMON = (HORIZON, CONVEXITY, MULTIPLIER, TAU_POSITIVE, GAMMA_POSITIVE, GAMMA)
STEPS = (ALPHA_POSITIVE, ALPHA, BETA_POSITIVE, BETA)
BATCHES = (
    Condition(Ge(s.a, 0, evaluate=False), "a >= 0", "L283, L1118"),
    Condition(Ge(s.B_1, 0, evaluate=False), "B_1 >= 0", "L283"),
    Condition(Ge(s.B_2, 0, evaluate=False), "B_2 >= 0", "L283"),
)

# Not stated in the paper, used by its proofs.
B_AT_LEAST_TAU = Condition(
    Ge(s.b, s.tau, evaluate=False), "b >= tau, so that beta_t <= 1/(2 lambda_t L_g1)", "L1061, O-8"
)
LAMBDA_ONE = Condition(Ge(s.lam_1, 1, evaluate=False), "lambda_1 >= 1", "L1052, L1082, O-12")
