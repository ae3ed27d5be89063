"""SDBGD: the stochastic form of dynamic barrier gradient descent (Gong, Liu, Liu, NeurIPS 2021), as in `ir_cg`, L221.

x moves along grad f + lambda grad g, where lambda is the least multiplier for which g decreases at rate phi. Each
quantity of the deterministic rule is replaced by one sample; the value and the gradient of g share one.
phi = min(alpha (g - low), beta |grad g|^2) with a lower bound ``low`` of g; lambda = 0 where the sampled grad g
vanishes. `ir_cg` does not print phi. No theorem covers the stochastic form: lambda is a ratio of noisy quantities and
hence biased.
"""

import workbench as wb
from workbench.ops import dot, maximum, minimum, sq

TITLE = "SDBGD"
SOURCE = "NeurIPS 2021; ir_cg L221"
LABEL = "P"
State = wb.state("x")
Steps = wb.steps("gamma", "alpha", "beta", "low")


def init(start, c, oracle, draw, xp):
    return State(start["x"])


def step(s, t, c, oracle, draw, xp):
    f = oracle.grad_f(s.x, draw(0))
    value, g = oracle.valued_grad_g(s.x, draw(1))
    size = sq(g, xp)
    phi = minimum(c.alpha * (value - c.low), c.beta * size, xp)
    flat = size == 0.0
    push = (phi - dot(f, g, xp)) / xp.where(flat, 1.0, size)
    lam = xp.where(flat, 0.0, maximum(push, 0.0, xp))
    return State(oracle.project(s.x - c.gamma * (f + lam * g)))
