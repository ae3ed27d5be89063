"""Alternating updates: "the gap of the averages is at most the sum of the average regrets" fails.

Source: the correctness proof of CFR+ (Tammelin, Burch, Johanson, Bowling, IJCAI 2015); gap found by Farina, Kroer,
Sandholm (AAAI 2019); repaired by Burch, Moravcik, Schmid, arXiv 1810.11542. With alternation x_t is scored against y_t
and y_t against x_(t+1). The counter-example is a sequence of plays, in integers: A = [[-1, -1], [-1, 1]], rows 0, 1,
0, ..., columns 1, 0, 1, ...: after every even T both regrets are 0, and the gap of the averages is 1.

Why: the sum of the two scores is not zero. The gap is e_1 + e_2 + (1/T) sum (x_(t+1) - x_t)' A y_t, which is checked
here as an identity; for CFR+ the last term is not positive, which is the repair. Fooled: self-play does converge.
"""

from fractions import Fraction

import workbench as wb

FALSE = (
    "Tammelin, Burch, Johanson, Bowling, IJCAI 2015: gap of the averages <= e_1 + e_2, also with alternation"
)
A = ((-1, -1), (-1, 1))
STUDY = wb.Study(__name__, "Alternating updates")


def row(t):
    return t % 2


def column(t):
    return 1 - t % 2


def averages(T):
    """(gap of the average strategies, sum of both average regrets, the extra term), after T plays."""
    x = [Fraction(sum(row(t) == i for t in range(T)), T) for i in (0, 1)]
    y = [Fraction(sum(column(t) == j for t in range(T)), T) for j in (0, 1)]
    best_x = min(sum(A[i][j] * y[j] for j in (0, 1)) for i in (0, 1))
    best_y = max(sum(A[i][j] * x[i] for i in (0, 1)) for j in (0, 1))
    paid_x = Fraction(sum(A[row(t)][column(t)] for t in range(T)), T)
    paid_y = Fraction(sum(A[row(t + 1)][column(t)] for t in range(T)), T)
    seen = [Fraction(sum(row(t + 1) == i for t in range(T)), T) for i in (0, 1)]  # what y is scored against
    best_against = max(sum(A[i][j] * seen[i] for i in (0, 1)) for j in (0, 1))
    regrets = (paid_x - best_x) + (best_against - paid_y)
    return best_y - best_x, regrets, paid_y - paid_x


EVEN = [2 * n for n in range(1, 41)]
GAP = STUDY.exact_curve(lambda n: averages(n)[0], at=EVEN, metric="gap")
READ = STUDY.reading("gap", GAP)
CLAIMS = (
    READ.at_most(lambda T: averages(T)[1], "e_1 + e_2", refutes=FALSE),
    READ.equals(lambda T: averages(T)[1] + averages(T)[2], "e_1 + e_2 + the extra term"),
    READ.limit(to=1),
)
