"""Step sizes and momentum weights of Eqs. (3)-(5), and the Neumann length of Theorem 4.2.

S_x and S_y are the running sums, current iteration included:
S_x = sum_{k<=t} |g_{x,k} - g~_{x,k}|^2 and S_y = sum_{k<=t} |g_{y,k}|^2.
"""

from sympy import Expr, Symbol, ceiling, log, sqrt

from workbench.theory import IsPositive, IsZero, Max
from workbench.vocabulary import T, alpha, eta, eta_x, eta_y, gamma, l_g1, mu_g

t = Symbol("t", positive=True)
S_x, S_y = Symbol("S_x", nonnegative=True), Symbol("S_y", nonnegative=True)

ALPHA_T = alpha / sqrt(alpha**2 + S_x)  # Eq. (3) L94, Eq. (5) L152: the momentum weight
ALPHA_PRIME_T = alpha / sqrt(alpha**2 + S_x + S_y)  # Eq. (3); both summands inside the sum, see (32) L727
ETA_T = eta * sqrt(ALPHA_T) / sqrt(t)  # Eq. (5)
ETA_X_T = eta_x * sqrt(ALPHA_PRIME_T) / sqrt(t)  # Eq. (4), L95
ETA_Y_T = eta_y / sqrt(gamma**2 + S_y)  # Eq. (4)


def _neumann_length(numerator: int) -> Expr:
    """The least N >= 1 with N >= numerator log T / (2 log(1/q)), q = 1 - mu_g/l_g1; N = 1 if q = 0."""
    q = 1 - mu_g / l_g1
    # mu_g <= l_g1 (Assumption 3.3) is not visible in the signs, so q is passed to the indicators as a Max.
    q = Max(q, 0)
    safe = q + IsZero(q) / 2
    return Max(1, IsPositive(q) * ceiling(numerator * log(T) / (2 * log(1 / safe))))


NEUMANN_LENGTH = _neumann_length(3)  # as printed in Theorem 4.2, L134
NEUMANN_LENGTH_SHORT = _neumann_length(1)  # this project's, E13: suffices for the same rate
