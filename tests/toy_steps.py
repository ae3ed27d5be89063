"""Small steps that together use every primitive and every form of loop: name -> (step, shapes of its state).

Each step takes ``(s, t, c, oracle, draw, xp)`` like a real one and returns the fields that it changes.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from workbench.arrays import ops

TOYS = {}


def toy(**fields):
    def keep(step):
        TOYS[step.__name__] = (step, fields)
        return step

    return keep


# ------------------------------------------------------------------------------------------------- loops


@toy(y=(2,), z=(2,))
def fixed_loop(s, t, c, oracle, draw, xp):
    """Both carried values depend on the old ones; the counter is a noise address."""

    def body(k, carry):
        y, z = carry
        return y - 0.1 * oracle.slope(z) + 0.01 * draw(0).sign(2, k=k), z + c.a * 0.1 * y

    y, z = ops.loop(3, body, (s.y, s.z), xp)
    return {"y": 0.9 * y, "z": 0.9 * z}


@toy(y=(2,), n=(1,))
def growing_loop(s, t, c, oracle, draw, xp):
    """K_t depends on t; the initial carry is used again next to the outcome (and must not be computed late)."""
    first = 0.5 * s.y
    last, n = ops.loop(
        xp.floor(xp.sqrt(t)), lambda k, q: (q[0] - 0.2 * oracle.slope(q[0]), q[1] + 1.0), (first, s.n), xp
    )
    return {"y": first * ops.norm(last, xp) + last, "n": 0.5 * n}


@toy(y=(3,))
def random_loop(s, t, c, oracle, draw, xp):
    """One random count per run; one draw per iteration."""
    k = xp.floor(draw(0).uniform(1) * 4.0)
    (r,) = ops.loop(k, lambda i, q: (q[0] - 0.3 * draw(1).normal(3, k=i) * oracle.slope(q[0]),), (s.y,), xp)
    return {"y": 0.5 * r + 0.1}


@toy(y=(1,), n=(1,))
def counts_of_every_kind(s, t, c, oracle, draw, xp):
    """Counts 2, 0, NaN, 3.7 and infinity."""
    y, n = ops.loop(c.count, lambda k, q: (oracle.slope(q[0]) + k, q[1] + 1.0), (s.y, s.n), xp)
    return {"y": y, "n": n}


@toy(y=(2,))
def data_dependent_loop(s, t, c, oracle, draw, xp):
    """Ends by a condition that calls the oracle."""
    (y,) = ops.loop(6, lambda k, q: (oracle.slope(q[0]),), (s.y,), xp, going=lambda q: oracle.far(q[0]))
    return {"y": y + draw(0).normal(2)}


@toy(y=(2,))
def bounded_loops(s, t, c, oracle, draw, xp):
    """A condition combined with a count per run, and with a schedule that is sometimes 0."""

    def body(k, q):
        return (oracle.slope(q[0]),)

    (y,) = ops.loop(xp.floor(draw(0).uniform(1) * 3.0), body, (s.y,), xp, going=lambda q: oracle.far(q[0]))
    (y,) = ops.loop(t - 3.0 * xp.floor(t / 3.0), body, (y,), xp, going=lambda q: oracle.far(q[0]))
    return {"y": y + draw(1).normal(2)}


@toy(y=(2,), n=(1,))
def nested_loops(s, t, c, oracle, draw, xp):
    """A triangle (inner length = outer counter), and a random length inside a random length; all metered."""

    def row(k, q):
        (y,) = ops.loop(
            k, lambda i, r: (r[0] - 0.1 * oracle.slope(r[0]) * draw(0).sign(2, k=i),), (q[0],), xp
        )
        return (y,)

    def ragged(k, q):
        inner = xp.floor(draw(1).uniform(1, k=k) * 3.0)
        y, n = ops.loop(inner, lambda i, r: (0.9 * oracle.slope(r[0]), r[1] + 1.0), q, xp)
        return y + 0.01, n

    (y,) = ops.loop(4, row, (s.y,), xp)
    y, n = ops.loop(xp.floor(draw(2).uniform(1) * 4.0), ragged, (y, s.n), xp)
    return {"y": y + 0.1, "n": n}


@toy(y=(2,), n=(1,))
def tested_inside_tested(s, t, c, oracle, draw, xp):
    """A data-dependent loop inside a data-dependent loop; both conditions call the oracle."""

    def body(k, q):
        (y,) = ops.loop(3, lambda i, r: (oracle.slope(r[0]),), (q[0],), xp, going=lambda r: oracle.far(r[0]))
        return y * 1.5, q[1] + 1.0

    y, n = ops.loop(5, body, (s.y, s.n), xp, going=lambda q: oracle.far(q[0]) & (q[1] < 40.0))
    return {"y": y + draw(0).normal(2), "n": 0.5 * n}


@toy(y=(1,), z=(1,), w=(1,), u=(3,))
def loops_that_swap_and_widen(s, t, c, oracle, draw, xp):
    """Carried values are swapped; a zero becomes a vector; a body returns a value that it does not compute."""
    y, z, w = ops.loop(4, lambda k, q: (q[2], q[0], q[1] * 1.01), (s.y, s.z, s.w), xp)
    zero = xp.zeros((s.y.shape[0], 1))
    (total,) = ops.loop(3, lambda k, q: (q[0] + s.u * k,), (zero,), xp)
    (same, got) = ops.loop(c.count, lambda k, q: (s.u, q[1] + q[0]), (2.0 * s.u, 0.0 * s.u), xp)
    (none,) = ops.loop(0, lambda k, q: (q[0] + 1.0,), (s.y,), xp)
    return {"y": y, "z": z + none, "w": w, "u": 0.1 * total + 0.5 * same - 0.2 * got}


@toy(y=(2,))
def loop_for_its_calls_alone(s, t, c, oracle, draw, xp):
    """The loop's values are unused, but its oracle calls are metered."""
    ops.loop(c.count, lambda k, q: (oracle.slope(q[0]),), (s.y,), xp)
    ops.loop(2, lambda k, q: (oracle.slope(q[0]),), (s.y,), xp)
    return {"y": s.y + 1.0}


