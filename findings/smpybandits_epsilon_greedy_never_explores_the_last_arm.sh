#!/usr/bin/env bash
# SMPyBandits 0.9.7: the exploration of `EpsilonGreedy`, "fully uniform" by its docstring, leaves the last arm out. It calls
# randint(0, nbArms - 1), inclusive in Python's `random` but exclusive in numpy's, which is the one imported. Seen with
# epsilon = 1, where every round explores, 10,000 rounds: plays 10,000 and 0 of two arms, 0 for the last of five. With
# epsilon = 0.1, two arms that pay 0.1 and 0.9 and a first play of the worse arm: if the better one is listed last, it is not
# played once in 10,000 rounds (regret 8,000); if it is listed first, in all but 280. `EpsilonDecreasing`, `EpsilonFirst` and the
# others of this file inherit the method. The regret depends on the order in which the arms are listed.
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
import random

import numpy as np

with contextlib.redirect_stdout(io.StringIO()):  # it prints which optional packages are missing
    from SMPyBandits.Policies import EpsilonGreedy


def plays(rewards, epsilon, first=None, rounds=10000):
    random.seed(0)
    np.random.seed(0)
    policy = EpsilonGreedy(len(rewards), epsilon=epsilon)
    policy.startGame()
    count = np.zeros(len(rewards), dtype=int)
    for t in range(rounds):
        arm = first if t == 0 and first is not None else policy.choice()
        policy.getReward(arm, rewards[arm])
        count[arm] += 1
    return count.tolist()


explored = [plays([1.0] * arms, 1.0) for arms in (2, 3, 5)]
print("epsilon = 1:", explored)
assert all(count[-1] == 0 and min(count[:-1]) > 2000 for count in explored)
last, front = plays([0.1, 0.9], 0.1, first=0), plays([0.9, 0.1], 0.1, first=1)
print("epsilon = 0.1, best arm last:", last, "best arm first:", front)
assert last == [10000, 0] and front[0] > 9000
PYTHON
