"""RE-RSVRB: Algorithm 3 (L270-276), RSVRB in stages whose output is the state at a random time; iteration: `blocks`.

Stage k = 1, 2, ... has the constant step eta_k = eta_1 2^(-(k-1)/2) and T_k iterations: T_1, then
T_k = ceil(max(A/eta_k, B/eta_k^2)) (Theorem 3, L266, L594). Its output is its state at a time drawn from {0, ..., T_k}:
the time is drawn ahead, the run waits there for the end of the stage, and the samples of the whole stage are counted.
The output carries everything, the previous point included (the listing's arguments w_0, eps_0 and c are not used).
All beta are b eta_k^2. With ``last`` = 1 a stage hands on its last state instead.
"""

from typing import Any, NamedTuple

import workbench as wb
from workbench.ops import column, maximum, power

from .blocks import Listing, first, iterate

TITLE = "RE-RSVRB"
SOURCE = "Algorithm 3, L270-276"


class Fields(NamedTuple):
    x: Any  # x_t, (runs, d); the next fields are those of `blocks.Fields`
    x_old: Any
    stored_y: Any
    before_y: Any
    stored_u: Any
    stored_v: Any
    stored_V: Any
    stored_H: Any
    stored_w: Any
    d: Any
    way_stored: Any
    limits: Any
    shrink_u: Any
    shrink_v: Any
    shrink_V: Any
    shrink_H: Any
    shrink_w: Any
    way: Any
    way_old: Any
    critical: Any
    limit: Any
    others: Any
    k: Any  # the stage, (runs, 1) from 1
    iterations: Any  # iterations of this stage so far, (runs, 1)
    length: Any  # T_k, (runs, 1)
    stop: Any  # the time of the output in {0, ..., T_k}, (runs, 1)


class State(Listing, Fields):
    """The state of RSVRB and its stage."""

    __slots__ = ()


Steps = wb.steps(
    "gamma",
    "tau",
    "c",  # eta_1
    "b_fx",
    "b_fy",
    "b_gxy",
    "b_gyy",
    "b_gy",
    "b_d",
    "lam",
    "T_1",
    "A",
    "B",
    mix=0.0,  # p = (1 - mix)/m + mix q, q the weights of the tasks
    last=0.0,  # 1: a stage hands on its last state
    S=1,  # samples per task of the first mini-batch, one number for the batch
)


def _ceil(value, xp):
    """The next whole number, at least 1; a whole number up to round-off stays, so that T_1 2^(k-1) is exact."""
    return maximum(-xp.floor(-(1.0 - 1e-12) * value), 1.0, xp)


def _stop(length, c, sample, xp):
    """A uniform time in {0, ..., T_k}; T_k where the last state is handed on."""
    time = xp.floor(sample.uniform(1, 2) * (length + 1.0))
    return xp.where(c.last == xp.asarray(1.0), length, time)


def init(start, c, oracle, draw, xp):
    """Theta_0 as in RSVRB, and the first stage."""
    s = first(start, c.S, oracle, draw, xp)
    length = column(_ceil(c.T_1 + xp.zeros((1, 1)), xp), s.x, xp)
    one = column(1.0, s.x, xp)
    return State(*s, one, 0.0 * one, length, _stop(length, c, draw(5), xp))


def step(s, t, c, oracle, draw, xp):
    """Iteration ``iterations`` + 1 of stage k; the last one begins stage k + 1."""
    eta = c.c * power(xp.asarray(2.0), -(s.k - 1.0) / 2.0, xp)
    # A run beyond its time waits at its output.
    blocks = iterate(s, eta, eta, c, oracle, draw, xp, going=s.iterations < s.stop)
    iterations = s.iterations + 1.0
    over = iterations >= s.length  # the listing's lines 3-4
    k = xp.where(over, s.k + 1.0, s.k)
    eta_next = c.c * power(xp.asarray(2.0), -(k - 1.0) / 2.0, xp)
    longest = _ceil(maximum(c.A / eta_next, c.B / eta_next**2, xp), xp)
    length = xp.where(over, longest, s.length)
    stop = xp.where(over, _stop(length, c, draw(0), xp), s.stop)
    return State(*blocks, k, xp.where(over, 0.0, iterations), length, stop)
