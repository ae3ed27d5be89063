#!/usr/bin/env bash
# pytorch_optimizer 3.4.0: ADOPT divides a gradient by an average of squares that has this gradient in it already.
# The point of ADOPT (Taniguchi et al. 2024, Algorithm 2) is that v_(t-1), which does not know g_t, divides g_t; with v_t
# it is Adam with another first step, and has Adam's counter-examples. Reported as issue 346 of kozistr/pytorch_optimizer.
# Seen with b1 = 0, b2 = 0.9, rate 1, no clipping and gradients 1, 2: nothing moves at the first one, which makes v_1 = 1,
# and the second step is 2 / sqrt(v_1) = 2. Version 3.4.0 gives 2 / sqrt(0.9 + 0.4) = 1.754; version 4.1.0 gives 2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check torch==2.13.0 numpy==2.4.6
for version in 3.4.0 4.1.0; do
  "$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$folder/$version" "pytorch_optimizer==$version"
done
cat > "$folder/steps.py" <<'PYTHON'
import torch
from pytorch_optimizer import ADOPT

x = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
optimizer, path = ADOPT([x], lr=1.0, betas=(0.0, 0.9), eps=1e-6, clip_lambda=None), []
for g in (1.0, 2.0):
    before = x.item()
    x.grad = torch.full_like(x, g)
    optimizer.step()
    path.append(before - x.item())
print(*path)
PYTHON
cd "$folder"
old=$(PYTHONPATH="$folder/3.4.0" "$folder/env/bin/python" steps.py)
new=$(PYTHONPATH="$folder/4.1.0" "$folder/env/bin/python" steps.py)
echo "3.4.0: $old; 4.1.0: $new"
"$folder/env/bin/python" - "$old" "$new" <<'PYTHON'
import sys

old, new = ([float(step) for step in text.split()] for text in sys.argv[1:])
assert old[0] == new[0] == 0
assert abs(old[1] - 2 / 1.3**0.5) < 1e-9
assert abs(new[1] - 2) < 1e-9
PYTHON
