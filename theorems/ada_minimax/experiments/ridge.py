"""Figure 4 (App. K, L1432-1446): Ada-BiO and TFBO on hyper-parameter optimization.

The paper trains a BERT from scratch on TREC-6; here a linear softmax classifier learns ten digits
(`workbench.theorems.ada_minimax.problems.ridge`). 40 % of the training labels are random: the validation loss then
has its minimum near lambda = 10^-2.6, and the two starts lie on either side of it. The start is not given: w_1 = 0, and
lambda_1 = 1 and 1e-4.

With the paper's eta_x = 1e-5 the upper variable hardly moves (`reach`). So Ada-BiO is also run with the largest eta_x
of the paper's range. TFBO's "initial learning rates" are read as initial accumulators and as their reciprocals.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from workbench import Batch, Grid, profile
from workbench.claims import Competition, Method, named

from ...baselines.tfbo import Steps as TfboSteps
from ..methods.ada_bio import Steps as AdaSteps
from ..problems import ridge
from .study import STUDY, epochs

PER_EPOCH = 10  # of `problem()`: 300 points in minibatches of 32
NEUMANN = 10  # terms: 45 minibatch Hessian-vector products an estimate
WRONG = 0.4  # share of random training labels
STARTS = (1.0, 1e-4)  # lambda_1, above and below the optimum
ETA_X = (1e-5, 1.0)  # the paper's choice, and the upper end of its range
ETA_Y, ALPHA, GAMMA = 0.5, 1.0, 0.1  # App. K
# (a_0, b_0, c_0): App. K as accumulators; as reciprocals
TFBO_FIRST = ((0.01, 0.1, 0.1), (100.0, 10.0, 10.0))
POINTS: dict[str, tuple[dict[str, float], ...]] = {  # lambda_1, and fields of the method's Steps
    "ada-bio": tuple({"lambda_1": s, "eta_x": e} for s in STARTS for e in ETA_X),
    "tfbo": tuple({"lambda_1": s, "a_0": a, "b_0": b, "c_0": c} for s in STARTS for a, b, c in TFBO_FIRST),
}


@cache
def problem() -> ridge.RidgeLogistic:
    return ridge.make(batch=32, train=300, validation=300, wrong=WRONG)


def ada_bio(**steps: Any) -> AdaSteps:
    l_g1 = problem().constants({})["l_g1"]
    return AdaSteps(**steps, eta_y=ETA_Y, alpha=ALPHA, gamma=GAMMA, N=NEUMANN, l_g1=l_g1)


def make(method: Method, horizon: int, runs: int) -> Batch:
    grid = Grid(POINTS[method.name], runs)
    steps = method.steps(**{name: grid[name] for name in grid.params if name != "lambda_1"})
    return Batch(problem(), steps, ridge.start(problem(), np.log(grid["lambda_1"])), grid)


def reach(horizon: float, eta_x: float = ETA_X[0]) -> float:
    """How far log lambda can move in T iterations: by (4) sum_t eta_x sqrt(alpha'_t / t) <= 2 eta_x sqrt(T)."""
    return 2.0 * eta_x * float(np.sqrt(horizon))


COMPETITION = Competition(
    STUDY,
    "fig-4",
    (
        Method("ada-bio", "Ada-BiO", "ada_bio", ada_bio),
        Method("tfbo", "TFBO", "baselines.tfbo", TfboSteps),
    ),
    make,
)
SIMS = named(
    *COMPETITION.simulations(
        runs=profile(3, 5, 20),
        chosen="data (ten digits, 40 % random labels), linear classifier, minibatch of 32, lambda_1 = 1 and 1e-4, "
        "w_1 = 0, 10 Neumann terms; "
        "eta_x = 1 beside the paper's (Ada-BiO), both readings of the initial values (TFBO)",
        **epochs(PER_EPOCH, 5, 50, 400),
    )
)
