"""The checker against planted truths: a short calibration (the long one is a command)."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import planted
from workbench.stats import clopper_pearson

REPEATS = 60


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    return planted.calibrate(REPEATS, seed=1)


def test_every_scenario_is_compatible_with_the_promise(rows: list[dict[str, object]]) -> None:
    assert planted.failures(rows) == []
    assert planted.failures([{"scenario": "x", "ok": False}]) == ["x"]


def test_false_alarms_over_all_scenarios(rows: list[dict[str, object]]) -> None:
    """Pooled over all scenarios with a truth, at most 1 % wrong verdicts (99.5 % confidence)."""
    judged = [r for r in rows if r["truth"] != "open"]
    wrong = sum(round(float(str(r["wrong_%"])) * REPEATS / 100) for r in judged)
    assert clopper_pearson(wrong, REPEATS * len(judged), 0.005)[1] <= 0.01


def test_power_over_all_scenarios_to_decide(rows: list[dict[str, object]]) -> None:
    judged = [r for r in rows if r["must_decide"] == "yes"]
    assert {r["scenario"] for r in judged} == set(planted.CLAIMS_TO_DECIDE)
    right = sum(round(float(str(r["right_%"])) * REPEATS / 100) for r in judged)
    assert clopper_pearson(right, REPEATS * len(judged), 0.005)[0] >= 0.99


def test_every_truth_is_planted_for_every_evidence() -> None:
    """A checker that is never asked about a false claim has not been tested."""
    kinds = {(s.name.split()[0].rstrip(":"), s.truth) for s in planted.scenarios()}
    for kind in ("rate", "tight", "level", "bound", "scaling", "crossover"):
        assert {(kind, "true"), (kind, "false")} <= kinds


def test_planted_noise_has_the_planted_mean() -> None:
    values = planted.noisy(np.random.default_rng(0), planted.mixture(1e4), runs=20000)
    np.testing.assert_allclose(values.mean(0) / planted.mixture(1e4), 1, atol=0.02)
    # running means at neighbouring checkpoints share most of their past
    assert np.corrcoef(np.log(values[:, -2]), np.log(values[:, -1]))[0, 1] > 0.8


def test_rows_do_not_depend_on_the_subset() -> None:
    name = "bound w.p. 0.9: 10 % exceed, 256 runs"
    alone = planted.calibrate(20, seed=2, names=(name,))
    both = planted.calibrate(20, seed=2, names=(name, "bound: mean = bound"))
    assert alone[0] in both
