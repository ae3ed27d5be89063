#!/usr/bin/env bash
# copt 0.9.2: SimplexConstraint cannot be used with copt's own Frank-Wolfe; L1Ball and TraceBall can.
# minimize_frank_wolfe calls lmo(-grad, x, active_set) and unpacks four values; SimplexConstraint.lmo takes (u, x) only, so
# that the simplex, the textbook example of the method, ends in a TypeError. Seen: takes 3 positional arguments but 4 were
# given. What it returns does fit (four values), so that a wrapper which drops the third argument is all that is missing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check copt==0.9.2 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import numpy as np
from copt import minimize_frank_wolfe
from copt.constraint import SimplexConstraint

simplex, target = SimplexConstraint(1.0), np.array([0.2, 0.3, 0.5])


def f(x):
    return 0.5 * np.sum((x - target) ** 2), x - target


def run(lmo):
    return minimize_frank_wolfe(f, np.array([1.0, 0.0, 0.0]), lmo, step="sublinear", max_iter=100, tol=0)


try:
    run(simplex.lmo)
except TypeError as error:
    print(error)
    assert "3 positional arguments but 4 were given" in str(error)
else:
    raise SystemExit("it fits now")
gap = f(run(lambda u, x, active_set: simplex.lmo(u, x)).x)[0]
print("with a wrapper: f =", gap, "after 100 iterations")
assert gap < 1e-3
PYTHON
