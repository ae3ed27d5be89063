#!/usr/bin/env bash
# river 0.26.1: with a schedule for the learning rate, `optim.AdaBound` multiplies its `final_lr` by lr(t)/lr(0) in every
# step and keeps the product, so both bounds are final_lr times the *product* of all ratios so far. With
# InverseScaling(0.1, power=0.5), lr(t) = 0.1/sqrt(t + 1), `final_lr` is 0.1/sqrt(100!) = 1e-80 after 100 steps: for a
# constant gradient 1 the method moves 0.453 in all 100 steps, 0.0035 in the tenth and nothing at all in the hundredth;
# steps of length lr(t) would have moved 1.86 and go on without end. With a constant rate nothing of this is seen.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check river==0.26.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from math import lgamma, log

from river import optim


def steps(rate):
    optimizer, weights, lengths = optim.AdaBound(lr=rate, final_lr=0.1), {"x": 1.0}, []
    for _ in range(100):
        before = weights["x"]
        weights = optimizer.step(weights, {"x": 1.0})
        lengths.append(before - weights["x"])
    return lengths, optimizer.final_lr


constant, same = steps(0.1)
lengths, final = steps(optim.schedulers.InverseScaling(0.1, power=0.5))
print("constant rate: final_lr", same, "moved", sum(constant))
print("0.1/sqrt(t + 1): final_lr", final, "moved", sum(lengths), "in steps 1, 10, 100:", lengths[0], lengths[9], lengths[99])
assert same == 0.1 and abs(sum(constant) - 10) < 1e-3
assert abs(log(final) - (log(0.1) - lgamma(101) / 2)) < 1e-6
assert sum(lengths) < 0.5 and lengths[99] == 0 and sum(0.1 / (t + 1) ** 0.5 for t in range(100)) > 1.8
PYTHON
