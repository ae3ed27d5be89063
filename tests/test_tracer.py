"""Toy steps with every primitive and every form of loop: compiled against eager; and every refusal."""

from __future__ import annotations

import re
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from engines import (
    KERNELS,
    Toy,
    agree,
    algorithm_of,
    needs_compiler,
    run,
    same_results,
    start_of,
    steps_for,
)
from host_kernel import HostKernel
from thin import one_in
from toy_steps import TOYS, together

from workbench.arrays import ops
from workbench.engine import cpu
from workbench.engine.cpu import CpuKernel
from workbench.engine.draws import TracedDraws
from workbench.engine.graph import Graph
from workbench.engine.program import trace, trace_marks
from workbench.engine.records import Problem
from workbench.engine.tracer import RUNS, TraceError, Tracer

NAMES = list(TOYS)
LOOPS = NAMES[: NAMES.index("nested_loops")]
NESTED = ["nested_loops", "loops_that_swap_and_widen", "loops_and_branches_in_each_other"]
OTHERS = NAMES[NAMES.index("periodic_branch") :]
OTHERS = [n for n in OTHERS if n not in NESTED]


@needs_compiler
@pytest.mark.parametrize("name", TOYS)
def test_a_toy_step_has_the_bits_of_the_eager_engine(name):
    result = agree(HostKernel, *TOYS[name])
    moved = [v for v in result.data.values() if np.any(v[:, 0] != v[:, -1])]
    assert moved, "a step in which nothing moves tests nothing"


@pytest.mark.parametrize(
    "names", one_in(3, [LOOPS, OTHERS[:6], OTHERS[6:], NESTED]), ids=["loops", "some", "rest", "nested"]
)
def test_toy_steps_in_lanes(names):
    """Sixteen runs side by side share control flow: several toys in one kernel."""
    agree(CpuKernel, *together(names))


@pytest.mark.parametrize("lanes", [1, 8, 24, 64])
@pytest.mark.parametrize("name", one_in(4, TOYS))
def test_a_toy_step_in_blocks_of_any_size(name, lanes, monkeypatch):
    """One vector, two, or a loop over several; a block that is not full."""
    monkeypatch.setattr(cpu, "lanes_for", lambda program, runs: lanes)
    step, fields = TOYS[name]
    start = start_of(fields, runs=37)
    same_results(run(CpuKernel, step, start), run(None, step, start))


def test_every_toy_is_in_some_kernel():
    assert {*LOOPS, *NESTED, *OTHERS, "tested_inside_tested", "loop_for_its_calls_alone"} == set(TOYS)


def test_calls_are_metered_per_run():
    """By hand: counts 2, 0, NaN, 3.7, infinity make 2, 0, 0, 3, 0 turns in each of 40 iterations."""
    result = agree(CpuKernel, *TOYS["counts_of_every_kind"])
    assert result.calls["gradient"][:, -1].tolist() == [80, 0, 0, 120, 0]
    assert result.calls["gradient"][:, 0].tolist() == [2, 0, 0, 3, 0]


@needs_compiler
def test_calls_of_a_branch_are_those_of_the_side_taken():
    """Two gradients when t = 1 mod 5 (8 of 40 times), else one; a count that all runs share has one row."""
    result = agree(HostKernel, *TOYS["periodic_branch"])
    assert result.calls["gradient"].tolist() == [[2, 3, 31 + 7, 32 + 7, 33 + 7, 40 + 8]]


# ---------------------------------------------------------------------------------------------- metrics


@dataclass(frozen=True)
class Recorded(Toy):
    """All reductions of a metric that is NaN in passing and of one that is not; some at marks only, by the kernel."""

    RECORD = {  # noqa: RUF012
        "size": ("last", "mean", "max", "sum"),
        "passing": ("mean", "max"),
        "end": ("last",),
        "whole": ("max", "last"),
    }

    def metrics(self, s, t, xp):
        size = ops.norm(s.y, xp)
        passing = xp.where((t == 3.0) & (size > 1.0), xp.nan, size)
        return {"size": size, "passing": passing, "end": size * t, "whole": xp.floor(-size)}

    def checkpoint_metrics(self, s, t, xp):
        (last,) = ops.loop(5, lambda k, q: (q[0] * 0.5 + self.scale * t,), (s.y,), xp)
        return {"costly": ops.norm(last, xp)}


