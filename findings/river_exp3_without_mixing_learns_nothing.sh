#!/usr/bin/env bash
# river 0.26.1: `bandit.Exp3` is documented as "setting [gamma] to 0 leads to what is called the EXP3 policy". Its weights
# are multiplied by exp(gamma * reward / (p K)): gamma is also the rate, and with 0 they stay 1 for ever. Seen: after 1000
# pulls of two arms with rewards 1 and 0 the probabilities are 1/2 and 1/2, and the regret is 527: linear, where that of EXP3
# grows like the root of the rounds. With gamma = 0.1 the better arm has 0.95, the most that mixing leaves, and the regret is
# 71.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check river==0.26.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from river import bandit

REWARDS = [1.0, 0.0]


def played(rounds, rewards, **parameters):
    policy, gained = bandit.Exp3(seed=1, **parameters), 0.0
    for _ in range(rounds):
        arm = policy.pull([0, 1])
        policy.update(arm, rewards[arm])
        gained += rewards[arm]
    policy.pull([0, 1])
    return policy._probabilities[0], rounds * max(rewards) - gained


assert "Setting this to 0 leads to what is called the EXP3 policy" in bandit.Exp3.__doc__
still, regret = played(1000, REWARDS, gamma=0.0)
moving, small = played(1000, REWARDS, gamma=0.1)
print("gamma = 0:", still, "regret", regret)
print("gamma = 0.1:", moving, "regret", small)
assert still == 0.5 and 400 < regret < 600
assert moving > 0.94 and small < 150
PYTHON
