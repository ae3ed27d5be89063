"""Products of a fixed matrix and a vector in kernels: sums from left to right by fused multiply-adds, bit for bit."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys

import numpy as np
import pytest
from engines import KERNELS, Steps, Toy, agree, algorithm_of, on_kernels, run, same_results, start_of
from thin import one_in

from workbench.arrays import ops
from workbench.engine import cpu
from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.records import Problem
from workbench.engine.schedule import Inner, plan
from workbench.engine.tracer import Tracer
from workbench.engine.vectors import HEIGHT, NATIVE, WIDE

SIZES = [
    (3, 5),
    (1, 7),
    (6, 1),
    (1, 1),
    (HEIGHT, 4),
    (2 * HEIGHT + 3, 20),
    (32, 32),
    (2 * HEIGHT * WIDE + NATIVE + 3, 2),
]


LIBM = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else ctypes.util.find_library("m"))
LIBM.fma.restype, LIBM.fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
fused = np.vectorize(LIBM.fma, otypes=[float])  # a x + total, rounded once, by the C library


def matrix(n, d):
    return np.random.default_rng(n * 100 + d).standard_normal((n, d)) / d


def in_order(A, x, xp):
    """A x, added up from left to right: what a kernel must give to the last bit (BLAS adds in its own order)."""
    if isinstance(xp, Tracer):
        return ops.matvec(A, x, xp)
    total = -0.0 * xp.ones((x.shape[0], A.shape[0]))
    for j in range(A.shape[1]):
        total = fused(A[:, j], x[:, j : j + 1], total)
    return total


def sizes(s, t, c, oracle, draw, xp, product=in_order):
    """Back and forth between two vectors, for every size."""
    new = {}
    for number, (n, d) in enumerate(SIZES):
        A = xp.asarray(matrix(n, d))
        x, y = getattr(s, f"x{number}"), getattr(s, f"y{number}")
        new[f"y{number}"] = product(A, x, xp) + 0.1 * draw(0).normal(n)
        new[f"x{number}"] = 0.5 * x - c.a * product(xp.matrix_transpose(A), y, xp)
    return new


ALL_SIZES = {f"x{k}": (d,) for k, (_, d) in enumerate(SIZES)} | {
    f"y{k}": (n,) for k, (n, _) in enumerate(SIZES)
}


def places(s, t, c, oracle, draw, xp):
    """Where the vector comes from and where the product goes: state, its copy, other products, sums, constants."""
    A, B = xp.asarray(matrix(4, 4)), xp.asarray(matrix(4, 3))
    new = {"p": in_order(xp.asarray(matrix(20, 20)), s.p, xp)}  # may not be written over what it reads
    new |= {"x": in_order(A, s.x, xp), "old": s.x}
    new["y"] = in_order(A, in_order(A, in_order(B, s.z, xp), xp), xp)  # may: nobody reads y
    new["z"] = s.z / ops.norm(in_order(B, ops.unit(s.z, xp), xp), xp) + 0.1 * s.old[..., 1:2]
    own = c.a * xp.asarray(np.array([1.0, 2.0, -3.0]))  # known before the loop over t
    same = xp.zeros((s.x.shape[0], 3)) + t  # the same for all runs
    whole = xp.asarray(np.array([[1, 0, 2], [3, -1, 0]]))
    new["w"] = in_order(whole, own, xp) + in_order(whole, same, xp) * in_order(whole, s.z, xp)
    new["v"] = in_order(A, new["x"], xp)[..., None] * s.v * 0.5 + in_order(A, s.y, xp)[:, None, :]
    return new


def loops(s, t, c, oracle, draw, xp):
    """As a carried value, as its start, between swapped carries; with finished runs; in a branch."""
    A, B = xp.asarray(matrix(4, 4)), xp.asarray(matrix(3, 4))

    def swapped(k, carry):
        u, w, total = carry
        return in_order(A, w, xp), 0.9 * u, total + in_order(B, u, xp)

    u, w, total = ops.loop(3, swapped, (in_order(A, s.x, xp), s.y, s.z), xp)

    def some(k, carry):
        return (0.5 * carry[0] + in_order(A, carry[0], xp),)

    (y,) = ops.loop(c.count, some, (u,), xp)
    (z,) = ops.branch(
        t - 3.0 * xp.floor(t / 3.0) == 0.0, lambda: (in_order(B, y, xp),), lambda: (0.5 * total,), xp
    )
    return {"x": y + w, "y": in_order(A, w, xp), "z": 0.1 * z}


STEPS = {
    "sizes": (sizes, ALL_SIZES),
    "places": (places, {"p": (20,), "x": (4,), "old": (4,), "y": (4,), "z": (3,), "w": (2,), "v": (4, 4)}),
    "loops": (loops, {"x": (4,), "y": (4,), "z": (3,)}),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", one_in(2, STEPS))
def test_sums_go_from_left_to_right(kernel, name):
    agree(kernel, *STEPS[name])


@pytest.mark.parametrize(
    ("lanes", "name"), one_in(3, [(1, "loops"), (1, "sizes"), (24, "sizes"), (64, "loops")], unpack=True)
)
def test_any_number_of_lanes(lanes, name, monkeypatch):
    """A part of the runs that fills vectors, and the one run that is replayed alone."""
    monkeypatch.setattr(cpu, "lanes_for", lambda program, runs: lanes)
    agree(CpuKernel, *STEPS[name])


def test_blas_differs_by_round_off():
    """The primitive as instances call it, `ops.matvec`: few iterations, since differences grow."""
    start = start_of(ALL_SIZES)

    def step(*args):
        return sizes(*args, product=ops.matvec)

    expected, got = (run(kernel, step, start, marks=[1, 3]) for kernel in (None, CpuKernel))
    same_results(got, expected, rtol=1e-10)


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_is_not_a_number_passes(kernel):
    """Zero times infinity, infinities of both signs, zeros of both; told apart by what a finite state can hold."""
    A = np.array([[0.0, 1.0], [1.0, 1.0], [-1.0, 2.0]])
    inverse = np.array([[0.0, 1.0], [0.0, -0.0], [-0.0, 1e-308], [1.0, 2.0], [1.0, -0.0]])

    def step(s, t, c, oracle, draw, xp):
        y = in_order(xp.asarray(A), 1.0 / s.x, xp)
        kind = xp.where(y == xp.inf, 1.0, xp.where(y == -xp.inf, -1.0, 0.0))
        zero = in_order(xp.asarray(A), -0.0 * s.x, xp)
        return {"y": xp.where(y == y, kind, 2.0), "z": xp.where(1.0 / zero < 0.0, -1.0, 1.0)}

    start = {"x": inverse, "y": np.zeros((5, 3)), "z": np.zeros((5, 3))}
    with np.errstate(all="ignore"):
        expected, got = (run(k, step, start, marks=[2]) for k in (None, kernel))
    same_results(got, expected)
    assert {-1.0, 1.0} == {v for n in ("z 0", "z 1", "z 2") for v in got.data[n].ravel()}
    assert {-1.0, 0.0, 1.0, 2.0} == {v for n in ("y 0", "y 1", "y 2") for v in got.data[n].ravel()}


def planned(step, fields):
    """The plan of a step's kernel."""
    start = start_of(fields)
    steps = Steps(np.full((5, 1), 0.5), 2.0)
    made = Fused(Problem(algorithm_of(step, fields), Toy(), steps, start), on_kernels([1], 3), CpuKernel)
    return plan(made.program.graph, made.program.phis)


def test_a_loop_writes_its_carry_in_place():
    """What a turn carries on is not copied, unless the old value is wanted once more."""

    def step(s, t, c, oracle, draw, xp):
        A = xp.asarray(matrix(3, 3))
        (x,) = ops.loop(4, lambda k, q: (q[0] - 0.1 * in_order(A, q[0], xp),), (s.x,), xp)
        (y,) = ops.loop(4, lambda k, q: (in_order(A, q[0], xp),), (s.y,), xp)
        return {"x": x, "y": y}

    made = planned(step, {"x": (3,), "y": (3,)})
    copies = [len(item.body.copies) for item in made.steps.items if isinstance(item, Inner)]
    assert copies == [0, 1]


def test_a_product_has_one_pass_and_no_table_of_products():
    n = 40
    made = planned(
        lambda s, t, c, oracle, draw, xp: {"x": 0.5 * in_order(xp.asarray(matrix(n, n)), s.x, xp)},
        {"x": (n,)},
    )
    assert [item.product is not None for item in made.steps.items] == [True, False]
    assert max(size for _, size in made.sizes) == n
