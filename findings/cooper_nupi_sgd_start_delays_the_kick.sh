#!/usr/bin/env bash
# cooper-optim 1.0.1: the multiplier optimizer nuPI, with its default `nuPIInitType.SGD`, makes the proportional kick that this
# start is there to avoid, one step later, and only if the gradients are dense. Its docstring sets xi_(-1) = e_0, hence
# xi_0 = e_0 and theta_2 = theta_1 - eta (K_I e_1 + K_P (xi_1 - xi_0)); after the first step the code stores zeros for xi_0.
# Seen with K_P = K_I = 1, nu = 0 (by the docstring the optimistic gradient method, 2 e_t - e_(t-1)) and a gradient of 1 in
# each step: steps of 1, 2, 1, 1, 1, 1 in place of 1, 1, 1, ...; the kick of size K_P e_0 stays in the multiplier. That is the
# sequence of `nuPIInitType.ZEROS` (2, 1, 1, ...) after one plain step. The same gradients as sparse tensors give 1, 1, 1,
# ...: dense and indexed multipliers of one problem differ. With nu = 1/2 both are off (dense 1, 1.5, 1.25, 1.125; sparse 1,
# 1.25, 1.125), since the sparse one stores (1 - nu) e_0. The dense part is issue 107 of cooper-org/cooper.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check torch==2.13.0 numpy==2.4.6
"$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps cooper-optim==1.0.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

import torch

warnings.simplefilter("ignore")
from cooper.optim import nuPI
from cooper.optim.torch_optimizers.nupi_optimizer import nuPIInitType

torch.set_default_dtype(torch.float64)


def steps(errors, nu, sparse=False, start=nuPIInitType.SGD):
    multiplier = torch.nn.Parameter(torch.zeros(1))
    optimizer = nuPI([multiplier], lr=1.0, Kp=1.0, Ki=1.0, ema_nu=nu, init_type=start, maximize=True)
    path = [0.0]
    for error in errors:
        gradient = torch.tensor([float(error)])
        multiplier.grad = gradient.to_sparse() if sparse else gradient
        optimizer.step()
        path.append(multiplier.item())
    return [b - a for a, b in zip(path, path[1:])]


def documented(errors, nu):
    xi, out = errors[0], [float(errors[0])]
    for error in errors[1:]:
        old, xi = xi, nu * xi + (1 - nu) * error
        out.append(error + xi - old)
    return out


for errors, nu in (([1] * 6, 0.0), ([1, 2, 4, 7], 0.0), ([1] * 6, 0.5)):
    print("errors", errors, "nu =", nu)
    print("  documented:", documented(errors, nu))
    print("  dense:     ", steps(errors, nu))
    print("  sparse:    ", steps(errors, nu, sparse=True))
    print("  from ZEROS:", steps(errors, nu, start=nuPIInitType.ZEROS))
ones = [1] * 6
assert documented(ones, 0.0) == [1.0] * 6 == documented(ones, 0.5)
assert steps(ones, 0.0) == [1.0, 2.0, 1.0, 1.0, 1.0, 1.0]
assert steps(ones, 0.0, sparse=True) == [1.0] * 6
assert steps(ones, 0.0)[1:] == steps(ones[1:], 0.0, start=nuPIInitType.ZEROS)
assert steps(ones, 0.5)[:4] == [1.0, 1.5, 1.25, 1.125] and steps(ones, 0.5, sparse=True)[:3] == [1.0, 1.25, 1.125]
PYTHON
