"""The mean of the largest of n standard normal numbers grows like sqrt(2 log n): half a logarithm, not a whole one."""

import numpy as np
from scipy.integrate import trapezoid
from scipy.stats import norm

import workbench as wb

STUDY = wb.Study(__name__, "Largest of n normal numbers")


def mean_of_maximum(n):
    x = np.linspace(-10, 12, 40_001)
    return float(trapezoid((x > 0) - np.exp(n * norm.logcdf(x)), x))


SIZES = STUDY.exact_curve(mean_of_maximum, at=[2**k for k in range(4, 41, 2)], name="sizes", metric="mean")
CURVE = STUDY.reading("growth", SIZES)
CLAIMS = (
    CURVE.logarithmic(power=0, logs=1 / 2),
    CURVE.diverges(),
    CURVE.logarithmic(power=0, logs=1, refutes="false version: of order log n"),
)
