"""Over-parameterized regression (section 3.1, Eq. 6, L223-235), generated so that its optimum is known.

n = 1068 rows of d = 730 features, split 60 / 20 / 20 into training, validation and test (the split is not printed; with
640 training rows the inner solutions form an affine set of dimension 90). Labels are A x0; on the validation rows noise
is added that is orthogonal to every change of the predictions along that set. So x0, inside the ball, is the unique
outer-optimal point, with G_opt = 0 and F_opt = |noise|^2 / n_val: exact up to round-off.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from workbench import L1Ball
from workbench.instances import Rows

from .data import TwoLevels

ROWS, FEATURES, SHARES = 1068, 730, (0.6, 0.2)
TRAINING, VALIDATION = (round(share * ROWS) for share in SHARES)
SUPPORT = 20  # non-zero entries of x0
LENGTH, RADIUS = 8.0, 10.0  # |x0|_1 and the radius of the ball, which is not printed
NOISE = 0.1  # root mean square of the validation noise
SEED = 3


@cache
def synthetic(n: int = ROWS, d: int = FEATURES, noise: float = NOISE) -> TwoLevels:
    """Raises ValueError unless the training part has fewer rows than features."""
    n_train, n_val = round(SHARES[0] * n), round(SHARES[1] * n)
    if not n_train < d <= n_train + n_val:
        raise ValueError(
            f"the inner problem must be under-determined and the whole problem determined: got {n_train} training "
            f"rows, {n_val} validation rows and {d} features"
        )
    rng = np.random.default_rng(SEED)
    A = rng.standard_normal((n_train + n_val, d))
    x0 = np.zeros(d)
    x0[rng.permutation(d)[:SUPPORT]] = (
        rng.choice([-1.0, 1.0], SUPPORT) * rng.dirichlet(np.ones(SUPPORT)) * LENGTH
    )
    train, val = A[:n_train], A[n_train:]
    e = rng.standard_normal(n_val)
    null_space = np.linalg.qr(train.T, mode="complete")[0][:, n_train:]
    flat = val @ null_space  # changes of the predictions along the null space of train
    e = e - flat @ np.linalg.lstsq(flat, e, rcond=None)[0]
    e = e * (noise * np.sqrt(n_val) / np.linalg.norm(e))
    outer, inner = Rows(val, val @ x0 + e, "square"), Rows(train, train @ x0, "square")
    return TwoLevels(box=L1Ball(RADIUS), outer=outer, inner=inner, optimum=x0, F_opt=float(e @ e) / n_val)