@dataclass(frozen=True)
class AtMarksByTheLibrary(Recorded):
    def checkpoint_metrics(self, s, t, xp):
        return {"median": np.median(np.asarray(s.y), axis=1, keepdims=True)}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("instance", [Recorded(), AtMarksByTheLibrary()], ids=["traced", "by the library"])
def test_metrics_with_every_reduction(kernel, instance):
    """Metrics wanted at marks only are not lost where the costly ones cannot be traced."""
    step, fields = TOYS["data_dependent_loop"]
    result = agree(kernel, step, fields, instance)
    assert {"size", "size_mean", "size_max", "size_sum", "passing_mean", "end"} <= set(result.data)
    assert {"costly", "median"} & set(result.data)
    seen = np.isnan(result.data["passing_max"])
    assert seen.any()
    assert not seen.all()
    assert np.array_equal(seen.any(axis=1), seen[:, -1]), "NaN stays"
    assert set(result.failed_at) == {0, 31}


@needs_compiler
def test_marks_split_a_run_without_a_trace():
    """More marks, fewer marks, no mark but the last: the numbers that are there are the same."""
    step, fields = TOYS["old_values_read_late"]
    start = start_of(fields)
    every = run(HostKernel, step, start, marks=range(1, 41))
    for marks in ([40], [7, 40], [1, 39, 40]):
        some = run(HostKernel, step, start, marks=marks)
        for name, values in some.data.items():
            np.testing.assert_array_equal(values, every.data[name][:, np.array(marks) - 1])


# ---------------------------------------------------------------------------------------------- refusals

