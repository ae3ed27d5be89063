"""Compiled kernels on disk: found again, checked before use, rebuilt where damaged; a text that holds no data."""

from __future__ import annotations

import json
import os
import platform
import py_compile
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
from numba import njit
from toy_method import Quadratic

from workbench.arrays import noise
from workbench.engine import kernels, machine_code
from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.lanes import any_of, integers
from workbench.engine.pipeline import Pipeline
from workbench.engine.records import Problem

START = start_of({"x": (1,)})
HOW = on_kernels([1, 9], 3)


def step(s, t, c, oracle, draw, xp):
    return {"x": s.x - c.a * oracle.slope(s.x) + 0.1 * draw(0).uniform(1)}


def simulation():
    """As a new process would make it: nothing of an earlier one is in memory."""
    kernels.load.cache_clear()
    kernels.machine_code.cache_clear()
    steps = Steps(np.full((5, 1), 0.5), 1.0)
    return Fused(Problem(algorithm_of(step, START), Toy(), steps, START), HOW, CpuKernel)


def compiled_anew(made):
    """Numba's own count of what it did not find on disk."""
    return sum(kernels.load(made.kernel.text).stats.cache_misses.values())


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
        assert compiled_anew(made) == 1
    return path, result


@pytest.fixture
def used(filled, folder):
    """A copy of it: (folder, name, text, expected result)."""
    folder.mkdir()
    (folder / "__pycache__").mkdir()
    for path in filled[0].rglob("*"):
        if path.is_file():
            target = folder / path.relative_to(filled[0])
            target.write_bytes(path.read_bytes())
            os.utime(target, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    text = simulation().kernel.text
    return folder, kernels.name_of(text), text, filled[1]


def test_a_kernel_is_found_again(used):
    made = simulation()
    assert made.is_cached
    same_results(made.result(HOW), used[3])
    assert compiled_anew(made) == 0


def garbage(path):
    path.write_bytes(b"\x80\x05" + bytes(range(256)))


def half(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def one_bit(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [garbage, half, one_bit, Path.unlink])
@pytest.mark.parametrize("suffix", ["nbi", "nbc", "obj"])
def test_a_damaged_file_is_compiled_again_and_never_loaded(used, damage, suffix):
    folder, name, _, expected = used
    (path,) = folder.rglob(f"{name}.*{suffix}")
    damage(path)
    made = simulation()
    assert not made.is_cached
    same_results(made.result(HOW), expected)
    assert compiled_anew(made) == 1
    assert made.is_cached


def test_machine_code_has_the_same_bits_as_numbas_kernel(used, monkeypatch):
    folder, name, text, expected = used
    assert kernels.machine_code(text) is not None
    same_results(simulation().result(HOW), expected)
    for variable in machine_code.OTHERWISE[:2]:
        with monkeypatch.context() as patch:
            patch.setenv(variable, "generic")
            assert machine_code.load(folder / f"{name}.obj") is None
    monkeypatch.setattr(machine_code, "_machine", lambda: "another processor")
    made = simulation()
    assert kernels.machine_code(text) is None
    same_results(made.result(HOW), expected)
    assert compiled_anew(made) == 0


def test_machine_code_takes_no_other_arrays(used):
    """Numba would compile the kernel for them; the code alone would read wrong addresses."""
    kernel = kernels.machine_code(used[2])
    row, table = np.zeros(8, np.int64), np.zeros((2, 8))
    with pytest.raises(TypeError, match="2-dimensional arrays of float64, got 1 of int64"):
        kernel(1, 0, 0, 0, 1, 2, row, row, table, table, row, row)
    with pytest.raises(TypeError, match="2-dimensional arrays of float64"):
        kernel(1, 0, 0, 0, 1, 2, row, np.zeros((8, 2)).T, table, table, row, row)


def test_a_process_that_finds_machine_code_does_without_numba(used):
    script = (
        "import sys; sys.path.insert(0, 'tests'); from workbench.engine import cpu, kernels;"
        f"text = open({str(used[0] / (used[1] + '.py'))!r}).read();"
        "print(kernels.machine_code(text) is None, 'numba' in sys.modules)"
    )
    root = Path(__file__).parent.parent
    environment = {**os.environ, "WORKBENCH_KERNELS": str(used[0]), "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, env=environment, capture_output=True, text=True
    )
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_bytecode_is_not_trusted(used, monkeypatch):
    """Python would load it in place of the text, which alone is sealed."""
    folder, name, _, expected = used
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    py_compile.compile(str(folder / f"{name}.py"))
    (path,) = (folder / "__pycache__").glob(f"{name}.*.pyc")
    half(path)
    made = simulation()
    assert made.is_cached
    same_results(made.result(HOW), expected)


@pytest.mark.parametrize("text", ["raise SystemExit('not our text')\n", "", None])
def test_a_text_that_is_not_ours_is_replaced(used, text):
    folder, name, own, expected = used
    path = folder / f"{name}.py"
    path.unlink() if text is None else path.write_text(text)
    made = simulation()
    assert not made.is_cached
    same_results(made.result(HOW), expected)
    assert path.read_text() == own
    assert made.is_cached


@pytest.mark.parametrize("seal", [None, "", "{}", "[1, 2]", "not json", '{"k.nbi": "0"}'])
def test_without_its_seal_nothing_is_trusted(used, seal):
    folder, name, _, expected = used
    path = folder / f"{name}.seal"
    path.unlink() if seal is None else path.write_text(seal)
    made = simulation()
    assert not made.is_cached
    same_results(made.result(HOW), expected)
    assert compiled_anew(made) == 1
    assert len(json.loads(path.read_text())) == 4  # text, index, code, and the code alone


def test_numbas_own_folder_does_not_count(folder, tmp_path, monkeypatch):
    """With NUMBA_CACHE_DIR the compiled files would lie where no seal watches them."""
    from numba import config

    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "numba"))
    made = simulation()
    made.result(HOW)
    assert len(json.loads((folder / f"{kernels.name_of(made.kernel.text)}.seal").read_text())) == 4
    assert config.CACHE_DIR.endswith("numba")


