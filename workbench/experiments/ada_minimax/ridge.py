"""Figure 4 (App. K, L1432-1446): Ada-BiO and TFBO on hyper-parameter optimization.

The paper trains a BERT from scratch on TREC-6; here a linear softmax classifier learns ten digits
(`workbench.instances.ada_minimax.ridge`): a counterpart, no reproduction. The start is not given: w_1 = 0, and
lambda_1 = 1 and 0.01.

With the paper's eta_x = 1e-5 the upper variable hardly moves: by (4) |x_{T+1} - x_1| <= 2 eta_x sqrt(T) (`reach`). So
Ada-BiO is run with that step and with the largest of its range, and log lambda is drawn beside the accuracies.
TFBO's "initial learning rates" are read as first accumulators and as their reciprocals.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from workbench.algorithms.ada_minimax.ada_bio import Steps as AdaSteps
from workbench.algorithms.baselines.tfbo import Steps as TfboSteps
from workbench.engine.records import Grid
from workbench.experiments.records import Batch, Simulation
from workbench.instances.ada_minimax import ridge

NEUMANN = 10  # terms: 45 minibatch Hessian-vector products an estimate
STARTS = (1.0, 0.01)  # lambda_1
ETA_X = (1e-5, 1.0)  # the paper's choice, and the upper end of its range
ETA_Y, ALPHA, GAMMA = 0.5, 1.0, 0.1  # App. K
TFBO_FIRST = (
    (0.01, 0.1, 0.1),
    (100.0, 10.0, 10.0),
)  # (a_0, b_0, c_0): App. K as accumulators; as reciprocals
ADA_POINTS = tuple({"lambda_1": s, "eta_x": e} for s in STARTS for e in ETA_X)
TFBO_POINTS = tuple({"lambda_1": s, "a_0": a, "b_0": b, "c_0": c} for s in STARTS for a, b, c in TFBO_FIRST)


@cache
def problem() -> ridge.RidgeLogistic:
    return ridge.make(batch=32, train=300, validation=300)


def make_ada(horizon: int, runs: int) -> Batch:
    grid = Grid(ADA_POINTS, runs)
    l_g1 = problem().constants({})["l_g1"]
    steps = AdaSteps(eta_x=grid["eta_x"], eta_y=ETA_Y, alpha=ALPHA, gamma=GAMMA, N=NEUMANN, l_g1=l_g1)
    return Batch(problem(), steps, ridge.start(problem(), np.log(grid["lambda_1"])), grid)


def make_tfbo(horizon: int, runs: int) -> Batch:
    grid = Grid(TFBO_POINTS, runs)
    steps = TfboSteps(a_0=grid["a_0"], b_0=grid["b_0"], c_0=grid["c_0"])
    return Batch(problem(), steps, ridge.start(problem(), np.log(grid["lambda_1"])), grid)


def reach(horizon: float, eta_x: float = ETA_X[0]) -> float:
    """How far log lambda can travel in T iterations: sum_t eta_x sqrt(alpha'_t / t) <= 2 eta_x sqrt(T)."""
    return 2.0 * eta_x * float(np.sqrt(horizon))


PER_EPOCH = 10  # of `problem()`: 300 points in minibatches of 32
MARKS = tuple(PER_EPOCH * e for e in (*range(1, 10), *range(10, 50, 2), *range(50, 401, 10)))
HORIZON = {"quick": 5 * PER_EPOCH, "default": 50 * PER_EPOCH, "full": 400 * PER_EPOCH}
CHOSEN = (
    "data (ten digits), linear classifier, minibatch of 32, lambda_1 = 1 and 0.01, w_1 = 0, 10 Neumann terms"
)

SIMULATIONS = tuple(
    Simulation(
        key=f"ada_minimax/sim-fig-4-{name}",
        title=f"Figure 4, {title}",
        algorithm=algorithm,
        make=make,
        horizon=HORIZON,
        runs={"quick": 3, "default": 5, "full": 20},
        kind="paper",
        chosen=chosen,
        marks=MARKS,
    )
    for name, title, algorithm, make, chosen in (
        ("ada-bio", "Ada-BiO", "ada_minimax.ada_bio", make_ada, f"{CHOSEN}; eta_x = 1 beside the paper's"),
        ("tfbo", "TFBO", "baselines.tfbo", make_tfbo, f"{CHOSEN}; both readings of the initial values"),
    )
)
