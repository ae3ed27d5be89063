"""The choice of engine: by cost, in one sentence where it cannot be had, and in halves where memory runs out."""

from __future__ import annotations

import importlib.util
import re
from types import SimpleNamespace

import numpy as np
import pytest
from engines import Steps, Toy, algorithm_of, needs_compiler, same_results, start_of
from host_kernel import HostKernel
from toy_steps import TOYS

from workbench.arrays import ops
from workbench.engine import choice, eager, fused, nvrtc, rows
from workbench.engine.choice import EngineError
from workbench.engine.per_row import typed_record
from workbench.engine.records import Problem, Rows, Run

MARKS = np.array([1, 5, 60])
RUNS = 5
STEP, FIELDS = TOYS["random_loop"]
START = start_of(FIELDS)


def refused_step(s, t, c, oracle, draw, xp):
    return {"y": xp.sort(s.y, axis=-1)}


def simulate(step=STEP, start=START, runs=RUNS, instance=None, **options):
    steps = Steps(np.linspace(0.3, 0.9, runs)[:, None], 2.0)
    grid = Rows(np.arange(runs) + 4, options.pop("params", {}))
    problem = Problem(algorithm_of(step, start), instance or Toy(), steps, start, grid)
    return choice.simulate(problem, Run(**{"marks": MARKS, "seed": 8, **options}))


@pytest.fixture
def host(monkeypatch):
    """Kernels that are compiled by the C++ compiler, and a knob for whether they are on disk."""
    made = []

    class Kernel(HostKernel):
        is_cached = False
        compile_seconds = 5.0

        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.launches = 0
            made.append(self)

        def launch(self, *args):
            self.launches += 1
            super().launch(*args)

    monkeypatch.setattr(fused, "kernel_for", lambda backend_name: Kernel)
    return SimpleNamespace(Kernel=Kernel, made=made)


def cost(monkeypatch, seconds):
    monkeypatch.setattr(choice, "eager_seconds", lambda problem, run: seconds)


# ---------------------------------------------------------------------------------------- by cost


@needs_compiler
@pytest.mark.parametrize(
    ("seconds", "cached", "engine"),
    [
        (0.4, True, "eager"),
        (0.6, True, "fused"),
        (0.6, False, "eager"),
        (4.9, False, "eager"),
        (5.1, False, "fused"),
        (1e9, False, "fused"),
    ],
)
def test_auto(host, monkeypatch, seconds, cached, engine):
    """Nothing below half a second, whatever is on disk; from there on what is; and what takes longer than compiling."""
    cost(monkeypatch, seconds)
    host.Kernel.is_cached = cached
    if cached:
        host.Kernel.compile_seconds = 0.0
    result = simulate(engine="auto")
    assert result.meta["engine"] == engine
    same_results(result, simulate(engine="eager"))


class Marked(Toy):
    """Something that is wanted at marks only, and can be traced."""

    def checkpoint_metrics(self, s, t, xp):
        return {"size": ops.norm(s.y, xp) * t}


@needs_compiler
@pytest.mark.parametrize(("seconds", "launches"), [(1e9, 0), (0.0, len(MARKS))])
def test_marks_are_measured_by_a_kernel_where_it_pays(host, monkeypatch, seconds, launches):
    """Three marks of a few runs are done before a compiler has read the text."""
    cost(monkeypatch, 2e9)
    host.Kernel.compile_seconds = seconds
    result = simulate(engine="auto", instance=Marked())
    assert result.meta["engine"] == "fused"
    main, at_marks = host.made
    assert main.launches > 0
    assert at_marks.launches == launches
    same_results(result, simulate(engine="eager", instance=Marked()))


@needs_compiler
def test_fused_by_name_measures_by_kernels_alone(host):
    host.Kernel.compile_seconds = 1e9
    simulate(engine="fused", instance=Marked())
    assert [kernel.launches > 0 for kernel in host.made] == [True, True]


def test_auto_takes_eager_where_the_step_cannot_be_compiled(host, monkeypatch):
    """And says why, once for each place; a run too short for a kernel says nothing."""
    cost(monkeypatch, 100.0)
    with pytest.warns(choice.Uncompiled, match=r"slower engine: test_choice\.py:\d+: .*sort"):
        assert simulate(refused_step).meta["engine"] == "eager"
    cost(monkeypatch, 0.1)
    assert simulate(refused_step).meta["engine"] == "eager"  # warnings are errors in these tests


def test_auto_takes_eager_without_a_compiler(monkeypatch):
    cost(monkeypatch, 1e9)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert simulate(engine="auto").meta["engine"] == "eager"


def test_eager_is_never_traced(host, monkeypatch):
    monkeypatch.setattr(choice, "eager_seconds", lambda *_: pytest.fail("no need to know"))
    assert simulate(engine="eager").meta["engine"] == "eager"
    assert host.made == []


