"""Compiled kernels on disk: found again, checked before use, rebuilt where damaged; a text that holds no data."""

from __future__ import annotations

import os
import platform
import re
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import toy_method
from discover import holds_sparse_rows, pairs, starts, steps_of, with_noise
from engines import Steps, Toy, algorithm_of, on_kernels, run, same_results, start_of
from toy_method import Quadratic

from workbench.arrays import noise, ops
from workbench.engine import cpu, kernels, machine_code
from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.records import Problem

START = start_of({"x": (1,)})
HOW = on_kernels([1, 9], 3)


def step(s, t, c, oracle, draw, xp):
    return {"x": s.x - c.a * oracle.slope(s.x) + 0.1 * draw(0).uniform(1)}


def simulation():
    """As a new process would make it: nothing of an earlier one is in memory."""
    kernels.load.cache_clear()
    steps = Steps(np.full((5, 1), 0.5), 1.0)
    return Fused(Problem(algorithm_of(step, START), Toy(), steps, START), HOW, CpuKernel)


@pytest.fixture
def compiled_anew(monkeypatch):
    """The texts that were compiled."""
    texts, compiled = [], machine_code.object_code
    monkeypatch.setattr(machine_code, "object_code", lambda text: (texts.append(text), compiled(text))[1])
    return texts


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_KERNELS", str(tmp_path / "kernels"))
    yield tmp_path / "kernels"
    kernels.load.cache_clear()


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder with one kernel, as a process left it, and the numbers that the kernel gave."""
    path = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_KERNELS", str(path))
        made = simulation()
        assert not made.is_cached
        result = made.result(HOW)
        assert made.is_cached
    return path, result


@pytest.fixture
def used(filled, folder):
    """A copy of it: (file of the kernel, expected result)."""
    folder.mkdir()
    (source,) = filled[0].glob("k_*.obj")
    (folder / source.name).write_bytes(source.read_bytes())
    assert source.stem == kernels.name_of(simulation().kernel.text)
    return folder / source.name, filled[1]


def test_a_kernel_is_found_again(used, compiled_anew):
    made = simulation()
    assert made.is_cached
    same_results(made.result(HOW), used[1])
    assert compiled_anew == []


def garbage(path):
    path.write_bytes(b"\x80\x05" + bytes(range(256)))


def half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def one_bit(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def empty(path):
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [garbage, half, one_bit, empty, Path.unlink])
def test_a_damaged_file_is_compiled_again_and_never_loaded(used, compiled_anew, damage):
    path, expected = used
    damage(path)
    made = simulation()
    assert not made.is_cached
    same_results(made.result(HOW), expected)
    assert compiled_anew == [made.kernel.text]
    assert made.is_cached


def test_a_kernel_takes_no_other_arrays(used):
    """The code would read wrong addresses."""
    kernel = kernels.load(simulation().kernel.text)
    row, table = np.zeros(8, np.int64), np.zeros((2, 8))
    for wrong in (np.zeros(8, np.int32), table.T):
        with pytest.raises(TypeError, match="contiguous arrays of 64-bit numbers"):
            kernel(1, 0, 0, 0, 1, 2, 8, row, wrong, table, table, row, row)


def test_a_kernel_needs_no_numba(used, tmp_path):
    """Neither one that is there nor one that is compiled: loading Numba takes longer."""
    text = tmp_path / "kernel.ll"
    text.write_text(simulation().kernel.text)
    script = (
        f"import sys; from workbench.engine import cpu, kernels; text = open({str(text)!r}).read();"
        "print(kernels.is_cached(text)); kernels.load(text); print('numba' in sys.modules)"
    )
    root = Path(__file__).parent.parent
    environment = {**os.environ, "WORKBENCH_KERNELS": str(used[0].parent), "PYTHONPATH": str(root)}
    for found in ("True", "False"):
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=root, env=environment, capture_output=True, text=True
        )
        assert done.stdout.split() == [found, "False"], done.stderr
        used[0].unlink()


def test_another_processor_has_another_name(monkeypatch):
    before = kernels.name_of("text")
    kernels._toolchain.cache_clear()
    monkeypatch.setattr(machine_code, "machine", lambda: "another processor")
    try:
        assert kernels.name_of("text") != before
    finally:
        kernels._toolchain.cache_clear()


def test_another_toolchain_has_another_name(monkeypatch):
    before = kernels.name_of("text")
    assert before == kernels.name_of("text") != kernels.name_of("text ")
    monkeypatch.setattr(kernels, "_toolchain", lambda: "another LLVM")
    assert kernels.name_of("text") != before


@pytest.mark.long
def test_two_processes_make_one_kernel(folder):
    """Both start with an empty folder; what is left is whole, and a third finds it."""
    script = (
        "import sys; sys.path.insert(0, 'tests'); import test_kernels as k; m = k.simulation();"
        "made = []; compiled = k.machine_code.object_code;"
        "k.machine_code.object_code = lambda text: (made.append(text), compiled(text))[1];"
        "r = m.result(k.HOW); print(len(made), sorted((n, v.tolist()) for n, v in r.data.items()))"
    )
    root = Path(__file__).parent.parent
    environment = {**os.environ, "WORKBENCH_KERNELS": str(folder), "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", script]
    both = [
        subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True) for _ in "ab"
    ]
    told = [process.communicate(timeout=120)[0].split(" ", 1) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert told[0][1] == told[1][1]
    assert sorted(count for count, _ in told) == ["0", "1"], "one compiles, the other waits and loads"
    made = simulation()
    assert made.is_cached


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("WORKBENCH_KERNELS", str(blocked / "kernels"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert kernels.folder() == tmp_path / "cache" / "theorem-workbench" / "kernels"
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert kernels.folder().is_dir()
    assert kernels.folder().name.startswith("workbench-kernels-")
    made = simulation()
    made.result(HOW)
    assert made.is_cached
    kernels.load.cache_clear()


# -------------------------------------------------------------------------------------- what a text holds


def text_of(pair, level=0.5, factor=1.0, runs=6, **changes):
    algorithm, cls, d = pair
    instance, start = with_noise(cls, noise.Gaussian(level)), starts(runs, d, seed=runs)
    instance = replace(instance, **changes)
    steps = steps_of(algorithm, instance, start)
    steps = type(steps)(*(v * factor if isinstance(v, float) else v for v in steps))
    return Fused(Problem(algorithm, instance, steps, start), on_kernels([1, 9], runs), CpuKernel).kernel.text


def some_pairs():
    """One pair for every sixth algorithm of those with a kernel."""
    return list({pair[0]: pair for pair in pairs() if not holds_sparse_rows(pair[1])}.values())[::6]


@pytest.mark.parametrize("pair", some_pairs(), ids=lambda pair: pair[0].__name__.rsplit(".", 1)[-1])
def test_what_changes_only_a_number_shares_the_kernel(pair):
    """Seeds, starts, more runs, other step sizes, another noise level; and one grid shares with another."""
    text = text_of(pair)
    assert text_of(pair, level=0.7, factor=1.234567) == text
    assert text_of(pair, runs=37) == text
    grid = text_of(pair, level=np.linspace(0.1, 2.0, 6)[:, None], factor=np.linspace(0.5, 1.0, 6)[:, None])
    level, factor = np.linspace(0.0, 1.0, 7)[:, None], np.linspace(2.0, 1.0, 7)[:, None]
    assert text_of(pair, level=level, factor=factor, runs=7) == grid


def test_the_text_holds_no_data():
    """Neither a number of the instance or of the steps, nor an entry of a table; they are arguments."""

    def with_table(s, t, c, oracle, draw, xp):
        return {
            "x": s.x - c.a * oracle.slope(s.x) + 0.0 * xp.asarray(np.array([1.2345678, 8.7654321]))[..., 0:1]
        }

    steps = Steps(np.full((5, 1), 0.123456789), 0.987654321)
    made = [
        Fused(
            Problem(algorithm_of(f, START), Toy(scale=0.24681357), steps, START),
            HOW,
            CpuKernel,
        )
        for f in (step, with_table)
    ]
    for number in ("123456789", "987654321", "24681357", "2345678", "7654321"):
        assert all(number not in m.kernel.text for m in made)


# ---------------------------------------------------------------------------------------- vector code


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="looks for x86-64 instructions")
def test_the_lanes_become_vector_instructions():
    """An operation that LLVM takes apart would make scalar code without a word."""
    instance, start = Quadratic(noise.Gaussian(0.5)), starts(6, 1)
    problem = Problem(toy_method, instance, toy_method.Steps(0.3, 0.7), start)
    made = Fused(problem, on_kernels([2], 1), CpuKernel)
    module, machine = machine_code.optimize(made.kernel.text)
    assembly = machine.emit_assembly(module)
    packed = len(re.findall(r"\bv?mulpd\b", assembly))
    scalar = len(re.findall(r"\bv?mulsd\b", assembly))
    assert packed > 20, f"{packed} packed and {scalar} scalar multiplications"
    assert packed > 4 * scalar, f"{packed} packed and {scalar} scalar multiplications"


@pytest.mark.parametrize("lanes", [1, 16, 24, 64])
def test_one_run_that_goes_on_is_enough(lanes, monkeypatch):
    """An inner loop ends only when no run of the block continues, wherever in the block that is."""

    def counting(s, t, c, oracle, draw, xp):
        return {"x": ops.loop(c.count, lambda k, carry: (carry[0] + 1.0,), (s.x,), xp)[0]}

    monkeypatch.setattr(cpu, "lanes_for", lambda program, runs: lanes)
    start = {"x": np.zeros((lanes, 1))}
    for number in sorted({0, lanes // 2, lanes - 1}):
        counts = np.zeros((lanes, 1))
        counts[number] = 3.0
        options = {"steps": Steps(counts, counts), "marks": [1, 2]}
        same_results(run(CpuKernel, counting, start, **options), run(None, counting, start, **options))


def test_a_few_runs_take_one_lane():
    """For fewer than four runs lanes would be padding; the numbers are the same."""
    few = {n: v[:2] for n, v in START.items()}
    steps = Steps(np.full((5, 1), 0.5), 1.0)
    whole = run(CpuKernel, step, START, steps=steps)
    pair = run(CpuKernel, step, few, steps=Steps(steps.a[:2], 1.0))
    for name, values in pair.data.items():
        np.testing.assert_array_equal(values, whole.data[name][:2])


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
@pytest.mark.parametrize("room", [0, 100, 2_000])
def test_a_full_folder_is_done_without(filled, folder, room):
    """No file may grow beyond so many bytes: nothing, or not all of what is compiled."""
    folder.mkdir()
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        made = simulation()
        same_results(made.result(HOW), filled[1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert not made.is_cached
