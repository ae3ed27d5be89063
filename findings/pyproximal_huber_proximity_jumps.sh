#!/usr/bin/env bash
# pyproximal 0.13.0: `Huber(alpha).prox(x, tau)` takes the quadratic branch for |x| <= alpha, where the proximity operator of
# its own function does so for |x| <= alpha + tau. Seen for alpha = 0.7, tau = 1: prox(0.7) = 0.288 and prox(0.71) = 0; the
# minimizer of H(y) + (y - x)^2 / 2 at x = 0.9 is 0.371, returned is 0. An operator that decreases is no proximity operator of
# a convex function (those are monotone), and theorems on proximal steps do not apply: proximal gradient with tau = 1 on
# (x - 0.9)^2 / 2 + H(x) stays at 0, where the objective is 0.405 and not 0.238.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyproximal==0.13.0 pylops==2.8.0 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import numpy as np
import pyproximal

huber = pyproximal.Huber(alpha=0.7)


def prox(x):
    return float(huber.prox(np.array([x]), 1.0)[0])


def objective(y, x):
    return huber(np.array([y])) + (y - x) ** 2 / 2


grid = np.linspace(-2.0, 2.0, 40_001)
best = min(grid, key=lambda y: objective(y, 0.9))
print("prox(0.7):", prox(0.7), "prox(0.71):", prox(0.71))
print("at 0.9: returned", prox(0.9), objective(prox(0.9), 0.9), "minimizer", best, objective(best, 0.9))
x = 2.0
for _ in range(50):
    x = prox(x - (x - 0.9))
print("proximal gradient ends at", x, "objective", objective(x, 0.9))
assert prox(0.7) > 0.28 and prox(0.71) == 0.0
assert objective(prox(0.9), 0.9) > objective(best, 0.9) + 0.1
assert abs(best - 0.9 * 0.7 / 1.7) < 1e-3 and x == 0.0
PYTHON