@needs_compiler
def test_fused_does_not_ask_for_the_cost(host, monkeypatch):
    monkeypatch.setattr(choice, "eager_seconds", lambda *_: pytest.fail("no need to know"))
    told = []
    params = {"a": START["y"][:, 0]}
    result = simulate(engine="fused", progress=lambda t, horizon: told.append((t, horizon)), params=params)
    assert result.meta == {"backend": "numpy", "engine": "fused", "seed": 8}
    assert told[-1] == (60, 60)
    np.testing.assert_array_equal(result.params["a"], START["y"][:, 0])


def test_the_cost_is_that_of_a_few_iterations(monkeypatch):
    """Two milliseconds per iteration and a slow first one: 1000 iterations take two seconds."""
    asked = []

    def pretended(problem, run):
        asked.append(int(run.marks[-1]))
        return SimpleNamespace(elapsed=0.1 + 0.002 * run.marks)

    monkeypatch.setattr(eager, "simulate", pretended)
    assert choice.eager_seconds(None, Run(np.array([10, 1000]))) == pytest.approx(2.0)
    assert max(asked) <= 24
    assert choice.eager_seconds(None, Run(np.array([3]))) == 0.0


def test_the_cost_of_very_slow_steps_is_told_by_two_of_them(monkeypatch):
    """A second per iteration: nobody waits for twenty-four of them."""
    asked = []

    def pretended(problem, run):
        asked.append(int(run.marks[-1]))
        return SimpleNamespace(elapsed=1.0 * run.marks)

    monkeypatch.setattr(eager, "simulate", pretended)
    assert choice.eager_seconds(None, Run(np.array([1000]))) == pytest.approx(1000.0)
    assert max(asked) <= 4


# ------------------------------------------------------------------------------------- in one sentence


def test_fused_by_name_says_what_stands_in_the_way(host):
    with pytest.raises(EngineError) as refusal:
        simulate(refused_step, engine="fused")
    line = refused_step.__code__.co_firstlineno + 1
    assert re.fullmatch(
        rf"test_choice\.py:{line}: xp\.sort cannot .*; .*, or use --engine eager", str(refusal.value)
    )


def test_fused_without_llvmlite_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EngineError, match="pip install llvmlite"):
        simulate(engine="fused")


def test_fused_on_a_device_without_its_compiler(monkeypatch):
    monkeypatch.setattr(nvrtc, "problem", lambda: "the CUDA compiler NVRTC is not there")
    assert choice.compiler_problem("cupy") == "the CUDA compiler NVRTC is not there"


def test_fused_on_another_library_is_refused():
    with pytest.raises(EngineError, match="NumPy and CuPy, not on array-api-strict"):
        simulate(engine="fused", backend="array-api-strict")


def test_a_state_too_large_for_a_kernel():
    def halved(s, t, c, oracle, draw, xp):
        return {"y": 0.5 * s.y}

    start = {"y": np.ones((RUNS, 30000))}
    with pytest.raises(EngineError, match=r"bytes of buffers .* use --engine eager"):
        simulate(halved, start, engine="fused", marks=np.array([1]))


# ----------------------------------------------------------------------------------- out of memory


