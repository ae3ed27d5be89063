#!/usr/bin/env bash
# river 0.26.1: `optim.FTRLProximal.step(w, g)` first computes the weights from the gradients *before* g and adds g to its
# sums afterwards. In McMahan's listing the weights are computed just before a prediction, from all gradients so far; here
# the prediction of round t + 1 has not seen the gradient of round t. For gradients 1 (alpha = 0.1, beta = 1, l2 = 0):
# weights 0, -0.0500, -0.0914, -0.1280 after steps 1 to 4, where the listing has -0.0500, -0.0914, -0.1280, -0.1614. A model
# that learns from one example predicts as if it had learnt nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check river==0.26.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from math import sqrt

from river import linear_model, optim

ALPHA, BETA = 0.1, 1.0
optimizer, weights, seen = optim.FTRLProximal(alpha=ALPHA, beta=BETA, l1=0.0, l2=0.0), {"x": 0.0}, []
z = n = w = 0.0
listing = []
for _ in range(4):
    weights = optimizer.step(weights, {"x": 1.0})
    seen.append(float(weights["x"]))
    z += 1.0 - (sqrt(n + 1.0) - sqrt(n)) / ALPHA * w
    n += 1.0
    w = -z / ((BETA + sqrt(n)) / ALPHA)
    listing.append(w)
model = linear_model.LinearRegression(optimizer=optim.FTRLProximal(), intercept_lr=0.0)
model.learn_one({"x": 1.0}, 5.0)
print("river:  ", seen)
print("listing:", listing)
print("prediction after one example:", model.predict_one({"x": 1.0}))
assert seen[0] == 0.0
assert all(abs(late - early) < 1e-9 for late, early in zip(seen[1:], listing))
assert model.predict_one({"x": 1.0}) == 0.0
PYTHON