def test_another_toolchain_has_another_name(monkeypatch):
    before = kernels.name_of("text")
    assert before == kernels.name_of("text") != kernels.name_of("text ")
    monkeypatch.setattr(kernels, "_toolchain", lambda: "another Numba")
    assert kernels.name_of("text") != before


@pytest.mark.long
def test_two_processes_make_one_kernel(folder):
    """Both start with an empty folder; what is left is whole, and a third finds it."""
    script = (
        "import sys; sys.path.insert(0, 'tests'); import test_kernels as k; m = k.simulation();"
        "r = m.result(k.HOW); print(k.compiled_anew(m), sorted((n, v.tolist()) for n, v in r.data.items()))"
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
def test_the_lanes_become_vector_instructions(folder):
    """A helper that is not inlined, or a possible overlap of buffers, would make scalar code without a word."""
    instance, start = Quadratic(noise.Gaussian(0.5)), starts(6, 1)
    how = on_kernels([2], 1)
    made = Fused(Problem(toy_method, instance, toy_method.Steps(0.3, 0.7), start), how)
    made.result(how)
    (assembly,) = kernels.load(made.kernel.text).inspect_asm().values()
    packed = len(re.findall(r"\bv?mulpd\b", assembly))
    scalar = len(re.findall(r"\bv?mulsd\b", assembly))
    assert packed > 20, f"{packed} packed and {scalar} scalar multiplications"
    assert packed > 4 * scalar, f"{packed} packed and {scalar} scalar multiplications"
    assert ", pipeline_class=Pipeline)" in made.kernel.text  # what that does: the next test


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="looks for x86-64 instructions")
def test_loops_take_two_vectors_at_a_time():
    """A body of its own length for each vector; LLVM alone takes one at a time where a body is long."""

    words: dict[str, object] = {}
    steps = 30 * ["        total = total * v + 1.5"]  # as the printer writes them, one by one
    head = ["def polynomials(x):", "    for n in range(x.size):", "        v = x[n]", "        total = 0.0"]
    exec("\n".join([*head, *steps, "        x[n] = total"]), words)
    found = {}
    for name, options in (("plain", {}), ("interleaved", {"pipeline_class": Pipeline})):
        made, x = njit(**options)(words["polynomials"]), np.linspace(0.0, 0.5, 1000)
        made(x)
        (assembly,) = made.inspect_asm().values()
        found[name] = x, len(re.findall(r"\bv?mulpd\b", assembly))
    assert found["interleaved"][1] >= 1.9 * found["plain"][1] > 50
    np.testing.assert_array_equal(found["interleaved"][0], found["plain"][0])


@pytest.mark.parametrize("lanes", [1, 16, 24, 64])
def test_one_run_that_goes_on_is_enough(lanes):
    text = f"""
def found(n, value):
    flags = integers({lanes})
    for l in range({lanes}):
        flags[l] = 0
    if n >= 0:
        flags[n] = value
    return any_of(flags, {lanes})
"""
    words: dict[str, object] = {}
    exec(text, {"integers": integers, "any_of": any_of}, words)
    found = njit(words["found"])
    assert not found(-1, 0)
    assert all(found(n, value) for n in range(lanes) for value in (1, -1, 1 << 62))


def test_a_few_runs_take_one_lane():
    """For fewer than four runs lanes would be padding; the numbers are the same."""
    few = {n: v[:2] for n, v in START.items()}
    steps = Steps(np.full((5, 1), 0.5), 1.0)
    whole = run(CpuKernel, step, START, steps=steps)
    pair = run(CpuKernel, step, few, steps=Steps(steps.a[:2], 1.0))
    for name, values in pair.data.items():
        np.testing.assert_array_equal(values, whole.data[name][:2])


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
@pytest.mark.parametrize("room", [0, 100, 20_000])
def test_a_full_folder_is_done_without(filled, folder, room):
    """No file may grow beyond so many bytes: not even the text, the text but not what is compiled from it, ..."""
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
