"""``simulate`` refuses what would give a wrong verdict without an error: README's example with one thing changed."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from numpy.random import default_rng, normal

from workbench.arrays import ops
from workbench.arrays.backends import BackendError
from workbench.arrays.noise import Sphere
from workbench.engine.choice import simulate
from workbench.engine.records import Grid, Problem, Rows, Run
from workbench.engine.validate import ProblemError

RUNS = 64
RNG = default_rng(7)


@dataclass(frozen=True)
class Quadratic:
    """f(x) = |x|^2/2 with additive noise: the smallest instance there is."""

    COSTS: ClassVar[dict[str, dict[str, int]]] = {"grad": {"gradient": 1}}
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {"grad_norm": ("last", "mean")}
    noise: Sphere

    def grad(self, x: Any, sample: Any, xp: Any) -> Any:
        return x + self.noise(sample, x.shape[-1], 0, xp)

    def metrics(self, s: Any, t: Any, xp: Any) -> dict[str, Any]:
        return {"grad_norm": ops.norm(s.x, xp)}


class State(NamedTuple):
    x: Any


class Steps(NamedTuple):
    eta: Any


def step(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0)))


def algorithm(step: Callable[..., Any] = step, **more: Any) -> Any:
    first = {"init": lambda start, c, oracle, draw, xp: State(start["x"]), "step": step}
    return SimpleNamespace(**{**first, **more})


PROBLEM = Problem(algorithm(), Quadratic(noise=Sphere(1.0)), Steps(eta=0.5), {"x": np.ones((RUNS, 1))})
RUN = Run(np.array([1, 2, 4, 8]), engine="eager")


def with_rows(ids: Any, **params: Any) -> Problem:
    return replace(PROBLEM, grid=Rows(ids, params))


def with_start(x: Any) -> Problem:
    return replace(PROBLEM, start={"x": x})


def with_steps(eta: Any) -> Problem:
    return replace(PROBLEM, steps=Steps(eta))


def recording(**record: Any) -> Problem:
    return replace(PROBLEM, instance=instance(RECORD=record))


def instance(**fields: Any) -> Any:
    """An instance of a class derived from Quadratic, with other class attributes."""
    return type("Mine", (Quadratic,), fields)(noise=Sphere(1.0))


IDS = np.arange(RUNS)

NOT_WELL_FORMED = {
    "no start": (replace(PROBLEM, start={}), r"the start: got an empty mapping; wanted a mapping"),
    "a flat start": (with_start(np.ones(RUNS)), r"'x': got shape \(64,\); wanted \(runs, d\).*\(64, 1\)"),
    "an empty start": (with_start(np.ones((0, 1))), r"got shape \(0, 1\)"),
    "a number": (with_start(1.0), r"got shape \(\)"),
    "complex numbers": (with_start(np.ones((RUNS, 1)) * 1j), "got type complex128; wanted real numbers"),
    "text": (with_start([["one"]]), "wanted real numbers"),
    "ragged rows": (with_start([[1.0], [1.0, 2.0]]), "rows of different lengths"),
    "a start that is not finite": (with_start(np.full((RUNS, 1), np.nan)), "not finite"),
    "starts of two lengths": (
        replace(PROBLEM, start={"x": np.ones((RUNS, 1)), "y": np.ones((3, 1))}),
        r"different numbers of rows: 'x' \(64, 1\), 'y' \(3, 1\)",
    ),
    "flat steps": (with_steps(np.ones(RUNS)), r"'eta': got shape \(64,\); wanted a number, or .*\(64, 1\)"),
    "steps of another batch": (with_steps(np.ones((7, 1))), r"got shape \(7, 1\)"),
    "a list of steps": (with_steps([0.1] * RUNS), "'eta': got a list"),
    "NaN steps": (with_steps(float("nan")), "'eta': got NaN"),
    "steps without names": (replace(PROBLEM, steps=(0.5,)), "steps: got tuple; wanted a NamedTuple"),
    "float run_ids": (with_rows(IDS + 0.5), "run_ids: got type float64; wanted integers"),
    "the same run twice": (with_rows(IDS // 2), "the same run twice at one grid point"),
    "the same run twice at a point": (with_rows(IDS % 32, sigma=np.ones(RUNS)), "the same run twice"),
    "negative run_ids": (with_rows(IDS - 1), r"got -1\.\.62"),
    "too few run_ids": (with_rows(IDS[:5]), "as many as the start has: 64"),
    "a parameter of another length": (with_rows(IDS, sigma=np.ones(3)), r"'sigma': got shape \(3,\)"),
    "a grid of another size": (replace(PROBLEM, grid=Grid([{}], 5)), "got 5 rows .* wanted as many.*: 64"),
    "a grid without runs": (replace(PROBLEM, grid=Grid([{}], 0)), "number of runs: got 0"),
    "a grid with half a run": (replace(PROBLEM, grid=Grid([{}], 0.5)), "number of runs: got 0.5"),  # type: ignore[arg-type]
    "a grid of unlike points": (replace(PROBLEM, grid=Grid([{"a": 1.0}, {"b": 1.0}], 32)), "same parameters"),
    "no step": (replace(PROBLEM, algorithm=SimpleNamespace(init=1)), "got no function 'init'"),
    "an unknown reduction": (
        recording(grad_norm=("avg",)),
        "got the reduction 'avg'; wanted some of last, mean",
    ),
    "a reduction without a comma": (recording(grad_norm="mean"), r"got mean; .* for example \('mean',\)"),
    "an unknown metric": (recording(grad_nrom=("last",)), "lacks 'grad_nrom', which RECORD names; it has"),
    "two names in one": (recording(grad_norm=("mean",), grad_norm_mean=("last",)), "a metric grad_norm_mean"),
    "an oracle that is not there": (
        replace(PROBLEM, instance=instance(COSTS={"gradd": {"gradient": 1}})),
        "COSTS: got 'gradd', which is no method",
    ),
    "half a call": (
        replace(PROBLEM, instance=instance(COSTS={"grad": {"gradient": 0.5}})),
        "wanted a whole number of calls",
    ),
    "a masked start": (with_start(np.ma.masked_array(np.ones((RUNS, 1)), mask=True)), "masked entries"),
    "points within rounding": (
        replace(PROBLEM, grid=Grid([{"a": 0.1 + 0.2}, {"a": 0.3}], 32)),
        "'a': got several values within rounding of 0.3",
    ),
    "a grid of words": (replace(PROBLEM, grid=Grid([{"a": "low"}], RUNS)), "'a': got 'low'; wanted a number"),  # type: ignore[dict-item]
    "no grid": (replace(PROBLEM, grid={"a": [1, 2]}), "the grid: got dict; wanted a Grid"),  # type: ignore[arg-type]
    "no reductions": (recording(grad_norm=()), "got no reduction; wanted some of last"),
    "costs without numbers": (
        replace(PROBLEM, instance=instance(COSTS={"grad": "gradient"})),
        "got 'gradient'; wanted a whole number",
    ),
    "a class": (replace(PROBLEM, instance=Quadratic), "got the class Quadratic; wanted an object"),
    "the class of steps": (replace(PROBLEM, steps=Steps), "steps: got the class Steps"),
    "an array for a start": (replace(PROBLEM, start=np.ones((RUNS, 1))), "the start: got ndarray"),  # type: ignore[arg-type]
    "nothing recorded": (replace(PROBLEM, instance=SimpleNamespace()), "no mapping 'COSTS'"),
}


@pytest.mark.parametrize("case", NOT_WELL_FORMED)
@pytest.mark.parametrize("engine", ["auto", "eager", "fused"])
def test_a_problem_that_is_not_well_formed_is_refused(case: str, engine: str) -> None:
    problem, said = NOT_WELL_FORMED[case]
    with pytest.raises(ProblemError, match=said):
        simulate(problem, replace(RUN, engine=engine))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"marks": np.array([4, 2, 8])}, "marks: got 4, 2, 8; wanted increasing iterations"),
        ({"marks": np.array([1, 1, 2])}, "wanted increasing"),
        ({"marks": np.array([4, 2, 8], dtype=np.uint64)}, "wanted increasing"),
        ({"marks": [1, np.inf]}, "marks: got inf; wanted whole numbers"),
        ({"marks": np.array([0, 4])}, "marks: got 0, 4"),
        ({"marks": np.array([1.5, 4.0])}, "marks: got 1.5; wanted whole numbers"),
        ({"marks": np.array([1.0, np.nan])}, "wanted whole numbers"),
        ({"marks": np.array([], dtype=int)}, r"marks: got shape \(0,\)"),
        ({"marks": np.array([[1, 2]])}, r"marks: got shape \(1, 2\)"),
        ({"marks": ["last"]}, "wanted real numbers"),
        ({"engine": "turbo"}, "the engine: got 'turbo'; wanted one of auto, eager, fused"),
        ({"seed": -1}, "the seed: got -1"),
        ({"seed": 1.5}, "the seed: got 1.5"),
        ({"threads": 0}, "threads: got 0"),
    ],
)
def test_a_run_that_is_not_well_formed_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        simulate(PROBLEM, replace(RUN, **change))


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(BackendError, match="unknown backend 'torch'"):
        simulate(PROBLEM, replace(RUN, backend="torch"))


# ------------------------------------------------------------------------------------------ what a step does


def in_place(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    x = s.x
    x -= c.eta * oracle.grad(x, draw(0))
    return State(x)


def wide(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - xp.ones(RUNS) * c.eta)


def mixing(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)) / xp.sqrt(xp.sum(s.x * s.x)))


def own_noise(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * (s.x + np.random.normal(size=s.x.shape)))  # noqa: NPY002


def imported_noise(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * (s.x + normal(size=s.x.shape)))  # noqa: NPY002


def seeded_noise(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * (s.x + default_rng(0).normal(size=s.x.shape)))


def kept_generator(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * (s.x + RNG.normal(size=s.x.shape)))


def helper() -> float:
    return random.random()


def python_noise(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * (s.x + helper()))


def borrowed_noise(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * (s.x + xp.random.normal(size=s.x.shape)))


class Counting:
    """Keeps state of its own: the second run of a process would differ from the first."""

    calls = 0

    def __call__(self, s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        self.calls += 1
        return State(s.x - c.eta / self.calls * oracle.grad(s.x, draw(0)))


class Sealed:
    """Its generator is no argument of the step."""

    def __init__(self) -> None:
        self.sources = [default_rng(3)]

    def __call__(self, s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        return State(s.x - c.eta * (s.x + self.sources[0].normal(size=s.x.shape)))


class Reseeded:
    """The same numbers at each repetition, but in each iteration shared between runs and seeds."""

    def __call__(self, s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        return State(s.x - c.eta * (s.x + self.noise(s.x, t)))

    def noise(self, x: Any, t: Any) -> Any:
        return default_rng(int(t)).normal(size=x.shape)


def given_noise(make: Any, s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * (s.x + make(int(t)).normal(size=s.x.shape)))


class Late:
    """Counts, from the second iteration on, what happens in all simulations of the process."""

    calls: ClassVar[list[int]] = []

    def __call__(self, s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        if t > 1:
            self.calls.append(1)
        return State(s.x - c.eta / (1 + len(self.calls)) * oracle.grad(s.x, draw(0)))


class Keeping:
    """Averages with the gradient of the call before: a repetition of the same iteration would not show it."""

    last: Any = None

    def __call__(self, s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        g = oracle.grad(s.x, draw(0))
        g, self.last = (g if self.last is None else (g + self.last) / 2), g
        return State(s.x - c.eta * g)


def scaled_noise(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    noise = draw(0).normal(1)
    noise *= 0.5  # and so is the second draw of the same sample
    return State(s.x - c.eta * (s.x + noise + draw(0).normal(1)))


def smaller_steps(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    eta = c.eta
    eta *= 0.9
    return State(s.x - eta * oracle.grad(s.x, draw(0)))


def standardised(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    noise = draw(0).normal(1)
    return State(s.x - c.eta * (s.x + noise / xp.std(noise)))


def largest(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)) / xp.max(s.x))


def largest_later(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    g = oracle.grad(s.x, draw(0))
    return State(s.x - c.eta * (g / xp.max(xp.abs(g)) if t > 1 else g))


def complex_step(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State(s.x * np.exp(1j))


def object_step(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
    return State((s.x - c.eta).astype(object))


def short_step(s: State, t: Any, c: Steps, oracle: Any, draw: Any) -> State:
    return s


def returns_an_array(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> Any:
    return s.x


WRONG_STEPS = {
    "a state that grows": (
        wide,
        r"turns 'x' of shape \(64, 1\) into shape \(64, 64\); check that every number per run",
    ),
    "rows that see each other": (mixing, "rows of a batch are not independent: .*axis=-1"),
    "np.random": (own_noise, "the same step from the same state gives other numbers"),
    "a function of np.random": (imported_noise, "the same step from the same state gives other numbers"),
    "a seeded generator": (seeded_noise, "rows of a batch depend on their places"),
    "a generator of the module": (kept_generator, "the same step from the same state gives other numbers"),
    "Python's random in a helper": (python_noise, "the same step from the same state gives other numbers"),
    "a generator in an object": (Sealed(), "the same step from the same state gives other numbers"),
    "a seeded generator in an object": (Reseeded(), "rows of a batch depend on their places"),
    "a seeded generator in a partial": (
        functools.partial(given_noise, default_rng),
        "rows of a batch depend on their places",
    ),
    "state that starts late": (Late(), "the same step from the same state gives other numbers"),
    "a gradient kept in the object": (Keeping(), "the same step from the same state gives other numbers"),
    "noise that is standardised over the runs": (standardised, "rows of a batch are not independent"),
    "the largest of all runs": (largest, "rows of a batch are not independent"),
    "the largest of all runs, later": (largest_later, "rows of a batch are not independent"),
    "complex numbers": (complex_step, "step: 'x' of the state has type complex128; wanted real"),
    "objects": (object_step, "step: 'x' of the state has type object; wanted real"),
    "another signature": (short_step, r"step: got step\(s: .*; wanted step\(s, t, c, oracle, draw, xp\)"),
    "state of its own": (Counting(), "the same step from the same state gives other numbers"),
    "no State": (returns_an_array, "step: returns ndarray; wanted a NamedTuple"),
}


@pytest.mark.parametrize("case", WRONG_STEPS)
@pytest.mark.parametrize("engine", ["auto", "eager", "fused"])
def test_a_step_that_spoils_the_statistics_is_refused(case: str, engine: str) -> None:
    wrong, said = WRONG_STEPS[case]
    problem = replace(PROBLEM, algorithm=algorithm(wrong), steps=Steps(np.full((RUNS, 1), 0.5)))
    with pytest.raises(ProblemError, match=said):
        simulate(problem, replace(RUN, engine=engine))
    assert (problem.steps.eta == 0.5).all()


@pytest.mark.parametrize("writes", [in_place, scaled_noise, smaller_steps])
@pytest.mark.parametrize("engine", ["auto", "eager", "fused"])
def test_a_write_into_what_a_step_is_given_is_an_error_of_its_line(writes: Any, engine: str) -> None:
    """NumPy's own, which `workbench.homes.mistakes` turns into a sentence with the line."""
    problem = replace(PROBLEM, algorithm=algorithm(writes), steps=Steps(np.full((RUNS, 1), 0.5)))
    with pytest.raises(ValueError, match="read-only") as raised:
        simulate(problem, replace(RUN, engine=engine))
    assert raised.traceback[-1].name == writes.__name__
    assert (problem.steps.eta == 0.5).all()


