"""`Simulation.record`: what is not read need not be kept, and what is kept is the same with and without it."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import toy_method
from sympy import Symbol

from workbench.claims import probes
from workbench.claims.recording import Recording
from workbench.claims.records import AS_READ
from workbench.claims.views import calls_of, read_by
from workbench.cli.contracts.check import distinct
from workbench.cli.contracts.steps import SMALL
from workbench.engine.choice import simulate
from workbench.engine.records import Grid, Problem, Result, Run, class_of
from workbench.engine.validate import ProblemError
from workbench.ledger import trajectories
from workbench.run import catalog, jobs
from workbench.run.options import Options, UsageError

MARKS = np.array([1, 2, 5, 9])
MEASURED = ("grad_norm", "grad_norm_mean", "x_norm_max", "x_sum")


class Measured(toy_method.Quadratic):
    """With a metric that is measured at the marks alone."""

    def checkpoint_metrics(self, s: Any, t: Any, xp: Any) -> dict[str, Any]:
        return {"x_sum": xp.sum(s.x, axis=1, keepdims=True)}


def problem(instance: Any) -> Problem:
    grid = Grid([{}], 3)
    return Problem(toy_method, instance, toy_method.Steps(0.1, 0.5), {"x": grid.full(1.0, 2)}, grid)


@pytest.mark.parametrize("engine", ["eager", "fused"])
@pytest.mark.parametrize("only", [MEASURED[:1], MEASURED[1:3], MEASURED[3:], MEASURED])
def test_what_is_recorded_is_the_same_without_the_rest(engine: str, only: tuple[str, ...]) -> None:
    every = simulate(problem(Measured()), Run(MARKS, engine=engine))
    some = simulate(problem(Recording(Measured(), only)), Run(MARKS, engine=engine))
    assert sorted(every.data) == sorted(MEASURED)
    assert sorted(some.data) == sorted(only)
    for name in only:
        assert some.data[name].tobytes() == every.data[name].tobytes()
    assert {n: v.tolist() for n, v in some.calls.items()} == {n: v.tolist() for n, v in every.calls.items()}


def test_a_quantity_that_nothing_measures_is_named() -> None:
    with pytest.raises(
        ValueError, match="record: 'x_norm' is not measured; there are grad_norm, grad_norm_mean"
    ):
        Recording(toy_method.Quadratic(), ("grad_norm", "x_norm"))
    late = Recording(Measured(), ("x_sums",))  # known when a mark is measured
    with pytest.raises(ValueError, match=r"record: 'x_sums' is not measured; .*x_sum"):
        simulate(problem(late), Run(MARKS, engine="eager"))


def test_an_instance_is_itself_besides_and_can_be_copied() -> None:
    only = Recording(toy_method.Quadratic(L=2.0), ("grad_norm",))
    assert only.L == 2.0
    assert not hasattr(only, "checkpoint_metrics")
    assert copy.deepcopy(only) == only


def test_a_simulation_says_what_it_records() -> None:
    some = next(s for s in catalog.simulations().values() if s.record and s.record != AS_READ and not s.probe)
    whole = jobs.prepare(replace(some, record=()), Options("quick"))
    job = jobs.prepare(some, Options("quick"))
    assert job.key != whole.key, "a result of all that is measured is another one"
    assert job.seed == whole.seed
    again = jobs.prepare(replace(some, record=(*some.record[::-1], some.record[0])), Options("quick"))
    assert job.key == again.key, "neither order nor repetition makes another result"
    for wrong in ("gap", ["gap"], (1,)):
        with pytest.raises(ValueError, match="wanted a tuple of names"):
            replace(some, record=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["eager", "fused"])
def test_foreign_random_numbers_are_found_below_it(engine: str) -> None:
    def noisy(self: Any, s: Any, t: Any, xp: Any) -> dict[str, Any]:
        return {"z": s.x[:, :1] * 0 + np.random.default_rng(0).normal(size=s.x[:, :1].shape)}

    wrong = type("Wrong", (toy_method.Quadratic,), {"checkpoint_metrics": noisy})()
    for instance in (wrong, Recording(wrong, ("z",))):
        with pytest.raises(ProblemError, match="noise"):
            simulate(problem(instance), Run(MARKS, engine=engine))


@pytest.mark.parametrize("key", [s.key for s in catalog.simulations().values() if s.record or s.probe])
def test_a_result_holds_what_its_simulation_records(key: str) -> None:
    sim, options = catalog.simulations()[key], Options("quick", horizon=3, runs=2, engine="eager")
    found = jobs.execute(jobs.prepare(sim, options), "numpy", options)
    own = (
        {name for name in probes.computed_names(sim.probe) if name in catalog.read_along()[key]}
        if sim.probe
        else ()
    )
    wanted = {*own, *sim.record}
    if wanted >= {*AS_READ}:
        about = [claim for claim in catalog.claims() if key in claim.needs]
        wanted = wanted - {*AS_READ} | {name for claim in about for name in claim.metrics}
    assert sorted(found.data) == sorted(wanted)


def test_what_a_function_reads_is_kept() -> None:
    """Of a tiny result, whatever the function makes of it; and a single quantity is itself."""

    def larger(result: Result) -> np.ndarray:
        return np.maximum(result.table("a"), np.sqrt(result.data["b"]))

    def breaks(result: Result) -> np.ndarray:
        return result.table("a") * result.params["sigma"][:, None] + result.table("b")

    assert read_by("gap") == ("gap",)
    assert read_by(larger) == ("a", "b")
    assert read_by(breaks) == ("a",)
    assert read_by(calls_of("gradient")) == ()


def test_where_no_claim_reads_anything_the_names_are_asked_for() -> None:
    sim = next(s for s in catalog.simulations().values() if s.record == AS_READ)
    with pytest.raises(UsageError, match="no claim says what it reads: name it in record"):
        jobs.prepare(replace(sim, key=f"{sim.key}-another"), SMALL)
    job = jobs.prepare(replace(sim, key=f"{sim.key}-another", record=(*AS_READ, "grad_norm")), SMALL)
    assert job.batch.instance.only == ("grad_norm",)


def test_a_line_that_reads_more_makes_another_result(monkeypatch: pytest.MonkeyPatch) -> None:
    sim = next(s for s in catalog.simulations().values() if s.probe and not s.record)
    every, read = probes.computed_names(sim.probe), catalog.read_along()
    few, keys = sorted(set(every) & read[sim.key]), {}
    for name, names in {"as it is": few, "one": few[:1], "none": [], "foreign": ["t", "no_quantity"]}.items():
        monkeypatch.setattr(catalog, "read_along", lambda names=names: {sim.key: frozenset(names)})
        job = jobs.prepare(sim, SMALL)
        assert sorted(job.batch.instance.only) == sorted(set(names) & set(every) or every)
        keys[name] = job.key
    assert len({keys["as it is"], keys["one"], keys["none"]}) == 3
    assert keys["foreign"] == keys["none"], "what no line reads along it is kept: a probe is there to be read"
    assert jobs.prepare(replace(sim, key=f"{sim.key}-another"), SMALL).batch.instance.only == tuple(
        sorted(every)
    )


def test_a_mistake_in_a_line_names_what_the_probe_computes() -> None:
    sim = next(s for s in catalog.simulations().values() if s.probe and not s.record)
    left = sorted(set(probes.computed_names(sim.probe)) - catalog.read_along()[sim.key])
    found = jobs.execute(jobs.prepare(sim, SMALL), "numpy", SMALL)
    assert left
    assert not set(left) & set(found.data)
    with pytest.raises(ValueError, match=f"nothing is not recorded; available: .*{left[0]}"):
        trajectories.from_result(found, sim).of(Symbol("nothing"), "a line")


def test_every_class_of_instances_is_checked() -> None:
    """`workbench check` takes one simulation of each: wrapped ones were all of one class."""
    wrapped = [s for s in catalog.simulations().values() if s.record or s.probe]
    classes = {class_of(jobs.prepare(s, SMALL).batch.instance) for s in wrapped}
    assert len(classes) > 3
    assert {class_of(jobs.prepare(s, SMALL).batch.instance) for s in distinct(wrapped)[0]} == classes


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (["grad_norm"], "no mapping 'RECORD'"),
        ({"grad_norm": ("last", "avg")}, "the reduction 'avg'"),
        ({"grad_norm": ()}, "no reduction"),
        ({"grad_norm": 3}, "RECORD"),
    ],
)
def test_a_mistake_in_what_is_measured_is_the_engines_to_tell(record: Any, said: str) -> None:
    wrong = type("Wrong", (toy_method.Quadratic,), {"RECORD": record})()
    with pytest.raises(ProblemError, match=said):
        simulate(problem(Recording(wrong, ("grad_norm",))), Run(MARKS, engine="eager"))


def test_a_probe_has_the_exact_instance() -> None:
    sim = next(s for s in catalog.simulations().values() if s.probe)
    made = jobs.prepare(sim, SMALL).batch.instance
    assert isinstance(made, Recording)
    assert isinstance(made.instance, probes.Probed)
    assert type(made.instance.instance) is class_of(made)
