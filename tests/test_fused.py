"""Engines agree: the same seed gives the same bits on eager NumPy, in compiled lanes and in the CUDA text on the host.

Round-off, not bits, is asked where an instance multiplies matrices (`discover.uses_blas`). Whatever is not a property
of the engine (how many runs, which threads, in how many launches) must not show in a number.
"""

from __future__ import annotations

import functools
import re
import tracemalloc
from collections import namedtuple
from types import SimpleNamespace

import engines
import numpy as np
import pytest
from discover import pair_id, same, take_rows, uses_blas
from engines import (
    GRID_ROWS,
    KERNELS,
    Steps,
    Toy,
    agree,
    algorithm_of,
    job_of,
    needs_compiler,
    one_of_each,
    run,
    same_results,
    start_of,
)
from host_kernel import HostKernel, covering_kernels, refused_pairs
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from random_steps import FIELDS, OPERATIONS, random_step
from thin import one_in
from toy_steps import TOYS, together

from workbench.arrays import backends, noise, ops
from workbench.engine import eager, fused
from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.gpu import GpuKernel
from workbench.engine.records import Problem, Rows
from workbench.engine.refusal import TraceError

RUNS, SEED, HORIZON = GRID_ROWS, 11, 270  # past a block of 256 functions of t
MARKS = np.array([1, 40, HORIZON])
PAIRS = covering_kernels()
EACH = one_of_each(PAIRS)
HOW = engines.on_kernels(MARKS, SEED)
PAPERS_OWN = [n for n in EACH if not pair_id(PAIRS[n]).startswith("baselines.")]
IN_LANES = [*PAPERS_OWN, *[n for n in EACH if n not in PAPERS_OWN][::4]]


def rows_of(job, rows):
    return take_rows(job, rows, RUNS)


def on_kernel(kernel, job, marks=MARKS):
    how = engines.on_kernels(marks, SEED)
    return Fused(job, how, kernel).result(how)


@functools.cache
def eagerly(number):
    return eager.simulate(job_of(PAIRS[number]), HOW)


def rtol_of(number):
    return 1e-9 if uses_blas(PAIRS[number][1]) else 0.0


# --------------------------------------------------------------------------------- the engines agree


@needs_compiler
@pytest.mark.parametrize("number", one_in(4, range(len(PAIRS))), ids=[pair_id(p) for p in PAIRS])
def test_the_cuda_text_has_the_bits_of_the_eager_engine(number):
    """Data, calls and status, after 270 steps, for every algorithm and every instance with a kernel."""
    result = on_kernel(HostKernel, job_of(PAIRS[number]))
    same_results(result, eagerly(number), rtol_of(number))
    assert result.meta["engine"] == "fused"


@pytest.mark.parametrize("number", one_in(4, IN_LANES), ids=[pair_id(PAIRS[n]) for n in IN_LANES])
def test_compiled_lanes_have_the_bits_of_the_eager_engine(number):
    """The papers' methods and every fourth baseline; steps of every kind: `test_tracer`."""
    same_results(on_kernel(CpuKernel, job_of(PAIRS[number])), eagerly(number), rtol_of(number))


@pytest.mark.gpu
@pytest.mark.parametrize("number", range(len(PAIRS)), ids=[pair_id(p) for p in PAIRS])
def test_a_device_has_the_bits_of_the_eager_engine(number):
    same_results(on_kernel(GpuKernel, job_of(PAIRS[number])), eagerly(number), rtol_of(number))


@pytest.mark.parametrize("pair", refused_pairs(), ids=pair_id)
def test_what_no_kernel_can_is_refused_in_one_sentence(pair):
    """So that these pairs are left out above for what they are; `auto` takes the eager engine."""
    with pytest.raises(TraceError, match=r"^[^\n]* cannot be compiled; [^\n]*, or use --engine eager$"):
        Fused(job_of(pair), HOW, CpuKernel)


instructions = st.tuples(st.integers(0, len(OPERATIONS) - 1), st.integers(0, 30), st.integers(0, 30))


@needs_compiler
@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(st.lists(instructions, min_size=10, max_size=40))
@example([(n, 3 * n % 17, 5 * n % 13) for n in range(len(OPERATIONS))] * 2)
def test_random_steps(program):
    """Finds what the scheduler gets wrong: forty random expressions at a time, with loops and branches among them."""
    for kernel in (HostKernel, CpuKernel):
        agree(kernel, random_step(program), FIELDS)


# ------------------------------------------------------------------- what must not show in the numbers

MIXED = ["random_loop", "tasks", "old_values_read_late"]  # noise of every kind, loops of own length, gather


@pytest.fixture(scope="module")
def mixed():
    """A toy algorithm with its start, and its result in lanes."""
    step, fields = together(MIXED)
    start = start_of(fields)
    algorithm = algorithm_of(step, start)
    return algorithm, start, run(CpuKernel, algorithm, start)


