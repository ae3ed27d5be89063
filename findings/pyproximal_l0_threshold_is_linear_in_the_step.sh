#!/usr/bin/env bash
# pyproximal 0.13.0: `L0(sigma).prox(x, tau)` sets to zero what is at most tau * sigma. The minimizer of sigma |y|_0 + (y -
# x)^2 / (2 tau) does so below sqrt(2 tau sigma). Seen for sigma = 1.5: thresholds 0.75, 1.5, 3 for tau = 0.5, 1, 2 in place of
# 1.22, 1.73, 2.45: too much is kept for short steps, too little for long ones (equal at tau = 2 / sigma only), so that the
# points at which iterative hard thresholding stops are those of another penalty for every step size, and its objective can
# rise: at x = 3, tau = 2 from 1.5 to 2.25.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyproximal==0.13.0 pylops==2.8.0 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from math import sqrt

import numpy as np
import pyproximal

SIGMA = 1.5
penalty = pyproximal.L0(sigma=SIGMA)


def threshold(tau):
    grid = np.linspace(0.0, 4.0, 4001)
    return float(grid[np.flatnonzero(penalty.prox(grid.copy(), tau))[0]])


def objective(y, x, tau):
    return SIGMA * (y != 0) + (y - x) ** 2 / (2 * tau)


for tau in (0.5, 1.0, 2.0):
    print("tau", tau, "threshold", threshold(tau), "of the minimizer", sqrt(2 * tau * SIGMA))
    assert abs(threshold(tau) - tau * SIGMA) < 2e-3
kept = float(penalty.prox(np.array([0.9]), 0.5)[0])
gone = float(penalty.prox(np.array([3.0]), 2.0)[0])
print("objective at 0.9, tau = 0.5:", objective(kept, 0.9, 0.5), "of 0:", objective(0.0, 0.9, 0.5))
print("objective at 3, tau = 2:", objective(gone, 3.0, 2.0), "of 3:", objective(3.0, 3.0, 2.0))
assert objective(kept, 0.9, 0.5) > objective(0.0, 0.9, 0.5)
assert objective(gone, 3.0, 2.0) > objective(3.0, 3.0, 2.0)
PYTHON
