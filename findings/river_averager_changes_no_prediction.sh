#!/usr/bin/env bash
# river 0.26.1: `optim.Averager` has no effect in `linear_model.LinearRegression`. The average is what its `step` returns,
# and the linear models drop that value; the weights that they keep are those of the wrapped optimizer. On 2,000 pairs
# of y = 2 x + noise with SGD of rate 0.1 the weights are the same numbers after each pair with and without averaging
# (the last is 2.28), while the average, kept in `avg_w`, is 2.007. Polyak-Ruppert's rate for the weights of such a model
# is that of its last iterate.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check river==0.26.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import random

from river import linear_model, optim

rng = random.Random(1)
points = [rng.gauss(0, 1) for _ in range(2000)]
pairs = [({"x": x}, 2 * x + rng.gauss(0, 1)) for x in points]


def path(optimizer):
    model = linear_model.LinearRegression(optimizer=optimizer, intercept_lr=0.0)
    weights = []
    for x, y in pairs:
        model.learn_one(x, y)
        weights.append(model.weights["x"])
    return weights


averager = optim.Averager(optim.SGD(0.1))
plain, averaged = path(optim.SGD(0.1)), path(averager)
print("last weight:", plain[-1], "with Averager:", averaged[-1])
print("mean of the weights:", sum(plain) / len(plain), "avg_w:", averager.avg_w["x"])
assert plain == averaged
assert abs(averager.avg_w["x"] - sum(plain) / len(plain)) < 1e-9
assert abs(averager.avg_w["x"] - plain[-1]) > 0.2
PYTHON
