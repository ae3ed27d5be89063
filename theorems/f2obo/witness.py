"""Stationary levels of F2OBO on f = v sin(w (s y - d) + phi) - p x, g = (mu/2)(y - s(epsilon x + d))^2.

This project's own statements. The derivations are first-order expansions: their constants are to be compared with
measured ones.
"""

from sympy import Integer, Symbol, pi

from theorems.f2obo import symbols as s
from theorems.f2obo.paper import PAPER
from theorems.record import Statement
from theorems.special import PowerSum
from theorems.vocabulary import T

v, w, mu, epsilon, lam, delta_d = (
    Symbol(n, positive=True) for n in ("v", "w", "mu", "epsilon", "lam", "delta_d")
)
p = Symbol("p", real=True)

BIAS = (v * w**2 * p / mu) ** 2 * (1 - p**2 / (epsilon * v * w) ** 2)

bias_level = Statement(
    "f2obo/own-bias-level",
    PAPER,
    "F'(x_t)^2 where only the penalty's bias is left",
    BIAS / lam**2,
    "grad L*_lambda vanishes at the limit: epsilon v w cos(w (s y_lambda - d) + phi) = p, and s (y_lambda - y*) = "
    "-p/(epsilon mu lambda); F' there is epsilon v w^2 sin(...) times that distance to first order, and sin^2 = "
    "1 - (p/(epsilon v w))^2",
)
bias_increment = Statement(
    "f2obo/own-bias-increment",
    PAPER,
    "R(T) - R(T/2) where only the penalty's bias is left",
    BIAS / s.lam_1**2 * (PowerSum(T, 2 * s.tau) - PowerSum(T / 2, 2 * s.tau)),
    "the level summed over T/2 < t <= T with lambda_t = lambda_1 t^tau",
)
lag_level = Statement(
    "f2obo/own-lag-level",
    PAPER,
    "F'(x_t)^2 of the single loop under one-sided inner drift delta_d per round",
    (lam * mu * epsilon * s.kappa_g * delta_d) ** 2,
    "with alpha = 1/L_g1 and beta_t = 1/(2 lambda_t L_g1), z lags by (kappa_g - 1) and y by (2 kappa_g - 1) times the "
    "drift; line 9 multiplies the difference by lambda_t mu epsilon; of relative order 1/lambda_t is left out",
)
ripple_ratio = Statement(
    "f2obo/own-ripple-ratio",
    PAPER,
    "BLReg(T)/V_T for independent uniform phases",
    pi / Integer(8),
    "E F_t'(x_t)^2 = v_t/2 for every method, E sup|F_t - F_(t-1)| = E 2 v |sin(U/2)| = 4 v/pi",
)

STATEMENTS = (bias_level, bias_increment, lag_level, ripple_ratio)
