#!/usr/bin/env bash
# optax 0.2.8: amsgrad takes the maximum of bias-corrected averages, so that the first gradient is never forgotten.
# In the paper (Reddi, Kale, Kumar 2018, Algorithm 2) v is not corrected: v_1 = (1 - b2) g_1^2. Corrected it is g_1^2, and
# the maximum keeps it: one large gradient at the start divides all later ones. Reported as issue 1389 of optax, against
# PyTorch, which corrects after the maximum. Seen with b1 = 0, b2 = 0.9, eps = 0 and gradients 1, 0.1, 0.1, ...: the
# divisor is 1 at every step, and 0.316 = sqrt(0.1) in the paper. Version 0.2.5 has no choice; in 0.2.8 the paper's rule is
# had by bias_correction_mu=False, bias_correction_nu=False, and the default is what it was.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check optax==0.2.8 jax==0.10.2
python3 -m venv "$folder/older"
"$folder/older/bin/pip" install --quiet --disable-pip-version-check optax==0.2.5 jax==0.6.2 jaxlib==0.6.2
cat > "$folder/divisors.py" <<'PYTHON'
import inspect

import jax
import jax.numpy as jnp
import optax

jax.config.update("jax_enable_x64", True)


def divisors(**settings):
    rule, x, seen = optax.scale_by_amsgrad(b1=0.0, b2=0.9, eps=0.0, **settings), jnp.zeros(1), []
    state = rule.init(x)
    for g in (1.0, 0.1, 0.1, 0.1):
        update, state = rule.update(jnp.array([g]), state, x)
        seen.append(g / float(update[0]))
    return seen


has_choice = "bias_correction_nu" in inspect.signature(optax.scale_by_amsgrad).parameters
paper = divisors(bias_correction_mu=False, bias_correction_nu=False) if has_choice else None
print(optax.__version__, divisors(), paper)
assert all(abs(d - 1) < 1e-12 for d in divisors())
if optax.__version__ == "0.2.5":
    assert not has_choice
else:
    assert all(abs(d - 0.1**0.5) < 1e-12 for d in paper)
PYTHON
cd "$folder"
"$folder/older/bin/python" divisors.py
"$folder/env/bin/python" divisors.py
