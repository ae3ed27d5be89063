#!/usr/bin/env bash
# scikit-learn 1.9.1: SGDRegressor(shuffle=True) visits the rows in powers of one permutation, epoch by epoch.
# Each epoch shuffles the order of the epoch before it with the same random numbers, so that the orders are s, s^2, s^3, ...
# and return to the unshuffled order after ord(s) epochs. Seen with four rows, decoded from the coefficient: for
# random_state 0 the third and the sixth epoch go through the rows in the order of the file, for random_state 1 the fourth.
# So it is no random reshuffling: with n = 16 rows and step 2 log(nK)/(nK), the mean squared distance over 200 seeds falls
# from K = 40 to K = 640 by a factor of 191 (K^-1.9), with a fresh permutation an epoch by a factor of about 1,400
# (K^-2.6).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
"$folder/env/bin/python" - <<'PYTHON'
from itertools import permutations

import numpy as np
from sklearn.linear_model import SGDRegressor


def coefficient(X, y, step, epochs, seed):
    model = SGDRegressor(
        loss="squared_error", penalty=None, alpha=0, fit_intercept=False, learning_rate="constant",
        eta0=step, max_iter=epochs, tol=None, shuffle=True, random_state=seed,
    )
    return model.fit(X, y).coef_[0]


def epoch(x, order, y):
    for i in order:
        x -= 0.5 * (x - y[i])
    return x


targets, rows = np.array([1.0, 10.0, 100.0, 1000.0]), np.ones((4, 1))
for seed, identity in ((0, (2, 5)), (1, (3,))):
    orders, before = [], 0.0
    for epochs in range(1, 7):
        after = coefficient(rows, targets, 0.5, epochs, seed)
        orders.append(min(permutations(range(4)), key=lambda p: abs(after - epoch(before, p, targets))))
        before = after
    print("random_state", seed, orders)
    first = orders[0]
    for last, now in zip(orders, orders[1:]):
        assert now == tuple(last[i] for i in first)
    assert [j for j, order in enumerate(orders) if order == (0, 1, 2, 3)] == list(identity)

rng = np.random.default_rng(0)
n, y = 16, rng.normal(size=16)
X = rng.uniform(0.5, 1.5, size=(n, 1))
optimum = (X[:, 0] @ y) / (X[:, 0] @ X[:, 0])
library, fresh = {}, {}
for K in (40, 640):
    step = 2 * np.log(n * K) / (n * K)
    library[K] = np.mean([(coefficient(X, y, step, K, seed) - optimum) ** 2 for seed in range(200)])
    distances = []
    for seed in range(200):
        r, x = np.random.default_rng(seed), 0.0
        for _ in range(K):
            for i in r.permutation(n):
                x -= step * X[i, 0] * (X[i, 0] * x - y[i])
        distances.append((x - optimum) ** 2)
    fresh[K] = np.mean(distances)
print("ratio of errors at K = 40 and 640: library", library[40] / library[640], "fresh", fresh[40] / fresh[640])
assert 120 < library[40] / library[640] < 300 and fresh[40] / fresh[640] > 900
PYTHON