FIVE = {"x": np.ones((5, 1))}  # a start of five rows
REFUSED = [
    (lambda s, t, xp: s.x if s.x > 0 else -s.x, "a branch on the value", "xp.where"),
    (lambda s, t, xp: s.x * float(t), r"float\(\)", "keep it an array"),
    (lambda s, t, xp: s.x * int(t), r"int\(\)", "xp.floor"),
    (lambda s, t, xp: [v for v in s.x][0], "a Python loop over an array", "ops.loop"),  # noqa: C416, RUF015
    (lambda s, t, xp: s.x * len(s.x), r"len\(\)", "shape"),
    (lambda s, t, xp: s.x.__setitem__(0, 1.0), "writing into an array", "ops.put"),
    (lambda s, t, xp: s.x.__iadd__(1.0), r"\+=", r"a = a \+ b"),
    (lambda s, t, xp: s.x.__imul__(2.0), r"\*=", r"a = a \* b"),
    (lambda s, t, xp: np.exp(s.x), "numpy.exp", "function of xp"),
    (lambda s, t, xp: np.median(s.x), "NumPy called", "function of xp"),
    (lambda s, t, xp: np.add.reduce(s.x), "numpy.add", "function of xp"),
    (lambda s, t, xp: s.x.T, r"attribute \.T", "function of xp"),
    (lambda s, t, xp: s.x.sum(), r"attribute \.sum", "function of xp"),
    (lambda s, t, xp: s.x**1.5, r"\*\* 1.5", "ops.power"),
    (lambda s, t, xp: s.x**3, r"\*\* 3", "multiply it out"),
    (lambda s, t, xp: s.x * t**0.5, "all runs share", r"xp\.sqrt"),
    (lambda s, t, xp: 2.0**s.x, "exponent", "ops.power"),
    (lambda s, t, xp: s.x // 2.0, "//", "xp.floor"),
    (lambda s, t, xp: 2.0 // s.x, "//", "xp.floor"),
    (lambda s, t, xp: s.x @ s.x, "@", "ops.matvec"),
    (lambda s, t, xp: np.eye(3) @ s.x, "matmul", "function of xp"),
    (lambda s, t, xp: xp.sort(s.x), "xp.sort", "count ranks"),
    (lambda s, t, xp: xp.argsort(s.x), "xp.argsort", "ops.argmax"),
    (lambda s, t, xp: xp.cumsum(s.x), "xp.cumsum", "ops and xp offer"),
    (lambda s, t, xp: xp.linalg.norm(s.x), "xp.linalg", "norm, dot"),
    (lambda s, t, xp: xp.concat([s.x, s.n], axis=-1), "xp.concat", "two fields"),
    (lambda s, t, xp: xp.random.normal(3), "xp.random", "with draw"),
    (lambda s, t, xp: xp.reshape(s.x, (-1,)), "xp.reshape", "None"),
    (lambda s, t, xp: s.x[:, :2], "slice 0:2", r"xp\.where\(i < 2, v, 0\.0\) with i = xp\.arange\(3\)"),
    (lambda s, t, xp: s.x[:, s.k : s.k + 1], "an array as its end", "ops.entry"),
    (lambda s, t, xp: s.x[..., 7], "index 7", "ops.take"),
    (lambda s, t, xp: s.x[0], "selecting runs", "all runs"),
    (lambda s, t, xp: s.x[s.x > 0.0], "selecting runs", "all runs"),
    (lambda s, t, xp: s.x[..., s.k], "an array as index", "ops.entry"),
    (lambda s, t, xp: s.x[None], "moving the runs axis", "in front"),
    (lambda s, t, xp: xp.sum(s.x), "xp.sum over runs", "axis"),
    (lambda s, t, xp: xp.max(s.x, axis=0), "xp.max over runs", "axis"),
    (lambda s, t, xp: xp.max(s.v, axis=1), "xp.max over tasks", "last axis"),
    (lambda s, t, xp: xp.max(s.k, axis=-1, keepdims=True), "xp.max of integers", "astype"),
    (lambda s, t, xp: s.x + s.v, "shapes", "runs axis"),
    (lambda s, t, xp: s.x + xp.zeros((s.x.shape[0], 2)), "shapes", "operands|runs axis"),
    (lambda s, t, xp: s.x[..., 0] * s.n, "shapes", r"\(runs, 1\)"),
    (lambda s, t, xp: xp.arange(xp.floor(t)), "arange", "int"),
    (lambda s, t, xp: xp.asarray(np.zeros((2, 2, 2))), "3 axes", "at most two"),
    (lambda s, t, xp: xp.asarray(1j), "complex", "64-bit"),
    (lambda s, t, xp: xp.astype(s.x, np.float32), "float32", "xp.float64"),
    (lambda s, t, xp: s.x & 1, "& on floats", "integers or booleans"),
    (lambda s, t, xp: ~s.k, "~ of a number", "conditions"),
    (lambda s, t, xp: (s.x > 0.0) + (s.x < 1.0), "two conditions", "astype"),
    (lambda s, t, xp: ops.matvec(s.x, s.x, xp), "product", "fixed A"),
    (lambda s, t, xp: xp.matrix_transpose(s.v), "transpose", "ops.matvec"),
    (
        lambda s, t, xp: ops.branch(s.n > 0.0, lambda: (s.x,), lambda: (s.x,), xp)[0],
        "differs between runs",
        "xp.where",
    ),
    (lambda s, t, xp: ops.loop(2, lambda k, q: (q[0], q[0]), (s.x,), xp)[0], "2 of 1", "return them all"),
    (lambda s, t, xp: ops.loop(2, lambda k, q: (s.n,), (s.x,), xp)[0], r"\(1, 3\) to \(1, 1\)", "one shape"),
    (
        lambda s, t, xp: ops.branch(t > 1.0, lambda: (s.x,), lambda: (s.n,), xp)[0],
        r"\(1, 3\) to \(1, 1\)",
        "one shape",
    ),
    (
        lambda s, t, xp: ops.branch(t > 1.0, lambda: (s.k,), lambda: (s.n,), xp)[0],
        "from int64 to float64",
        "astype",
    ),
]


@pytest.mark.parametrize(("formula", "what", "remedy"), REFUSED, ids=[what for _, what, _ in REFUSED])
def test_a_refusal_names_the_operation_the_line_and_the_way_out(formula, what, remedy):
    start = start_of({"x": (3,), "n": (1,), "v": (2, 3), "k": np.array([1])})
    algorithm = algorithm_of(lambda s, t, c, oracle, draw, xp: {"x": formula(s, t, xp)}, start)
    state = algorithm.init(start, None, None, None, np)
    with pytest.raises(TraceError) as refusal:
        trace(Problem(algorithm, Toy(), steps_for(5), FIVE), state)
    message = str(refusal.value)
    line = formula.__code__.co_firstlineno
    assert message.startswith(f"{__file__.rsplit('/', 1)[-1]}:{line}: "), message
    assert re.search(what, message.split("; ")[0]), message
    assert re.search(remedy, message.split("; ", 1)[1]), message
    assert message.endswith("or use --engine eager")


@pytest.mark.parametrize(
    ("start", "new", "message"),
    [
        ({"x": np.zeros(5)}, {}, r"field x of shape \(5,\)"),
        ({"x": np.zeros((4, 1))}, {}, r"field x of shape \(4, 1\)"),
        ({"x": np.zeros((5, 1), dtype=complex)}, {}, "type complex128"),
        (
            {"x": np.zeros((5, 1))},
            {"x": lambda s, xp: xp.zeros((s.x.shape[0], 3))},
            r"field x from shape .* to ",
        ),
        ({"x": np.zeros((5, 3))}, {"x": lambda s, xp: s.x[..., 0:1]}, r"field x from shape .* to "),
        ({"k": np.zeros((5, 1), dtype=int)}, {"k": lambda s, xp: s.k * 0.5}, "from int64 to float64"),
    ],
)
def test_states_that_no_kernel_can_hold(start, new, message):
    step = algorithm_of(lambda s, t, c, oracle, draw, xp: {n: f(s, xp) for n, f in new.items()}, start)
    with pytest.raises(TraceError, match=message):
        trace(Problem(step, Toy(), steps_for(5), FIVE), namedtuple("State", start)(**start))


def test_a_state_that_does_not_fit_on_a_stack_is_refused():
    start = {"x": np.ones((5, 20000))}
    step = algorithm_of(lambda s, t, c, oracle, draw, xp: {"x": 0.5 * s.x}, start)
    with pytest.raises(TraceError, match="bytes of buffers"):
        run(CpuKernel, step, start)


def test_an_error_of_the_step_itself_is_not_hidden():
    step = algorithm_of(lambda s, t, c, oracle, draw, xp: {"x": oracle.exact(s.x)}, {"x": None})
    with pytest.raises(AttributeError, match="the oracle offers no 'exact'"):
        run(CpuKernel, step, {"x": np.ones((5, 1))})


# ----------------------------------------------------------------------------------------------- the graph


def test_equal_operations_are_one_node():
    graph = Graph()
    xp = Tracer(graph)
    x = xp.wrap(graph.leaf("phi", (), "f", (1, 3), True, graph.steps), (RUNS, 3))
    assert (x * 2.0).node is (x * 2.0).node
    assert (x * 0.0).node is not (x * -0.0).node
    assert xp.asarray(0).node is not xp.asarray(0.0).node
    assert xp.asarray(False).node is not xp.asarray(0).node
    draw = TracedDraws(xp, graph.leaf("t", (), "i", (1, 1), False, graph.steps))
    assert draw(0).normal(3).node is draw(0).normal(3).node
    assert draw(0).normal(3).node is not draw(1).normal(3).node
    assert xp.asarray(np.arange(3.0)).node is xp.asarray(np.arange(3.0)).node
    assert xp.asarray(np.arange(3.0)).node is not xp.asarray(np.array([0.0, 1.0, 3.0])).node


def test_what_does_not_depend_on_a_loop_leaves_it():
    graph = Graph()
    xp = Tracer(graph)
    column = xp.wrap(graph.leaf("param", (0,), "f", (1, 1), True, graph.once), (RUNS, 1))
    state = xp.wrap(graph.leaf("phi", (graph.steps, 0), "f", (1, 1), True, graph.steps), (RUNS, 1))
    seen = {}

    def body(k, q):
        seen.update(once=xp.sqrt(column), steps=state * column, inside=q[0] + k)
        return (q[0] * seen["once"] + seen["steps"],)

    xp.loop(3, body, (state,))
    assert seen["once"].node.block is graph.once
    assert seen["steps"].node.block is graph.steps
    assert seen["inside"].node.block.parent is graph.steps


class NoMarks:
    RECORD = {"x": ("mean",)}  # noqa: RUF012
    COSTS = {}  # noqa: RUF012

    def metrics(self, s, t, xp):
        return {"x": xp.abs(s.x)}


def test_nothing_at_marks_needs_no_second_program():
    assert trace_marks(Problem(None, NoMarks(), (), FIVE), namedtuple("State", "x")(**FIVE)) is None
