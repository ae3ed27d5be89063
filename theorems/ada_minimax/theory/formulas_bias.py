"""The blocks of Lemma G.3, as printed and as repaired, at the records' constants and along a run."""

from sympy import E, Expr, Rational, Symbol, log, sqrt

from workbench import Form
from workbench.theory import IsPositive, IsZero
from workbench.vocabulary import (
    L,
    N,
    T,
    alpha,
    eta,
    eta_x,
    gamma,
    l_g1,
    mu,
    mu_g,
    sigma_x_bar,
    sigma_x_low,
    sigma_y,
)

from .along_runs import measured, t
from .common import H, K, t_0
from .hierarchical import D, q
from .theorem_4_1 import PRINTED, REPAIRED
from .theorem_4_2 import LEVER, NEUMANN_PRINTED

QUIET = L * D * sqrt(eta * (alpha + gamma) / mu * (1 + log(T)))
FAR_PART = 2 * (sqrt(2) * D * L + sqrt(D * gamma)) + sqrt(2 * D * sigma_y) * (1 + log(T))
NOISY = (  # (49)
    2 * eta * L * D / 3 * ((t_0 - 1) ** Rational(3, 2) - 1)
    + 2 * (t_0 - 2) * L * D * eta * E * K
    + 2 * L * alpha / (mu * sigma_x_low) * (1 + 2 * E * K) * FAR_PART
)
QUIET_REPAIRED = L * q
NOISY_REPAIRED = L * (2 * eta * D * (sqrt(t_0 - 1) + E * K) + H * q)


def blocks(quiet: Expr, noisy: Expr, low: Symbol, bar: Symbol) -> Expr:
    """The two cases of Lemma G.3; 1/sigma_low is kept finite where the indicator removes the second one."""
    finite = noisy.xreplace({1 / low: 1 / (low + IsZero(low))})
    return quiet * IsZero(bar) + finite * IsPositive(low)


BLOCKS = blocks(QUIET, NOISY, sigma_x_low, sigma_x_bar)
BLOCKS_REPAIRED = blocks(QUIET_REPAIRED, NOISY_REPAIRED, sigma_x_low, sigma_x_bar)


def at_records(expression: Expr, form: Form) -> Expr:
    """An expression over a form's constants as recorded numbers: its symbols replaced by their chains."""
    chain = {s: measured(form, s, eta="eta_x") for s, _ in form.definitions if expression.has(s)}
    return expression.xreplace({eta: eta_x, T: t, **chain})


REMAINDER = LEVER * (1 - mu_g / l_g1) ** N

FORMULAS = {
    "q_of_record": REPAIRED[q],
    "neumann_of_record": NEUMANN_PRINTED,
    "neumann_bias": REMAINDER,
    "quiet_seen": at_records(QUIET / L, PRINTED),
    "blocks_seen": at_records(BLOCKS, PRINTED),
    "blocks_repaired_seen": at_records(BLOCKS_REPAIRED, REPAIRED),
}
