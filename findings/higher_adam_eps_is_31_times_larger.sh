#!/usr/bin/env bash
# higher 0.2.1: the differentiable Adam that `innerloop_ctx` puts in the place of `torch.optim.Adam` adds eps before the bias
# correction of the denominator: eps / sqrt(1 - beta2^t) in torch's terms, 31.6 times eps at t = 1. Seen for a gradient of 1,
# lr = 0.1, eps = 0.1 (a size that is used to keep Adam near SGD): the first step is 0.0909 by torch, 0.0240 by higher; after
# six steps on x^2 / 2 from 1 the iterates are 0.47 and 0.79. SGD, Adagrad, Adadelta, RMSprop, Adamax are the same in both. An
# inner loop that is differentiated is not the one that is run.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check higher==0.2.1 torch==2.13.0 numpy==2.4.6
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

import torch

warnings.simplefilter("ignore")
import higher

torch.set_default_dtype(torch.float64)
STEPS = 6


class Bowl(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.x = torch.nn.Parameter(torch.tensor([1.0]))

    def forward(self):
        return (self.x**2).sum() / 2


def by_torch(make):
    bowl = Bowl()
    optimizer, path = make(bowl.parameters()), []
    for _ in range(STEPS):
        optimizer.zero_grad()
        bowl().backward()
        optimizer.step()
        path.append(float(bowl.x))
    return path


def by_higher(make):
    bowl, path = Bowl(), []
    with higher.innerloop_ctx(bowl, make(bowl.parameters())) as (model, optimizer):
        for _ in range(STEPS):
            optimizer.step(model())
            path.append(float(next(iter(model.parameters()))))
    return path


def adam(p):
    return torch.optim.Adam(p, lr=0.1, eps=0.1)


def momentum(p):
    return torch.optim.SGD(p, lr=0.1, momentum=0.9)


own, other = by_torch(adam), by_higher(adam)
print("torch: ", own)
print("higher:", other)
assert abs(own[0] - (1 - 0.1 / (1 + 0.1))) < 1e-9
assert abs(other[0] - (1 - 0.1 / (1 + 0.1 / 0.001**0.5))) < 1e-9
assert max(abs(a - b) for a, b in zip(by_torch(momentum), by_higher(momentum))) < 1e-12
PYTHON
