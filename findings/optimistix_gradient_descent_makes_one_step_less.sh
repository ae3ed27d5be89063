#!/usr/bin/env bash
# optimistix 0.1.0: `minimise(f, GradientDescent(...), y, max_steps=k)` makes k - 1 gradient steps: the first one only
# evaluates f. `stats["num_steps"]` says k all the same. Newton's method and fixed-point iteration of the same library make
# k. Seen for f = y^2 / 2, rate 0.1, y = 1: value 1, 0.9, 0.81 for k = 1, 2, 3, where k steps give 0.9, 0.81, 0.729. A curve
# of values over max_steps is shifted by one, and a bound at step k is compared with the iterate before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check optimistix==0.1.0 equinox==0.13.8 lineax==0.1.1 jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import optimistix

jax.config.update("jax_enable_x64", True)
TOLERANCES = {"rtol": 1e-12, "atol": 1e-12}


def descent(k):
    solver = optimistix.GradientDescent(learning_rate=0.1, **TOLERANCES)
    return optimistix.minimise(lambda y, _: 0.5 * y**2, solver, jnp.array(1.0), max_steps=k, throw=False)


def newton(k):
    solver = optimistix.Newton(**TOLERANCES)
    return optimistix.root_find(lambda y, _: y**2 - 2.0, solver, jnp.array(1.0), max_steps=k, throw=False)


for k in (1, 2, 3):
    done, root = descent(k), newton(k)
    print(k, "descent", float(done.value), "steps said", int(done.stats["num_steps"]), "Newton", float(root.value))
    assert abs(float(done.value) - 0.9 ** (k - 1)) < 1e-12 and int(done.stats["num_steps"]) == k
y = 1.0
for k in (1, 2, 3):
    y = y - (y * y - 2.0) / (2.0 * y)
    assert abs(float(newton(k).value) - y) < 1e-12
PYTHON
