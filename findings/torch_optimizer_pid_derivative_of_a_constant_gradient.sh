#!/usr/bin/env bash
# torch_optimizer 0.3.0: the derivative part of `PID` is not zero for a constant gradient. It is meant to be a moving average of
# g_t - g_(t-1) (An et al., A PID Controller Approach for Stochastic Optimization of Deep Networks, CVPR 2018); in the first step the
# gradient is bound to a local name and the stored one stays 0, so that the second step differentiates against 0. Seen with
# lr = 1, momentum = 1/2, integral = 0, derivative = 10 and a gradient of 1 in each step: steps 1, 6, 3.5, 2.25, 1.625, ...
# in place of 1, 1, 1, ...: ten gradients too many in all. At the default momentum of 0 both `integral` (5) and `derivative` (10)
# have no effect: the optimizer is gradient descent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check torch==2.13.0 numpy==2.4.6
"$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps torch_optimizer==0.3.0 pytorch_ranger==0.1.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

import torch

warnings.simplefilter("ignore")
from torch_optimizer import PID

torch.set_default_dtype(torch.float64)


def steps(gradients, **arguments):
    x = torch.nn.Parameter(torch.zeros(1))
    optimizer, path = PID([x], lr=1.0, **arguments), [0.0]
    for gradient in gradients:
        x.grad = torch.full((1,), float(gradient))
        optimizer.step()
        path.append(x.item())
    return [a - b for a, b in zip(path, path[1:])]


constant = steps([1] * 40, momentum=0.5, integral=0.0, derivative=10.0)
print("constant gradient, P and D parts:", constant[:6], "sum of the D part:", sum(constant) - 40)
plain = steps([1, 2, 3])
print("default momentum, gradients 1, 2, 3:", plain)
assert constant[:5] == [1.0, 6.0, 3.5, 2.25, 1.625] and abs(sum(constant) - 50) < 1e-6
assert steps([1] * 6, momentum=0.5, integral=0.0, derivative=0.0) == [1.0] * 6
assert plain == [1.0, 2.0, 3.0] == steps([1, 2, 3], integral=0.0, derivative=0.0)
PYTHON
