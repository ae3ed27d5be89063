#!/usr/bin/env bash
# copt 0.9.2: on the l1 ball of the plane, both of its line searches are slower *in order* than the open-loop step.
# f(x) = |x - p|^2/2 with p = (1/2, 1/2) in the middle of an edge, from (-1, 0). Seen: f after 100, 1,000, 10,000
# iterations is 2.5e-5, 2.5e-7, 2.5e-9 with step='sublinear' (2/(k + 2): T^-2), and 6.2e-4, 6.2e-5, 6.2e-6 with step='DR',
# which is the exact line search of this f (T^-1); step='backtracking' ends with 6.0e-6. A comparison of steps on such a
# problem puts the one that decreases f most in each iteration last.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check copt==0.9.2 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import numpy as np
from copt import minimize_frank_wolfe
from copt.constraint import L1Ball

middle = np.array([0.5, 0.5])


def f(x):
    return 0.5 * np.sum((x - middle) ** 2), x - middle


def values(step):
    start = np.array([-1.0, 0.0])
    runs = [
        minimize_frank_wolfe(f, start, L1Ball(1.0).lmo, step=step, lipschitz=1.0, max_iter=T, tol=0)
        for T in (100, 1000, 10000)
    ]
    return [f(run.x)[0] for run in runs]


table = {step: values(step) for step in ("sublinear", "DR", "backtracking")}
for step, row in table.items():
    print(step, row)
slope = {step: np.log10(row[2] / row[1]) for step, row in table.items()}
assert -2.05 < slope["sublinear"] < -1.95 and -1.05 < slope["DR"] < -0.95
assert table["backtracking"][2] > 1000 * table["sublinear"][2]
PYTHON
