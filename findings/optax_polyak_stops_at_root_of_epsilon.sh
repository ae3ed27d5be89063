#!/usr/bin/env bash
# optax 0.2.8: polyak_sgd halves x for x^2/2, and stops for good at |x| = 2^-26, in double precision.
# The step is set to 0 where the squared gradient is at most the machine's epsilon, 2^-52, whatever the scale of the
# problem. Seen: x_26 = 2^-26 = x_500, a floor of 1.1e-16 in f under a geometric rate; with f scaled by 1e-6, which changes
# nothing in Polyak's step, the same run stops at x = 2^-7.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check optax==0.2.8 jax==0.10.2
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import optax

jax.config.update("jax_enable_x64", True)


def last(scale, steps):
    def f(x):
        return scale * x**2 / 2

    rule, x = optax.polyak_sgd(max_learning_rate=1e15, f_min=0.0), jnp.array(1.0)
    state = rule.init(x)
    step = jax.jit(jax.value_and_grad(f))
    for _ in range(steps):
        value, gradient = step(x)
        update, state = rule.update(gradient, state, x, value=value)
        x = optax.apply_updates(x, update)
    return float(x)


print(last(1.0, 20), last(1.0, 26), last(1.0, 500), last(1e-6, 500))
assert last(1.0, 20) == 2.0**-20 and last(1.0, 26) == 2.0**-26 == last(1.0, 500)
assert last(1e-6, 500) == 2.0**-7
PYTHON
