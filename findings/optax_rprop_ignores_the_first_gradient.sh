#!/usr/bin/env bash
# optax 0.2.8: rprop does not move at the first gradient, and never where the sign alternates from the first step on.
# With learning rate 1 and gradients 0.01, 0.01, 0.01, ... the iterates are 0, -1, -2.2, -3.64: the first step is the second
# one of the textbook (Riedmiller and Braun begin with a step of the initial size). With gradients 1, -1, 1, -1 all iterates
# are 0: a change of sign skips a step, which the product of the signs with the zero before the first step also does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check optax==0.2.8 jax==0.10.2
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import jax.numpy as jnp
import optax


def iterates(gradients):
    rule, x, path = optax.rprop(1.0), jnp.array(0.0), []
    state = rule.init(x)
    for g in gradients:
        update, state = rule.update(jnp.array(g), state, x)
        x = optax.apply_updates(x, update)
        path.append(float(x))
    return path


steady, alternating = iterates([0.01] * 4), iterates([1.0, -1.0] * 3)
print("steady", steady, "alternating", alternating)
assert steady[0] == 0 and all(abs(a - b) < 1e-5 for a, b in zip(steady[1:], (-1, -2.2, -3.64)))
assert alternating == [0.0] * 6
PYTHON
