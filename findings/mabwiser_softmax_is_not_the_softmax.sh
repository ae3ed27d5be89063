#!/usr/bin/env bash
# mabwiser 2.7.4: `LearningPolicy.Softmax` does not play an arm with its softmax probability. It draws one vector from the
# Dirichlet distribution whose parameters are these probabilities, and plays the largest entry. For means 0 and 1 and
# tau = 1 the softmax is 0.269 and 0.731; seen are 0.238 and 0.762 of 40,000 plays, the probability that a Beta(0.269,
# 0.731) variable lies above 1/2. For means 0 and 3: 0.035 in place of 0.047. The weaker arm is always tried less often
# than the temperature says, so rates of exploration from the literature on Boltzmann policies do not carry over.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mabwiser==2.7.4 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

warnings.simplefilter("ignore")
import math

from mabwiser.mab import MAB, LearningPolicy
from scipy.stats import beta

PLAYS = 40_000
for gap in (1.0, 3.0):
    bandit = MAB(arms=["weak", "strong"], learning_policy=LearningPolicy.Softmax(tau=1.0), seed=1)
    bandit.fit(["weak", "strong"], [0.0, gap])
    share = sum(bandit.predict() == "weak" for _ in range(PLAYS)) / PLAYS
    softmax = 1 / (1 + math.exp(gap))
    dirichlet = beta.sf(0.5, softmax, 1 - softmax)
    error = math.sqrt(softmax * (1 - softmax) / PLAYS)
    print(f"gap {gap}: played {share:.4f}, softmax {softmax:.4f}, largest entry of a Dirichlet draw {dirichlet:.4f}")
    assert abs(share - dirichlet) < 4 * error
    assert softmax - share > 8 * error
PYTHON
