"""Sets against brute force, optimality conditions and an independent solver."""

from __future__ import annotations

import itertools

import array_api_strict
import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from workbench.arrays.sets import Box, Copies, L1Ball, L2Ball, Product, Simplex, cut_lmo

RNG = np.random.default_rng(11)
RUNS = 40

# (set, d, points of the set): the points are drawn without the oracle or the projection under test.


def in_box(d):
    return RNG.uniform(-1.0, 2.0, (4000, d))


def in_l1(d):
    v = RNG.dirichlet(np.ones(d + 1), 4000)[:, :d] * 1.5
    return v * RNG.choice([-1.0, 1.0], v.shape)


def in_l2(d):
    v = RNG.standard_normal((4000, d))
    return 0.7 * v / np.linalg.norm(v, axis=1, keepdims=True) * RNG.uniform(0, 1, (4000, 1)) ** (1 / d)


def in_simplex(d):
    return 2.0 * RNG.dirichlet(np.ones(d), 4000)


CASES = {
    "box": (Box(-1.0, 2.0), 4, in_box),
    "l1": (L1Ball(1.5), 5, in_l1),
    "l1-line": (L1Ball(1.5), 1, in_l1),
    "l2": (L2Ball(0.7), 3, in_l2),
    "simplex": (Simplex(2.0), 5, in_simplex),
    "copies": (Copies(L2Ball(0.7), 3), 9, lambda d: np.hstack([in_l2(3) for _ in range(3)])),
    "product": (Product(((L1Ball(1.5), 5), (Box(-1.0, 2.0), 4))), 9, lambda d: np.hstack([in_l1(5), in_box(4)])),
}  # fmt: skip
each = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@each
def test_oracle_minimizes(case):
    """No sampled point of the set does better, and the answer lies in the set."""
    made, d, points = case
    c = RNG.standard_normal((RUNS, d))
    v = made.lmo(c, np)
    assert v.shape == c.shape
    assert np.all((c * v).sum(1) <= (points(d) @ c.T).min(0) + 1e-12)
    np.testing.assert_allclose(made.project(v, np), v, atol=1e-12)


@each
def test_projection_is_nearest(case):
    """The obtuse-angle condition <x - P(x), y - P(x)> <= 0 for every y of the set characterizes the projection.

    The most obtuse y is the oracle's answer, which `test_oracle_minimizes` checks on its own; sampled points besides.
    """
    made, d, points = case
    x = 2.5 * RNG.standard_normal((RUNS, d))
    p = made.project(x, np)
    away = x - p
    worst = made.lmo(-away, np)
    assert np.all((away * (worst - p)).sum(1) <= 1e-11)
    assert np.all(away @ points(d).T - (away * p).sum(1, keepdims=True) <= 1e-11)
    np.testing.assert_allclose(made.project(p, np), p, atol=1e-12)
    inside = points(d)[:RUNS]
    np.testing.assert_allclose(made.project(inside, np), inside, atol=1e-12)


@each
def test_diameter(case):
    """Attained between oracle points, never exceeded by sampled ones."""
    made, d, points = case
    sample = points(d)[:300]
    sampled = np.linalg.norm(sample[:, None] - sample[None], axis=-1).max()
    directions = np.vstack([np.eye(d), RNG.standard_normal((200, d)), RNG.choice([-1.0, 1.0], (200, d))])
    ends = np.vstack([made.lmo(directions, np), made.lmo(-directions, np)])
    widest = np.linalg.norm(ends[:, None] - ends[None], axis=-1).max()
    assert sampled <= made.diameter(d) * (1 + 1e-12)
    assert widest == pytest.approx(made.diameter(d), rel=1e-12)


