"""One iteration of RSVRB (Algorithm 2, L210-227), which RE-RSVRB repeats in stages with other steps.

A randomized-coordinate STORM estimator of the stack h = (h_1, ..., h_m) samples one task i with probability p_i and
uses (0, ..., h_i/p_i, ..., 0) at the old and at the new point, with the same sample: unbiased for both. The index j of
d is drawn on its own: with j = i and uniform p, d would estimate m grad F.

The blocks that are not sampled are "delayed until sampled" (L246), so an iteration touches tasks i and j only:

* u, v, V, w shrink by 1 - beta: the stored block is the block divided by ``shrink``, the product of 1 - beta so far.
* H shrinks and is clipped from below: compositions of such steps equal one clip of the total shrink.
* y moves along its shrinking w: y_i = stored y_i - (way - passed_i) * stored w_i, with way = sum of tau_t tau shrink_w
  and its value passed_i when the block was stored. This holds while the projection onto Y_i changes nothing, that is
  while ``way + tau shrink_w`` does not exceed a limit of the task: y_i - tau w_i moves on a ray, which leaves a ball
  once. The task with the least limit, ``critical``, is updated in every iteration beyond its ``limit``. ``others`` is
  at most the least limit of the other tasks; where it is exceeded, the limits of all tasks are compared.

Where the limit of another task is exceeded, or a product is below `SMALL` (or above 1, for a beta outside [0, 1]), the
iteration updates all tasks as in the listing, and products and sums start again. So every iteration is that of the
listing up to round-off: sums of `way` lose at most the 10 bits of `SMALL`. An iteration costs O(log m), to draw i. All
tasks are updated about once in 7/beta iterations, and in every iteration only while projections onto two Y_i are
active.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from workbench.ops import argmax, column, dot, entry, into_ball, loop, maximum, minimum, sq, tasksum

from ...baselines.estimators.row_wise import wide
from .matrices import at_least, block, hypergradient, into_spectral_ball, replace_task

Array = Any

SMALL = 2.0**-10  # product of 1 - beta below which all tasks are updated
FAR = 1e300  # the limit of a task that does not move


class Fields(NamedTuple):
    """The state of Algorithm 2 at iteration t; first axis runs, second axis tasks in the stored blocks."""

    x: Array  # x_t, (runs, d)
    x_old: Array  # x_{t-1}, (runs, d)
    stored_y: Array  # y_i when it was stored, (runs, m, d')
    before_y: Array  # y_i one iteration earlier, (runs, m, d')
    stored_u: Array  # u_i / shrink_u, (runs, m, d)
    stored_v: Array  # v_i / shrink_v, (runs, m, d')
    stored_V: Array  # V_i / shrink_V, (runs, m, d, d') or the diagonals
    stored_H: Array  # H_i / shrink_H before the clip, (runs, m, d', d') or the diagonals
    stored_w: Array  # w_i / shrink_w, (runs, m, d')
    d: Array  # d_t, (runs, d)
    way_stored: Array  # way when y_i was stored, (runs, m, 1)
    limits: Array  # largest way + tau shrink_w for which the projection of y_i is not active, (runs, m, 1)
    shrink_u: Array  # products of 1 - beta, (runs, 1)
    shrink_v: Array
    shrink_V: Array
    shrink_H: Array
    shrink_w: Array
    way: Array  # sum of tau_s tau shrink_w over s < t, (runs, 1)
    way_old: Array  # the same over s < t - 1; -1 where all blocks were stored in iteration t - 1
    critical: Array  # a task, (runs, 1) of int64
    limit: Array  # its limit, (runs, 1)
    others: Array  # the least limit of the others, or less, (runs, 1)


class Stacks(NamedTuple):
    """What the listing carries for every task; (runs, m, ...)."""

    y: Array
    y_old: Array
    u: Array
    v: Array
    V: Array
    H: Array
    w: Array


class Listing:
    """The variables of the listing that a state of `Fields` stores in another form."""

    __slots__ = ()

    @property
    def y(self: Any) -> Array:
        """y_{i,t} of every task, (runs, m, d')."""
        return self.stored_y - (self.way[:, None, :] - self.way_stored) * self.stored_w

    def __getattr__(self, name: str) -> Any:
        hint = f": `blocks.stacks(state, lam, xp).{name}` computes it" if name in Stacks._fields else ""
        raise AttributeError(f"a state of RSVRB has no {name!r}{hint}")


class Blocks(Listing, Fields):
    """The state of RSVRB."""

    __slots__ = ()


def stacks(s: Any, lam: Array, xp: Any) -> Stacks:
    """y_{i,t}, y_{i,t-1}, u_{i,t}, v_{i,t}, V_{i,t}, H_{i,t}, w_{i,t} of every task. lam: lambda of the steps."""
    way_old = s.way_old[:, None, :]
    passing = s.stored_y - (way_old - s.way_stored) * s.stored_w
    H = _clip(s.stored_H, s.shrink_H, wide(lam, s.stored_v), s.stored_v, xp)
    u, v = wide(s.shrink_u, s.stored_u) * s.stored_u, wide(s.shrink_v, s.stored_v) * s.stored_v
    V, w = wide(s.shrink_V, s.stored_V) * s.stored_V, wide(s.shrink_w, s.stored_w) * s.stored_w
    return Stacks(s.y, xp.where(s.way_stored > way_old, s.before_y, passing), u, v, V, H, w)


def state_of(x: Array, x_old: Array, d: Array, tasks: Stacks, R: Array, xp: Any) -> Blocks:
    """The state with these values. R: radii of the Y_i, broadcasting with (runs, m, 1)."""
    one = column(1.0, x, xp)
    y, y_old, u, v, V, H, w = tasks
    way_stored, limits = 0.0 * y[..., 0:1], way_inside(y, w, R, xp)
    fields = (y, y_old, u, v, V, H, w, d, way_stored, limits)
    return Blocks(x, x_old, *fields, one, one, one, one, one, 0.0 * one, -one, *least(limits, xp))


def first(start: Any, S: int, oracle: Any, draw: Any, xp: Any) -> Blocks:
    """x_0, the y_(i,0), means of S samples of every task's estimators there, and d, the mean of the z_i (L530, L570).

    A start y of (runs, d') is that of every task.
    """
    x, y = start["x"], start["y"]
    if y.ndim == 2:
        y = y[:, None, :] + xp.zeros((1, oracle.sampling()[0].shape[-1], 1))
    xi, zeta = draw(3), draw(4)

    def sample(k):
        return (*oracle.all_upper(x, y, xi, k), *oracle.all_lower(x, y, zeta, k))

    def add(k, sums):
        return tuple(a + b for a, b in zip(sums, sample(k + 1), strict=True))

    u, v, w, V, H = (a / float(S) for a in loop(S - 1, add, sample(0), xp))
    d = tasksum(hypergradient(u, v, V, H, xp), xp) / float(y.shape[1])
    return state_of(x, x, d, Stacks(y, y, u, v, V, H, w), oracle.radii(x)[3], xp)


def draw_task(mix: Array, uniform: Array, oracle: Any, xp: Any) -> tuple[Array, Array]:
    """(i, p_i): the task with p_1 + ... + p_(i-1) < u <= p_1 + ... + p_i, (runs, 1) of int64 from 0, by bisection.

    p = (1 - mix)/m + mix q with the weights q of the tasks: mix = 0 is uniform sampling, mix = 1 samples in proportion
    to the sizes of the tasks. uniform: u, (runs, 1).
    """
    q, Q = oracle.sampling()
    m = q.shape[-1]

    def sum_to(k):
        return (1.0 - mix) * (xp.astype(k, xp.float64) + 1.0) / m + mix * entry(Q, k, xp)

    below = xp.astype(0.0 * uniform, xp.int64)  # the tasks whose sums are less than u
    for bit in reversed(range(m.bit_length())):
        more = below + 2**bit
        inside = xp.where(more <= m, more - 1, below * 0)
        below = xp.where((more <= m) & (uniform > sum_to(inside)), more, below)
    i = xp.where(below < m, below, below * 0 + (m - 1))  # the last sum may round to less than 1
    return i, (1.0 - mix) / m + mix * entry(q, i, xp)


def iterate(
    s: Any,
    eta: Array,
    eta_old: Array,
    c: Any,
    oracle: Any,
    draw: Any,
    xp: Any,
    going: Array = None,
    *,
    shrinks: bool = True,
    of_i: float | None = None,
) -> Blocks:
    """Lines 3-15 of Algorithm 2 with eta_t = tau_t = eta and every beta = b eta_old^2.

    s: a state with the fields of `Fields`. c: steps with gamma, tau, b_fx, b_fy, b_gxy, b_gyy, b_gy, b_d, lam and mix.
    going: (runs, 1), the runs that make the iteration; the others keep their state. None: all. Not as in the listing:
    without ``shrinks`` the blocks that are not sampled stay as they are; with ``of_i`` j is i, whose z counts with this
    factor (1/m: d is the mean of the z_i where all beta are alike and nothing is clipped; 1: d estimates m grad F).
    """
    pick, xi, zeta = draw(0), draw(1), draw(2)
    i, p_i = draw_task(c.mix, pick.uniform(1, 0), oracle, xp)  # line 3
    j = pick.index(s.way_stored.shape[1], 1, 1) if of_i is None else i  # line 10
    radii = oracle.radii(s.x)
    C_fx, C_fy, C_gxy, R = (block(C, i, xp) for C in radii)  # of task i

    def keep(b):  # 1 - beta
        return 1.0 - b * eta_old**2

    def storm(one, b, new, old):
        """The sampled block before its projection."""
        weight = wide(p_i, one)
        return wide(keep(b), one) * (one - old / weight) + new / weight

    y, y_old = _y_of(s, i, xp)
    u, v, V, H, w = _estimators(s, i, c.lam, xp)
    fx, fy = oracle.upper(i, s.x, y, xi, 0)
    fx_old, fy_old = oracle.upper(i, s.x_old, y_old, xi, 0)
    gy, gxy, gyy = oracle.lower(i, s.x, y, zeta, 0)
    gy_old, gxy_old, gyy_old = oracle.lower(i, s.x_old, y_old, zeta, 0)
    u = into_ball(storm(u, c.b_fx, fx, fx_old), C_fx, xp)  # line 4
    v = into_ball(storm(v, c.b_fy, fy, fy_old), C_fy, xp)  # line 5
    V = into_spectral_ball(storm(V, c.b_gxy, gxy, gxy_old), C_gxy, v, xp)  # line 6
    H = at_least(storm(H, c.b_gyy, gyy, gyy_old), c.lam, v, xp)  # line 7
    w = storm(w, c.b_gy, gy, gy_old)  # line 8
    y_new = (1.0 - eta) * y + eta * into_ball(y - c.tau * w, R, xp)  # line 15
    z_old = _z(s, j, c.lam, xp)  # lines 9 and 11

    shrink = keep if shrinks else lambda b: keep(0.0 * b)
    # lines 4-8 and 15 of the tasks that are not sampled
    new = _others(s, eta, shrink, c, radii[3], going, xp)

    new = _with_sampled(new, i, (y_new, y, u, v, V, H, w), R, going, xp)
    z = _z(new, j, c.lam, xp)  # lines 9 and 12
    if of_i is not None:
        z_old, z = of_i * z_old, of_i * z
    d = keep(c.b_d) * (s.d - z_old) + z  # line 13
    x = s.x - eta * c.gamma * d  # line 14
    if going is None:
        return new._replace(x=x, x_old=s.x, d=d)
    pairs = {"x": (x, s.x), "x_old": (s.x, s.x_old), "d": (d, s.d)}
    pairs |= {name: (getattr(new, name), getattr(s, name)) for name in ("critical", "limit", "others")}
    return new._replace(**{name: xp.where(going, a, b) for name, (a, b) in pairs.items()})


def _with_sampled(new: Any, i: Array, blocks: Sequence[Array], R: Array, going: Array, xp: Any) -> Any:
    """The state with the blocks of the sampled task i: its new y, its y before, u, v, V, H and w."""
    y_new, y, u, v, V, H, w = blocks

    def store(stack, value, shrink=1.0):
        value = value / wide(shrink, value)
        if going is not None:
            value = xp.where(wide(going, value), value, block(stack, i, xp))
        return replace_task(stack, i, value, xp)

    own = new.way + way_inside(y_new, w / new.shrink_w, R, xp)
    new = new._replace(
        stored_y=store(new.stored_y, y_new),
        before_y=store(new.before_y, y),
        stored_u=store(new.stored_u, u, new.shrink_u),
        stored_v=store(new.stored_v, v, new.shrink_v),
        stored_V=store(new.stored_V, V, new.shrink_V),
        stored_H=store(new.stored_H, H, new.shrink_H),
        stored_w=store(new.stored_w, w, new.shrink_w),
        way_stored=store(new.way_stored, new.way),
        limits=store(new.limits, own),
    )
    return new._replace(**_limits(new, i, own, xp))


def _others(s: Any, eta: Array, keep: Any, c: Any, R: Array, going: Array, xp: Any) -> Blocks:
    """The state after the iteration of the tasks that are not sampled; x, x_old and d as before.

    Only the products and sums change, or all tasks as in the listing, where those cannot stand for them.
    """
    betas = {"u": c.b_fx, "v": c.b_fy, "V": c.b_gxy, "w": c.b_gy}
    shrink = {name: getattr(s, f"shrink_{name}") * keep(b) for name, b in betas.items()}
    shrink["H"] = s.shrink_H * maximum(keep(c.b_gyy), 0.0, xp)  # less than 0 is clipped like 0
    reach = s.way + c.tau * shrink["w"]
    low = reach > s.others
    if going is not None:
        low = low & going

    def count_again(k, carry):
        return (carry[0], *least(carry[0], xp))

    counts = loop(xp.astype(low, xp.int64), count_again, (s.limits, s.critical, s.limit, s.others), xp)
    s = s._replace(**dict(zip(("limits", "critical", "limit", "others"), counts, strict=True)))
    fresh = reach > s.others
    for P in shrink.values():
        fresh = fresh | (P < SMALL) | (P > 1.0)
    if going is not None:
        fresh = fresh & going

    def all_tasks(k, carry):
        y, _, u, v, V, H, w, way_stored = carry[:8]
        y = y - (s.way[:, None, :] - way_stored) * w
        w = wide(shrink["w"], w) * w
        rate = wide(eta, y)
        y_new = (1.0 - rate) * y + rate * into_ball(y - wide(c.tau, y) * w, R, xp)
        u, v, V, H = (wide(shrink[n], a) * a for n, a in (("u", u), ("v", v), ("V", V), ("H", H)))
        H = at_least(H, wide(c.lam, v), v, xp)
        return y_new, y, u, v, V, H, w, 0.0 * way_stored, way_inside(y_new, w, R, xp)

    names = [name for name in Fields._fields if name.startswith(("stored_", "before_"))] + [
        "way_stored",
        "limits",
    ]
    arrays = loop(xp.astype(fresh, xp.int64), all_tasks, tuple(getattr(s, name) for name in names), xp)
    new = {f"shrink_{name}": xp.where(fresh, 1.0, P) for name, P in shrink.items()}
    new["way"] = xp.where(fresh, 0.0, s.way + eta * c.tau * shrink["w"])
    new["way_old"] = xp.where(fresh, -1.0, s.way)
    new["others"] = xp.where(fresh, -1.0, s.others)  # to be counted again
    if going is not None:
        new = {name: xp.where(going, value, getattr(s, name)) for name, value in new.items()}
    after = Blocks(*s[: len(Fields._fields)])._replace(**dict(zip(names, arrays, strict=True)), **new)
    alone = (reach > s.limit) & ~fresh
    return _critical_moved(s, after, alone if going is None else alone & going, eta, c, R, xp)


def _critical_moved(s: Any, new: Blocks, alone: Array, eta: Array, c: Any, R: Array, xp: Any) -> Blocks:
    """Line 15 of the critical task, for the runs ``alone``. s: the state before the iteration."""
    k, R = new.critical, block(R, new.critical, xp)
    stored_y, before, way_stored, w = (
        block(a, k, xp) for a in (new.stored_y, new.before_y, new.way_stored, new.stored_w)
    )
    y = stored_y - (s.way - way_stored) * w
    y_new = (1.0 - eta) * y + eta * into_ball(y - c.tau * new.shrink_w * w, R, xp)
    limit = xp.where(alone, new.way + way_inside(y_new, w, R, xp), new.limit)
    return new._replace(
        stored_y=replace_task(new.stored_y, k, xp.where(alone, y_new, stored_y), xp),
        before_y=replace_task(new.before_y, k, xp.where(alone, y, before), xp),
        way_stored=replace_task(new.way_stored, k, xp.where(alone, new.way, way_stored), xp),
        limits=replace_task(new.limits, k, xp.where(alone, limit, block(new.limits, k, xp)), xp),
        limit=limit,
    )


def _limits(s: Blocks, i: Array, own: Array, xp: Any) -> dict[str, Array]:
    """Critical task and limits after task i was stored with the limit ``own``."""
    same, less = s.critical == i, own < s.limit
    behind = xp.where(less, s.limit, own)  # the limit of the task that is not the critical one of the two
    return {
        "critical": xp.where(less, i, s.critical),
        "limit": xp.where(same | less, own, s.limit),
        "others": xp.where(same, s.others, minimum(s.others, behind, xp)),
    }


def way_inside(y: Array, w: Array, R: Array, xp: Any) -> Array:
    """The largest r with |y - r w| <= R, along the last axis, kept; `FAR` for w = 0, and -1 for y outside."""
    along, size, room = dot(y, w, xp), sq(w, xp), R * R - sq(y, xp)
    moves = size > 0.0
    root = xp.sqrt(maximum(along * along + size * room, 0.0, xp))
    r = xp.where(moves, (along + root) / xp.where(moves, size, 1.0), FAR)
    return xp.where(room < -1e-14 * R * R, -1.0, r)  # projected ones have norm R up to round-off


def least(v: Array, xp: Any) -> tuple[Array, Array, Array]:
    """The task with the least of the numbers (runs, m, 1), that number, and the least of the others; (runs, 1).

    `FAR` if there are no others.
    """
    v = -v[..., 0]
    task = argmax(v, xp)
    rest = xp.where(xp.arange(v.shape[-1]) == task, -FAR, v)
    return task, -xp.max(v, axis=-1, keepdims=True), -xp.max(rest, axis=-1, keepdims=True)


def _clip(stored_H: Array, shrink: Array, lam: Array, like: Array, xp: Any) -> Array:
    """H from its stored form; the first H and one that was just stored are not clipped again."""
    whole = wide(shrink, stored_H)
    return xp.where(whole == 1.0, stored_H, at_least(whole * stored_H, lam, like, xp))


def _y_of(s: Any, i: Array, xp: Any) -> tuple[Array, Array]:
    """y_{i,t} and y_{i,t-1} of task i of each run."""
    y, before, w = block(s.stored_y, i, xp), block(s.before_y, i, xp), block(s.stored_w, i, xp)
    way_stored = block(s.way_stored, i, xp)
    old = xp.where(way_stored > s.way_old, before, y - (s.way_old - way_stored) * w)
    return y - (s.way - way_stored) * w, old


def _estimators(s: Any, k: Array, lam: Array, xp: Any) -> tuple[Array, ...]:
    """u, v, V, H, w of task k of each run."""
    u, v, V, H, w = (block(a, k, xp) for a in (s.stored_u, s.stored_v, s.stored_V, s.stored_H, s.stored_w))
    u, v, V = (wide(P, a) * a for P, a in ((s.shrink_u, u), (s.shrink_v, v), (s.shrink_V, V)))
    return u, v, V, _clip(H, s.shrink_H, lam, v, xp), s.shrink_w * w


def _z(s: Any, k: Array, lam: Array, xp: Any) -> Array:
    """z of task k of each run."""
    u, v, V, H, _ = _estimators(s, k, lam, xp)
    return hypergradient(u, v, V, H, xp)
