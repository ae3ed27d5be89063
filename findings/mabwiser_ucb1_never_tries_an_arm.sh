#!/usr/bin/env bash
# mabwiser 2.7.4: in `LearningPolicy.UCB1` an arm without a reward so far has the index 0, not infinity, and the method
# does not play every arm once. Two arms, a pays 0.1 and b pays 0.9 each time, a was tried once: b is not tried in
# 2,000 rounds (index of a: 0.19, of b: 0), so the regret is 0.8 T where UCB1 has O(log T). After one reward of b it is b
# that is played in all rounds but a few. With rewards below zero the same rule tries each arm at once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mabwiser==2.7.4 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
import warnings

warnings.simplefilter("ignore")
from mabwiser.mab import MAB, LearningPolicy


def plays(pay, tried, rounds):
    bandit = MAB(arms=list(pay), learning_policy=LearningPolicy.UCB1(alpha=1.0), seed=1)
    bandit.fit(tried, [pay[arm] for arm in tried])
    count = dict.fromkeys(pay, 0)
    for _ in range(rounds):
        arm = bandit.predict()
        count[arm] += 1
        bandit.partial_fit([arm], [pay[arm]])
    return count, bandit.predict_expectations()


one, index = plays({"a": 0.1, "b": 0.9}, ["a"], 2000)
both, _ = plays({"a": 0.1, "b": 0.9}, ["a", "b"], 2000)
below, _ = plays({"a": -0.9, "b": -0.1}, ["a"], 2000)
print("a tried before:", one, {arm: round(float(value), 3) for arm, value in index.items()})
print("both tried before:", both)
print("the same gap with rewards below zero, a tried before:", below)
assert one == {"a": 2000, "b": 0} and index["b"] == 0
assert both["b"] > 1900
assert below["b"] > 1900
PYTHON
