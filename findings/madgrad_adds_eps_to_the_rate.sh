#!/usr/bin/env bash
# madgrad 1.3: MADGRAD adds eps to the learning rate, so that no rate above 0 is smaller than 1e-6.
# Its documentation has eps as a "term added to the denominator outside of the root operation", and so has the paper
# (Defazio, Jelassi 2022, Algorithm 1). Without momentum the first step for the gradient 1 is r / (r^(1/3) + eps) with the
# rate r. Seen with the default eps of 1e-6: r = 1e-9 moves by 1.0e-4, the documented rule by 1.0e-6, a hundredth. A schedule
# that lets the rate fall to zero stays at 1e-6, and jumps to 0 at its end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check torch==2.13.0 numpy==2.4.6 madgrad==1.3
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import torch
from madgrad import MADGRAD


def first_step(rate, eps):
    x = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
    optimizer = MADGRAD([x], lr=rate, momentum=0.0, eps=eps)
    x.grad = torch.ones_like(x)
    optimizer.step()
    return -x.item()


def documented(rate, eps):
    return rate / (rate ** (1 / 3) + eps)


for rate in (1e-3, 1e-6, 1e-9):
    print("rate", rate, "library", first_step(rate, 1e-6), "documented", documented(rate, 1e-6))
    shifted = (rate + 1e-6) / ((rate + 1e-6) ** (1 / 3) + 1e-6)
    assert abs(first_step(rate, 1e-6) / shifted - 1) < 1e-9
assert abs(first_step(1e-9, 1e-12) / documented(1e-9, 1e-12) - 1) < 1e-2
assert 90 < first_step(1e-9, 1e-6) / documented(1e-9, 1e-6) < 110
PYTHON
