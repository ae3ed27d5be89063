#!/usr/bin/env bash
# POT 0.9.7: `ot.sinkhorn(..., log=True)` returns "err", which looks like one error an iteration and is one every 10 for
# "sinkhorn", one every 20 for "sinkhorn_stabilized". Seen on a 5 x 5 problem: consecutive entries have the ratio 0.021 for
# the first, 0.0002 for the second, although both run the same iteration, whose errors fall by 0.68 from one to the next:
# 0.68^10 = 0.021. A contraction factor that is read from the log is its tenth or twentieth power. After 100 iterations
# "niter" is 99, and err has 10 or 5 entries.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pot==0.9.7.post1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

import numpy as np
import ot

warnings.simplefilter("ignore")  # it says that no threshold 0 was reached
costs = np.random.default_rng(0).random((5, 5))
weights = np.full(5, 0.2)


def logged(method):
    return ot.sinkhorn(weights, weights, costs, 0.1, method=method, numItermax=100, stopThr=0.0, log=True)[1]


kernel, u, true = np.exp(-costs / 0.1), np.ones(5), []
for _ in range(31):
    v = weights / (kernel.T @ u)
    u = weights / (kernel @ v)
    true.append(float(np.linalg.norm(v * (kernel.T @ u) - weights)))
plain, stabilized = logged("sinkhorn"), logged("sinkhorn_stabilized")
print("iteration by iteration:", true[10], true[11], "ratio", true[11] / true[10])
print("sinkhorn:           ", plain["err"][1:3], "ratio", plain["err"][2] / plain["err"][1])
print("sinkhorn_stabilized:", stabilized["err"][:2], "ratio", stabilized["err"][1] / stabilized["err"][0])
assert (len(plain["err"]), len(stabilized["err"]), plain["niter"]) == (10, 5, 99)
assert np.allclose(plain["err"][:4], true[::10], rtol=1e-6)
assert np.allclose(stabilized["err"][:2], true[::20], rtol=1e-6)
assert 0.6 < true[21] / true[20] < 0.75 and 0.01 < plain["err"][2] / plain["err"][1] < 0.03
PYTHON
