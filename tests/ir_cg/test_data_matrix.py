"""Products with data matrices and losses over sampled rows: every way to the same numbers, in any batch."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import scipy.sparse
from workbench.theorems.ir_cg.problems.data import TwoLevels

from workbench.arrays import backends, data_matrix
from workbench.arrays.data_matrix import (
    csr,
    largest_square,
    mean_gradient,
    sampled_difference,
    sampled_means,
    times,
    transposed_times,
)
from workbench.arrays.sets import L1Ball
from workbench.engine import eager
from workbench.engine.records import Problem, Run
from workbench.problems.rows import LOSSES, Rows

N, D, RUNS = 40, 9, 3
SIZES = (1, 2, 3, 4, 5, 11)  # of a sample: the dense kernel takes four rows at a time


def drawn(S: int = 5, P: int = 2, seed: int = 0) -> tuple[np.ndarray, ...]:
    """A with empty rows, labels +-1, indices with repetitions, points."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((N, D)) * (rng.random((N, D)) < 0.4)
    A[::7] = 0.0
    index = rng.integers(N, size=(RUNS, S))
    index[:, -1] = index[:, 0]
    return A, np.where(rng.random(N) < 0.5, 1.0, -1.0), index, tuple(rng.standard_normal((P, RUNS, D)))


def written_out(loss: str, A: np.ndarray, b: np.ndarray, index: np.ndarray, points: tuple) -> tuple:
    """The definition, one row after the other."""
    values, grads = np.zeros((RUNS, len(points))), np.zeros((len(points), RUNS, D))
    for r, rows in enumerate(index):
        for p, x in enumerate(points):
            told = [LOSSES[loss](A[i] @ x[r], b[i], np) for i in rows]
            values[r, p] = np.mean([value for value, _ in told])
            grads[p, r] = np.mean([slope * A[i] for (_, slope), i in zip(told, rows, strict=True)], axis=0)
    return values, grads


