"""Figures 1 and 2: equal budgets of samples, the rule that chooses steps, and the sentence about the paper's order."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import pytest
from scipy.stats import t
from workbench.theorems.rsvrb.experiments import reweighting_runs as runs
from workbench.theorems.rsvrb.experiments.compared import RIVALS, horizons, row_products, samples
from workbench.theorems.rsvrb.figures import weights

from workbench.claims import step_sizes
from workbench.engine.records import Result
from workbench.report.drawing import comparison
from workbench.run import catalog
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options

each_figure = pytest.mark.parametrize("figure", ["fig-1", "fig-2"])


def quick(key: str, horizon: int) -> Result:
    return execute(prepare(catalog.simulations()[key], Options("quick", horizon=horizon, runs=2)), "numpy")


@each_figure
def test_every_method_gets_the_same_number_of_samples(figure: str) -> None:
    """As many iterations as fit, one more does not; profiles with a budget for two iterations."""
    for budget, m in ((b, m) for (f, _, m), b in runs.BUDGETS.items() if f == figure):
        for rival in runs.CURVES[figure]:
            setting = runs.SETTINGS[figure]
            for profile, length in horizons(rival, setting, m, budget).items():
                used, next_one = (rival.first + rival.rounds(T, setting, m) for T in (length, length + 1))
                assert next_one > budget[profile]
                assert used <= budget[profile] or length == 2


@pytest.mark.parametrize("rival", RIVALS.values(), ids=RIVALS)
def test_the_meter_counts_the_samples_that_the_budget_assumes(rival) -> None:
    """Ten iterations; the random lengths of HIA on average only."""
    figure, key = ("fig-2", "a1a-200") if rival.name == "re-rsvrb" else ("fig-1", "a1a")
    m = 200 if figure == "fig-2" else 1
    found = quick(f"rsvrb/sim-{figure}-{key}-{rival.name}", 10)
    a_round = float(np.max(found.constants["round"]))
    counted = found.calls["sample"][:, -1] / a_round
    expected = rival.rounds(10, runs.SETTINGS[figure], m)
    spread = 10 * runs.SETTINGS[figure].K / 2 if rival.name in ("ttsa", "ttsa-own", "bsa") else 0.0
    np.testing.assert_allclose(counted, expected, atol=spread + 1e-12)
    assert samples(found)[0] == rival.first * a_round
    assert (np.diff(samples(found)) > 0.0).all()
    assert (np.diff(row_products(found)) > 0.0).all()


@each_figure
def test_chosen_steps_are_points_of_the_grids(figure: str) -> None:
    """Three steps per decade; the weights of the setting."""
    assert set(runs.STEPS[figure]) == {r.name for r in runs.CURVES[figure]}
    for name, chosen in runs.STEPS[figure].items():
        for value in (chosen.inner, chosen.outer):
            assert value in step_sizes.ladder(value)
        assert chosen.weight in (runs.SETTINGS[figure].weights if RIVALS[name].weighs else (1.0,))


def test_no_drawn_run_is_a_pilot_run() -> None:
    assert max(max(sim.runs.values()) for sim in runs.SIMS.values()) < step_sizes.FIRST_PILOT


def test_the_interval_is_welchs() -> None:
    """By hand: variances 1 and 1/3, three runs each, Welch's degrees of freedom."""
    ours, theirs = np.array([0.0, 1.0, 2.0]), np.array([5.0, 6.0, 5.0])
    low, high = comparison.difference(ours, theirs)
    se = np.sqrt(1 / 3 + 1 / 9)
    freedom = (1 / 3 + 1 / 9) ** 2 / ((1 / 3) ** 2 / 2 + (1 / 9) ** 2 / 2)
    reach = t.ppf(0.995, freedom) * se
    np.testing.assert_allclose([low, high], [1 - 16 / 3 - reach, 1 - 16 / 3 + reach], rtol=1e-9)
    failed = np.array([0.0, np.nan, 1.0])
    assert comparison.difference(ours, failed) == (-np.inf, -np.inf)
    assert comparison.difference(failed, ours) == (np.inf, np.inf)
    assert comparison.difference(failed, failed) == (-np.inf, np.inf)


@each_figure
def test_the_text_begins_with_what_the_results_say_about_the_order(figure: str) -> None:
    """Results made to measure: ahead, behind, and not to be told apart."""
    key = f"rsvrb/{figure}"
    shown, ours = catalog.figures()[key], runs.ORDERINGS[figure][0].better
    template = quick(shown.needs[0], 2)
    wide = dataclasses.replace(
        template,
        marks=np.array([1, 2]),
        run_ids=np.arange(3),
        status=np.zeros(3, int),
        failed_at=np.zeros(3, int),
        calls={name: np.array([[1e9, 2e9]]) for name in template.calls},
    )

    def made(value: float, spread: float, others: Mapping[str, float] | None = None) -> str:
        found = {}
        for name in shown.needs:
            own = name.endswith(f"-{ours}")
            level = value if own else (others or {}).get(name, 0.5)
            ends = level * np.array([1.0 - spread, 1.0, 1.0 + spread])
            data = {metric: np.stack([np.ones(3), ends], axis=1) for metric in template.data}
            found[name] = dataclasses.replace(wide, data=data, meta={"simulation": name})
        return shown.text(found)

    assert "order of the methods is reproduced. Validation" in made(0.1, 0.01)
    assert "order of the methods is not reproduced. Validation" in made(0.9, 0.01)
    assert "behind " in made(0.9, 0.01)
    undecided = made(0.49, 0.1)
    assert "is not reproduced. Validation" in undecided
    assert "by the medians in 4" in undecided
    assert "level with " in undecided
    first = shown.needs[1].rsplit("-", 1)[0]
    one_panel = {name: 0.05 for name in shown.needs if name.startswith(first)}
    assert "is not reproduced in full. Validation" in made(0.1, 0.01, one_panel)


def test_the_common_end_is_that_of_the_shortest_curve() -> None:
    """Row products of 10 and of 1000: the second method is read at 10, between its marks."""
    shown = weights.shown("fig-1")
    panel = dataclasses.replace(shown.panels[0])
    base = quick(panel.competition.keys[0], 2)
    found = {}
    for key, most in zip(panel.competition.keys, (10.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0), strict=True):
        # Marks 1 and 2: nothing is spent before the first, and half of what is counted before the second.
        calls = {"row_product": np.array([[0.0, 2 * most]]), "sample": np.array([[0.0, 2.0]])}
        data = {name: np.tile([1.0, np.exp(-1.0)], (2, 1)) for name in base.data}
        found[key] = dataclasses.replace(
            base, marks=np.array([1, 2]), calls=calls, data=data, meta={"simulation": key}
        )
    ends = shown.values_at_end(found, panel, shown.rows[1])
    np.testing.assert_allclose(ends["svrb"], -1.0)
    np.testing.assert_allclose(ends["bsa"], -0.01)