@pytest.mark.parametrize("number", PAPERS_OWN[::4], ids=[pair_id(PAIRS[n]) for n in PAPERS_OWN[::4]])
def test_one_run_replayed_alone(number):
    """A kernel with one lane against one with sixteen."""
    job, whole = job_of(PAIRS[number]), eagerly(number)
    for row in (0, RUNS - 1):
        rows = slice(row, row + 1)
        alone = on_kernel(CpuKernel, rows_of(job, rows))
        assert alone.data.keys() == whole.data.keys()
        for name, values in alone.data.items():
            same(values, whole.data[name][rows], rtol_of(number))
        same(alone.status, whole.status[rows])


def test_one_run_branches_into_short_functions_with_the_same_bits():
    """Angles within and beyond the first half turn, with both signs."""

    def step(s, t, c, oracle, draw, xp):
        angle = xp.where(s.x > 0.0, -s.x, 0.37 - s.x)  # 0, -.37, .37, -.74, .74 ... and on
        return {"x": angle, "sums": s.sums + xp.sin(angle) * t + xp.cos(angle * 1.7)}

    start = {"x": np.zeros((1, 1)), "sums": np.zeros((1, 1))}
    wide = {"x": np.linspace(0.0, 5.0, 24).reshape(1, 24), "sums": np.zeros((1, 24))}
    marks = np.arange(1, 200)
    for begin, branches in ((start, 2), (wide, 0)):  # a vector of angles would take both branches
        algorithm = algorithm_of(step, begin)
        problem = Problem(algorithm, Toy(), Steps(0.0, 0), begin, Rows(np.arange(1)))
        text = Fused(problem, HOW, CpuKernel).kernel.text
        assert len(re.findall(r"^yes\d+:$", text, re.MULTILINE)) == branches
        same_results(run(CpuKernel, algorithm, begin, marks=marks), run(None, algorithm, begin, marks=marks))


@needs_compiler
@pytest.mark.parametrize("number", range(0, len(PAIRS), 6))
def test_permuted_rows_and_a_grid_against_separate_calls(number):
    job = job_of(PAIRS[number])
    whole = on_kernel(HostKernel, job, MARKS[:2])
    order = np.random.default_rng(0).permutation(RUNS)
    for rows in (order, order[:2], order[2:], np.array([4, 4, 1])):
        part = on_kernel(HostKernel, rows_of(job, rows), MARKS[:2])
        for name, values in part.data.items():
            np.testing.assert_array_equal(values, whole.data[name][rows])


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_do_not_show(threads, mixed):
    """37 runs are three blocks of lanes; the last is padded."""
    algorithm, start, _ = mixed
    start = {n: np.resize(v, (37, *v.shape[1:])) for n, v in start.items()}
    same_results(run(CpuKernel, algorithm, start, threads=threads), run(CpuKernel, algorithm, start))


@pytest.mark.parametrize("steps", [1, 7])
def test_short_launches_do_not_show(steps, mixed, monkeypatch):
    """Cut into launches of any length: state, sums and words of signs that serve 32 iterations are taken up again."""

    class Fixed:
        def __init__(self):
            self.steps = steps

        def of(self, n, launch):
            assert n <= steps
            launch()

    monkeypatch.setattr(fused, "_Pace", Fixed)
    same_results(run(CpuKernel, *mixed[:2]), mixed[2])


def test_pace_keeps_a_launch_near_half_a_second(monkeypatch):
    """A millisecond per iteration: from 64 iterations at once, at most fourfold, to 500; then it follows the load."""
    clock = [0.0]
    monkeypatch.setattr(fused.time, "perf_counter", lambda: clock[0])
    pace, seen = fused._Pace(), []
    for cost in [1e-3] * 6 + [1e-1] * 3:
        steps = pace.steps
        seen.append(steps)
        pace.of(steps, lambda c=cost, n=steps: clock.__setitem__(0, clock[0] + c * n))
    assert seen[:4] == [64, 256, 500, 500]
    assert seen[-2:] == [4, 5]


def test_progress_between_marks(mixed, monkeypatch):
    told = []
    monkeypatch.setattr(fused, "LAUNCH_SECONDS", 1e-9)  # one iteration per launch
    algorithm, start, _ = mixed
    how = engines.on_kernels([10, 90], 3, progress=lambda t, horizon: told.append((t, horizon)))
    Fused(toy_job(algorithm, start), how, CpuKernel).result(how)
    assert {h for _, h in told} == {90}
    times = [t for t, _ in told]
    assert times == sorted(times)
    assert {10, 90} <= set(times)
    assert len(times) > 20


def toy_job(algorithm, start, grid=None):
    return Problem(algorithm, Toy(), Steps(np.full((5, 1), 0.5), np.ones((5, 1))), start, grid)


def test_an_interrupt_leaves_the_loop(mixed):
    """Progress is where Ctrl-C arrives: nothing is caught on the way out."""

    def stop(t, horizon):
        raise KeyboardInterrupt

    algorithm, start, _ = mixed
    how = engines.on_kernels([10, 90], 3, progress=stop)
    made = Fused(toy_job(algorithm, start), how, CpuKernel)
    with pytest.raises(KeyboardInterrupt):
        made.result(how)


