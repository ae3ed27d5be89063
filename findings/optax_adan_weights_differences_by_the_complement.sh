#!/usr/bin/env bash
# optax 0.2.8: adan weights the difference of gradients by 1 - b2 = 0.08, where the paper and its code have 0.92.
# Adan (Xie et al. 2022, Algorithm 1) uses g + (1 - beta2)(g - g_last) with beta2 = 0.08. optax names the complement
# b2 = 0.92, decays its averages by it, which is the same, and still multiplies by 1 - b2. Seen: with learning rate 1 and
# the gradients 2 and -1 the second update is -0.2165, and 0.3159 in the paper: another sign. With b2 = 0.5, where both
# weights are the same, optax and the formula agree.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check optax==0.2.8 jax==0.10.2
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from math import sqrt

import jax
import jax.numpy as jnp
import optax

jax.config.update("jax_enable_x64", True)
B1, B3, GRADIENTS = 0.98, 0.99, (2.0, -1.0)


def of_optax(b2):
    rule = optax.adan(1.0, B1, b2, B3, eps=0.0, eps_root=0.0)
    x = jnp.array(0.0)
    state = rule.init(x)
    for g in GRADIENTS:
        update, state = rule.update(jnp.array(g), state, x)
    return float(update)


def of_formula(b2, weight):
    m = d = n = last = 0.0
    for t, g in enumerate(GRADIENTS, start=1):
        change = g - last if t > 1 else 0.0
        m, d = B1 * m + (1 - B1) * g, b2 * d + (1 - b2) * change
        n, last = B3 * n + (1 - B3) * (g + weight * change) ** 2, g
    ahead = m / (1 - B1**2) + weight * d / (1 - b2**2)
    return -ahead / sqrt(n / (1 - B3**2))


seen, paper, complement = of_optax(0.92), of_formula(0.92, 0.92), of_formula(0.92, 0.08)
print("optax", seen, "paper", paper, "with the complement", complement, "b2 = 0.5:", of_optax(0.5), of_formula(0.5, 0.5))
assert abs(seen - complement) < 1e-12 and abs(seen - paper) > 0.1
assert abs(of_optax(0.5) - of_formula(0.5, 0.5)) < 1e-12
PYTHON
