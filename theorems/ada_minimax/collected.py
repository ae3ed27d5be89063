"""C as the sum of what the lemmas deliver, and the last steps that Theorems 4.1 and 4.2 share; L523-541, L816-840.

C = Delta_1 + 2 sum eta_t |hat-eps_t| + (smoothness/2) sum eta_t^2, where |hat-eps_t| splits as in Lemmas 5.3, D.2, E.4.
Each part is a sum of Lemma G.2, G.3 or G.4 times the bound of what is weighted; all of them enter with the factor 2.
"""

from sympy import E, Expr, Rational, Symbol, sqrt, symbols

from theorems.ada_minimax import common
from theorems.ada_minimax.common import C, Lambda
from theorems.ada_minimax.lemmas_step_sums import FIRST, MOVED, SQUARED, noise_sum
from theorems.lemma import Constant, Identity, Inequality, misprint, nonnegative
from theorems.record import Form
from theorems.vocabulary import Delta_1, T, alpha, eta

a, b, c, s, m = symbols("a b c s m", nonnegative=True)
factor = Symbol("factor", positive=True)
THIRD = 3 * sqrt(E)


def collected(first: Expr, bar: Expr, smooth: Expr, tail: Expr, more: Expr) -> Expr:
    """C from its parts: |hat-eps_1| <= `first`, noise at most `bar`, gradient of this smoothness, and 2 * `more`."""
    noise = bar * Lambda * noise_sum(bar, tail)
    return Delta_1 + 2 * first * FIRST + 2 * noise + 2 * smooth * MOVED + smooth / 2 * SQUARED + 2 * more


SQUARES = misprint(
    "E5",
    Inequality(
        "|g_y|^2 as sigma^2 + L^2 d^2",
        (s + m) ** 2,
        s**2 + m**2,
        nonnegative(s, m),
        note="s = |g_y - grad_y f| <= sigma, m = |grad_y f| <= L d.",
    ),
    "|g_y|^2 as 2 sigma^2 + 2 L^2 d^2",
    rhs=factor * (s**2 + m**2),
    constants=(Constant(factor, 2),),
)
ROOTS = Inequality(
    "fourth root of a sum of three", a**4 + b**4 + c**4, (a + b + c) ** 4, nonnegative(a, b, c)
)


def final(form: Form, total: Expr) -> Identity:
    """bound = C/(T eta_(x,T)) with total = alpha^2 + sum |g_x - g~_x|^2 + sum |g_y|^2."""
    return Identity(
        "the repaired display",
        form[common.bound],
        C / (T * eta * sqrt(alpha) / sqrt(T)) * total ** Rational(1, 4),
    ).repaired("E5")
