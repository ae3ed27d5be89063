"""What belongs to each row is a type, told apart once for a whole batch: data may have any shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.claims.runs import Runs
from workbench.claims.usable_rows import Refused
from workbench.engine import rows
from workbench.engine.per_row import PerRow, typed_record, with_row_types
from workbench.run import make_contract, options

ROWS = 6
State, Steps = wb.state("x"), wb.steps("eta")


@dataclass(frozen=True)
class Fit:
    """f(x) = mean (a_i x - b_i)^2 / 2 + shift x on data with one column, scaled by a number per run."""

    matrix: np.ndarray
    scale: Any = 1.0
    nested: tuple[Any, ...] = ()
    COSTS = {"grad": {"gradient": 1}}  # noqa: RUF012
    RECORD = {"size": ("last",)}  # noqa: RUF012

    def grad(self, x: Any, sample: Any, xp: Any) -> Any:
        residual = wb.ops.matvec(self.matrix, x, xp)
        return self.scale * wb.ops.rowsum(residual, xp) / 10.0 + x

    def metrics(self, s: Any, t: Any, xp: Any) -> dict[str, Any]:
        return {"size": wb.ops.norm(s.x, xp)}


@dataclass(frozen=True)
class Declared(Fit):
    matrix: np.ndarray = field(metadata={"per_run": False})


class Method:
    def init(start, c, oracle, draw, xp):  # type: ignore[no-untyped-def]
        return State(start["x"])

    def step(s, t, c, oracle, draw, xp):  # type: ignore[no-untyped-def]
        return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


def column(n: int) -> np.ndarray:
    return np.linspace(0.5, 1.5, n)[:, None]


def problem(instance: Any) -> wb.Problem:
    return wb.Problem(Method, instance, Steps(eta=column(ROWS) / 10), {"x": 2.0 * column(ROWS)})


def sizes(of: wb.Problem, engine: str) -> np.ndarray:
    return wb.simulate(of, wb.Run(np.array([1, 2, 9]), engine=engine)).table("size")


@pytest.mark.parametrize("engine", ["eager", "fused"])
@pytest.mark.parametrize("n", [2, 3, ROWS])
def test_data_with_as_many_rows_as_a_batch_or_a_piece_of_it_stay_data(n: int, engine: str) -> None:
    """Before the type, a piece of n rows took its share of the data for a number per run each."""
    whole = problem(Declared(column(n), scale=column(ROWS)))
    expected = sizes(whole, "eager")
    assert np.allclose(sizes(whole, engine), expected, rtol=1e-12)
    pieces = [rows.cut_problem(whole, slice(a, a + n)) for a in range(0, ROWS, n)]
    assert all(piece.instance.matrix.shape == (n, 1) for piece in pieces)
    assert np.allclose(np.concatenate([sizes(p, engine) for p in pieces]), expected, rtol=1e-12)


def test_undeclared_data_are_told_apart_by_the_whole_batch_alone() -> None:
    whole = problem(Fit(column(2), scale=column(ROWS)))
    piece = rows.cut_problem(whole, slice(0, 2))
    assert isinstance(piece.instance.scale, PerRow)
    assert not isinstance(piece.instance.matrix, PerRow)
    assert rows.cut_problem(piece, slice(0, 1)).instance.matrix.shape == (2, 1)
    assert np.allclose(sizes(piece, "fused"), sizes(whole, "eager")[:2], rtol=1e-12)


def test_a_problem_is_typed_once_and_stays_as_it_was() -> None:
    untyped = problem(Fit(column(2), scale=column(ROWS), nested=(column(ROWS), [column(2)])))
    once = with_row_types(untyped)
    assert with_row_types(once) is once
    assert isinstance(once.instance.nested[0], PerRow)
    assert not isinstance(once.instance.nested[1][0], PerRow)
    assert isinstance(once.steps.eta, PerRow)
    assert type(untyped.instance.scale) is np.ndarray
    alike = Fit(column(2))
    assert typed_record(alike, ROWS) is alike


def test_what_a_step_computes_is_a_plain_array() -> None:
    kinds = []

    class Spy(Method):
        def step(s, t, c, oracle, draw, xp):  # type: ignore[no-untyped-def]
            kinds.append((type(c.eta), type(oracle.grad(s.x, draw(0)))))
            return Method.step(s, t, c, oracle, draw, xp)

    wb.simulate(wb.Problem(Spy, Fit(column(2), scale=column(ROWS)), Steps(eta=column(ROWS)), {"x": column(ROWS)}),
                wb.Run(np.array([2]), engine="eager"))  # fmt: skip
    assert set(kinds) == {(np.ndarray, np.ndarray)}


def batch(instance: Any) -> Any:
    def make(horizon: int, runs: int) -> wb.Batch:
        grid = wb.Grid([{}], runs)
        return wb.Batch(instance, Steps(eta=0.1), {"x": grid.full(1.0)}, grid)

    study = wb.Study("paper", "Fit", metric="size")
    return study.simulation_from("main", "Fit", "paper.method", make, wb.always(9), wb.always(ROWS))


@pytest.mark.parametrize("kind", [Fit, Declared])
def test_data_that_look_like_numbers_per_run_are_refused_unless_declared(kind: type) -> None:
    sim = batch(kind(column(ROWS)))

    def check() -> None:
        make_contract.check(sim, sim.make(9, ROWS), 9, Runs(ROWS))

    if kind is Declared:
        check()
        return
    with pytest.raises(options.UsageError, match=r"metadata=.*per_run.: False"):
        check()


def test_an_array_of_one_axis_that_is_known_is_of_rows_or_of_marks_and_refused() -> None:
    sim = batch(Fit(column(2)))
    study = wb.Study("paper", "Fit", metric="size", known=lambda result: {"g": np.arange(3.0)})
    reading = study.reading("rate", sim, claimed=0.0)
    result = wb.simulate(problem(Fit(column(2))), wb.Run(np.array([1, 2, 9])))
    with pytest.raises(Refused, match="'g' with one axis"):
        reading.knowledge(result)
