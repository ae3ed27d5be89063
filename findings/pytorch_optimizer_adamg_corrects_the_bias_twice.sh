#!/usr/bin/env bash
# pytorch_optimizer 3.3.0: AdamG divides its averages by beta^t in place of 1 - beta^t.
# Its first step is rate m / sqrt(v) with both averages corrected (Pan 2024, Algorithm 1): v_1 = (1 - b2) g^2, r_1 = (1 -
# b3) p v_1^q, and m and v are divided by 1 - b1 and 1 - b2, so that the step is r_1 g / |g|. Reported as issue 305 of
# kozistr/pytorch_optimizer ("unstable"). Seen for g = 1 and rate 1 with betas (0.95, 0.999, 0.95), p = 0.2, q = 0.24:
# 0.05 * 0.2 * 0.001^0.24 = 0.0019055 by the paper and in 4.1.0, 0.0031698 in 3.3.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check torch==2.13.0 numpy==2.4.6
for version in 3.3.0 4.1.0; do
  "$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$folder/$version" "pytorch_optimizer==$version"
done
cat > "$folder/step.py" <<'PYTHON'
import torch
from pytorch_optimizer import AdamG

x = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
optimizer = AdamG([x], lr=1.0, betas=(0.95, 0.999, 0.95), p=0.2, q=0.24)
x.grad = torch.ones_like(x)
optimizer.step()
print(-x.item())
PYTHON
cd "$folder"
old=$(PYTHONPATH="$folder/3.3.0" "$folder/env/bin/python" step.py)
new=$(PYTHONPATH="$folder/4.1.0" "$folder/env/bin/python" step.py)
echo "3.3.0: $old; 4.1.0: $new"
"$folder/env/bin/python" - "$old" "$new" <<'PYTHON'
import sys

old, new = map(float, sys.argv[1:])
paper = 0.05 * 0.2 * 0.001**0.24
assert abs(new / paper - 1) < 1e-6
assert abs(old / paper / ((1 - 0.95) / 0.95 * (0.999 / 0.001) ** 0.5) - 1) < 1e-6
PYTHON