# ---------------------------------------------------------------------------------------------- branches


@toy(y=(2,), g=(2,))
def periodic_branch(s, t, c, oracle, draw, xp):
    """The branches make different numbers of calls; a draw in a branch must not use a word cached earlier."""
    five = t - 5.0 * xp.floor(t / 5.0)

    def full():
        g = oracle.slope(s.y) + oracle.slope(2.0 * s.y) + draw(0).sign(2)
        return g, g * ops.norm(s.y, xp)

    def plain():
        return s.g + 0.1 * draw(1).normal(2), oracle.slope(s.g)

    g, h = ops.branch(five == 1.0, full, plain, xp)
    return {"y": 0.5 * s.y + 0.1 * h, "g": 0.5 * g}


@toy(y=(2,), n=(1,))
def loops_and_branches_in_each_other(s, t, c, oracle, draw, xp):
    """A metered loop of random length in a branch; a branch on the counter in a loop."""
    even = t - 2.0 * xp.floor(t / 2.0) == 0.0
    long = xp.floor(draw(0).uniform(1) * 3.0)

    def yes():
        return ops.loop(long, lambda k, q: (oracle.slope(q[0]) + draw(1).sign(2), q[1] + 1.0), (s.y, s.n), xp)

    def no():
        def body(k, q):
            odd = ops.branch(
                xp.asarray(k) == 1,
                lambda: (oracle.slope(oracle.slope(q[0])),),
                lambda: (q[0] + 0.1 * draw(2).sign(2, k=k),),
                xp,
            )
            return (odd[0], q[1])

        return ops.loop(3, body, (s.y, s.n), xp)

    y, n = ops.branch(even, yes, no, xp)
    return {"y": y, "n": 0.5 * n}


