"""Step-size rules of competing methods whose schedules come from theory.

NSGDM: Cutkosky and Mehta, "Momentum improves normalized SGD", ICML 2020 (arXiv 2002.03305). It requires a known noise
level, unlike the adaptive methods.
"""

from sympy import sqrt

from workbench.theory import IsZero, Min, Schedule
from workbench.vocabulary import Delta_1, L, T, sigma_bar

_LEVEL = sqrt(Delta_1 * L)
# Without noise the ratio is infinite and the minimum 1; the indicator gives 1 without dividing by zero.
_ALPHA = Min(1, _LEVEL / (sigma_bar * sqrt(T) + IsZero(sigma_bar) * _LEVEL))

NSGDM = Schedule(
    {"alpha": _ALPHA, "eta": sqrt(Delta_1 * _ALPHA / (L * T))},
    "alpha = min(1, sqrt(Delta_1 L)/(sigma sqrt(T))), eta = sqrt(Delta_1 alpha/(L T))",
)