@each
def test_same_on_strict(case):
    """The array-API standard is all that is used; rows do not mix."""
    made, d, _ = case
    xp = array_api_strict  # the library itself: it loads its linear algebra when asked
    x = RNG.standard_normal((RUNS, d))
    for operation in (made.lmo, made.project):
        whole = operation(x, np)
        np.testing.assert_allclose(np.asarray(operation(xp.asarray(x), xp)), whole, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(operation(x[7:8], np), whole[7:8], rtol=1e-12, atol=1e-14)


def slsqp_simplex(x):
    total = {"type": "eq", "fun": lambda p: p.sum() - 2.0}
    away = lambda p: ((x - p) ** 2).sum()  # noqa: E731
    return minimize(away, np.full(4, 0.5), bounds=[(0, None)] * 4, constraints=[total], tol=1e-13).x


def slsqp_l1(x):
    """p = u - w with u, w >= 0 makes the norm linear."""
    room = {"type": "ineq", "fun": lambda z: 1.5 - z.sum()}
    apart = lambda z: ((x - z[:4] + z[4:]) ** 2).sum()  # noqa: E731
    z = minimize(apart, np.zeros(8), bounds=[(0, None)] * 8, constraints=[room], tol=1e-13).x
    return z[:4] - z[4:]


@pytest.mark.parametrize("made", [L1Ball(1.5), Simplex(2.0)], ids=["l1", "simplex"])
def test_projection_against_a_general_solver(made):
    """SLSQP on |x - p|^2 knows nothing of sorting."""
    for x in 2.0 * RNG.standard_normal((6, 4)):
        nearest = slsqp_simplex(x) if isinstance(made, Simplex) else slsqp_l1(x)
        np.testing.assert_allclose(made.project(x[None], np)[0], nearest, atol=1e-5)


def test_ties():
    """The rules of the module's docstring."""
    zero = np.zeros((1, 3))
    np.testing.assert_array_equal(Box(-1.0, 2.0).lmo(zero, np), [[-1, -1, -1]])
    np.testing.assert_array_equal(L1Ball(2.0).lmo(zero, np), [[-2, 0, 0]])
    np.testing.assert_array_equal(L1Ball(2.0).lmo(np.array([[0.5, -3.0, 3.0]]), np), [[0, 2, 0]])
    np.testing.assert_array_equal(L2Ball(2.0).lmo(zero, np), [[-2, 0, 0]])
    np.testing.assert_array_equal(Simplex(2.0).lmo(zero, np), [[2, 0, 0]])


def vertices_of_l1(d, radius):
    return np.vstack([radius * np.eye(d), -radius * np.eye(d)])


@pytest.mark.parametrize("d", [1, 2, 7])
def test_cut_oracle_on_the_l1_ball_is_the_linear_programme(d):
    """HiGHS on the convex hull of the vertices, one weight per vertex."""
    c, a = RNG.standard_normal((RUNS, d)), RNG.standard_normal((RUNS, d))
    corners = vertices_of_l1(d, 1.5)
    r = RNG.uniform(-1.4, 1.4, (RUNS, 1)) * np.abs(a).max(1, keepdims=True)
    v, empty = cut_lmo(L1Ball(1.5).lmo, c, a, r, np)
    assert not empty.any()
    for i in range(RUNS):
        found = linprog(
            corners @ c[i], A_ub=(corners @ a[i])[None], b_ub=r[i], A_eq=np.ones((1, 2 * d)), b_eq=[1.0]
        )
        assert c[i] @ v[i] == pytest.approx(found.fun, abs=1e-9)
        assert a[i] @ v[i] <= r[i, 0] + 1e-9
    assert np.all(np.abs(v).sum(axis=-1) <= 1.5 + 1e-12)


def test_cut_oracle_on_balls():
    """Copies of l2 balls: weak duality certifies the value; the multiplier is searched on a grid of its own."""
    made = Copies(L2Ball(1.0), 4)
    c, a = RNG.standard_normal((RUNS, 12)), RNG.standard_normal((RUNS, 12))
    r = -0.5 * np.abs((a * made.lmo(a, np)).sum(1, keepdims=True))
    v, empty = cut_lmo(made.lmo, c, a, r, np)
    assert not empty.any()
    assert np.all((a * v).sum(1) <= r[:, 0] + 1e-9)
    assert np.all(np.linalg.norm(v.reshape(RUNS, 4, 3), axis=-1) <= 1 + 1e-12)
    multipliers = np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 4000)])
    for i in range(RUNS):
        tilted = c[i] + multipliers[:, None] * a[i]
        dual = -np.linalg.norm(tilted.reshape(-1, 4, 3), axis=-1).sum(1) - multipliers * r[i, 0]
        assert dual.max() - 1e-12 <= c[i] @ v[i] <= dual.max() + 1e-4


def test_cut_that_leaves_nothing():
    a = np.array([[1.0, -2.0], [1.0, -2.0]])
    c = np.array([[1.0, 1.0], [1.0, 1.0]])
    v, empty = cut_lmo(L1Ball(1.0).lmo, c, a, np.array([[-2.5], [-1.9]]), np)
    np.testing.assert_array_equal(empty, [[True], [False]])
    np.testing.assert_array_equal(v[0], [0.0, 1.0])


def test_cut_with_zero_directions():
    """c = 0: any feasible point; a = 0: no cut when r >= 0."""
    box, zero = Box(-1.0, 1.0), np.zeros((1, 2))
    v, empty = cut_lmo(box.lmo, zero, np.array([[1.0, 1.0]]), np.array([[-1.0]]), np)
    assert not empty.any()
    assert v.sum() <= -1 + 1e-12
    v, empty = cut_lmo(box.lmo, np.array([[1.0, -1.0]]), zero, np.array([[0.0]]), np)
    assert not empty.any()
    np.testing.assert_array_equal(v, [[-1.0, 1.0]])


@pytest.mark.parametrize(
    "make",
    [
        *(lambda r=r, s=s: s(r) for r, s in itertools.product((0.0, -1.0, np.nan, np.inf), (L1Ball, L2Ball, Simplex))),
        lambda: L1Ball(np.array([[1.0], [0.0]])),
    ],
)  # fmt: skip
def test_radius_must_be_positive(make):
    with pytest.raises(ValueError, match="radius must be positive"):
        make()


EMPTY = [(1.0, 0.0), (np.nan, 1.0), (-np.inf, 0.0), (np.zeros(2), np.array([1.0, -1.0]))]


@pytest.mark.parametrize(("low", "high"), EMPTY)
def test_empty_box(low, high):
    with pytest.raises(ValueError, match="empty or unbounded"):
        Box(low, high)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Copies(L2Ball(1.0), 0),
        lambda: Product(()),
        lambda: Product(((L2Ball(1.0), 0),)),
    ],
)
def test_sets_without_a_coordinate_are_refused(make):
    with pytest.raises(ValueError, match=r"empty|at least one"):
        make()


def test_sizes_that_do_not_fit():
    with pytest.raises(ValueError, match="do not make 3 points"):
        Copies(L2Ball(1.0), 3).lmo(np.zeros((1, 4)), np)
    with pytest.raises(ValueError, match="for parts of"):
        Product(((L2Ball(1.0), 3),)).project(np.zeros((1, 4)), np)