# --------------------------------------------------------------------------------------- tasks and views


@toy(v=(5, 3), w=(5, 1), i=np.array([0]))
def tasks(s, t, c, oracle, draw, xp):
    """Gather and scatter at each run's own task and at a shared task, sums over both axes."""
    i = draw(0).index(5, 1)
    mine, shared = ops.take(s.v, i, xp), ops.take(s.v, s.i, xp)
    v = ops.put(s.v, i, mine * 0.5 + shared * 0.1, xp)
    weight = xp.where((xp.arange(5) == s.i)[..., None], 2.0 * s.w, s.w)
    total = xp.sum(s.v * weight, axis=1)
    v = 0.9 * v + 0.01 * total[:, None, :] + 0.1 * ops.rowsum(s.v, xp) * c.a[:, None, :]
    w = 0.5 * s.w + 0.05 * draw(1).normal((5, 1)) + 0.1 * ops.norm(s.v, xp)
    return {"v": v + 0.1 * draw(2).sign((5, 3)) * draw(3).uniform((5, 3)), "w": w, "i": i}


@toy(v=(12, 1), x=(12,))
def long_sums(s, t, c, oracle, draw, xp):
    """Twelve entries, for which a library's pairwise sum has different bits; over tasks and over coordinates."""
    total = ops.tasksum(s.v, xp)
    v = s.v * 0.9 + 0.01 * total[:, None, :] + draw(0).normal((12, 1))
    x = (
        s.x
        - 0.1 * ops.unit(s.x, xp)
        + 0.1 * draw(1).sphere(12)
        + 0.01 * total * ops.dot(s.x, s.v[..., 0], xp)
    )
    return {"v": v, "x": x}


@toy(x=(3,), y=(2,))
def tables(s, t, c, oracle, draw, xp):
    """Fixed integer matrices (so that the order of summation does not matter), their transposes, constant vectors."""
    A = xp.asarray(np.array([[1.0, -2.0, 3.0], [0.0, 4.0, -1.0]]))
    b = xp.asarray(np.array([3.0, -1.0]))
    x, y = xp.floor(8.0 * s.x), xp.floor(8.0 * s.y)
    Ax, ATy = ops.matvec(A, x, xp), ops.matvec(xp.matrix_transpose(A), y, xp)
    column = ops.matvec(A - A[:, 0:1], x, xp) + b[..., 0:1]
    flags = xp.where(xp.asarray(np.array([True, False, True])), ATy, -ATy)
    index = xp.asarray(np.array([2, 0, 1]))
    return {"x": 0.01 * flags + 0.1 * index, "y": 0.01 * (Ax + column * b) * c.a}


@toy(x=(3,), v=(2, 3))
def views(s, t, c, oracle, draw, xp):
    """Axes added and dropped, entries selected, the index; a vector as a task axis."""
    outer = s.x[..., None] * s.x[:, None, :]  # (runs, 3, 3)
    spread = s.x[:, None, :] - s.v
    first, last = s.x[..., 0:1], s.x[..., 2]
    number = xp.arange(3)
    x = xp.where(number == 1, first, ops.rowsum(outer, xp)[..., 0] * 0.1) + last[:, None]
    v = 0.5 * spread + s.v[:, 1:2, :] - s.v[..., 2:3] * (number - number[..., 0:1] + 2)
    return {"x": ops.unit(x, xp), "v": ops.unit(v, xp)}


# ------------------------------------------------------------------------------------------- elementwise


