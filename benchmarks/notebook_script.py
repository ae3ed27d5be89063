"""The claim of `notebook_theorem` as one would check it in a notebook: NumPy, SciPy, Matplotlib, a straight line."""

import sys

import matplotlib
import numpy as np
from scipy.optimize import curve_fit

matplotlib.use("Agg")
import matplotlib.pyplot as plt

rng, T, runs = np.random.default_rng(0), 300_000, 256
marks = np.unique(np.round(np.geomspace(1, T, 120))).astype(int)
x, total, means = np.ones(runs), np.zeros(runs), []
for t in range(1, T + 1):
    total += np.abs(x)
    x = x - 1.0 / np.sqrt(t) * (x + rng.normal(size=runs))
    if t == marks[len(means)]:
        means.append(total / t)
curve = np.array(means).mean(1)
(c, power), covariance = curve_fit(lambda t, c, p: c * t**p, marks, curve, p0=(1.0, -0.5))
print(f"slope {power:.4f} +- {np.sqrt(covariance[1, 1]):.4f}")
plt.loglog(marks, curve, label="mean of 256 runs")
plt.loglog(marks, c * marks**power, "--", label=f"slope {power:.3f}")
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "notebook.png")
