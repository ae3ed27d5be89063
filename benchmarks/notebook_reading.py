"""The fit and the plot of `notebook_script`, of a table of runs in a CSV file."""

import sys

import matplotlib
import numpy as np
from scipy.optimize import curve_fit

matplotlib.use("Agg")
import matplotlib.pyplot as plt

seed, step, loss = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, unpack=True)
marks, values = np.unique(step), loss.reshape(np.unique(seed).size, -1)
curve = values.mean(0)
(c, power), covariance = curve_fit(lambda t, c, p: c * t**p, marks, curve, p0=(1.0, -0.5))
print(f"slope {power:.4f} +- {np.sqrt(covariance[1, 1]):.4f}")
plt.loglog(marks, curve, label=f"mean of {len(values)} runs")
plt.loglog(marks, c * marks**power, "--", label=f"slope {power:.3f}")
plt.legend()
plt.savefig(sys.argv[2] if len(sys.argv) > 2 else "notebook.png")