def test_noise_of_the_namespace_is_refused() -> None:
    with pytest.raises(BackendError, match=r"xp.random.normal: noise comes from draw, as draw\(0\)"):
        simulate(replace(PROBLEM, algorithm=algorithm(borrowed_noise)), RUN)


def test_a_write_that_comes_late_is_refused() -> None:
    def late(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        if t > 5:
            s.x[:] = 0.0
        return State(s.x + 0.0)

    with pytest.raises(ValueError, match="read-only"):
        simulate(replace(PROBLEM, algorithm=algorithm(late)), RUN)


def test_the_start_of_the_caller_is_left_alone() -> None:
    def init(start: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        start["x"][:] = 5.0  # its own copy
        return State(start["x"])

    start = np.ones((RUNS, 1))
    simulate(replace(PROBLEM, algorithm=algorithm(init=init), start={"x": start}), RUN)
    assert (start == 1.0).all()
    assert start.flags.writeable


def test_whole_numbers_are_taken_for_floats() -> None:
    made = simulate(with_start(np.ones((RUNS, 1), dtype=int)), replace(RUN, marks=[1.0, 8.0]))  # type: ignore[arg-type]
    again = simulate(PROBLEM, replace(RUN, marks=np.array([1, 8])))
    np.testing.assert_array_equal(made.data["grad_norm"], again.data["grad_norm"])
    assert made.marks.dtype == np.int64


@dataclass(frozen=True)
class Metrics(Quadratic):
    """Quadratic with metrics of the wrong shape."""

    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {"grad_norm": ("last",)}
    kind: str = "scalar"

    def metrics(self, s: State, t: Any, xp: Any) -> Any:
        norm = ops.norm(s.x, xp)
        return {
            "scalar": {"grad_norm": xp.mean(norm)},
            "wide": {"grad_norm": xp.concat([norm, norm], 1)},
        }.get(self.kind, norm)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("scalar", r"'grad_norm' has shape \(\); wanted one number per run, \(64, 1\)"),
        ("wide", r"'grad_norm' has shape \(64, 2\)"),
        ("array", "returns ndarray; wanted metric"),
    ],
)
@pytest.mark.parametrize("engine", ["auto", "eager", "fused"])
def test_metrics_of_the_wrong_shape_are_refused(kind: str, said: str, engine: str) -> None:
    problem = replace(PROBLEM, instance=Metrics(noise=Sphere(1.0), kind=kind))
    with pytest.raises(ProblemError, match=said):
        simulate(problem, replace(RUN, engine=engine))


