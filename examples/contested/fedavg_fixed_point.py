"""FedAvg with a constant step converges, to another point than the minimizer.

Sources: early statements for local SGD; Li, Huang, Yang, Wang, Zhang, ICLR 2020 (arXiv 1907.02189), Theorem 4: steps
must decay. f_i = a_i (x - b_i)^2/2, (a, b) = (1, 0), (4, 1); each round E gradient steps eta = 1/10 on each worker
from x, then the mean; the minimizer of the mean is 4/5.

Why: E steps contract worker i by 1 - q_i = (1 - eta a_i)^E, so that the limit is sum b_i q_i / sum q_i: 0.6925 for E =
5, 4/5 for E = 1. Derived here; in fractions. Fooled: equal curvatures give the minimizer for every E; and the distance
is constant to 15 digits from round 20 on, so that a slope read too early still moves: `bounded` and `misses` do not
ask one.
"""

from fractions import Fraction

import workbench as wb

FALSE = (
    "early statements on local SGD: with a constant step the iterates tend to the minimizer, at the rate 1/T"
)
ETA, WORKERS, MINIMIZER = Fraction(1, 10), ((1, 0), (4, 1)), Fraction(4, 5)
STUDY = wb.Study(__name__, "FedAvg")


def kept(E):
    return [1 - (1 - ETA * a) ** E for a, _ in WORKERS]


def distance(T, E):
    """|x - 4/5| after 0, 1, ... rounds; to 80 binary digits, so that fractions do not grow for ever."""
    x, pulls = Fraction(0), list(zip(kept(E), WORKERS, strict=True))
    while True:
        yield abs(x - MINIMIZER)
        ends = [b + (1 - q) * (x - b) for q, (_, b) in pulls]
        x = Fraction(round(sum(ends) / len(ends) * 2**80), 2**80)


def limit(E):
    return sum(b * q for q, (_, b) in zip(kept(E), WORKERS, strict=True)) / sum(kept(E))


def rounds(T):
    curve = STUDY.exact_curve(
        distance, horizon=T, grid={"E": [1, 5]}, name=f"rounds-{T}", metric="distance", title=f"{T} rounds"
    )
    return STUDY.reading("distance", curve, E=1, claimed=-1), STUDY.reading(
        "distance", curve, E=5, claimed=-1
    )


BIAS = float(MINIMIZER - limit(5))
READINGS = {T: rounds(T) for T in (100, 3_000, 30_000)}
CLAIMS = tuple(
    claim
    for one, five in READINGS.values()
    for claim in (
        five.limit(to=0, within=0.01, refutes=FALSE),
        five.limit(to=BIAS, tag="bias"),
        five.bounded(),
        one.limit(to=0, within=0.01, tag="one-step"),
    )
)