@toy(x=(2,), k=np.array([3]), on=np.array([True, False]))
def types(s, t, c, oracle, draw, xp):
    """Integers and booleans as state; conversions; arithmetic of mixed types."""
    k = xp.where(s.k > 50, s.k - 47, s.k + 2)
    odd = s.k % 3 == 1
    negative = xp.astype(xp.floor(-10.0 * s.x), xp.int64) % 7
    on = (s.on & ~odd) | (s.x > 0.0) | (s.k == 5)
    shifted = (s.k << 2) + (s.k >> 1) + (s.k & 6) + xp.abs(-s.k)
    x = xp.where(on, s.x / (1 + s.k), -s.x) + xp.astype(on, xp.float64) + shifted * 0.01 + negative - 1
    return {"x": 0.3 * x + xp.where(s.on, 1, 0.5), "k": k, "on": on}


@toy(x=(2,))
def elementary_functions(s, t, c, oracle, draw, xp):
    """The shared functions and awkward operands: zeros, infinities, NaN."""
    y = xp.log(1.0 + s.x * s.x) + xp.exp(-(s.x**2)) + xp.sin(s.x) * xp.cos(s.x) + xp.tanh(s.x)
    y = y + ops.power(xp.abs(s.x), 0.6, xp) + ops.power(t, -1.0 / 3.0, xp) * xp.floor(s.x)
    zero = 0.0 * s.x
    y = y + ops.sign(zero / zero, xp) + ops.sign(zero, xp) + ops.clip(1.0 / zero, -1.0, 1.0, xp)
    y = y + xp.where(zero / zero > 0.0, 1.0, 2.0) + ops.maximum(s.x, -s.x, xp) + ops.minimum(s.x, c.a, xp)
    return {"x": 0.2 * y + draw(0).normal(2) * draw(0).uniform(2, part=2)}


@toy(x=(3,), n=(1,))
def names_of_the_standard(s, t, c, oracle, draw, xp):
    """Functions under the standard's names, at zeros of either sign, NaN and infinities; powers that are exact."""
    zero = 0.0 * s.x
    nan, inf = zero / zero, 1.0 / xp.abs(zero)
    odd = xp.where(xp.arange(3) == 0, nan, xp.where(xp.arange(3) == 1, inf, -zero))
    y = 1.0 / xp.maximum(-zero, 1.0 / inf) + 1.0 / xp.minimum(xp.abs(zero), -zero)  # the sign of a zero shows
    bad = xp.maximum(s.x, odd) + xp.minimum(odd, 1.0) + xp.sign(odd) + xp.clip(odd, -2.0, 2.0) + xp.cosh(odd)
    y = xp.where(xp.isfinite(y), y, xp.where(xp.isinf(y), xp.sign(y), 3.0))
    y = y + xp.where(xp.isfinite(bad), bad, xp.where(xp.isinf(bad), xp.sign(bad), 0.5))
    z = (
        xp.clip(s.x, max=0.5)
        + xp.clip(s.x, -0.3)
        + xp.clip(s.x, -c.a, 0.1)
        + xp.sign(s.x) * xp.cosh(xp.clip(s.x, -2.0, 2.0))
    )
    z = (
        z
        + xp.ceil(3.0 * s.x)
        + xp.trunc(5.0 * s.x)
        + xp.negative(s.x)
        + xp.positive(s.x)
        + xp.min(s.x, axis=-1)[:, None]
    )
    some = xp.any(s.x > 0.5, axis=-1, keepdims=True) & xp.logical_not(
        xp.all(s.x > 0.0, axis=-1, keepdims=True)
    )
    z = xp.where(some | xp.less_equal(xp.add(s.x, s.n), 0.1), xp.multiply(z, 0.5), xp.subtract(z, s.n))
    z = z + (1.0 + s.x**2) ** 0.5 + (2.0 + s.x**2) ** -1 + s.x**0 + s.x**1
    n = xp.expand_dims(s.x[..., 0], -1) + xp.remainder(xp.floor(8.0 * s.n), 3.0)
    return {"x": 0.1 * y + 0.1 * z + draw(0).normal(3), "n": 0.3 * n}


