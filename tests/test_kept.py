"""Steps that change one task: patches in the eager engine, stacks kept in memory by kernels, and the same bits.

The reference writes ``put`` as a whole-array selection, which the engines treat as an ordinary dense update.
"""

from __future__ import annotations

import copy
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from engines import (
    KERNELS,
    Toy,
    algorithm_of,
    needs_compiler,
    on_kernels,
    run,
    same_results,
    start_of,
    steps_for,
)
from host_kernel import HostKernel

from workbench.arrays import backends, ops
from workbench.arrays.patch import DEPTH, Patch
from workbench.engine import cpu, eager, nvrtc
from workbench.engine.cpu import CpuKernel
from workbench.engine.cuda_text import CudaText
from workbench.engine.fused import Fused
from workbench.engine.gpu import EXACT
from workbench.engine.llvm_text import LlvmText
from workbench.engine.program import Program, trace, trace_marks
from workbench.engine.records import Problem, Rows

M = 7
FIELDS = {"v": (M, 2), "w": (M, 1), "x": (2,), "P": (1,), "y": (M, 2)}


def dense_put(v: Any, i: Any, new: Any, xp: Any) -> Any:
    """`ops.put` as a selection over all tasks."""
    return xp.where((xp.arange(v.shape[1]) == i)[..., None], new[:, None, :], v)


def sweep(s: Any, xp: Any) -> tuple[Any, Any, Any]:
    """(v, w, P): all tasks are rescaled once the product has become small."""
    P = s.P * 0.7
    small = P < 0.125

    def all_tasks(k: Any, carry: Any) -> Any:
        v, w = carry
        return P[:, None, :] * v + 0.01 * w, w * 0.5 + v[..., 0:1]

    v, w = ops.loop(xp.astype(small, xp.int64), all_tasks, (s.v, s.w), xp)
    return v, w, xp.where(small, 1.0, P)


def step_with(put: Any, measured: bool = False) -> Any:
    def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
        i, j = draw(0).index(M, 1), draw(0).index(M, 1, 1)
        v_i, w_i = ops.take(s.v, i, xp), ops.take(s.w, i, xp)
        y = put(s.y, j, v_i + 0.25 * ops.take(s.y, i, xp), xp)
        v, w, P = sweep(s, xp)
        x = 0.9 * s.x + v_i + draw(1).normal(2)
        v = put(v, i, x * 0.1 + v_i * 0.5, xp)
        w = put(w, i, ops.rowsum(x, xp) * 0.1 + w_i * 0.2, xp)
        z = ops.take(v, j, xp) * P
        w = put(w, j, z[..., 0:1] * 0.3, xp)
        seen = ops.tasksum(s.y, xp) if measured else 0.0
        return {
            "x": 0.5 * x + 0.1 * z + 0.01 * ops.take(w, i, xp) + 0.01 * seen,
            "P": P,
            "v": v,
            "w": w,
            "y": y,
        }

    return step


def start() -> dict[str, np.ndarray]:
    return {**start_of(FIELDS), "P": np.ones((5, 1))}


def program_of(step: Any, fields: dict[str, np.ndarray], marks: bool = False) -> Program:
    algorithm = algorithm_of(step, fields)
    runs = len(fields["x"])
    problem = Problem(algorithm, Toy(), steps_for(runs), fields)
    state = algorithm.init(fields, None, None, None, np)
    return trace_marks(problem, state) if marks else trace(problem, state)  # type: ignore[return-value]


# -------------------------------------------------------------------------------------------- the engines


@pytest.mark.parametrize("measured", [False, True])
@pytest.mark.parametrize("kernel", [None, *KERNELS])
def test_a_changed_task_has_the_bits_of_a_dense_update(kernel: Any, measured: bool) -> None:
    """By patches, by indexed stores, and beside a whole-array reader."""
    expected = run(None, step_with(dense_put, measured), start())
    same_results(run(kernel, step_with(ops.put, measured), start()), expected)


def test_kernels_keep_what_is_changed_task_by_task() -> None:
    kept = program_of(step_with(ops.put), start()).stacks
    assert sorted(kept.spots) == [0, 1, 4]
    assert [len(puts) for puts in kept.puts.values()] == [1, 2, 1]
    assert sorted(n for (numbers,) in [kept.loops.values()] for n in numbers) == [0, 1]
    assert program_of(step_with(dense_put), start()).stacks.spots == {}


