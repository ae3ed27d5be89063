"""AdaBound: the printed regret bound, of order sqrt T, fails for bounds on the step that merge late.

Sources: Luo, Xiong, Liu, Sun, ICLR 2019 (arXiv 1902.09843), Theorem 4; Savarese, arXiv 1908.04457. Constants from
memory, unchecked: R_T <= D^2 sqrt(T)/(2 eta_T) + (2 sqrt T - 1) u(1) G^2 in one dimension, beta_1 = 0, D = 2, G = C.
Here eta_T is replaced by its least value l, which only makes the bound larger: exceeded from T = 1381 on. The instance
is that of Adam (`adam_regret`), C = 3.

Why: with bounds l, u that are constant until tau, and merge later, the method is Adam until tau, with a regret of
(2/3)(C - 2) T; any bound (constant) sqrt T is exceeded for tau large. The proof takes sqrt(t)/eta_t for monotone.
Fooled: up to T = 1380 nothing shows; and the default bounds merge like 1/t and have a huge u(1), which makes the
printed bound vacuous (merge = 1 in the picture).
"""

from math import sqrt

from sympy import Symbol
from sympy import sqrt as root

import workbench as wb

v = wb.vocabulary
C = 3.0
ALPHA = 1 / sqrt(2 * C)
LOW, HIGH = 0.9 * ALPHA / C, 1.2 * ALPHA  # until tau, which is beyond the horizon
LAST, RATE = (
    0.1,
    1e-3,
)  # of the bounds that are the default: they tend to LAST, from 0.0001 and 100.1 at t = 1
FALSE = "Luo, Xiong, Liu, Sun, ICLR 2019, Theorem 4 (constants unchecked): the regret is O(sqrt T)"
low, high, G = (Symbol(name, positive=True) for name in ("l", "u", "G"))
PAPER = wb.Paper(__name__, "AdaBound", "Luo, Xiong, Liu, Sun", "ICLR 2019")
THEOREM = PAPER.theorem(
    "thm-4",
    statement="The regret is at most a constant times $\\sqrt{T}$",
    metric="regret",
    bound=v.D**2 * root(v.T) / (2 * low) + (2 * root(v.T) - 1) * high * G**2,
    exponent=1 / 2,
    generic={v.D: 1, low: 1, high: 1, G: 1},
)


def regret(T, l, u, merge):
    """The regret after t plays: bounds l, u on the step until tau beyond T, or the default ones, which merge."""
    x = second = total = 0.0
    beta_2 = 1 / (1 + C * C)
    for t in range(1, T + 1):
        g = C if t % 3 == 1 else -1.0
        total += g * (x + 1)
        yield total
        second = beta_2 * second + (1 - beta_2) * g * g
        low, high = (LAST - LAST / (RATE * t + 1), LAST + LAST / (RATE * t)) if merge else (l, u)
        step = min(high, max(low, ALPHA / sqrt(second)))
        x = min(1.0, max(-1.0, x - step * g / sqrt(t)))


POINTS = [{"l": LOW, "u": HIGH, "merge": 0}, {"l": 1e-4, "u": 100.1, "merge": 1}]
STUDY = wb.Study(PAPER, known=lambda result: {"D": 2.0, "G": C})
SHORT = STUDY.exact_curve(regret, horizon=100, grid=POINTS, name="short", metric="regret", title="T = 100")
LONG = STUDY.exact_curve(
    regret, horizon=30_000, grid=POINTS, name="long", metric="regret", title="tau beyond T"
)
CURVE = STUDY.reading(THEOREM, LONG, POINTS[0], view=wb.iterates(first=3, period=3))
CLAIMS = (
    STUDY.bound(THEOREM, "printed", LONG, "regret", points=POINTS[:1], refutes=FALSE),
    STUDY.bound(
        THEOREM, "printed", LONG, "regret", points=POINTS[1:], name="default bounds; regret, printed"
    ),
    STUDY.bound(THEOREM, "printed", SHORT, "regret", points=POINTS[:1]),  # what a short check sees
    CURVE.rate(refutes=FALSE),
    CURVE.level(lambda T, **_: 2 / 3 * (C - 2) * T, "(2/3)(C - 2) T"),
)
