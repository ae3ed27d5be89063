#!/usr/bin/env bash
# proxop 1.0.6: three of its proximity operators do not minimize gamma f(u) + |u - x|^2/2, with the library's own f.
# Linf: the prox of the largest absolute value is 0 for gamma >= |x|_1; for x = (0.2, 0.5, -0.8, -0.7), |x|_1 = 2.2, it is
# (0.05, 0.05, -0.05, -0.05) at gamma = 2, right, but (-0.1, -0.1, 0.1, 0.1) at 2.6 and (-1.95, -1.95, 1.95, 1.95) at 10: the
# radius of the clipping becomes negative, signs flip and the operator expands. Inverse (f(u) = 1/u): prox of 1.7 is 554.0
# where the minimizer is 1.96. FairPotential (f(u) = |u| - log(1 + |u|)): prox of 0.4 is -0.1, where 0.220 is right: not even
# the sign is kept. AbsValue and Huber agree with a search. Proximal point and forward-backward with the three go astray.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check proxop==1.0.6 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

warnings.simplefilter("ignore")
import numpy as np
from proxop.multi import Linf
from proxop.scalar import AbsValue, FairPotential, Huber, Inverse

x = np.array([0.2, 0.5, -0.8, -0.7])
for gamma in (2.0, 2.6, 10.0):
    u = Linf().prox(x.copy(), gamma)
    value = gamma * float(Linf()(u)) + np.sum((u - x) ** 2) / 2
    print(f"Linf, gamma {gamma}: {u}, objective {value:.4f}, of the vector 0: {np.sum(x**2) / 2:.4f}")
    assert (value > np.sum(x**2) / 2) == (gamma > np.abs(x).sum())
assert np.all(np.sign(u) == -np.sign(x)) and np.linalg.norm(u) > np.linalg.norm(x)

grid = np.linspace(1e-4, 4, 40_000)
for f, right in ((AbsValue(), True), (Huber(1.0), True), (Inverse(), False), (FairPotential(), False)):
    for point in (0.4, 1.7):
        u = float(f.prox(np.array([point]), 1.0)[0])
        best = grid[np.argmin([float(np.ravel(f(np.array([v])))[0]) + (v - point) ** 2 / 2 for v in grid])]
        print(f"{type(f).__name__}: prox({point}) = {u:.4f}, by search {best:.4f}")
        assert (abs(u - best) < 2e-3) == right
PYTHON