@toy(x=(6,), v=(3, 4))
def largest_entries(s, t, c, oracle, draw, xp):
    """argmax and max with ties and NaN, in a vector and in each task."""
    x = xp.floor(3.0 * s.x)  # ties
    x = xp.where(draw(0).uniform(6) < 0.3, xp.nan, x)
    every = xp.where(draw(1).uniform(1) < 0.3, xp.nan, 0.0) + x
    best = ops.argmax(x, xp) + 10 * ops.argmax(every, xp)
    largest = xp.max(xp.where(x == x, x, -1.0), axis=-1, keepdims=True) + xp.max(s.v, axis=2)[..., 0:1]
    hit = xp.where(xp.arange(6) == best % 10, 1.0, 0.0)
    task = ops.argmax(xp.floor(2.0 * s.v), xp)
    v = 0.5 * s.v + xp.where(xp.arange(4) == task, 0.3, -0.1) + 0.1 * draw(2).normal((3, 4))
    return {"x": 0.2 * s.x + hit + 0.1 * largest + 0.01 * best, "v": v}


# --------------------------------------------------------------------------------------- carried values


@toy(x=(3,), x_old=(3,), x_older=(3,), p=(3,), q=(3,), r=(3,))
def copies_and_cycles(s, t, c, oracle, draw, xp):
    """x_older = x_old, x_old = x, and three fields that are permuted."""
    x = s.x - 0.1 * ops.unit(s.x_older, xp) + 0.1 * draw(0).normal(3)
    return {"x": x, "x_old": s.x, "x_older": s.x_old, "p": s.q, "q": s.r, "r": s.p}


@toy(older=(3,), old=(3,), x=(3,), a=(1,), b=(1,))
def copies_in_another_order(s, t, c, oracle, draw, xp):
    """The same with the fields in reverse order, and a swap of scalars of which one changes a vector."""
    return {"older": s.old, "old": s.x, "x": 0.9 * s.x + s.a * s.older, "a": s.b, "b": s.a}


@toy(x=(3,), n=(1,), v=(4, 3), y=(3,))
def old_values_read_late(s, t, c, oracle, draw, xp):
    """Each field is overwritten while a later statement still needs the old value."""
    x = 0.5 * s.x + 0.1 * draw(0).normal(3)
    n = ops.norm(x, xp) + 0.1 * s.n
    y = s.y * 0.5 + s.x * n + s.x[..., 1:2]  # the old x after a reduction over the new one
    i = draw(1).index(4, 1)
    v = ops.put(s.v, i, ops.take(s.v, i, xp) * 0.5 + x, xp) * 0.9
    far = ops.take(s.v, xp.astype(xp.floor(draw(2).uniform(1) * 4.0 * (n == n)), xp.int64), xp)
    return {"x": x + 0.1 * far, "n": n * s.n * 0.01 + s.n * 0.3, "v": v, "y": 0.3 * y}


@toy(x=(2,), y=(1,), constant=(2,), same=(2,))
def next_values_of_every_kind(s, t, c, oracle, draw, xp):
    """A number, a parameter, t, a narrower shape, a random value, the value itself."""
    return {"x": xp.zeros_like(s.x) + s.y, "y": 0.0 * s.y + t * c.a, "constant": xp.zeros_like(s.x) + 3.0}


# --------------------------------------------------------------------------------------------- together


def together(names):
    """One step combined from several, each with its own fields; one kernel for all is cheaper than one for each."""

    def step(s, t, c, oracle, draw, xp):
        new = {}
        for name in names:
            one, fields = TOYS[name]
            own = SimpleNamespace(**{f: getattr(s, f"{name}_{f}") for f in fields})
            new |= {f"{name}_{f}": v for f, v in one(own, t, c, oracle, draw, xp).items()}
        return new

    return step, {f"{name}_{f}": shape for name in names for f, shape in TOYS[name][1].items()}
