"""Shared by several online baselines: weighted averages over the last w rounds, and unroll inner loops.

The average sum_{i<w} eta^i h_{t-i} / sum_{i<w} eta^i is kept as a running sum A_t = h_t + eta A_{t-1} - eta^w h_{t-w},
with a ring buffer of the last w directions. Before round w it covers the rounds so far.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.ops import column, indicator, loop, power, put, take

Array = Any


class Window(NamedTuple):
    ring: Any  # the last w directions, slot t mod w, (runs, w, d)
    total: Any  # sum of eta^i h_{t-i} over the window, (runs, d)
    weight: Any  # sum of eta^i over the rounds seen, (runs, 1)


class State(NamedTuple):
    """The state of OBBO and SOBBO."""

    x: Any  # x_t, (runs, d_x)
    y: Any  # y_t, (runs, d_y)
    ring: Any  # stored directions, (runs, w, d_x)
    total: Any  # their sum, (runs, d_x)
    weight: Any  # how many there are, (runs, 1)


def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> State:
    """x_1, y_1 and an empty window."""
    return State(start["x"], start["y"], *empty(start["x"], c.w, xp))


def slot(k: Array, like: Array, xp: Any) -> Array:
    """The index k for every run, (runs, 1) of int64."""
    return xp.astype(column(k, like, xp), xp.int64)


def empty(like: Array, w: int, xp: Any) -> Window:
    """A window of length w for directions shaped like ``like`` (runs, d)."""
    runs, d = like.shape[0], like.shape[-1]
    return Window(xp.zeros((runs, w, d)), xp.zeros_like(like), column(0.0, like, xp))


def push_direction(window: Window, h: Array, t: Array, w: int, eta: Array, xp: Any) -> tuple[Window, Array]:
    """The window with h_t in place of h_{t-w}, and its average."""
    i = slot(t - w * xp.floor(t / w), h, xp)
    fade = power(eta, xp.asarray(float(w)), xp)
    full = indicator(t > w, xp)
    total = h + eta * window.total - fade * take(window.ring, i, xp)
    weight = 1.0 + eta * window.weight - fade * full
    return Window(put(window.ring, i, h, xp), total, weight), total / weight


def unroll(
    K: int | Array, y: Array, move: Any, pull: Any, last: Any, xp: Any, K_max: int = 0
) -> tuple[Array, Array]:
    """K inner steps y <- move(k, y) and the hypergradient by back-propagation through them (ITD).

    K: one number, or one per run, (runs, 1), and then at most K_max, for which memory is laid out.
    last(y_K) = (f_x, a): the direct part and grad_y f. pull(k, y_k, a) = (J a, a - alpha H a) at the iterate before
    step k, J including the factor alpha. Returns (y_K, f_x - sum of J a_{k+1}).
    """

    def forward(k, carry):
        y, path = carry
        return move(k, y), put(path, slot(k, y, xp), y, xp)

    path = xp.zeros((y.shape[0], K_max or K, y.shape[-1]))
    y, path = loop(K, forward, (y, path), xp)

    def backward(j, carry):
        a, h = carry
        k = (K - 1) - j
        push, a = pull(k, take(path, slot(k, y, xp), xp), a)
        return a, h - push

    f_x, a = last(y)
    _, h = loop(K, backward, (a, f_x), xp)
    return y, h
