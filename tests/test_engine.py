"""The eager engine: rows never mix, replays give the same bits, records and meters say what happened."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
import toy_method
from discover import pair_id, same, starts, steps_of, take_rows, trajectory, uses_blas, with_noise
from host_kernel import covering
from hypothesis import given
from hypothesis import strategies as st
from thin import one_in
from toy_method import Quadratic

from workbench.arrays import backends, noise
from workbench.engine.eager import simulate
from workbench.engine.marks import log_marks
from workbench.engine.records import Grid, Problem, Rows, Run, Status

SEED = 11
NUMPY = backends.namespace("numpy")  # with the shared functions, as in the engine
# Every algorithm and every instance; all of their pairs keep the contract (`test_contract`).
each_pair = pytest.mark.parametrize("pair", one_in(2, covering()), ids=pair_id)
every_other_pair = pytest.mark.parametrize("pair", one_in(2, covering()[::2]), ids=pair_id)


class Job(NamedTuple):
    """Everything ``simulate`` is handed that has rows."""

    instance: Any
    steps: Any
    start: dict[str, np.ndarray]
    ids: np.ndarray
    params: dict[str, np.ndarray]


def job_of(pair, runs=11):
    """A grid of noise levels; every fourth row noiseless. The noise is normal: log, sqrt and cos are in it."""
    algorithm, cls, d = pair
    level = (np.arange(runs) % 4 * 0.6)[:, None]
    instance = with_noise(cls, noise.Gaussian(level))
    start = starts(runs, d)
    steps = steps_of(algorithm, instance, start)
    # Parameters as columns, so that each row carries its own.
    columns = type(steps)(
        *(v * np.linspace(0.5, 1.5, runs)[:, None] if isinstance(v, float) else v for v in steps)
    )
    return Job(instance, columns, start, np.arange(runs) + 3, {"level": level[:, 0]})


def rows_of(job, rows):
    """The same job with some of its rows, in that order."""
    runs = len(job.ids)
    return Job(*(take_rows(part, rows, runs) for part in job))


def go(algorithm, job, horizon=40, marks=None, **options):
    marks = np.asarray(log_marks(horizon, 2) if marks is None else marks)
    problem = Problem(algorithm, job.instance, job.steps, job.start, Rows(job.ids, job.params))
    return simulate(problem, Run(marks, options.pop("seed", SEED), **options))


def same_result(a, b, rtol=0.0):
    assert a.data.keys() == b.data.keys()
    for name in a.data:
        same(a.data[name], b.data[name], rtol)
    same(a.status, b.status)
    same(a.failed_at, b.failed_at)


def rows_of_result(result, rows):
    return SimpleNamespace(
        data={k: v[rows] for k, v in result.data.items()},
        status=result.status[rows],
        failed_at=result.failed_at[rows],
    )


# --------------------------------------------------------------------------------- rows do not mix


@every_other_pair
def test_a_row_replayed_alone_has_the_bits_of_the_batch(pair):
    """NumPy's cos, log, sqrt must not depend on a number's place in its array: its vector body, or its tail."""
    job, rtol = job_of(pair), 1e-9 if uses_blas(pair[1]) else 0.0
    whole = go(pair[0], job)
    for i in (0, 5, len(job.ids) - 1):
        rows = slice(i, i + 1)
        same_result(go(pair[0], rows_of(job, rows)), rows_of_result(whole, rows), rtol)


@every_other_pair
def test_permuted_and_split_batches(pair):
    job, rtol = job_of(pair), 1e-9 if uses_blas(pair[1]) else 0.0
    whole = go(pair[0], job)
    order = np.random.default_rng(0).permutation(len(job.ids))
    for rows in (order, order[:4], order[4:]):
        same_result(go(pair[0], rows_of(job, rows)), rows_of_result(whole, rows), rtol)


@each_pair
def test_rows_of_one_noise_identity_share_the_noise(pair):
    """Grid points see the same noise: with equal parameters, the same trajectory."""
    job = rows_of(job_of(pair), np.array([2, 2, 7]))
    result = go(pair[0], job)
    for values in result.data.values():
        same(values[0], values[1])
    assert any(np.any(values[0] != values[2]) for values in result.data.values())


def test_elementary_functions_do_not_depend_on_the_place_in_an_array():
    """The reason behind equal bits on replay, tested on its own: one value at every place of arrays of many lengths.

    Where a NumPy build fails this, batches must be padded to a fixed width.
    """
    values = np.random.default_rng(2).random(67) * 6.0 + 1e-3
    for f in (np.log, np.cos, np.sin, np.exp, np.tanh, np.sqrt, lambda v: v**2, lambda v: v**-0.6):
        whole = f(values)
        for n in (1, 2, 3, 7, 8, 9, 31):
            for first in range(0, 67 - n, 5):
                same(f(values[first : first + n]), whole[first : first + n])
        spaced = np.zeros((67, 3))
        spaced[:, 1] = values
        same(f(spaced[:, 1]), whole)


@pytest.mark.parametrize("d", [1, 70])
def test_memory_order_of_the_start_does_not_matter(d):
    x = np.random.default_rng(3).standard_normal((6, d))
    job = Job(Quadratic(noise.Sphere(0.3)), toy_method.Steps(1.0, 1.0), {"x": x}, np.arange(6), {})
    same_result(go(toy_method, job, 20), go(toy_method, job._replace(start={"x": np.asfortranarray(x)}), 20))


# ------------------------------------------------------------------------------------ what is recorded


@each_pair
def test_last_mean_and_max_against_a_hand_loop(pair):
    algorithm, job = pair[0], job_of(pair)
    marks = np.array([1, 2, 5, 12, 13])
    result = go(algorithm, job, marks=marks)
    states = trajectory(algorithm, job.instance, job.steps, job.start, job.ids, 13, seed=SEED)
    # metrics[t - 1] belongs to x_t
    metrics = [job.instance.metrics(s, np.asarray(float(t)), NUMPY) for t, s in enumerate(states, 1)]
    names = set()
    for metric, reductions in job.instance.RECORD.items():
        history = np.hstack([m[metric] for m in metrics])
        for j, t in enumerate(marks):
            if "last" in reductions:
                same(result.data[metric][:, j], history[:, t - 1])
            if "mean" in reductions:
                np.testing.assert_allclose(
                    result.data[f"{metric}_mean"][:, j], history[:, :t].mean(axis=1), rtol=1e-13
                )
            if "max" in reductions:
                same(result.data[f"{metric}_max"][:, j], history[:, :t].max(axis=1))
        names |= {metric if r == "last" else f"{metric}_{r}" for r in reductions}
    assert names <= set(result.data)
    assert all(v.shape == (len(job.ids), len(marks)) for v in result.data.values())


@each_pair
def test_marks_do_not_change_the_run(pair):
    """Recorded at the marks and nowhere else; a mark more or less, or a longer horizon, changes no number."""
    job = job_of(pair)
    every = go(pair[0], job, marks=np.arange(1, 21))
    some = go(pair[0], job, marks=[1, 4, 9])
    np.testing.assert_array_equal(some.marks, [1, 4, 9])
    for name, values in some.data.items():
        same(values, every.data[name][:, [0, 3, 8]])
    for name, calls in some.calls.items():
        same(calls, every.calls[name][:, [0, 3, 8]])


@each_pair
def test_horizon_one(pair):
    """One iteration: metrics at the start, one step's calls, mean = last."""
    job = job_of(pair)
    result = go(pair[0], job, marks=[1])
    first = trajectory(pair[0], job.instance, job.steps, job.start, job.ids, 0, NUMPY, SEED)[0]
    for metric, value in job.instance.metrics(first, np.asarray(1.0), NUMPY).items():
        if "mean" in job.instance.RECORD.get(metric, ()):
            same(result.data[f"{metric}_mean"], value)
    assert result.horizon == 1
    assert result.status.tolist() == [Status.OK] * len(job.ids)
    one_or_each = {(1, 1), (len(job.ids), 1)}  # loops that stop by themselves are counted per run
    assert all(c.shape in one_or_each for c in result.calls.values())


