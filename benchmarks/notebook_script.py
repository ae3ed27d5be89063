"""The README's theorem as one would check it in a notebook: NumPy, SciPy and Matplotlib, and a straight line."""

import sys

import matplotlib
import numpy as np
from scipy.optimize import curve_fit

matplotlib.use("Agg")
import matplotlib.pyplot as plt

rng, T, runs, d = np.random.default_rng(0), 10_000, 625, 64  # as many runs as `verify --profile quick`
marks = np.unique(np.round(np.geomspace(1, T, 60))).astype(int)
x, curve = np.full((runs, d), 0.125), []
for t in range(1, T + 1):
    noise = rng.normal(size=(runs, d))
    x = x - (x + noise / np.linalg.norm(noise, axis=1, keepdims=True)) / t
    if t == marks[len(curve)]:
        curve.append((x**2).sum(1).mean())
(c, power), covariance = curve_fit(lambda t, c, p: c * t**p, marks, curve, p0=(1.0, -0.5))
print(f"slope {power:.4f} +- {np.sqrt(covariance[1, 1]):.4f}")
plt.loglog(marks, curve, label=f"mean of {runs} runs")
plt.loglog(marks, c * marks**power, "--", label=f"slope {power:.3f}")
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "notebook.png")
