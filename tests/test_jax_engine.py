"""The engine of JAX beside the eager one: the same runs up to rounding, the same bits alone; else it gives None."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pytest

import workbench as wb
from workbench.claims.optimizers import jax_engine
from workbench.engine import eager
from workbench.engine.rows import cut_problem
from workbench.engine.validate import validate

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("optax") is None, reason="optax is not installed: pip install '.[optimizers]'"
)
MARKS = np.array([1, 2, 31, 32, 40])
ROWS = 70  # a block and a part of one


@pytest.fixture(autouse=True)
def at_every_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax_engine, "SHORTEST", 1)


def problem(method: Any, instance: Any, d: int = 3, steps: Any = None, rows: int = ROWS) -> wb.Problem:
    start = {"x": np.linspace(0.5, 1.5, rows * d).reshape(rows, d)}
    return wb.Problem(method, instance, method.Steps() if steps is None else steps, start)


def on_jax(problem: wb.Problem, seed: int = 3, **more: Any) -> wb.Result:
    result = jax_engine.simulate(*validate(problem, wb.Run(MARKS, seed=seed, **more)))
    assert result is not None
    assert result.meta["engine"] == "jax"
    return result


def on_eager(problem: wb.Problem, seed: int = 3) -> wb.Result:
    return eager.simulate(*validate(problem, wb.Run(MARKS, seed=seed)))


@dataclass(frozen=True)
class Watched:
    """A bowl with every reduction, two samples and a batch."""

    noise: Any = field(default_factory=wb.Sphere)
    COSTS: ClassVar = {"grad": {"gradient": 2, "call": 1}}
    RECORD: ClassVar = {"size": ("last", "mean", "sum", "max", "peak")}

    def grad(self, x, xi, xp):
        return x + self.noise(xi, x.shape[-1], 0, xp) + 0.1 * self.noise(xi, x.shape[-1], 3, xp, k=2)

    def metrics(self, s, t, xp):
        return {"size": wb.ops.norm(s.x, xp) * t}

    def checkpoint_metrics(self, s, t, xp):
        return {"first": s.x[:, :1]}


def cases() -> dict[str, wb.Problem]:
    import optax

    columns = np.linspace(0.1, 0.5, ROWS)[:, None]
    many = wb.method(optax.adam, learning_rate=0.1)
    free = wb.method(
        optax.contrib.schedule_free_sgd(0.1, b1=0.9), output=optax.contrib.schedule_free_eval_params
    )
    scheduled = wb.method(optax.sgd(optax.cosine_decay_schedule(0.1, 50), 0.9))
    batched = wb.method(optax.adam(0.1), gradient=lambda oracle, x, t, draw: oracle.batch(x, t, draw(1)))
    ready = wb.problems
    return {
        "normal": problem(wb.method(optax.adam(0.1)), ready.Quadratic(wb.Gaussian(1.0))),
        "signs": problem(scheduled, ready.Logarithm(wb.Sphere(columns)), d=1),
        "columns": problem(many, ready.DiagonalQuadratic(wb.Sphere(columns)), steps=many.Steps(columns)),
        "average": problem(free, ready.Huber(wb.TwoRadius(0.1, columns))),
        "every reduction": problem(scheduled, Watched(wb.Gaussian(0.3))),
        "batches": problem(batched, ready.Quadratic(wb.Sphere(1.0))),
        "data": problem(wb.method(optax.adam(0.1)), ready.LeastSquares(np.eye(3) + 0.1, np.ones(3))),
    }


NAMES = ["normal", "signs", "columns", "average", "every reduction", "batches"]


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_agree_up_to_rounding(name: str) -> None:
    ours, plain = on_jax(cases()[name]), on_eager(cases()[name])
    assert ours.data.keys() == plain.data.keys()
    for quantity, values in plain.data.items():
        size = np.abs(values).max()
        np.testing.assert_allclose(
            ours.data[quantity], values, rtol=1e-10, atol=1e-12 * size, err_msg=quantity
        )
    assert {n: c.tolist() for n, c in ours.calls.items()} == {n: c.tolist() for n, c in plain.calls.items()}
    assert not ours.status.any()


@pytest.mark.parametrize("name", NAMES)
def test_a_run_alone_and_a_part_of_a_batch_have_the_same_bits(name: str) -> None:
    whole = on_jax(cases()[name])
    for rows in (slice(0, 1), slice(66, 67), slice(5, 69)):
        part = on_jax(cut_problem(cases()[name], rows))
        for quantity, values in part.data.items():
            assert np.array_equal(values, whole.data[quantity][rows]), (quantity, rows)


def test_the_seed_decides() -> None:
    one, same, other = (on_jax(cases()["normal"], seed=s).data["gap"] for s in (2**40 + 1, 2**40 + 1, 1))
    assert np.array_equal(one, same)
    assert not np.isclose(one[:, -1], other[:, -1]).any()


def test_it_is_chosen_for_long_runs_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax_engine, "SHORTEST", 40)
    case = cases()["normal"]
    assert wb.simulate(case, wb.Run(MARKS)).meta["engine"] == "jax"
    assert wb.simulate(case, wb.Run(MARKS, engine="eager")).meta["engine"] == "eager"
    assert wb.simulate(case, wb.Run(MARKS[:-1])).meta["engine"] == "eager"
    assert wb.simulate(case, wb.Run(MARKS)).constants["L"] == 1.0


@pytest.mark.filterwarnings(
    "ignore::workbench.engine.choice.Uncompiled"
)  # its cost is told where a call is slow
def test_what_jax_cannot_trace_runs_as_before() -> None:
    import optax

    def by_time(oracle, x, t, draw):
        return oracle.grad(x, draw(0)) if t > 3 else 0 * x

    bowl = wb.problems.Quadratic(wb.Sphere(0.5))
    branching = problem(wb.method(optax.adam(0.1), gradient=by_time), bowl)
    assert jax_engine.simulate(*validate(branching, wb.Run(MARKS))) is None
    assert wb.simulate(branching, wb.Run(MARKS)).meta["engine"] == "eager"
    rule = wb.method(lambda x, g, state: (x - 0.1 * g, None))
    assert wb.simulate(problem(rule, bowl), wb.Run(MARKS)).meta["engine"] == "eager"


def test_a_run_that_overflows_leaves_the_others_alone() -> None:
    import optax

    method = wb.method(optax.sgd, learning_rate=0.1)
    rates = np.full((ROWS, 1), 0.1)
    rates[3] = 1e200
    ours = on_jax(problem(method, wb.problems.Quadratic(), steps=method.Steps(rates)))
    assert ours.status.tolist() == [int(row == 3) for row in range(ROWS)]
    plain = on_eager(problem(method, wb.problems.Quadratic(), steps=method.Steps(rates)))
    assert np.array_equal(ours.failed_at, plain.failed_at)


class Interrupted:
    """Keeps the position after the third mark, as plain data."""

    position: Any = None

    def resume(self, engine: str, backend: str) -> Any:
        return self.position

    def due(self, end: bool) -> bool:
        return self.position is None and not end

    def write(self, position: Any) -> None:
        if position["t"] == MARKS[2]:
            self.position = {**position, "recorded": {n: _copy(v) for n, v in position["recorded"].items()}}


def _copy(value: Any) -> Any:
    return {n: np.array(v) for n, v in value.items()} if isinstance(value, dict) else np.array(value)


@pytest.mark.parametrize("name", ["average", "every reduction"])
def test_a_resumed_run_has_the_same_bits(name: str) -> None:
    keep = Interrupted()
    whole = on_jax(cases()[name], keep=keep)
    assert keep.position["t"] == MARKS[2]
    later = on_jax(cases()[name], keep=keep)
    for quantity, values in whole.data.items():
        assert np.array_equal(later.data[quantity], values), quantity