def test_params_ids_and_meta_are_handed_through():
    job = job_of((toy_method, Quadratic, 1))
    result = go(toy_method, job)
    np.testing.assert_array_equal(result.params["level"], job.params["level"])
    np.testing.assert_array_equal(result.run_ids, job.ids)
    assert result.meta == {"backend": "numpy", "engine": "eager", "seed": SEED}
    assert np.all(np.diff(result.elapsed) > 0)
    quiet = result.curve("grad_norm_mean", level=0.0)
    np.testing.assert_array_equal(quiet, result.data["grad_norm_mean"][[0, 4, 8]])
    with pytest.raises(KeyError, match="no run"):
        result.curve("grad_norm", level=0.123)
    assert [result.at(t) for t in (1, 2, 40)] == [0, 1, len(result.marks) - 1]
    for t in (0, 39, 41):
        with pytest.raises(ValueError, match=f"iteration {t} is no mark"):
            result.at(t)


def test_runs_are_noise_identities_and_rows_are_not():
    """Two points, three runs: the rows of one run side by side, for the whole grid and for some of its points."""
    grid = Grid([{"q": 0.0}, {"q": 1.0}], 3)
    result = simulate(
        Problem(TOY, Toy(), ToySteps(1.0), {"x": np.arange(6.0)[:, None]}, grid), Run(np.array([1, 2]))
    )
    assert (result.size, result.runs) == (6, 3)
    assert result.by_run(result.data["size"]).tolist() == [[0, 0, 3, 3], [1, 1, 4, 4], [2, 2, 5, 5]]
    assert result.by_run(result.curve("size", q=1.0)).tolist() == [[3, 3], [4, 4], [5, 5]]


