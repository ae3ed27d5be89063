#!/usr/bin/env bash
# optimistix 0.1.0: on x^2/2 + y^2/200 NonlinearCG makes the 1,377 steps of GradientDescent(1.0), to the last bit.
# Seen: the same number of steps, the same value 9.86342545e-07 of y from (1, 1), tolerances 1e-8; BFGS needs 7 steps. The
# line search is by backtracking from step 1, which a smooth function with L = 1 always accepts, and along one coordinate
# with a shrinking gradient the Polak-Ribiere weight is negative, that is 0. Nothing of the method's sqrt(kappa) is left.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check optimistix==0.1.0 jax==0.10.2
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import optimistix as optx

jax.config.update("jax_enable_x64", True)


def f(x, args):
    return 0.5 * x[0] ** 2 + 0.005 * x[1] ** 2


solvers = {
    "GradientDescent": optx.GradientDescent(1.0, rtol=1e-8, atol=1e-8),
    "NonlinearCG": optx.NonlinearCG(rtol=1e-8, atol=1e-8),
    "BFGS": optx.BFGS(rtol=1e-8, atol=1e-8),
}
results = {
    name: optx.minimise(f, solver, jnp.array([1.0, 1.0]), max_steps=10_000, throw=False)
    for name, solver in solvers.items()
}
steps = {name: int(result.stats["num_steps"]) for name, result in results.items()}
print(steps, {name: result.value.tolist() for name, result in results.items()})
assert steps["NonlinearCG"] == steps["GradientDescent"] > 1000 > 100 * steps["BFGS"] / 10 > 10
assert (results["NonlinearCG"].value == results["GradientDescent"].value).all()
PYTHON
