"""Random steps: many expressions over scalars, vectors and tasks, in one step, from a list of instructions.

Values have four shapes: n (runs, 1), x (runs, 3), w (runs, 2, 1), v (runs, 2, 3). An instruction is three numbers: an
operation code, and two that select its operands among the existing values.
"""

from __future__ import annotations

from workbench.arrays import ops

SHAPES = {"n": (1,), "x": (3,), "w": (2, 1), "v": (2, 3)}
FIELDS = {f"{shape}{i}": size for shape, size in SHAPES.items() for i in range(3)}
BELOW = {"n": "n", "x": "nx", "w": "nw", "v": "nxwv"}


def join(a, b):
    return next(s for s in "nxwv" if a in BELOW[s] and b in BELOW[s])


def lifted(kind, value, to, xp):
    """A value broadcast to a larger shape."""
    wide = value[:, None, :] if kind in "nx" and to in "wv" else value
    return wide + xp.zeros((value.shape[0], *SHAPES[to]))


def calm(value, xp):
    """A finite value of moderate size; NaN becomes 1, since its sign depends on the compiler."""
    return xp.where(xp.abs(value) < 50.0, value, 1.0)


def random_step(program):
    def step(s, t, c, oracle, draw, xp):
        pool = [(name[0], getattr(s, name)) for name in FIELDS]
        pool += [("n", c.a), ("n", xp.zeros((s.n0.shape[0], 1)) + t)]
        for number, (what, i, j) in enumerate(program):
            (ka, a), (kb, b) = pool[-1 - i % len(pool)], pool[-1 - j % len(pool)]
            pool.append(OPERATIONS[what % len(OPERATIONS)](ka, a, kb, b, number, t, oracle, draw, xp))
        new = {}
        for name in FIELDS:
            mine = [v for kind, v in pool if kind == name[0]]
            if name[1] == "0":  # the sum of all computed values
                new[name] = calm(sum(0.1 * calm(v, xp) for v in mine[1:]), xp)
            elif name[1] == "1":
                new[name] = calm(mine[-1], xp)
            else:
                new[name] = getattr(s, name[0] + "1")
        return new

    return step


def _binary(f):
    def made(ka, a, kb, b, number, t, oracle, draw, xp):
        kind = join(ka, kb)
        return kind, f(lifted(ka, a, kind, xp), lifted(kb, b, kind, xp), xp)

    return made


def _unary(f):
    return lambda ka, a, kb, b, number, t, oracle, draw, xp: (ka, f(a, xp))


def _sum(ka, a, kb, b, number, t, oracle, draw, xp):
    return {"x": "n", "v": "w"}.get(ka, ka), ops.rowsum(a, xp)


def _largest(ka, a, kb, b, number, t, oracle, draw, xp):
    return {"x": "n", "v": "w"}.get(ka, ka), xp.astype(ops.argmax(a, xp), xp.float64)


def _tasksum(ka, a, kb, b, number, t, oracle, draw, xp):
    return ({"w": "n", "v": "x"}[ka], ops.tasksum(a, xp)) if ka in "wv" else (ka, a)


def _take(ka, a, kb, b, number, t, oracle, draw, xp):
    return ({"w": "n", "v": "x"}[ka], ops.take(a, draw(number).index(2, 1), xp)) if ka in "wv" else (ka, a)


def _put(ka, a, kb, b, number, t, oracle, draw, xp):
    if ka not in "wv" or kb != {"w": "n", "v": "x"}[ka]:
        return ka, a
    return ka, ops.put(a, draw(number).index(2, 1), b, xp)


def _entry(ka, a, kb, b, number, t, oracle, draw, xp):
    j = number % a.shape[-1]
    return {"x": "n", "v": "w"}.get(ka, ka), a[..., j : j + 1]


def _noise(ka, a, kb, b, number, t, oracle, draw, xp):
    size = SHAPES[ka] if len(SHAPES[ka]) > 1 else SHAPES[ka][0]
    kind = ("normal", "sign", "uniform")[number % 3]
    return ka, a * getattr(draw(number), kind)(size)


def _loop(ka, a, kb, b, number, t, oracle, draw, xp):
    kind = join(ka, kb)
    a, b = lifted(ka, a, kind, xp), lifted(kb, b, kind, xp)
    n = (2, xp.floor(t / 3.0) - 2.0 * xp.floor(t / 6.0), xp.floor(draw(number).uniform(1) * 3.0))[number % 3]
    y, _ = ops.loop(n, lambda k, q: (0.5 * q[0] + oracle.slope(q[1]) * b, q[0] + k), (a, b), xp)
    return kind, y


def _branch(ka, a, kb, b, number, t, oracle, draw, xp):
    third = t - 3.0 * xp.floor(t / 3.0)
    (y,) = ops.branch(third == float(number % 3), lambda: (oracle.slope(a) * a,), lambda: (a + 1.0,), xp)
    return ka, y


OPERATIONS = [
    _binary(lambda a, b, xp: a + b),
    _binary(lambda a, b, xp: a - b),
    _binary(lambda a, b, xp: a * b),
    _binary(lambda a, b, xp: a / b),
    _binary(lambda a, b, xp: xp.where((a > b) | (b < 0.0), a, 0.5 * b)),
    _binary(lambda a, b, xp: ops.maximum(a, b, xp)),
    _unary(lambda a, xp: xp.sqrt(xp.abs(a))),
    _unary(lambda a, xp: xp.floor(2.0 * a)),
    _unary(lambda a, xp: ops.unit(a, xp)),
    _unary(lambda a, xp: a - ops.norm(a, xp)),
    _unary(lambda a, xp: a * (xp.arange(a.shape[-1]) + 1)),
    _sum,
    _largest,
    _tasksum,
    _take,
    _put,
    _entry,
    _noise,
    _loop,
    _branch,
]