def test_seed_changes_noisy_rows_only():
    job = job_of((toy_method, Quadratic, 1))
    a, b = go(toy_method, job), go(toy_method, job, seed=SEED + 1)
    quiet = job.params["level"] == 0.0
    same(a.data["grad_norm_mean"][quiet], b.data["grad_norm_mean"][quiet])
    assert np.all(a.data["grad_norm_mean"][~quiet, -1] != b.data["grad_norm_mean"][~quiet, -1])


def test_backends_agree(backend_name):
    """On a device all pairs; on the host every third one, since `test_contract` has all of them in short."""
    for pair in covering() if backend_name == "cupy" else covering()[::3]:
        rtol = 1e-9 if backend_name == "cupy" or uses_blas(pair[1]) else 0.0
        result = go(pair[0], job_of(pair), 6, backend=backend_name)
        assert all(isinstance(v, np.ndarray) for v in result.data.values())
        same_result(result, go(pair[0], job_of(pair), 6), rtol)


def test_progress_is_told_at_the_marks():
    told = []
    job = job_of((toy_method, Quadratic, 1))
    go(toy_method, job, marks=[1, 3, 10], progress=lambda t, horizon: told.append((t, horizon)))
    assert told == [(1, 10), (3, 10), (10, 10)]


# ---------------------------------------------------------------------------------------- the meter


def test_oracle_calls_are_counted_and_grow_with_the_iterations():
    """Two stochastic gradients per iteration; the first sample that ``init`` asks for is used again."""
    job = job_of((toy_method, Quadratic, 1), 3)
    calls = go(toy_method, job, marks=[1, 7]).calls
    assert {name: count.tolist() for name, count in calls.items()} == {"gradient": [[2, 14]]}


# ------------------------------------------------------------------------------- rows that go wrong


class ToyState(NamedTuple):
    x: Any


class ToySteps(NamedTuple):
    factor: Any


class Toy:
    """x <- factor x, or NaN once: what an engine must survive."""

    COSTS = {"look": {"look": 1}}  # noqa: RUF012
    RECORD = {"size": ("last", "mean", "max")}  # noqa: RUF012

    def __init__(self, transient=False):
        self.transient = transient

    def look(self, x, xp):
        return x

    def metrics(self, s, t, xp):
        size = xp.abs(s.x)
        # A metric that is NaN in passing and finite again later, in rows that pass through [4, 8).
        return {"size": xp.where((size >= 4.0) & (size < 8.0), xp.nan, size) if self.transient else size}


