"""Alternating updates: "the gap of the averages is at most the sum of the average regrets" fails.

Source: the correctness proof of CFR+ (Tammelin, Burch, Johanson, Bowling, IJCAI 2015); gap found by Farina, Kroer,
Sandholm (AAAI 2019); repaired by Burch, Moravcik, Schmid, arXiv 1810.11542. With alternation x_t is scored against y_t
and y_t against x_(t+1). The counter-example is a sequence of plays, in integers: A = [[-1, -1], [-1, 1]], rows 0, 1,
0, ..., columns 1, 0, 1, ...: after every even T both regrets are 0, and the gap of the averages is 1.

Why: the sum of the two scores is not zero. The gap is e_1 + e_2 + (1/T) sum (x_(t+1) - x_t)' A y_t, which is checked
here as an identity; for CFR+ the last term is not positive, which is the repair. Fooled: self-play does converge
(regret matching+, selfplay = 1 in the picture, keeps the inequality at every T).
"""

from fractions import Fraction
from functools import cache

import workbench as wb

FALSE = (
    "Tammelin, Burch, Johanson, Bowling, IJCAI 2015: gap of the averages <= e_1 + e_2, also with alternation"
)
A = ((-1, -1), (-1, 1))
PURE, BOTH = ((1, 0), (0, 1)), (0, 1)
STUDY = wb.Study(__name__, "Alternating updates")


def mixed(regrets):
    total = sum(regrets)
    return [Fraction(r) / total if total else Fraction(1, 2) for r in regrets]


@cache
def plays(T, selfplay):
    """x_1, ..., x_(T+1) and y_1, ..., y_T: of the counter-example, or of regret matching+ against itself."""
    if not selfplay:
        return [PURE[t % 2] for t in range(T + 1)], [PURE[1 - t % 2] for t in range(T)]
    regret_x, regret_y, xs, ys = [0, 0], [0, 0], [mixed([0, 0])], []
    for _ in range(T):
        ys.append(mixed(regret_y))
        cost = [sum(A[i][j] * ys[-1][j] for j in BOTH) for i in BOTH]
        paid = sum(xs[-1][i] * cost[i] for i in BOTH)
        regret_x = [max(0, regret_x[i] + paid - cost[i]) for i in BOTH]
        xs.append(mixed(regret_x))
        gain = [sum(A[i][j] * xs[-1][i] for i in BOTH) for j in BOTH]
        got = sum(ys[-1][j] * gain[j] for j in BOTH)
        regret_y = [max(0, regret_y[j] + gain[j] - got) for j in BOTH]
    return xs, ys


def mean(some):
    return [Fraction(sum(z[i] for z in some), len(some)) for i in BOTH]


def score(x, y):
    return sum(x[i] * A[i][j] * y[j] for i in BOTH for j in BOTH)


def averages(T, selfplay):
    """(gap of the averages of x_2, ..., x_(T+1) and y_1, ..., y_T, sum of both average regrets, the extra term)."""
    xs, ys = plays(T, selfplay)
    best_x = min(score(e, mean(ys)) for e in PURE)
    best_y = max(score(mean(xs[1:]), e) for e in PURE)  # y is scored against x_(t+1)
    paid_x, paid_y = (Fraction(sum(map(score, some, ys)), T) for some in (xs[:T], xs[1:]))
    return best_y - best_x, (paid_x - best_x) + (best_y - paid_y), paid_y - paid_x


EVEN, POINTS = [2 * n for n in range(1, 41)], [{"selfplay": 0}, {"selfplay": 1}]
GAP = STUDY.exact_curve(lambda n, selfplay: averages(n, selfplay)[0], at=EVEN, grid=POINTS, metric="gap")
READ, SELF_PLAY = STUDY.readings("gap", GAP, POINTS)
CLAIMS = (
    READ.at_most(lambda T, selfplay: averages(T, selfplay)[1], "e_1 + e_2", refutes=FALSE),
    SELF_PLAY.at_most(lambda T, selfplay: averages(T, selfplay)[1], "e_1 + e_2"),
    READ.equals(lambda T, selfplay: sum(averages(T, selfplay)[1:]), "e_1 + e_2 + the extra term"),
    READ.limit(to=1),
)
