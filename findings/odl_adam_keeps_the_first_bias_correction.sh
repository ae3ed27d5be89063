#!/usr/bin/env bash
# odl 1.0.0: `odl.solvers.smooth.gradient.adam` divides the two averages by 1 - beta1 and 1 - beta2 in every iteration,
# where Kingma and Ba divide by 1 - beta1^t and 1 - beta2^t ("all parameter names and default values are taken from the
# article", says its documentation). For f(x) = x every step of Adam has length `learning_rate`. Seen here, as multiples
# of the learning rate: 1.0 at t = 1, 2.06 at t = 10, 1.02 at t = 100, 0.40 at t = 1,000, and 0.316 at t = 10,000, which
# is sqrt(1 - beta2)/(1 - beta1). A theorem with Adam's step size speaks of another length at every t but the first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check odl==1.0.0 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from math import sqrt

import odl
from odl.functionals import QuadraticForm
from odl.solvers.smooth.gradient import adam

line = odl.rn(1)
x = line.element([0.0])
path = [0.0]
adam(
    QuadraticForm(vector=line.element([1.0])), x, learning_rate=1e-3, maxiter=10_000, callback=lambda y: path.append(float(y[0]))
)
length = {t: (path[t - 1] - path[t]) / 1e-3 for t in (1, 10, 100, 1000, 10_000)}
print(odl.__version__, length)


def constant_correction(t, beta1=0.9, beta2=0.999):
    return sqrt(1 - beta2) / (1 - beta1) * (1 - beta1**t) / sqrt(1 - beta2**t)


assert abs(length[1] - 1) < 1e-5
assert all(abs(seen - constant_correction(t)) < 1e-4 * seen for t, seen in length.items())
assert 0.31 < length[10_000] < 0.32
PYTHON
