"""OGD: online gradient descent with the exact hypergradient, x_{t+1} = P_X(x_t - gamma grad F_t(x_t)).

Not a method of paper `f2obo`, and covered by none of its theorems: the reference curve for an exact inner solver.
"""

import workbench as wb

TITLE = "OGD (exact hypergradient)"
SOURCE = "reference curve of this project"
LABEL = "GK"
State = wb.state("x")
Steps = wb.steps("gamma")


def init(start, c, oracle, draw, xp):
    """x_1."""
    return State(start["x"])


def step(s, t, c, oracle, draw, xp):
    """Round t."""
    return State(oracle.project(s.x - c.gamma * oracle.hypergradient(t, s.x)))
