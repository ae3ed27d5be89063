#!/usr/bin/env bash
# PEPit 0.5.1: the worst case that it returns for gradient descent can lie below the true one, by the solver's tolerance.
# Known exactly: L R^2/(4 n + 2) for n steps 1/L on smooth convex functions. Seen: for n = 4 the value is 4e-8 below 1/18,
# for n = 1 it is 2e-9 below 1/6; for n = 2 it is 2e-8 above 1/10. The number is printed as a guarantee (an upper bound over
# all functions) and is none without a margin, or a certificate in exact arithmetic.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pepit==0.5.1 cvxpy==1.9.3 clarabel==0.11.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from PEPit import PEP
from PEPit.functions import SmoothConvexFunction


def worst_case(n):
    problem = PEP()
    f = problem.declare_function(SmoothConvexFunction, L=1.0)
    optimum = f.stationary_point()
    x = problem.set_initial_point()
    problem.set_initial_condition((x - optimum) ** 2 <= 1)
    for _ in range(n):
        x = x - f.gradient(x)
    problem.set_performance_metric(f(x) - f(optimum))
    return problem.solve(verbose=0)


errors = {n: worst_case(n) - 1 / (4 * n + 2) for n in (1, 2, 4)}
print(errors)
assert errors[1] < -1e-10 and errors[4] < -1e-9 and errors[2] > 0
assert max(map(abs, errors.values())) < 1e-6
PYTHON