def read_through_the_loop(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
    """The old stack is read at a task that the outcome of the loop determines."""
    i = draw(0).index(M, 1)
    v, w, P = sweep(s, xp)
    j = xp.astype(ops.take(w, i, xp) > 0.0, xp.int64)
    return {
        "v": ops.put(v, j, ops.take(s.v, j, xp), xp),
        "w": ops.put(w, i, ops.take(s.v, i, xp)[..., 0:1], xp),
        "P": P,
    }


def copied(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
    """Another field holds the old stack, and a third one the new stack."""
    i = draw(0).index(M, 1)
    v = ops.put(s.v, i, 0.5 * ops.take(s.v, i, xp) + 1.0, xp)
    return {"y": s.v, "v": v}


def exchanged(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
    i = draw(0).index(M, 1)
    return {"y": ops.put(s.v, i, 0.5 * ops.take(s.y, i, xp), xp), "v": ops.put(s.y, i, s.x, xp)}


def new_and_whole(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
    """The changed stack enters a whole-array operation, and is a field twice."""
    i = draw(0).index(M, 1)
    v = ops.put(s.v, i, 0.5 * s.x, xp)
    return {"x": 0.1 * ops.tasksum(v * 1.0, xp), "v": v, "y": v, "w": 1.0 - ops.put(s.w, i, s.P, xp)}


def outside(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
    """An index that no task has replaces nothing."""
    i = draw(0).index(3 * M, 1) - M
    return {"v": ops.put(s.v, i, s.x + draw(1).normal(2), xp)}


AWKWARD = [read_through_the_loop, copied, exchanged, new_and_whole, outside]


@pytest.mark.parametrize("kernel", [None, *KERNELS])
@pytest.mark.parametrize("step", AWKWARD)
def test_other_uses_have_the_same_bits(kernel: Any, step: Any, monkeypatch: Any) -> None:
    found = run(kernel, step, start())
    monkeypatch.setattr(ops, "put", dense_put)
    same_results(found, run(None, step, start()))


def test_what_others_see_is_not_kept() -> None:
    assert list(program_of(read_through_the_loop, start()).stacks.spots) == [1]
    assert list(program_of(exchanged, start()).stacks.spots) == []
    assert list(program_of(new_and_whole, start()).stacks.spots) == []
    assert list(program_of(outside, start()).stacks.spots) == [0]


def test_a_large_stack_that_is_only_read_needs_no_buffer() -> None:
    many = {"x": np.ones((3, 2)), "v": np.ones((3, 400, 1)), "w": np.ones((3, 5, 1))}
    program = program_of(lambda s, t, c, oracle, draw, xp: {"x": 0.5 * s.x + ops.tasksum(s.v, xp)}, many)
    assert list(program.stacks.spots) == [1]
    assert sum(size for _, size in LlvmText(program).plan.sizes) < 100


@needs_compiler
@pytest.mark.parametrize("kernel", KERNELS)
def test_runs_beyond_one_block_and_several_threads(kernel: Any) -> None:
    fields = {n: np.repeat(v, 8, axis=0) for n, v in start().items()}
    expected = run(None, step_with(ops.put), fields)
    same_results(run(kernel, step_with(ops.put), fields, threads=2), expected)


@pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))
def test_the_kernel_compiles_without_a_device() -> None:
    text = CudaText(program_of(step_with(ops.put), start())).text()
    assert "double *K" in text
    for architecture in ("sm_80", "sm_90"):
        _, used = nvrtc.machine_code(text, architecture, EXACT)
        assert used.spills == 0


def test_a_launch_goes_on_from_a_checkpoint() -> None:
    """The pool of kept values is part of a position."""
    algorithm, fields = algorithm_of(step_with(ops.put), FIELDS), start()
    held: list[Any] = []
    keep = SimpleNamespace(
        resume=lambda identity, backend: held[-1] if held else None,
        due=lambda mark: True,
        write=lambda position: None,
    )
    problem = Problem(algorithm, Toy(), steps_for(5), fields, Rows(np.arange(5) * 7 + 3))
    marks = (3, 20, 40)
    whole = Fused(problem, on_kernels(marks, 9)).result(on_kernels(marks, 9))
    for stop in (3, 20):
        held.clear()
        keep.write = lambda p, stop=stop: held.append(copy.deepcopy(p)) if p["t"] <= stop else None
        Fused(problem, on_kernels(marks, 9)).result(on_kernels(marks, 9, keep=keep))
        assert held[-1]["t"] == stop
        assert held[-1]["kept"].shape[0] == 5
        same_results(Fused(problem, on_kernels(marks, 9)).result(on_kernels(marks, 9, keep=keep)), whole)


# ------------------------------------------------------------------------------------------ cost of a step


def test_neither_buffers_nor_text_grow_with_the_number_of_tasks() -> None:
    def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
        i = draw(0).index(s.v.shape[1], 1)
        return {"v": ops.put(s.v, i, 0.5 * ops.take(s.v, i, xp) + s.x, xp), "x": ops.take(s.v, i, xp)}

    plans, texts = [], []
    for m in (8, 512):
        emitter = LlvmText(program_of(step, {"v": np.zeros((2, m, 2)), "x": np.zeros((2, 2))}))
        plans.append(sum(size for _, size in emitter.plan.sizes))
        texts.append(emitter.text())
    assert plans[0] == plans[1]
    assert not re.search(r"icmp slt i64 %m\d+, 8$", texts[0], re.MULTILINE)  # the end of a loop
    assert not re.search(r"icmp slt i64 %m\d+, 512$", texts[1], re.MULTILINE)
    assert texts[0].count("\n") == texts[1].count("\n")


def test_an_eager_step_copies_a_stack_once(monkeypatch: Any) -> None:
    """The first patch makes the engine's own array; later ones are written into it."""
    made: list[int] = []
    whole = Patch.whole
    monkeypatch.setattr(Patch, "whole", lambda self: (made.append(1), whole(self))[1])

    def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> dict[str, Any]:
        i = draw(0).index(M, 1)
        return {"v": ops.put(s.v, i, 0.5 * ops.take(s.v, i, xp), xp)}

    fields = {"v": start()["v"]}
    before = fields["v"].copy()
    algorithm = algorithm_of(step, fields)
    problem = Problem(
        algorithm, SimpleNamespace(COSTS={}, RECORD={}, metrics=lambda s, t, xp: {}), steps_for(5), fields
    )
    eager.simulate(problem, on_kernels((40,), 1))
    assert sum(made) == 1
    np.testing.assert_array_equal(fields["v"], before)


# ----------------------------------------------------------------------------------------------- a patch


def test_a_patch_stands_for_the_whole_array() -> None:
    rng = np.random.default_rng(3)
    v, new, i = rng.standard_normal((4, M, 2)), rng.standard_normal((4, 2)), np.array([[0], [6], [-1], [7]])
    patch, whole = ops.put(v, i, new, np), dense_put(v, i, new, np)
    assert isinstance(patch, Patch)
    for found, expected in (
        (np.asarray(patch), whole),
        (patch[1:3], whole[1:3]),
        (2.0 * patch - v, 2.0 * whole - v),
        (v / patch, v / whole),
        (patch > 0.0, whole > 0.0),
        (-patch, -whole),
        (np.where(v > 0, patch, v), np.where(v > 0, whole, v)),
        (np.sum(patch, axis=1), np.sum(whole, axis=1)),
        (patch.sum(axis=1), whole.sum(axis=1)),
        (backends.to_host(patch), whole),
        (patch * patch, whole * whole),
    ):
        np.testing.assert_array_equal(found, expected)
    assert len(patch) == 4
    for j in range(M):
        at = np.full((4, 1), j)
        np.testing.assert_array_equal(ops.take(patch, at, np), whole[:, j])
    out = v.copy()
    patch.write(out)
    np.testing.assert_array_equal(out, whole)


def test_patches_upon_patches_end_in_an_array() -> None:
    v, found = np.zeros((2, M, 1)), np.zeros((2, M, 1))
    for n in range(3 * DEPTH):
        i = np.array([[n % M], [(3 * n) % M]])
        v, found = (
            dense_put(v, i, np.full((2, 1), n + 1.0), np),
            ops.put(found, i, np.full((2, 1), n + 1.0), np),
        )
        assert found.depth <= DEPTH
    np.testing.assert_array_equal(np.asarray(found), v)


@pytest.mark.parametrize("backend_name", ["array-api-strict"])
def test_libraries_without_writing_copy(backend_name: str) -> None:
    xp = backends.namespace(backend_name)
    v = xp.zeros((2, 3, 1))
    found = ops.put(v, xp.asarray([[0], [2]]), xp.ones((2, 1)), xp)
    assert not isinstance(found, Patch)
    assert np.asarray(found)[:, :, 0].tolist() == [[1, 0, 0], [0, 0, 1]]


def test_lanes_share_one_kernel(monkeypatch: Any) -> None:
    """One run and many runs, by blocks of one lane and of sixteen."""
    fields = {n: np.repeat(v[:1], 40, axis=0) for n, v in start().items()}
    wide = run(CpuKernel, step_with(ops.put), fields)
    one = run(
        CpuKernel,
        step_with(ops.put),
        {n: v[:3] for n, v in fields.items()},
        steps=steps_for(40)._make(v[:3] for v in steps_for(40)),
    )
    for name, values in one.data.items():
        np.testing.assert_array_equal(wide.data[name][:3], values)


@needs_compiler
def test_the_host_kernel_reads_the_same_pool() -> None:
    same_results(run(HostKernel, step_with(ops.put), start()), run(CpuKernel, step_with(ops.put), start()))


@pytest.mark.parametrize(
    ("held", "kept", "runs", "lanes"),
    [
        (60, 0, 3, 1),
        (60, 0, 255, cpu.SEVERAL),
        (60, 0, 256, cpu.MANY),
        (600, 0, 1024, cpu.SEVERAL),
        (60, 64, 256, cpu.MANY),  # a few tasks
        (60, 520, 1024, cpu.LANES),
        (600, 64, 1024, cpu.LANES),
        (1 << 17, 64, 1024, cpu.LANES // 2),
        (1 << 17, 0, 1024, cpu.LANES),  # for which there is no room: refused as too large
    ],
)
def test_lanes_follow_from_what_a_run_holds(
    held: int, kept: int, runs: int, lanes: int, monkeypatch: Any
) -> None:
    """held, kept: entries of 8 bytes per run."""
    monkeypatch.setattr(cpu, "plan", lambda graph, phis: None)
    monkeypatch.setattr(cpu, "entries", lambda made: held)
    program: Any = SimpleNamespace(graph=None, phis=None, stacks=SimpleNamespace(width=kept))
    assert cpu.lanes_for(program, runs) == lanes
