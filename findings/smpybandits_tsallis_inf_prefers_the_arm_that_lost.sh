#!/usr/bin/env bash
# SMPyBandits 0.9.7: `TsallisInf` can raise the probability of the one arm that has just lost. The docstring of `getReward`
# gives the step as grad (Psi + indicator of the simplex)^*(-L), Psi(w) = -2 sum sqrt(w_k) / eta: w_k = (eta (L_k - x))^-2 with
# the multiplier x below all L_k, so that an arm of larger loss has a smaller weight. The code looks for x by an unbounded
# Brent minimization of (sum_k (eta (L_k - x))^-2 - 1)^2. This has poles at every L_k and further minima between them, in which
# the order of the arms can be reversed, and in which one the search stops depends on the number of arms. Seen after the first
# reward, a 0 of arm 0 (exact weight of arm 0 in brackets): 2 arms 0.500 (0.107), 3 arms 0.442 (0.050), 4 arms 0.250
# (0.030), 5 arms 0.727 (0.020), 6 arms 0.074 (0.015), 20 arms 0.0041 (0.0017). With 4 arms the loss changes nothing, with 3 and 5
# the arm gains. In games of 5 arms with Bernoulli means 0.1, 0.3, ..., 0.9 the weights are off by more than 0.01 in half
# of the first 50 rounds. They are right in long runs once one arm is far ahead, so that the logarithmic order of the regret
# is there and only its constant is wrong.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 matplotlib==3.9.4 \
  pandas==2.2.3 seaborn==0.13.2 joblib==1.4.2
"$folder/env/bin/pip" install --quiet --disable-pip-version-check --no-deps SMPyBandits==0.9.7
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import contextlib
import io

import numpy as np
from scipy.optimize import brentq

with contextlib.redirect_stdout(io.StringIO()):  # it prints which optional packages are missing
    from SMPyBandits.Policies import TsallisInf


def exact(policy):
    losses, eta = policy.cumulative_losses, policy.eta
    least, arms = losses.min(), len(losses)
    x = brentq(lambda x: np.sum((eta * (losses - x)) ** -2.0) - 1, least - 2 * arms / eta, least - 0.5 / eta, xtol=1e-13)
    return (eta * (losses - x)) ** -2.0


seen, right = {}, {}
for arms in (2, 3, 4, 5, 6, 10, 20):
    policy = TsallisInf(arms)
    policy.startGame()
    policy.getReward(0, 0.0)
    seen[arms], right[arms] = policy.weights[0], exact(policy)[0]
    print(f"{arms} arms, arm 0 lost: its weight is {seen[arms]:.4f}, exactly {right[arms]:.4f}")
assert seen[5] > 0.72 and right[5] < 0.021  # it was 1/5 before the loss
assert 0.44 < seen[3] < 0.45 and abs(seen[4] - 1 / 4) < 1e-6 and abs(seen[2] - 1 / 2) < 1e-6
assert all(seen[arms] > 2 * right[arms] for arms in seen)

np.random.seed(0)
means, wrong, rounds = np.linspace(0.1, 0.9, 5), 0, 0
for game in range(40):
    policy = TsallisInf(5)
    policy.startGame()
    for t in range(50):
        arm = policy.choice()
        policy.getReward(arm, float(np.random.rand() < means[arm]))
        wrong += np.abs(policy.weights - exact(policy)).max() > 0.01
        rounds += 1
print(f"weights off by more than 0.01 in {wrong} of {rounds} rounds")
assert wrong > rounds / 4
PYTHON
