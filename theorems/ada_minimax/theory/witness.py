"""Stationary levels of Ada-NSGDM on f = L x^2/2 in one dimension: this project's own statements.

In the late phase alpha_t ~ alpha/(sigma sqrt(2 t)) and m_t is the gradient plus an Ornstein-Uhlenbeck noise of standard
deviation s = sigma sqrt(alpha_t/2). Then E sign(m) ~ sqrt(2/pi) L x/s, the autocovariances of sign(m) sum to
2 log(2)/alpha_t, and x has stationary variance log(2) sqrt(pi)/2 * eta sigma/(L sqrt(t)) for all alpha and kappa_sigma.
The derivation is heuristic (a linearization and a separation of scales), so its constants are compared with measured
ones.
"""

from sympy import Expr, Rational, log, pi, sqrt

from workbench import Statement
from workbench.vocabulary import L, T, constant, eta

from .paper import PAPER

SIGMA = constant("sigma", r"\sigma", "standard deviation of the gradient noise")
sigma = SIGMA.symbol

VARIANCE_FACTOR = log(2) * sqrt(pi) / 2
C_INFTY = Rational(4, 3) * sqrt(2 / pi) * sqrt(VARIANCE_FACTOR)


def own(name: str, title: str, formula: Expr, derivation: str) -> Statement:
    return Statement(f"{PAPER.key}/own-{name}", PAPER, title, formula, derivation)


c_infty = own(
    "c-infty",
    "Constant of the asymptotic level",
    C_INFTY,
    "mean of |N(0, v t^-1/2)| is sqrt(2 v/pi) t^-1/4; its running mean multiplies by 4/3",
)
noisy_level = own(
    "noisy-level",
    "Running mean of |f'| at noise sigma > 0",
    C_INFTY * sqrt(L * eta * sigma) * T ** Rational(-1, 4),
    "L times the running mean of |x_t| in the stationary regime",
)
noiseless_level = own(
    "noiseless-level",
    "Running mean of |f'| without noise",
    L * eta * T ** Rational(-1, 2),
    "x_t jumps over the minimum, |x_t| has mean eta_t/2 = eta t^-1/2/2, whose running mean doubles",
)
crossover = own(
    "crossover",
    "Horizon at which the two levels meet",
    (eta * L / sigma) ** 2 / C_INFTY**4,
    "equate the two levels: L eta T^-1/2 = c_infty sqrt(L eta sigma) T^-1/4",
)
sigma_exponent = own(
    "sigma-exponent",
    "Exponent of the noise level in the noisy regime",
    Rational(1, 2),
    "exponent in the noisy level",
)

STATEMENTS = (c_infty, noisy_level, noiseless_level, crossover, sigma_exponent)
