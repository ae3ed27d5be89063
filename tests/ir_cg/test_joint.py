"""The probability of both levels at once is larger than that of each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from workbench.theorems.ir_cg.experiments import one_sample
from workbench.theorems.ir_cg.experiments.joint import Both, jointly
from workbench.theorems.ir_cg.experiments.study import DELTA, INNER_1, OUTER_1, bounds

from workbench.claims.claims import Bound
from workbench.engine.records import Result
from workbench.run import jobs
from workbench.run.options import Options

RUNS = 400
SIM = one_sample.SIMS["hc"]
(OUTER,), (INNER,) = (
    bounds(theorem, ("repaired",), SIM, metric)
    for theorem, metric in ((OUTER_1, "outer_gap"), (INNER_1, "inner_gap"))
)


@pytest.fixture(scope="module")
def made() -> Result:
    job = jobs.prepare(SIM, Options("quick", horizon=20, runs=RUNS))
    return jobs.execute(job, "numpy")


def planted(made: Result, outer: np.ndarray, inner: np.ndarray) -> dict[str, Result]:
    """Runs that exceed the bound of a level everywhere where the mask says so, and lie at half of it elsewhere."""

    def gaps(bound: Bound, beyond: np.ndarray) -> np.ndarray:
        curves = np.where(np.isfinite(bound.curves(made)), bound.curves(made), 1.0)
        return curves * np.where(beyond[made.run_ids], 2.0, 0.5)[:, None]

    return {
        SIM.key: replace(
            made, data={**made.data, "outer_gap": gaps(OUTER, outer), "inner_gap": gaps(INNER, inner)}
        )
    }


def test_runs_that_fail_on_either_level_add_up(made: Result) -> None:
    """15 % beyond each bound, but not the same runs: each level holds with probability 0.8, both together do not."""
    one, two = np.arange(RUNS) < 0.15 * RUNS, np.arange(RUNS) >= 0.85 * RUNS
    found = Both(OUTER, INNER).finding(planted(made, one, two))
    assert found.value == pytest.approx(0.3)
    assert found.claimed == pytest.approx(DELTA)
    assert found.p_if_right < 1e-3
    for level in (OUTER, INNER):
        assert level.finding(planted(made, one, two)).p_if_right > 0.5


def test_the_same_runs_count_once(made: Result) -> None:
    same = np.arange(RUNS) < 0.1 * RUNS
    found = Both(OUTER, INNER).finding(planted(made, same, same))
    assert found.value == pytest.approx(0.1)
    assert found.p_if_wrong < 1e-3


def test_one_form_is_joined_and_the_others_stay() -> None:
    printed = replace(OUTER, form="printed")
    assert jointly((printed, OUTER), (INNER,), "repaired") == (printed, Both(OUTER, INNER))


def test_levels_with_different_probabilities_are_refused(made: Result) -> None:
    results = planted(made, *np.zeros((2, RUNS), bool))
    with pytest.raises(ValueError, match="the same probability"):
        Both(OUTER, replace(INNER, delta=0.5)).finding(results)
