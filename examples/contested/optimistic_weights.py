"""Optimistic multiplicative weights: "the last iterate converges linearly" holds only after a time of order 1/(eta d).

Sources: Wei, Lee, Zhang, Luo, ICLR 2021 (arXiv 2006.09517): linear, with constants of the game; Cai et al., NeurIPS
2024 (arXiv 2406.10631): no rate of T and the size alone. Game A = [[1/2 + d, 1/2], [0, 1]], eta = 0.1, uniform start.

Why: the gap falls to order d within some hundred steps, stays there until about 2.80/(eta d), and rises again to a
constant before it converges. Fooled: at d = 0.001 it is below 2 d from t = 153 to 2 * 10^4 without any sign of that.
The time of return, a first passage, is computed here for d = 1/n and grows like n: no rate is uniform in d.
"""

from itertools import islice
from math import exp

import workbench as wb

FALSE = "often read into arXiv 2006.09517: the gap of the last iterate falls like T^-1/2, uniformly over 2 x 2 games"
ETA = 0.1
STUDY = wb.Study(__name__, "Optimistic multiplicative weights")


def gaps(d):
    """The duality gap of the last iterate, t = 1, 2, ..."""
    cum_x = last_x = cum_y = last_y = (0.0, 0.0)
    while True:
        x, y = weights(cum_x, last_x, -ETA), weights(cum_y, last_y, ETA)
        last_x = ((0.5 + d) * y[0] + 0.5 * y[1], y[1])  # A y
        last_y = ((0.5 + d) * x[0], 0.5 * x[0] + x[1])  # A'x
        yield max(last_y) - min(last_x)
        cum_x = (cum_x[0] + last_x[0], cum_x[1] + last_x[1])
        cum_y = (cum_y[0] + last_y[0], cum_y[1] + last_y[1])


def weights(cumulated, last, eta):
    difference = eta * (cumulated[0] + last[0] - cumulated[1] - last[1])
    first = 1 / (1 + exp(-max(-700.0, min(700.0, difference))))
    return first, 1 - first


def passage(n):
    """The first t at which the gap is above 0.05 after it was below 2 d, with d = 1/n."""
    was_below = False
    for t, gap in enumerate(gaps(1 / n), start=1):
        was_below |= gap < 2 / n
        if was_below and gap > 0.05:
            return t
    raise AssertionError("the generator never ends")


GAP = STUDY.exact_curve(
    lambda T: islice(gaps(0.01), T), horizon=10_000, name="gap", metric="gap", title="d = 0.01"
)
BACK = STUDY.exact_curve(
    passage, at=[50 * 2**j for j in range(7)], name="passage", metric="time_of_return", title="d = 1/n"
)
RETURN = STUDY.reading("passage", BACK, claimed=1, since=0.0)
CLAIMS = (
    STUDY.reading("last-iterate", GAP, claimed=-1 / 2).rate(refutes=FALSE),
    RETURN.tight(),
    RETURN.level(lambda T, **_: 2.80 / ETA * T, "2.80 n/eta"),
    RETURN.caught(claimed=1 / 2),
)
