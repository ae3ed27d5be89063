"""Peaks: the largest value since the mark before, recorded by both engines, and the envelope that is read of them."""

from __future__ import annotations

import numpy as np
import pytest

import workbench as wb
from workbench.claims.recording import Recording
from workbench.engine.records import Result
from workbench.run import jobs
from workbench.run.options import Options

HORIZON = 512
State, Steps = wb.state("x", "v"), wb.steps("eta", "beta")


def step(s, t, c, oracle, draw, xp):
    """Heavy ball: the gradient oscillates."""
    v = c.beta * s.v - c.eta * oracle.grad(s.x, draw(0))
    return State(s.x + v, v)


def simulated(engine: str, record: tuple[str, ...], marks: tuple[int, ...] = ()) -> Result:
    study = wb.Study("peaks", "Heavy ball", record=record, marks=marks)
    sim = study.simulation(
        step,
        Steps(eta=0.05, beta=0.97),
        problem=wb.problems.Quadratic(wb.Gaussian(0.01)),
        start={"x": 1.0, "v": 0.0},
        horizon=HORIZON,
        runs=3,
    )
    options = Options("quick", backend="numpy", engine=engine)
    return jobs.execute(jobs.prepare(sim, options), "numpy", options)


@pytest.mark.parametrize("engine", ["eager", "fused"])
def test_a_peak_is_the_largest_value_since_the_mark_before(engine: str) -> None:
    every = simulated("eager", ("grad_norm",), tuple(range(1, HORIZON + 1)))
    made = simulated(engine, ("grad_norm", "grad_norm_peak"))
    before = 0
    for index, mark in enumerate(made.marks):
        expected = every.table("grad_norm")[:, before:mark].max(axis=1)
        np.testing.assert_array_equal(made.table("grad_norm_peak")[:, index], expected)
        before = mark
    np.testing.assert_array_equal(made.table("grad_norm"), every.table("grad_norm")[:, made.marks - 1])


def test_the_envelope_is_the_largest_value_over_an_octave() -> None:
    every = simulated("eager", ("grad_norm",), tuple(range(1, HORIZON + 1)))
    made = simulated("fused", ("grad_norm_peak",))
    values, marks = wb.envelope(made, "grad_norm_peak", made.rows())
    for number, mark in enumerate(marks.astype(int)):
        if mark & (mark - 1) == 0:  # others have no mark at exactly half
            expected = every.table("grad_norm")[:, mark // 2 : mark].max(axis=1)
            np.testing.assert_array_equal(values[:, number], expected)


def test_an_envelope_is_of_a_peak_and_a_level_is_read_in_it() -> None:
    study = wb.Study("peaks", "Heavy ball", record=("grad_norm",))
    sim = study.simulation(
        step,
        Steps(0.05, 0.97),
        problem=wb.problems.Quadratic(),
        start={"x": 1.0, "v": 0.0},
        horizon=64,
        runs=2,
    )
    with pytest.raises(ValueError, match="whose names end in _peak"):
        study.reading("rate", sim, claimed=-1, metric="grad_norm", view=wb.envelope)
    marks = np.array([8.0, 16.0])
    np.testing.assert_array_equal(wb.envelope.predict(lambda T: 1 / T, marks), [1 / 5, 1 / 9])
    np.testing.assert_array_equal(wb.envelope.predict(lambda T: T, marks), marks)


def test_a_peak_that_is_not_recorded_says_what_records_it() -> None:
    with pytest.raises(KeyError, match=r"record=wb\.claims\.AS_READ records the peaks"):
        simulated("eager", ("grad_norm",)).table("grad_norm_peak")


@pytest.mark.parametrize("problem", [wb.problems.DiagonalQuadratic(), wb.problems.QuadraticSum()])
def test_the_gap_of_a_smooth_problem_has_a_peak(problem: object) -> None:
    """What an open line on an oscillating curve advises can be done: accelerated methods oscillate in the gap."""
    assert Recording(problem, ("gap_peak",)).RECORD == {"gap": ("peak",)}
