"""This project's own statements: closed forms of the regret on the sine family, and the price of own forms.

The family: f_t = v sin(w (y - d_t) + phi) - p x, g_t = (mu/2) (y - epsilon x - d_t)^2. Its penalty value is a Moreau
envelope of f along y = epsilon x + d_t. The levels hold after the transient.
"""

from sympy import Rational, Symbol, log, pi, sqrt

from workbench import Statement
from workbench.theory import PowerSum
from workbench.vocabulary import constant

from . import symbols as s
from .paper import PAPER
from .symbols import T, kappa_g, lam_1, tau

SINE = (
    constant("v", "v", "height of the sine"),
    constant("w", "w", "its frequency"),
    constant("epsilon", r"\varepsilon", "slope of y* in x"),
    constant("mu", r"\mu", "strong convexity of g"),
    constant("p", "p", "tilt", zero=True),
)
v, w, epsilon, mu, p = (c.symbol for c in SINE)
d_step = Symbol("d_step", nonnegative=True)  # d_t - d_(t-1)

# At the stationary point of L*_lambda, cos(.) = p/(epsilon v w) and y*_lambda - y* = -p/(epsilon lambda mu).
BIAS = v * w**2 * p / mu * sqrt(1 - (p / (epsilon * v * w)) ** 2)

bias_level = Statement(
    PAPER.entry("own-bias-level"),
    PAPER,
    "lambda_t |F'(x_t)| of a static problem in the long run",
    BIAS,
    "x_t sits at the stationary point of the penalty value; F' there to first order in 1/lambda_t",
)
bias_regret = Statement(
    PAPER.entry("own-bias-regret"),
    PAPER,
    "Regret of a static problem in the long run",
    BIAS**2 / lam_1**2 * PowerSum(T, 2 * tau),
    "sum of the squared bias level over lambda_t^2: the term sum t^(-2 tau) of every bound is attained",
)
# In R^n with orthogonal A and one curvature matrix Q of g (`instances.f2obo.vector`): at the stationary point of the
# penalty value grad_y f = q with A^T q = p 1, and y*_lambda - y* = -Q^-1 q/lambda; the Hessian of F along A x is
# diag(sqrt(1 - q_i^2)). For n = 1, q = p this is BIAS at v = w = epsilon = 1 and Q = mu.
q_i, e_i, level = Symbol("q_i", real=True), Symbol("e_i", real=True), Symbol("level", nonnegative=True)
coupled_level = Statement(
    PAPER.entry("own-coupled-level"),
    PAPER,
    "lambda_t (A grad F(x_t))_i of a static coupled problem in the long run",
    sqrt(1 - q_i**2) * e_i,
    "grad F at the stationary point of the penalty value, to first order in 1/lambda_t; e = Q^-1 q",
)
level_regret = Statement(
    PAPER.entry("own-level-regret"),
    PAPER,
    "Regret of a static problem whose |grad F| is level/lambda_t",
    level**2 / lam_1**2 * PowerSum(T, 2 * tau),
    "sum of the squared level over lambda_t^2",
)
ripple_ratio = Statement(
    PAPER.entry("own-ripple-ratio"),
    PAPER,
    "Regret over V_T for independent uniform phases",
    pi / 8,
    "E F_t'(x)^2 = v_t/2 whatever x, E sup |F_t - F_(t-1)| = 4 v_t/pi, at w = v^(-1/2), epsilon = 1",
)
drift_level = Statement(
    PAPER.entry("own-drift-level"),
    PAPER,
    "|h_t - grad L*_t|/lambda_t of one inner step under one-sided drift",
    mu * epsilon * kappa_g * d_step,
    "y lags by (2 kappa_g - 1) and z by (kappa_g - 1) steps of y*, at alpha = 1/L_g1, beta_t = 1/(2 lambda_t L_g1)",
)
extra_steps = Statement(
    PAPER.entry("own-extra-steps"),
    PAPER,
    "Inner steps per round that c = c_0/T costs",
    log(T) / log(1 / s.rho),
    "difference between the least K of Theorem 3.1 at c_0/T and at c_0",
)
crossing = Statement(
    PAPER.entry("own-tau-balance"),
    PAPER,
    "The tau that balances T^tau and T^(1 - 2 tau)",
    Rational(1, 3),
    "equate the exponents of Theorem 3.2 without drift",
)
STATEMENTS = (
    bias_level, bias_regret, coupled_level, level_regret, ripple_ratio, drift_level, extra_steps, crossing,
)  # fmt: skip
