"""Row-wise operations: zeros, ties, NaN, the order of sums, and ``loop`` against a row-by-row reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import awkward, rows

from workbench.arrays import backends, ops


def bits(a):
    """Float bits as integers: distinguishes -0.0 from 0.0 and lets NaN equal NaN."""
    return np.ascontiguousarray(backends.to_host(a), dtype=np.float64).view(np.uint64)


def same_bits(a, b):
    np.testing.assert_array_equal(bits(a), bits(b))


def row_by_row(v):
    """Left-to-right sums in Python floats."""
    out = []
    for row in v:
        total = float(row[0])
        for entry in row[1:]:
            total += float(entry)
        out.append([total])
    return np.array(out)


@given(rows())
def test_rowsum_adds_left_to_right(v):
    same_bits(ops.rowsum(v, np), row_by_row(v))


def test_rowsum_order_is_not_the_librarys():
    """A row on which NumPy's own (pairwise) sum gives other bits, so that the test above can tell them apart."""
    v = np.random.default_rng(0).standard_normal((200, 64))
    same_bits(ops.rowsum(v, np), row_by_row(v))
    assert np.any(np.sum(v, axis=-1, keepdims=True) != row_by_row(v))


@pytest.mark.parametrize("d", [1, 2, 8, 64, 65, 300])
def test_shapes_and_values(d, xp):
    host = np.random.default_rng(d).standard_normal((5, d))
    other = np.random.default_rng(d + 1).standard_normal((5, d))
    v, w = xp.asarray(host), xp.asarray(other)
    expected = {
        ops.sq: (host**2).sum(axis=1, keepdims=True),
        ops.norm: np.linalg.norm(host, axis=1)[:, None],
        ops.rowsum: host.sum(axis=1, keepdims=True),
    }
    for f, value in expected.items():
        got = backends.to_host(f(v, xp))
        assert got.shape == (5, 1)
        np.testing.assert_allclose(got, value, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(
        backends.to_host(ops.dot(v, w, xp)), (host * other).sum(axis=1, keepdims=True), rtol=1e-12, atol=1e-13
    )
    u = backends.to_host(ops.unit(v, xp))
    np.testing.assert_allclose(np.linalg.norm(u, axis=1), 1.0, rtol=1e-15 * (d + 2))
    np.testing.assert_allclose(u * np.linalg.norm(host, axis=1)[:, None], host, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("d", [1, 3, 64, 65, 200])
def test_a_row_alone_has_the_bits_of_the_batch(d):
    """Sums over long rows are the library's; they may depend on the memory order, not on the rows beside."""
    v = np.random.default_rng(d).standard_normal((9, d))
    for f in (ops.rowsum, ops.sq, ops.norm, ops.unit):
        batch = f(v, np)
        for i in range(9):
            same_bits(f(v[i : i + 1], np), batch[i : i + 1])
        if d <= ops.LEFT_TO_RIGHT:
            same_bits(f(np.asfortranarray(v), np), batch)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_unit_of_zero_is_the_first_basis_vector(d, xp):
    """0/0 := 1; and -0.0 is zero. The rows beside stay what they are."""
    host = np.zeros((4, d))
    host[1, 0], host[2], host[3, 0] = -0.0, 2.0, -3.0
    got = backends.to_host(ops.unit(xp.asarray(host), xp))
    first = np.eye(d)[0]
    np.testing.assert_array_equal(got[0], first)
    np.testing.assert_array_equal(got[1], first)
    np.testing.assert_allclose(got[2], np.full(d, d**-0.5), rtol=1e-15)
    np.testing.assert_array_equal(got[3], -first)


def test_unit_in_one_dimension_is_exactly_the_sign():
    v = np.array([[5e-324], [-1e-300], [3.3], [-1e300], [0.0]])
    np.testing.assert_array_equal(ops.unit(v, np), [[1.0], [-1.0], [1.0], [-1.0], [1.0]])
    assert ops.norm(np.array([[-1e-200]]), np) == 1e-200  # no square that underflows


def test_nan_stays_in_its_row(xp):
    host = np.array([[1.0, 2.0], [np.nan, 2.0], [3.0, 4.0]])
    for f in (ops.sq, ops.norm, ops.rowsum, ops.unit):
        got = backends.to_host(f(xp.asarray(host), xp))
        assert np.isnan(got[1]).any()
        assert np.isfinite(got[[0, 2]]).all()


def test_column_gives_every_run_its_value(xp):
    like = xp.asarray(np.ones((3, 2)))
    for value, wanted in (
        (0.5, [[0.5]] * 3),
        (2, [[2.0]] * 3),
        ([[1.0], [-2.0], [0.0]], [[1.0], [-2.0], [0.0]]),
    ):
        given = xp.asarray(np.array(value)) if isinstance(value, list) else value
        same_bits(backends.to_host(ops.column(given, like, xp)), np.array(wanted))
    same_bits(backends.to_host(ops.column(xp.asarray(0.5), like, xp)), np.full((3, 1), 0.5))


def test_indicator_is_one_where_the_condition_holds_and_zero_for_nan(xp):
    v = xp.asarray(np.array([[-1.0], [0.0], [2.0], [np.nan]]))
    same_bits(backends.to_host(ops.indicator(v >= 0.0, xp)), np.array([[0.0], [1.0], [1.0], [0.0]]))


def test_maximum_minimum_and_clip_take_numbers(xp):
    v = xp.asarray(np.array([[-1.0], [0.5], [2.0]]))
    same_bits(backends.to_host(ops.maximum(v, 0.0, xp)), np.array([[0.0], [0.5], [2.0]]))
    same_bits(backends.to_host(ops.maximum(1, v, xp)), np.array([[1.0], [1.0], [2.0]]))
    same_bits(backends.to_host(ops.minimum(v, 1, xp)), np.array([[-1.0], [0.5], [1.0]]))
    same_bits(backends.to_host(ops.clip(v, 0.0, 1.0, xp)), np.array([[0.0], [0.5], [1.0]]))


def test_maximum_ties_and_nan(xp):
    nan = np.nan
    a = np.array([[1.0], [2.0], [nan], [1.0], [0.0], [-0.0]])
    b = np.array([[2.0], [1.0], [1.0], [nan], [-0.0], [0.0]])
    got = backends.to_host(ops.maximum(xp.asarray(a), xp.asarray(b), xp))
    # The second argument where either is NaN, and at a tie: the same choice on every backend.
    same_bits(got, np.array([[2.0], [2.0], [1.0], [nan], [-0.0], [0.0]]))


@given(rows(elements=awkward))
@example(np.array([[0.0, -0.0], [np.inf, -np.inf], [np.nan, 0.0]]))
def test_numpy_and_strict_have_the_same_bits(v):
    strict = backends.namespace("array-api-strict")
    with np.errstate(all="ignore"):
        for f in (ops.rowsum, ops.sq, ops.norm, ops.unit):
            same_bits(f(v, np), f(strict.asarray(v), strict))
        w = v[::-1].copy()
        for g in (ops.dot, ops.maximum):
            same_bits(g(v, w, np), g(strict.asarray(v), strict.asarray(w), strict))


def test_matvec(xp):
    rng = np.random.default_rng(1)
    A, x = rng.standard_normal((4, 3)), rng.standard_normal((6, 3))
    got = backends.to_host(ops.matvec(xp.asarray(A), xp.asarray(x), xp))
    np.testing.assert_allclose(got, np.stack([A @ row for row in x]), rtol=1e-13, atol=1e-14)


# ------------------------------------------------------------------------------------------------ loop


def body(k, carry):
    """Depends on k, on both entries and on the row; the second entry counts what was really applied."""
    x, n = carry
    return x * 1.5 - 0.25 * k + 0.125 * n, n + 1.0


def reference(start, counts, going=None):
    """Each row by itself, in Python floats."""
    out = []
    for first, count in zip(start[:, 0].tolist(), counts, strict=True):
        x, n = first, 0.0
        for k in range(int(count)):
            if going is not None and not going((x, n)):
                break
            x, n = body(k, (x, n))
        out.append((x, n))
    return np.array(out)


def check_loop(start, counts, n, xp, going=None, going_row=None):
    carry = (xp.asarray(start), xp.zeros_like(xp.asarray(start)))
    got = ops.loop(n, body, carry, xp, going=going)
    expected = reference(start, counts, going_row)
    same_bits(got[0], expected[:, :1])
    same_bits(got[1], expected[:, 1:])


START = np.array([[0.5], [-1.0], [3.0], [0.0], [10.0]])


@pytest.mark.parametrize("n", [0, 1, 7])
def test_loop_fixed(n, xp):
    check_loop(START, [n] * 5, n, xp)


@pytest.mark.parametrize("counts", [[3, 0, 1, 7, 2], [0, 0, 0, 0, 0], [4, 4, 4, 4, 4]])
@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_loop_own_count_per_run(counts, dtype, xp):
    """Random k per run, K on a parameter grid, or K_t growing with t: counts as (runs, 1), integer or floored."""
    check_loop(START, counts, xp.asarray(np.array(counts, dtype=dtype)[:, None]), xp)


@pytest.mark.parametrize("limit", [0, 3, 100])
def test_loop_until_a_condition(limit, xp):
    check_loop(
        START,
        [limit] * 5,
        limit,
        xp,
        going=lambda c: xp.abs(c[0]) < 20.0,
        going_row=lambda c: abs(c[0]) < 20.0,
    )


def test_loop_condition_and_own_count(xp):
    counts = [2, 50, 0, 5, 50]
    check_loop(
        START,
        counts,
        xp.asarray(np.array(counts)[:, None]),
        xp,
        going=lambda c: xp.abs(c[0]) < 20.0,
        going_row=lambda c: abs(c[0]) < 20.0,
    )


def test_loop_growing_count(xp):
    """A count that grows with t (K_t = floor(sqrt t)): one loop per t, each against the reference."""
    for t in (1, 2, 9, 30):
        count = xp.floor(xp.sqrt(xp.full((5, 1), float(t))))
        check_loop(START, [int(t**0.5)] * 5, count, xp)


def test_a_row_that_stopped_stays_stopped(xp):
    """The condition turns true again for the carry a row would have had: the row must not resume."""
    start = (xp.asarray([[0.0], [5.0]]),)
    going = lambda c: c[0] != 2.0  # noqa: E731
    (got,) = ops.loop(10, lambda k, c: (c[0] + 1.0,), start, xp, going=going)
    np.testing.assert_array_equal(backends.to_host(got), [[2.0], [15.0]])
    # Going only while k is odd would restart without the memory: here the first refusal at k = 0 is final.
    calls = []

    def flicker(c):
        calls.append(1)
        return xp.asarray([[len(calls) != 1], [True]])

    (got,) = ops.loop(3, lambda k, c: (c[0] + 1.0,), start, xp, going=flicker)
    np.testing.assert_array_equal(backends.to_host(got), [[0.0], [8.0]])


def test_loop_stops_early_when_all_rows_have(xp):
    """A data-dependent loop costs the slowest row, not its limit."""
    seen = []
    going = lambda c: c[0] < 3.0  # noqa: E731

    def count(k, c):
        seen.append(k)
        return (c[0] + 1.0,)

    ops.loop(10**6, count, (xp.asarray([[0.0], [1.0]]),), xp, going=going)
    assert seen == [0, 1, 2]


def test_loop_nan_row_stops_and_leaves_the_others(xp):
    start = (xp.asarray([[np.nan], [1.0]]),)
    (got,) = ops.loop(4, lambda k, c: (c[0] * 2.0,), start, xp, going=lambda c: c[0] < 10.0)
    np.testing.assert_array_equal(backends.to_host(got), [[np.nan], [16.0]])


@given(st.lists(st.integers(0, 9), min_size=5, max_size=5))
def test_loop_own_counts_equal_fixed_counts_row_by_row(counts):
    own = ops.loop(np.array(counts)[:, None], body, (START, np.zeros_like(START)), np)
    for i, n in enumerate(counts):
        alone = ops.loop(n, body, (START[i : i + 1], np.zeros((1, 1))), np)
        same_bits(own[0][i : i + 1], alone[0])
        same_bits(own[1][i : i + 1], alone[1])


def first_largest(row) -> int:
    """The definition: NaN is never larger than anything, and the first number comes before any NaN."""
    best = 0
    for j, value in enumerate(row):
        if value > row[best] or (np.isnan(row[best]) and not np.isnan(value)):
            best = j
    return best


@pytest.mark.parametrize("d", [1, 2, 64, 65, 300])
def test_argmax_with_ties_nan_and_infinities(d, xp):
    """Short rows entry by entry, long ones by the library, which has an opinion of its own on NaN."""
    rng = np.random.default_rng(d)
    v = rng.integers(-3, 3, size=(40, d)).astype(float)
    v[rng.random(v.shape) < 0.3] = -np.inf
    plain = v.copy()
    v[10:][rng.random((30, d)) < 0.4] = np.nan
    v[-1], v[-2], v[-3, :-1] = np.nan, -np.inf, np.nan
    v[-4] = np.where(np.arange(d) % 2, -np.inf, np.nan)
    for vectors in (plain, v):
        with np.errstate(invalid="ignore"):  # as the engines do
            found = backends.to_host(ops.argmax(xp.asarray(vectors), xp))
        np.testing.assert_array_equal(found, [[first_largest(row)] for row in vectors])


@pytest.mark.parametrize("shape", [(5, 3), (5, 200), (5, 4, 7)])
def test_entry_is_one_number_of_each_vector(shape, xp):
    rng = np.random.default_rng(1)
    v, i = rng.standard_normal(shape), rng.integers(shape[-1], size=(*shape[:-1], 1))
    found = backends.to_host(ops.entry(xp.asarray(v), xp.asarray(i), xp))
    np.testing.assert_array_equal(found, np.take_along_axis(v, i, axis=-1))


@given(rows(elements=st.integers(0, 3).map(float)))
def test_ranks_are_those_of_a_stable_sort(v):
    wanted = np.argsort(np.argsort(v, axis=1, kind="stable"), axis=1, kind="stable")
    np.testing.assert_array_equal(ops.ranks(v, np), wanted)


def test_choice_is_in_proportion_to_the_weights(xp):
    weights, u = np.array([1.0, 0.0, 3.0, 4.0]), (np.arange(800)[:, None] + 0.5) / 800
    chosen = backends.to_host(ops.choice(xp.asarray(np.tile(weights, (800, 1))), xp.asarray(u), xp))
    assert chosen.shape == (800, 1)
    np.testing.assert_array_equal(np.bincount(chosen[:, 0], minlength=4), 100 * weights)


def test_add_at_changes_one_entry(xp):
    v, i = xp.asarray(np.zeros((3, 2))), xp.asarray(np.array([[0], [1], [0]]))
    got = ops.add_at(v, i, xp.asarray(np.array([[1.0], [2.0], [-3.0]])), xp)
    same_bits(backends.to_host(got), np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]]))
