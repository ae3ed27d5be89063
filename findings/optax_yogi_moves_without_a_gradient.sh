#!/usr/bin/env bash
# optax 0.2.8: yogi moves while every gradient is zero, and goes uphill where gradients are small.
# Its initial accumulator, 1e-6, is the first moment's start, too (in the paper that is 0), and the bias correction of
# iteration 1 multiplies it by 9. Seen, learning rate 1: x = 1 becomes 0.99972 with the gradient 0, and 0.9984 after 200
# such iterations; with the gradient -1e-6, for which x must grow, it is 0.99975. adam, amsgrad, adabelief and adagrad
# stand still.
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


def last(make, gradient, iterations):
    rule, x = make(1.0), jnp.array(1.0)
    state = rule.init(x)
    for _ in range(iterations):
        update, state = rule.update(jnp.array(gradient), state, x)
        x = optax.apply_updates(x, update)
    return float(x)


still = [last(make, 0.0, 200) for make in (optax.adam, optax.amsgrad, optax.adabelief, optax.adagrad)]
once, often, uphill = last(optax.yogi, 0.0, 1), last(optax.yogi, 0.0, 200), last(optax.yogi, -1e-6, 1)
print("others", still, "yogi: once", once, "200 times", often, "with the gradient -1e-6", uphill)
assert still == [1.0] * 4
assert 0.9997 < once < 0.9998 and 0.998 < often < 0.999 and uphill < 0.9998
PYTHON
