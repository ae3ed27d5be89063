"""Exact findings: only from identical runs, with p-values 0 or 1, and with a sensitivity that may be statistical."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import evidence as ev
from workbench.claims import power
from workbench.claims.claims import Custom
from workbench.evidence.stats import Estimate
from workbench.evidence.verdicts import Finding, Verdict, decide

MARKS = np.geomspace(1e2, 1e6, 41)
LINE = MARKS**-0.25
FIVE = np.tile(LINE, (5, 1))


def partly(runs: int = 32, until: int = 20, size: float = 1.0) -> np.ndarray:
    """Curves that differ early and are identical in the tail."""
    values = np.tile(LINE, (runs, 1))
    values[:, :until] *= np.exp(size * np.random.default_rng(0).standard_normal((runs, until)))
    return values


@pytest.mark.parametrize(
    "finding",
    [ev.rate(partly(), MARKS, -0.25), ev.tight(partly(), MARKS, -0.25), ev.level(partly(), MARKS, LINE)],
)
def test_a_tail_without_spread_is_not_exact_where_runs_differ(finding: Finding) -> None:
    """The level used to be: it held although its extrapolation, which reads earlier marks, had a spread."""
    assert not finding.exact


def test_the_level_of_such_curves_stays_open() -> None:
    values = partly(size=0.1, until=30)  # the tail begins at mark 25
    values[:, 30:] = np.tile(LINE[30:], (32, 1))
    finding = ev.level(values, MARKS, LINE, rtol=0.03)
    assert 0 < finding.p_if_wrong < 1
    assert decide([finding])[0].p > 0


def test_an_exact_finding_cannot_carry_a_probability() -> None:
    with pytest.raises(ValueError, match=r"p-values 0 or 1, not 0\.4 and 1"):
        Finding("level", 1.0, 1.0, 1.0, 1.0, p_if_wrong=0.4, p_if_right=1.0, exact=True)


def test_nothing_holds_of_a_number_that_is_none() -> None:
    nothing = Estimate(np.nan, 0.0, 5)
    assert (nothing.p_above(0.0), nothing.p_below(0.0)) == (1.0, 1.0)
    sigmas = np.geomspace(0.003, 0.04, 4)
    for finding in (
        ev.same(0 * FIVE, FIVE, MARKS),
        ev.scaling(0 * FIVE[:, :3], [1.0, 2.0, 4.0], 0.5),
        *ev.crossover(np.broadcast_to(LINE, (5, 4, 41)), MARKS, sigmas, -2.0, -3 / 8, inside=(0.7, 1.5)),
    ):
        assert (finding.p_if_wrong, finding.p_if_right) == (1.0, 1.0)
        assert decide([finding])[0].verdict is Verdict.INCONCLUSIVE


def test_the_sensitivity_of_an_exact_finding_is_taken_at_the_familys_level() -> None:
    """An equality attained in every run is exact; what a divided bound does to it is a matter of statistics."""
    asked = []

    def rejects(side: float) -> float:
        asked.append(side)
        return 2.0 if side > 0 else np.inf

    exact = Finding("lemma", 1.0, 1.0, 1.0, 1.0, p_if_wrong=0.0, p_if_right=1.0, exact=True, rejects=rejects)
    other = ev.rate(FIVE * np.linspace(0.9, 1.1, 5)[:, None], MARKS, -0.25)
    first, *_ = decide([exact, other, other], level=0.01)
    assert (first.verdict, first.sensitivity, asked) == (Verdict.HOLDS, 2.0, [0.005])
    claim = Custom("paper/lem", "lemma", "a", lambda results: exact, ("s",))
    assert power.voids([(claim, first)]) == [""]


def test_a_count_far_below_its_printed_exponent_could_have_failed() -> None:
    """T log T against T^2: no error up to 1 is rejected, an error of 2 is, so the line is not void."""
    values = np.random.default_rng(0).normal(1, 0.01, (24, 1)) * MARKS * np.log(MARKS)
    (decision,) = decide([ev.rate(values, MARKS, 2.0, tol=0.05)])
    assert decision.verdict is Verdict.HOLDS
    assert 0.8 < decision.sensitivity < 1.2
    (decision,) = decide([ev.rate(values, MARKS, 3.0, tol=0.05)])
    assert 1.8 < decision.sensitivity < 2.3
    assert ev.rate(values, MARKS, 3.0 - decision.sensitivity, tol=0.05).p_if_right <= 0.01
