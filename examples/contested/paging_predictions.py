"""Paging with predictions: "at most H_k + O(1) faults per phase" fails: the factor before log k is 1 + 1/e.

Source: Chen, Zhao, Tang, Wang, Deng, arXiv 2606.01342v1 (the algorithm as public summaries and its released code have
it; the paper was not at hand). One new page per phase, which costs the optimum 1; then the other pages in the order of
the layers, with a prediction that always names the page requested next. With n pages left, of which a uniform one is
absent, the expected further faults are C(n) = mean over m < n of 1 + (C(m), or D(m) = 1 + C(m - 1) while the budget
pays), where it pays if m <= (n + 1)/e - 2; a phase has 2 + C(k - 1) faults: a dynamic program, no runs.

Why: every fault leaves a uniform share of the pages, and the gate opens at a share 1/e of log k of them. Derived here.
Fooled: H_k grows itself, so that faults / H_k, 1.31 at k = 10 and 1.34 at 1000, looks constant.
"""

from functools import cache
from math import e, log

import workbench as wb

FALSE = "Chen, Zhao, Tang, Wang, Deng, arXiv 2606.01342v1: faults <= (H_k + O(1)) OPT + const (as summaries state it)"
MOST = 2**17
STUDY = wb.Study(__name__, "Paging with predictions")


@cache
def faults():
    """C(n) for n < MOST, from prefix sums of C and D."""
    c, sum_c, sum_d = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]  # sums up to index m
    for n in range(2, MOST):
        gate = max(0, min(n - 1, int((n + 1) / e - 2)))
        c.append((n - 1 + sum_d[gate] + sum_c[n - 1] - sum_c[gate]) / n)
        sum_c.append(sum_c[-1] + c[n])
        sum_d.append(sum_d[-1] + 1 + c[n - 1])
    return c


def excess(k):
    """Expected faults of a phase less H_k."""
    return 2 + faults()[k - 1] - sum(1 / i for i in range(1, k + 1))


def without_budget(k):
    c = 0.0
    for n in range(2, k):
        c += 1 / n  # C(n) = H_n - 1
    return 2 + c - sum(1 / i for i in range(1, k + 1))


SIZES = [2**j for j in range(3, 18)]
ADDED = STUDY.exact_curve(excess, at=SIZES, name="budget", metric="faults_less_H_k", title="With predictions")
PLAIN = STUDY.exact_curve(
    without_budget, at=SIZES, name="plain", metric="faults_less_H_k", title="Without them"
)
IN_K, BOUNDED = (STUDY.reading("excess", curve) for curve in (ADDED, PLAIN))
CLAIMS = (
    IN_K.bounded(refutes=FALSE),
    IN_K.logarithmic(power=0, logs=1),
    IN_K.logarithmic(power=0, logs=2).caught(),
    IN_K.level(lambda T, **_: [log(k) / e + 0.022 for k in T], "log(k)/e + 0.022", claimed=0),
    BOUNDED.bounded(),
)
