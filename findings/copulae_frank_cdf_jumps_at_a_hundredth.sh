#!/usr/bin/env bash
# copulae 0.8.0: the distribution function of `FrankCopula` is wrong wherever a coordinate is at most 0.01, by a factor without
# a bound. `ipsi` (the inverse generator, -log((e^(-theta u) - 1)/(e^(-theta) - 1))) puts the values of such coordinates into an
# array `res` and returns another one, `r`, in which they still are theta u. Seen for theta = 5: C(0.0101, 0.5) = 0.0093, which is
# right, C(0.01, 0.5) = 0.413, where Frank's formula gives 0.0092, and C(0.000001, 0.5) = 0.49999. So the function falls in u, and
# breaks C(u, v) <= min(u, v), the upper bound of Frechet and Hoeffding for every copula. `random` does not use `ipsi` and is right:
# 0.9 % of its points lie in [0, 0.01] x [0, 0.5]. A study that compares simulated tails with `cdf` finds a factor of 45.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 pandas==2.3.3 \
  statsmodels==0.15.0 wrapt==1.17.3 scikit-learn==1.9.1 typing_extensions
"$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps copulae==0.8.0
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

import numpy as np

warnings.simplefilter("ignore")
from copulae import FrankCopula

theta = 5.0
copula = FrankCopula(theta=theta, dim=2)


def frank(u, v):
    return -np.log1p(np.expm1(-theta * u) * np.expm1(-theta * v) / np.expm1(-theta)) / theta


u = np.array([0.5, 0.1, 0.0101, 0.01, 0.005, 0.001, 1e-6])
v = np.full_like(u, 0.5)
seen = np.asarray(copula.cdf(np.column_stack([u, v])))
for point, value in zip(u, seen):
    print(f"C({point:g}, 0.5) = {value:.6f}, by the formula {frank(point, 0.5):.6g}")
assert np.allclose(seen[:3], frank(u[:3], 0.5), rtol=1e-9)
assert np.all(seen[3:] > 40 * u[3:]) and np.all(np.diff(seen[3:]) > 0)  # above min(u, v), and falling in u
sample = np.asarray(copula.random(200000, seed=1))
share = np.mean((sample[:, 0] <= 0.01) & (sample[:, 1] <= 0.5))
print("share of the samples in [0, 0.01] x [0, 0.5]:", share)
assert abs(share - frank(0.01, 0.5)) < 1e-3
PYTHON
