#!/usr/bin/env bash
# jaxopt 0.8.5: the derivative of projection_l2_ball is NaN at the centre of the ball, where it is the identity.
# Seen: the gradient of its first coordinate is (nan, nan) at (0, 0) and (1, 0) at (1e-9, 0), radius 1. The value at the
# centre is right. Methods that start at 0 and differentiate through their projection (unrolled bilevel methods) get NaN in
# their first step.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check jaxopt==0.8.5 jax==0.10.2
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
from jaxopt.projection import projection_l2_ball

jax.config.update("jax_enable_x64", True)
gradient = jax.grad(lambda v: projection_l2_ball(v, 1.0)[0])
centre, beside = gradient(jnp.zeros(2)), gradient(jnp.array([1e-9, 0.0]))
print("at the centre", centre, "beside it", beside, "value", projection_l2_ball(jnp.zeros(2), 1.0))
assert jnp.isnan(centre).all() and (beside == jnp.array([1.0, 0.0])).all()
PYTHON
