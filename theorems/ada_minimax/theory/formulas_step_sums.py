"""w of the repaired records, and the sums that C collects."""

from sympy import E, Expr, log, sqrt

from workbench.vocabulary import T, alpha, eta, sigma_bar

from .common import K, kappa_sigma, repair_constants, t_0, w

FIRST = 2 * eta * (sqrt(t_0 - 1) - 1 + E * K)
MOVED = 2 * eta**2 * ((t_0 - 1) * (1 + E * K) + E * (sqrt(kappa_sigma) + 2 * kappa_sigma) * log(T))
SQUARED = eta**2 * (1 + log(T))


def noise_sum(bar: Expr, tail: Expr) -> Expr:
    """(c), with kappa/sigma_low written as kappa^2/sigma_bar; `tail` is w after E9."""
    return eta * (t_0 - 1 + 2 * E * sqrt(t_0 - 2) * K + tail * kappa_sigma**2 * alpha / bar * log(T))


FORMULAS = {
    "w_of_record": dict(repair_constants(sigma_bar))[w].args[1][0],
}
