"""What the methods do on quadratic problems with additive noise: levels derived by this project.

The error e of a STORM estimator obeys e+ = (1 - beta) e + beta n with the noise n of one sample, so its mean square
tends to beta/2 times that of n. The iterate follows faster (its rate is of order eta, beta of order eta^2), hence
grad F(x_t) = -e_t up to terms of order eta. With one task n is the noise of a sampled hypergradient. With m tasks and
all beta alike, z_i shrinks by 1 - beta where i is not sampled, so that the error of d and that of the mean of the z_i
have steps (beta/p_i) z_i (1{j = i} - 1/m) and (beta/p_i) z_i/m with a sampled z_i; both together have the mean square
beta^2 S, S = (1/m) sum E|z_i|^2/p_i. So S takes the place of C(p)/m, and no p makes it smaller than m times a constant.
"""

from sympy import Rational, Symbol

from workbench import Statement
from workbench.vocabulary import T

from . import constants as k
from .paper import PAPER

b, S = Symbol("b", positive=True), Symbol("S", positive=True)

DECREASING = Statement(
    PAPER.entry("own-level"),
    PAPER,
    "Mean of E|grad F|^2 over t <= T, decreasing steps",
    Rational(3, 2) * b * k.c**2 * S * T ** Rational(-2, 3),
    "beta_t = b eta_t^2, eta_t = c t^(-1/3): the sum of beta_t S/2 over t <= T, over T",
)
n = Symbol("n", positive=True)
# A stage begins at twice its own level times r, if the one before ended at r times its level, and forgets this like
# exp(-2 beta t): at a time drawn from the stage r = 1 + (2 r - 1)/(2 n), up to exp(-2 n).
STAGE = Statement(
    PAPER.entry("own-stage"),
    PAPER,
    "E[F - F_*] of the output of a stage",
    b * k.c**2 * S / (4 * k.L_F) * (2 * n - 1) / (2 * n - 2),
    "constant beta = b c^2 in the stage, n = beta times its length, F - F_* = |grad F|^2/(2 L_F)",
)
