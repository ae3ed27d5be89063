"""Every generated CUDA kernel compiles for sm_80, sm_90 and sm_100 without a GPU; none spills while registers are left.

A number takes two registers. A kernel that leaves no two of a thread's 255 may keep some numbers on the stack, at most
as many as its state has.

``pytest -s tests/test_cuda.py`` prints the table of registers; `table` makes it for others.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from discover import pair_id
from engines import Toy, algorithm_of, run, same_results, start_of, steps_for
from host_kernel import covering_kernels
from test_fused import job_of
from toy_steps import TOYS, together

from workbench.arrays import backends
from workbench.engine import nvrtc
from workbench.engine.cuda_text import CudaText
from workbench.engine.gpu import EXACT, FAST, GpuKernel
from workbench.engine.program import trace, trace_marks
from workbench.engine.records import Problem
from workbench.engine.start import begin
from workbench.engine.tracer import TraceError

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
ALL = 255  # registers of a thread
DOUBLE = 2  # registers of a number
needs_nvrtc = pytest.mark.skipif(nvrtc.problem() is not None, reason=str(nvrtc.problem()))


def texts(problem):
    """The CUDA text of a simulation, and of what it measures at marks where that is traced."""
    host = backends.namespace("numpy")
    state = begin(problem, 1, host).state
    found = [CudaText(trace(problem, state)).text()]
    try:
        marks = trace_marks(problem, state)
    except TraceError:
        marks = None
    return found if marks is None else [*found, CudaText(marks).text()]


def state_bytes(problem):
    """The size of one run's state."""
    state = begin(problem, 1, backends.namespace("numpy")).state
    return sum(8 * int(np.prod(np.shape(leaf)[1:])) for leaf in state)


def table(pairs, each=3):
    """(name, architecture, registers, bytes of stack, of spills, of the state) of each pair's kernels.

    each: for how many of the three architectures a pair is compiled; they take turns.
    """
    rows, turn = [], itertools.cycle(ARCHITECTURES)
    for pair in pairs:
        problem, on = job_of(pair), list(itertools.islice(turn, each))
        for part, text in zip(("", " at marks"), texts(problem), strict=False):
            for architecture in on:
                used = nvrtc.machine_code(text, architecture, EXACT)[1]
                sizes = used.registers, used.stack, used.spills, state_bytes(problem)
                rows.append((pair_id(pair) + part, architecture, *sizes))
    return rows


@needs_nvrtc
@pytest.mark.parametrize("each", [1, pytest.param(len(ARCHITECTURES), marks=pytest.mark.long)])
def test_every_kernel_compiles_and_nothing_spills_while_registers_are_left(each):
    """Each for one architecture, and all of them on some: the text is the same, the assembler does the rest."""
    rows = table(covering_kernels(), each)
    print()
    for name, architecture, registers, stack, spills, _ in rows:
        print(f"{name:60} {architecture} {registers:4} registers {stack:6} bytes of stack {spills:4} spilled")
    assert {architecture for _, architecture, *_ in rows} == set(ARCHITECTURES)
    assert all(0 < registers <= ALL for _, _, registers, *_ in rows)
    spilling = [row for row in rows if row[4]]
    assert [row for row in spilling if row[2] + DOUBLE <= ALL or row[3] > row[5]] == []


@needs_nvrtc
@pytest.mark.parametrize("options", [EXACT, FAST], ids=["exact", "fast"])
def test_toy_steps_compile(options):
    """Every primitive and every form of loop, with and without contraction."""
    step, fields = together(TOYS)
    start = start_of(fields)
    algorithm = algorithm_of(step, start)
    for text in texts(Problem(algorithm, Toy(), steps_for(5), start)):
        code, used = nvrtc.machine_code(text, "sm_90", options)
        assert code[:4] == b"\x7fELF"
        assert used.architecture == "sm_90"


@needs_nvrtc
def test_a_text_that_is_not_cuda_ends_in_the_compilers_words():
    with pytest.raises(RuntimeError, match="error"):
        nvrtc.machine_code("__global__ void kernel( {", "sm_80", EXACT)


@needs_nvrtc
def test_contraction_is_off():
    """x * y + z in two instructions: with contraction there is one, and other bits."""
    text = 'extern "C" __global__ void kernel(double *x) { x[0] = x[0] * x[1] + x[2]; }'
    exact, fast = (nvrtc.machine_code(text, "sm_80", options)[0] for options in (EXACT, FAST))
    assert exact != fast


def test_a_missing_compiler_is_named_with_what_to_install(monkeypatch):
    def missing():
        raise ImportError("No module named 'cuda'")

    monkeypatch.setattr(nvrtc, "_library", missing)
    assert "pip install nvidia-cuda-nvrtc" in nvrtc.problem()
    monkeypatch.setattr(nvrtc, "_library", lambda: (_ for _ in ()).throw(OSError("no file")))
    assert nvrtc.problem().startswith("the CUDA compiler NVRTC cannot be loaded (no file)")


@pytest.mark.parametrize("log", ["", "ptxas info : Used 40 registers, 8 bytes stack frame\n"])
def test_what_the_assembler_reports(log):
    spilled = "8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads\n" if not log else ""
    used = nvrtc._resources(log + spilled, "sm_80")
    assert (used.registers, used.stack, used.spills) == ((40, 8, 0) if log else (0, 8, 40))


@pytest.mark.gpu
@pytest.mark.parametrize("name", TOYS)
def test_a_device_has_the_bits_of_the_eager_engine(name):
    step, fields = TOYS[name]
    start = start_of(fields)
    same_results(run(GpuKernel, step, start), run(None, step, start))