@needs_compiler
@pytest.mark.parametrize("where", ["pool", "launch"])
@pytest.mark.parametrize("fits", [1, 2, 4])
def test_a_batch_that_does_not_fit_is_halved_and_goes_on(host, monkeypatch, fits, where):
    whole = simulate(engine="fused", params={"grid": np.arange(5)})
    plain = getattr(HostKernel, where)

    def limited(self, *args):
        if self.runs > fits:
            raise MemoryError(f"{self.runs} runs")
        return plain(self, *args)

    monkeypatch.setattr(host.Kernel, where, limited)
    parts = simulate(engine="fused", params={"grid": np.arange(5)})
    tried = {kernel.runs for kernel in host.made}
    assert 5 in tried
    assert 0 < min(tried) <= fits
    same_results(parts, whole)
    for name in ("run_ids", "marks"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
    np.testing.assert_array_equal(parts.params["grid"], np.arange(5))
    assert parts.meta == whole.meta
    assert parts.elapsed.shape == whole.elapsed.shape


# --------------------------------------------------------------------- what a result says of its problem


class Known(Toy):
    """With constants of every shape; some change with the rows that are looked at together."""

    def constants(self, start):
        far = np.abs(start["y"]).max(axis=1, keepdims=True)
        return {"L": 2, "Delta_1": far, "widest": float(far.max())}

    def drift(self, marks):
        return {"V_T": np.sqrt(marks)[None, :]}


@needs_compiler
@pytest.mark.parametrize("engine", ["eager", "fused", "halved"])
def test_constants_and_steps_are_those_of_the_whole_batch(host, monkeypatch, engine):
    """Numbers, columns and drifts, one shape for all."""
    if engine == "halved":

        def limited(self, values):
            if self.runs > 2:
                raise MemoryError
            return HostKernel.pool(self, values)

        monkeypatch.setattr(host.Kernel, "pool", limited)
    result = simulate(engine="eager" if engine == "eager" else "fused", instance=Known())
    far = np.abs(START["y"]).max(axis=1, keepdims=True)
    expected = {"L": [[2.0]], "Delta_1": far, "widest": [[far.max()]], "V_T": np.sqrt(MARKS)[None, :]}
    assert result.constants.keys() == expected.keys()
    for name, value in expected.items():
        assert result.constants[name].dtype == np.float64
        np.testing.assert_array_equal(result.constants[name], value)
    np.testing.assert_array_equal(result.steps["a"], np.linspace(0.3, 0.9, RUNS)[:, None])
    assert result.steps["count"].tolist() == [[2.0]]


@pytest.mark.parametrize("wrong", ["toy", None, np.eye(3), np.ones(RUNS)])
def test_a_constant_of_another_shape_is_refused_before_anything_is_simulated(monkeypatch, wrong):
    instance = Known()
    monkeypatch.setattr(instance, "constants", lambda start: {"A": wrong}, raising=False)
    monkeypatch.setattr(choice, "_run_or_split", lambda problem, run: pytest.fail("simulated"))
    with pytest.raises(ValueError, match=r"Known\.constants: A is neither a number nor"):
        simulate(engine="eager", instance=instance)


def test_an_instance_need_not_know_its_constants():
    assert simulate(engine="eager").constants == {}


def test_some_rows_of_a_problem_are_a_problem():
    """With their own noise, parameters and constants; a problem without a grid knows which rows they are, too."""
    algorithm = algorithm_of(STEP, START)
    steps = Steps(np.linspace(0.3, 0.9, RUNS)[:, None], 2.0)
    for grid, ids in ((None, [1, 2]), (Rows(np.arange(RUNS) + 4, {"q": np.arange(RUNS)}), [5, 6])):
        problem = Problem(algorithm, Known(), steps, START, grid)
        part = rows.cut_problem(problem, slice(1, 3))
        assert part.run_ids.tolist() == ids
        assert [v.tolist() for v in part.params.values()] == ([[1, 2]] if grid else [])
        whole, alone = (choice.simulate(p, Run(MARKS, 8)) for p in (problem, part))
        for name, values in alone.data.items():
            np.testing.assert_array_equal(values, whole.data[name][1:3])
        np.testing.assert_array_equal(alone.constants["Delta_1"], whole.constants["Delta_1"][1:3])
        np.testing.assert_array_equal(alone.steps["a"], whole.steps["a"][1:3])


@needs_compiler
def test_one_run_that_does_not_fit_is_an_error(host, monkeypatch):
    def never(self, values):
        raise MemoryError("not even one")

    monkeypatch.setattr(host.Kernel, "pool", never)
    with pytest.raises(MemoryError, match="not even one"):
        simulate(engine="fused")


def test_results_are_joined_row_by_row():
    """Counts shared by all runs stay one row; those that differ between the parts become a row per run."""

    def part(ids, **calls):
        start = {n: v[ids] for n, v in START.items()}
        steps = Steps(np.full((len(ids), 1), 0.5), 2.0)
        problem = Problem(algorithm_of(STEP, start), Toy(), steps, start, Rows(np.array(ids)))
        made = eager.simulate(problem, Run(MARKS, seed=1))
        made.calls.clear()
        made.calls.update({n: np.array(v) for n, v in calls.items()})
        return made

    joined = rows.concatenate(
        [
            part([0, 1], same=[[1, 2, 3]], apart=[[1, 2, 3]], own=[[1, 2, 3], [4, 5, 6]]),
            part([2], same=[[1, 2, 3]], apart=[[1, 2, 4]], own=[[1, 2, 3]]),
        ]
    )
    assert joined.calls["same"].tolist() == [[1, 2, 3]]
    assert joined.calls["apart"].tolist() == [[1, 2, 3], [1, 2, 3], [1, 2, 4]]
    assert joined.calls["own"].tolist() == [[1, 2, 3], [4, 5, 6], [1, 2, 3]]
    assert joined.run_ids.tolist() == [0, 1, 2]
    assert joined.status.shape == (3,)


def test_columns_are_cut_and_data_is_not():
    column, data = np.arange(5.0)[:, None], np.arange(10.0).reshape(5, 2)
    toy = rows.cut(typed_record(Toy(scale=column, weights=data), 5), slice(1, 3))
    assert toy.scale.tolist() == [[1.0], [2.0]]
    assert toy.weights is data