# ---------------------------------------------------------------------------------------------- memory


def memory_of(algorithm, start, marks):
    """Bytes held at most while a result is made, and bytes of the result."""
    made = Fused(toy_job(algorithm, start), engines.on_kernels([1, 2], 3), CpuKernel)
    made.result(engines.on_kernels([1, 2], 3))
    tracemalloc.start()
    result = made.result(engines.on_kernels(marks, 3))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, sum(v.nbytes for v in result.data.values())


def test_memory_grows_with_the_marks_and_not_with_the_horizon(mixed):
    """A hundred times the horizon, the same memory; twenty times the marks, twenty times the result."""
    short, size = memory_of(*mixed[:2], np.arange(1, 6) * 100)
    long, same_size = memory_of(*mixed[:2], np.arange(1, 6) * 10000)
    _, larger = memory_of(*mixed[:2], np.arange(1, 101) * 5)
    assert long < short + 20000
    assert same_size == size
    assert larger == 20 * size


# ------------------------------------------------------------------------------------ fast arithmetic


def test_fast_arithmetic_is_named_and_agrees_to_round_off():
    step, fields = TOYS["elementary_functions"]
    start = start_of(fields)
    job = toy_job(algorithm_of(step, start), start)
    hows = [engines.on_kernels([1], 3, fast=f) for f in (False, True)]
    strict, fast = (Fused(job, how, CpuKernel) for how in hows)
    assert strict.kernel.text != fast.kernel.text
    assert "fmul contract <" in fast.kernel.text
    assert "contract" not in strict.kernel.text
    plain, contracted = strict.result(hows[0]), fast.result(hows[1])
    assert contracted.meta["arithmetic"] == "fast"
    assert "arithmetic" not in plain.meta
    for name, values in plain.data.items():
        np.testing.assert_allclose(contracted.data[name], values, rtol=1e-13, err_msg=name)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_mark_takes_one_number_per_run_from_the_memory_of_the_kernel(kernel, monkeypatch):
    """On a device the state would take longer to travel than many iterations."""
    texts = {n: Fused(job_of(PAIRS[n]), HOW, CpuKernel) for n in EACH}  # not compiled
    measuring = [n for n, made in texts.items() if made.at_marks is not None]
    made = Fused(job_of(PAIRS[min(measuring, key=lambda n: len(texts[n].kernel.text))]), HOW, kernel)
    taken, to_host = list[int](), backends.to_host

    def counted(a):
        taken.append(np.size(a))
        return to_host(a)

    monkeypatch.setattr(backends, "to_host", counted)
    made.result(HOW)
    assert set(taken) == {RUNS}
    assert any(np.size(field) > RUNS for field in made.state)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 2)])
def test_a_field_without_entries(kernel, shape):
    """A memory of no vectors, say."""
    start, fields = start_of({"x": (2,)}), namedtuple("State", "x none")
    algorithm = SimpleNamespace(
        init=lambda start, c, oracle, draw, xp: fields(start["x"], xp.zeros((len(start["x"]), *shape))),
        step=lambda s, t, c, oracle, draw, xp: fields(0.9 * s.x + 0.1 * draw(0).normal(2), s.none),
    )
    job = Problem(algorithm, Toy(), engines.steps_for(engines.RUNS), start)
    how = engines.on_kernels([1, 20, 40], SEED)
    same_results(Fused(job, how, kernel).result(how), eager.simulate(job, how))


@pytest.mark.parametrize("kernel", KERNELS)
def test_runs_with_one_identity_share_their_noise(kernel):
    step, fields = TOYS["old_values_read_late"]
    start = {n: np.repeat(v[:1], 5, axis=0) for n, v in start_of(fields).items()}
    job = toy_job(algorithm_of(step, start), start, grid=Rows(np.array([4, 9, 4, 4, 2**32 - 1])))
    how = engines.on_kernels([5], 2**64 - 1)
    result = Fused(job, how, kernel).result(how)
    for values in result.data.values():
        assert values[0] == values[2] == values[3]
    assert any(values[0] != values[1] != values[4] for values in result.data.values())


def tables(s, t, c, oracle, draw, xp):
    """A random permutation, a draw in proportion, a table that is changed in one place, heavy tails."""
    order = ops.ranks(draw(0).uniform(3), xp)
    picked = ops.choice(xp.abs(s.x) + 0.1, draw(1).uniform(1), xp)
    x = ops.add_at(s.x, picked, draw(2).normal(1), xp) + 0.1 * xp.astype(order, xp.float64)
    return {"x": x + PARETO(draw(3), 3, 0, xp) + STUDENT(draw(3), 3, 1, xp)}


PARETO, STUDENT = noise.Pareto(1.5, 0.1), noise.Student(4, 0.1)


@pytest.mark.parametrize("kernel", KERNELS)
def test_tables_permutations_and_heavy_tails_have_the_same_bits(kernel):
    agree(kernel, tables, {"x": (3,)})