def toy_init(start, c, oracle, draw, xp):
    return ToyState(start["x"])


def toy_step(s, t, c, oracle, draw, xp):
    return ToyState(c.factor * oracle.look(s.x))


TOY = SimpleNamespace(init=toy_init, step=toy_step)


def toy_job(factors, x=1.0):
    factors = np.array(factors)[:, None]
    return Job(Toy(), ToySteps(factors), {"x": np.full_like(factors, x)}, np.arange(len(factors)), {})


def test_a_row_that_overflows_gets_a_status_and_leaves_the_others():
    job = toy_job([0.5, 1e60, -2.0, np.nan, 1e30])
    marks = np.array([1, 2, 4, 8, 16, 32])
    result = go(TOY, job, marks=marks)
    assert result.status.tolist() == [0, Status.NONFINITE, 0, Status.NONFINITE, Status.NONFINITE]
    # A mark is closed after its step, at x_{t+1} = factor^t: 1e60^8 is inf, NaN is seen at once, 1e30^16 is inf.
    assert result.failed_at.tolist() == [0, 8, 0, 1, 16]
    sound = np.array([0, 2])
    same_result(rows_of_result(result, sound), go(TOY, rows_of(job, sound), marks=marks))
    assert np.isfinite(result.data["size_mean"][sound]).all()


@each_pair
def test_a_failed_row_beside_real_ones(pair):
    """One row starts at infinity; every other row keeps its bits."""
    job, rtol = job_of(pair), 1e-9 if uses_blas(pair[1]) else 0.0
    sound = np.arange(1, len(job.ids))
    clean = go(pair[0], job)
    start = {k: v.copy() for k, v in job.start.items()}
    start["x"][0] = np.inf
    broken = go(pair[0], job._replace(start=start))
    assert broken.status[0] == Status.NONFINITE
    assert broken.failed_at[0] == 1
    same_result(rows_of_result(broken, sound), rows_of_result(clean, sound), rtol)


def test_nan_in_passing_stays_in_mean_and_maximum():
    """A run that left the finite numbers has no mean and no maximum, even if it comes back between two marks."""
    job = toy_job([2.0, 1.0])._replace(instance=Toy(transient=True))  # row 0: 1, 2, NaN, 8, 16, ...
    result = go(TOY, job, marks=[1, 2, 8])
    assert result.data["size"][0].tolist() == [1.0, 2.0, 128.0]
    for name in ("size_mean", "size_max"):
        assert np.isnan(result.data[name][0, 2])
        assert np.isfinite(result.data[name][0, :2]).all()
        assert result.data[name][1].tolist() == [1.0, 1.0, 1.0]
    assert result.status.tolist() == [Status.NONFINITE, Status.OK]
    assert result.failed_at.tolist() == [8, 0]


# ----------------------------------------------------------------------------------------------- marks


@given(st.integers(1, 10**7), st.integers(1, 8), st.lists(st.integers(-5, 2 * 10**7), max_size=4))
def test_log_marks(horizon, per_octave, extra):
    marks = log_marks(horizon, per_octave, extra)
    assert marks[0] == 1
    assert marks[-1] == horizon
    assert np.all(np.diff(marks) > 0)
    assert {horizon >> j for j in range(horizon.bit_length())} <= set(marks.tolist())
    assert set(marks.tolist()) >= {e for e in extra if 1 <= e <= horizon}
    # Dense enough: no gap of more than one step of the log grid, beyond rounding to integers.
    assert np.all(marks[1:] <= np.ceil(marks[:-1] * 2 ** (1 / per_octave) + 1))


@pytest.mark.parametrize("horizon", [0, -3])
def test_log_marks_refuse_an_empty_horizon(horizon):
    with pytest.raises(ValueError, match="at least 1"):
        log_marks(horizon)