def test_a_metric_that_mixes_the_rows_is_refused() -> None:
    def metrics(self: Any, s: State, t: Any, xp: Any) -> Any:
        return {"grad_norm": ops.norm(s.x - xp.mean(s.x, axis=0), xp)}

    with pytest.raises(ProblemError, match="rows of a batch are not independent"):
        simulate(replace(PROBLEM, instance=instance(metrics=metrics, RECORD={"grad_norm": ("last",)})), RUN)


def test_one_run_alone_is_tried_too() -> None:
    one = replace(PROBLEM, start={"x": np.ones((1, 1))}, algorithm=algorithm(Sealed()))
    with pytest.raises(ProblemError, match="gives other numbers the second time"):
        simulate(one, RUN)


def test_a_sum_over_the_only_run_is_refused() -> None:
    def step(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        g = oracle.grad(s.x, draw(0))
        return State(s.x - c.eta * g / xp.sqrt(xp.sum(g * g, axis=0)))

    with pytest.raises(ProblemError, match="rows of a batch are not independent"):
        simulate(replace(PROBLEM, start={"x": np.ones((1, 8))}, algorithm=algorithm(step)), RUN)


def test_a_row_that_stands_for_all_is_refused_when_it_appears() -> None:
    def step(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        x = s.x - c.eta * oracle.grad(s.x, draw(0))
        return State(xp.mean(x, axis=0)[None, :] if t == 5 else x)  # at 6 the noise makes rows of it again

    with pytest.raises(ProblemError, match=r"'x' of shape \(64, 1\) into shape \(1, 1\)"):
        simulate(replace(PROBLEM, algorithm=algorithm(step)), RUN)


class Counted(NamedTuple):
    x: Any
    k: Any


def counted(start: Any, dtype: Any, by: float) -> Problem:
    """PROBLEM with a count beside x, of another type than what is added to it."""

    def init(start: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> Counted:
        return Counted(start["x"], xp.zeros((RUNS, 1), dtype=dtype))

    def step(s: Counted, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> Counted:
        return Counted(s.x - c.eta * oracle.grad(s.x, draw(0)), s.k + by)

    return replace(PROBLEM, algorithm=algorithm(step, init=init))


@pytest.mark.parametrize("engine", ["eager", "fused"])
def test_a_count_of_whole_numbers_stays_one(engine: str) -> None:
    simulate(counted(PROBLEM.start, np.int64, 1), replace(RUN, engine=engine))
    with pytest.raises(ProblemError, match="'k' of type int64 into float64; let init make it of floats"):
        simulate(counted(PROBLEM.start, np.int64, 0.5), replace(RUN, engine=engine))


# ------------------------------------------------------------------------------------- what an instance does


def grad_of(noise: Callable[[Any, Any], Any]) -> Problem:
    """PROBLEM whose gradient's noise is noise(x, sample)."""

    def grad(self: Any, x: Any, sample: Any, xp: Any) -> Any:
        return x + noise(x, sample)

    return replace(PROBLEM, instance=instance(grad=grad))


def test_seeded_noise_in_a_field_of_the_instance_is_refused() -> None:
    def seeded(sample: Any, d: Any, k: Any, xp: Any) -> Any:
        return default_rng(0).normal(size=(RUNS, d))

    with pytest.raises(ProblemError, match="rows of a batch depend on their places"):
        simulate(replace(PROBLEM, instance=Quadratic(noise=seeded)), RUN)  # type: ignore[arg-type]


@functools.cache
def matrix(d: int) -> Any:
    return default_rng(0).normal(size=(d, d))


def test_data_made_once_from_a_seed_is_no_noise() -> None:
    simulate(grad_of(lambda x, sample: x @ matrix(1)), RUN)


def test_a_gradient_kept_in_the_instance_is_refused() -> None:
    @dataclass
    class Keeps:  # each simulation begins with a copy, so that only the second iteration shows what it keeps
        COSTS: ClassVar[dict[str, dict[str, int]]] = Quadratic.COSTS
        RECORD: ClassVar[dict[str, tuple[str, ...]]] = Quadratic.RECORD
        last: Any = None

        def grad(self, x: Any, sample: Any, xp: Any) -> Any:
            g = x + sample.normal(1)
            g, self.last = (g if self.last is None else (g + self.last) / 2), g
            return g

        def metrics(self, s: State, t: Any, xp: Any) -> Any:
            return {"grad_norm": ops.norm(s.x, xp)}

    with pytest.raises(ProblemError, match="gives other numbers the second time"):
        simulate(replace(PROBLEM, instance=Keeps()), RUN)


@dataclass(frozen=True)
class Shifted(Quadratic):
    """Writes into its own data, which the caller holds."""

    b: Any = None

    def grad(self, x: Any, sample: Any, xp: Any) -> Any:
        self.b[:] = 0.9 * self.b
        return x - self.b


def test_data_that_changes_is_refused() -> None:
    problem = replace(PROBLEM, instance=Shifted(noise=Sphere(1.0), b=np.ones((RUNS, 1))))
    with pytest.raises(ProblemError, match="gives other numbers the second time"):
        simulate(problem, RUN)


def test_constants_that_write_into_the_start_are_refused() -> None:
    def constants(self: Any, start: Any) -> Any:
        start["x"] *= 0.0
        return {"L": 1.0}

    with pytest.raises(ValueError, match="read-only"):
        simulate(replace(PROBLEM, instance=instance(constants=constants)), RUN)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"constants": lambda self, start: None}, "Mine.constants: returns NoneType; wanted name -> number"),
        ({"constants": lambda self, start: {"L": [1, 2, 3]}}, "Mine.constants: L is neither a number nor"),
        (
            {"constants": lambda self, start: {"V": 1.0}, "drift": lambda self, marks: {"V": 1.0 * marks}},
            "Mine.drift: 'V' is also one of the constants",
        ),
        (
            {"checkpoint_metrics": lambda self, s, t, xp: {"grad_norm_mean": s.x}},
            "Mine.checkpoint_metrics: 'grad_norm_mean' is also recorded from metrics",
        ),
        ({"metrics": lambda self, s, t, xp: {"grad_norm": s.x * 1j}}, "'grad_norm' has type complex128"),
        (
            {"metrics": lambda self, s, t, xp: {"grad_norm": s.x / xp.max(s.x)}},
            "rows of a batch are not independent",
        ),
    ],
)
def test_numbers_that_would_be_taken_for_others_are_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        simulate(replace(PROBLEM, instance=instance(**fields)), RUN)


# ------------------------------------------------------------------------------------------- what is allowed


@dataclass(frozen=True)
class Derived(Quadratic):
    """Has a field that its constructor computes."""

    scale: Any = 2.0
    inverse: Any = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "inverse", 1.0 / self.scale)

    def grad(self, x: Any, sample: Any, xp: Any) -> Any:
        return x * self.inverse


def test_a_field_computed_by_the_constructor_is_allowed() -> None:
    made = simulate(replace(PROBLEM, instance=Derived(noise=Sphere(1.0))), RUN)
    assert made.data["grad_norm"][0, 1] == 0.75


@pytest.mark.parametrize("rows", [1, RUNS])
def test_an_init_that_insists_on_a_feasible_start_is_allowed(rows: int) -> None:
    def init(start: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        if (abs(start["x"].sum(-1) - 1.0) > 1e-9).any():
            raise ValueError("the start lies outside the simplex")
        return State(start["x"])

    def step(s: State, t: Any, c: Steps, oracle: Any, draw: Any, xp: Any) -> State:
        return State(s.x / xp.sum(s.x, axis=-1, keepdims=True))

    start = {"x": np.full((rows, 4), 0.25)}
    simulate(replace(PROBLEM, algorithm=algorithm(step, init=init), start=start), RUN)