@pytest.fixture(params=["kernel", "library"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(data_matrix, "LARGE", 0 if request.param == "kernel" else 1 << 60)
    return request.param


@pytest.mark.parametrize(
    "hold", [np.asarray, lambda A: csr(scipy.sparse.csc_array(A))], ids=["dense", "sparse"]
)
@pytest.mark.parametrize("loss", LOSSES)
def test_sampled_means_are_their_definition(way, hold, loss):
    for S in SIZES:
        for P in (1, 2):
            A, b, index, points = drawn(S, P)
            found = sampled_means(LOSSES[loss], hold(A), b, index, points, np)
            for ours, expected in zip(found, written_out(loss, A, b, index, points), strict=True):
                np.testing.assert_allclose(np.asarray(ours), expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    "hold", [np.asarray, lambda A: csr(scipy.sparse.csc_array(A))], ids=["dense", "sparse"]
)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_sampled_difference_is_that_of_the_means(way, hold, loss):
    for S in SIZES:
        A, b, index, (x, y) = drawn(S)
        grads = written_out(loss, A, b, index, (x, y))[1]
        found = sampled_difference(LOSSES[loss], hold(A), b, index, x, y, np)
        np.testing.assert_allclose(found, grads[0] - grads[1], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    "hold", [np.asarray, lambda A: csr(scipy.sparse.csc_array(A))], ids=["dense", "sparse"]
)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_mean_gradient_is_that_of_all_rows(way, hold, loss):
    """More runs than a pass takes side by side, and fewer."""
    A, b, _, (x, _) = drawn()
    every = np.tile(np.arange(N), (RUNS, 1))
    expected = written_out(loss, A, b, every, (x,))[1][0]
    np.testing.assert_allclose(
        mean_gradient(LOSSES[loss], hold(A), b, x, np), expected, rtol=1e-12, atol=1e-13
    )
    many = np.tile(x, (50, 1))
    for runs in (1, 8, 9, 64, 65, 150):
        again = mean_gradient(LOSSES[loss], hold(A), b, many[:runs], np)
        np.testing.assert_allclose(again, np.tile(expected, (50, 1))[:runs], rtol=1e-12, atol=1e-13)
        if way == "kernel" and isinstance(hold(A), data_matrix.Csr):
            np.testing.assert_array_equal(
                again, np.tile(again[:RUNS], (50, 1))[:runs]
            )  # the same bits in any batch


@pytest.mark.parametrize(
    "hold", [np.asarray, lambda A: csr(scipy.sparse.csr_array(A))], ids=["dense", "sparse"]
)
def test_whole_products_are_those_of_the_array(hold):
    A, _, _, points = drawn()
    x, r = points[0], np.random.default_rng(1).standard_normal((RUNS, N))
    np.testing.assert_allclose(times(hold(A), x, np), x @ A.T, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(transposed_times(hold(A), r, np), r @ A, rtol=1e-13, atol=1e-14)
    assert largest_square(hold(A)) == pytest.approx((A**2).sum(1).max(), rel=1e-14)
    assert hold(A).shape == A.shape


@pytest.mark.parametrize(
    "hold", [np.asarray, lambda A: csr(scipy.sparse.csr_array(A))], ids=["dense", "sparse"]
)
def test_a_run_alone_has_the_bits_it_has_in_a_batch(way, hold):
    """Sums depend on the rows and their order, never on the other runs of the batch."""
    A, b, index, points = drawn(11)
    together = sampled_means(LOSSES["logistic"], hold(A), b, index, points, np)
    change = sampled_difference(LOSSES["logistic"], hold(A), b, index, *points, np)
    whole = mean_gradient(LOSSES["logistic"], hold(A), b, points[0], np)
    for r in range(RUNS):
        mine = tuple(x[r : r + 1] for x in points)
        alone = sampled_means(LOSSES["logistic"], hold(A), b, index[r : r + 1], mine, np)
        for one, all_ in zip((alone[0], *alone[1]), (together[0], *together[1]), strict=True):
            np.testing.assert_array_equal(one[0], all_[r])
        of = [LOSSES["logistic"], hold(A), b, index[r : r + 1], *mine, np]
        np.testing.assert_array_equal(sampled_difference(*of)[0], change[r])
        if way == "kernel" and isinstance(of[1], data_matrix.Csr):  # a BLAS has an order of its own
            np.testing.assert_array_equal(mean_gradient(*of[:3], mine[0], np)[0], whole[r])


def test_a_logistic_loss_far_out_neither_overflows_nor_warns(way):
    A, b = np.full((2, 3), 1e4), np.array([1.0, -1.0])
    index, points = np.array([[0, 1]]), (np.ones((1, 3)),)
    values, grads = sampled_means(LOSSES["logistic"], A, b, index, points, np)
    np.testing.assert_allclose(values, 1.5e4)
    np.testing.assert_allclose(grads, 5e3)


def test_kernels_and_libraries_give_the_same_trajectory(monkeypatch):
    """IR-FSCG on a sparse and a dense problem, both ways, to round-off; and the wrong matrix is told apart."""
    from workbench.theorems.ir_cg.methods import ir_fscg

    rng = np.random.default_rng(5)
    A, B = rng.standard_normal((2, N, D))
    a, b = rng.standard_normal((2, N))
    c = ir_fscg.Steps(1.0, 0.5, 2.0, 2.0, 1.0, 6, 6, np.log(6) / 6, 6)
    how = Run(np.array([5, 30]), seed=1)

    def end(hold, B, large) -> np.ndarray:
        monkeypatch.setattr(data_matrix, "LARGE", large)
        made = TwoLevels(box=L1Ball(2.0), outer=Rows(hold(A), a), inner=Rows(hold(B), b))
        return eager.simulate(Problem(ir_fscg, made, c, {"x": np.zeros((4, D))}), how).data["outer_gap"]

    def sparse(A: np.ndarray) -> data_matrix.Csr:
        return csr(scipy.sparse.csr_array(A))

    expected = end(np.asarray, B, 1 << 60)
    for hold in (np.asarray, sparse):
        for large in (0, 1 << 60):
            np.testing.assert_allclose(end(hold, B, large), expected, rtol=1e-9)
    assert np.abs(end(sparse, B[::-1], 0) - expected).max() > 1e-3


def test_a_sparse_matrix_moves_to_another_library_array_by_array():
    """`backends.place` sees its arrays; the library's matrix is made anew from what was placed."""
    held = csr(scipy.sparse.random_array((5, 4), density=0.5, rng=0))
    assert held.matrix is held.matrix
    moved = backends.place(held, np)
    assert "matrix" not in vars(moved)
    np.testing.assert_array_equal(moved.matrix.toarray(), held.matrix.toarray())
    assert dataclasses.replace(held, d=6).shape == (5, 6)
    assert backends.sparse_library(held.values) is scipy.sparse
