"""Traps of the paper `ada_minimax` (spec 7.3): what would fool a checker, shown on one batch each.

Traps 1 to 3 belong to the algorithms: `test_algorithms` tries the first; the reference there would show the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from workbench.theorems.ada_minimax.experiments.minimax import ALPHA_FOR_ALPHA_PRIME
from workbench.theorems.ada_minimax.experiments.single_level import CONSTANT, MUTATIONS
from workbench.theorems.ada_minimax.experiments.study import DELTA, START, THEOREM_5_6
from workbench.theorems.ada_minimax.methods import ada_minimax, ada_nsgdm
from workbench.theorems.baselines import tiada

from workbench import evidence
from workbench.arrays.noise import Skewed, Sphere
from workbench.claims.mutation import mutant
from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.marks import log_marks
from workbench.engine.records import Problem, Result, Rows, Run, Status
from workbench.evidence import rates
from workbench.evidence.verdicts import Finding, Verdict, decide
from workbench.problems.saddle import CosineSaddle, LogarithmSaddle, QuadraticSaddle
from workbench.problems.single_level import Quadratic

HOLDS, VIOLATED = Verdict.HOLDS, Verdict.VIOLATED
NOISY = -0.25


class Cases:
    """Columns (cases * runs, 1), the same noise in every case: cases differ in their parameters alone."""

    def __init__(self, cases: int, runs: int) -> None:
        self.cases, self.runs = cases, runs

    def column(self, values: Sequence[float]) -> np.ndarray:
        assert len(values) == self.cases
        return np.repeat(np.array(values, float), self.runs)[:, None]

    def simulate(self, algorithm: Any, instance: Any, steps: Any, horizon: int, x: Any = START) -> Result:
        start = {"x": np.broadcast_to(x, (self.cases * self.runs, 1)), "y": self.column([0.0] * self.cases)}
        ids = np.tile(np.arange(self.runs), self.cases)
        problem = Problem(algorithm, instance, steps, start, Rows(ids))
        how = Run(log_marks(horizon), seed=20240229)
        result = Fused(problem, how, CpuKernel).result(how)
        assert (result.status == Status.OK).all()
        return result

    def of(self, case: int, result: Result) -> np.ndarray:
        """(runs, M): running means of one case."""
        return result.data["grad_norm_mean"][case * self.runs : (case + 1) * self.runs]

    def rate(self, case: int, result: Result) -> Finding:
        return evidence.rate(*rates.window_means(self.of(case, result), result.marks), NOISY)


def verdict(finding: Finding) -> Verdict:
    return decide([finding])[0].verdict


def test_trap_4_constant_momentum_hides_behind_symmetric_noise() -> None:
    """Weight 0.3 looks like T^-1/4 while the noise is plus-minus 1; skewed noise of the same bound shows its floor."""
    cases = Cases(4, 64)
    low = cases.column([1.0, 1.0, 0.1, 0.1])  # low = high: symmetric
    law = Skewed(low, np.ones_like(low))
    steps = ada_nsgdm.Steps(eta=1.0, alpha=cases.column([0.3, 0.5, 0.3, 0.5]))
    result = cases.simulate(mutant(ada_nsgdm, CONSTANT), Quadratic(noise=law), steps, 20_000)
    symmetric, skewed = (
        (cases.rate(0, result), cases.rate(1, result)),
        (cases.rate(2, result), cases.rate(3, result)),
    )
    for finding in symmetric:
        assert verdict(finding) is not VIOLATED
        assert finding.value == pytest.approx(NOISY, abs=0.06)
    for finding in skewed:
        assert verdict(finding) is VIOLATED
        assert finding.value > -0.12
    right = cases.simulate(ada_nsgdm, Quadratic(noise=law), ada_nsgdm.Steps(1.0, 1.0), 20_000)
    assert all(verdict(cases.rate(case, right)) is not VIOLATED for case in range(4)), (
        "the noise is not to blame"
    )


def test_trap_5_the_function_of_figure_1_is_no_rate_witness() -> None:
    """Phi''(0) = 0 for q = 1: it falls faster than the claim, and would for slower methods too. q = 1/2 attains it."""
    cases = Cases(2, 192)
    instance = CosineSaddle(Sphere(0.3), Sphere(0.3), q=cases.column([1.0, 0.5]))
    result = cases.simulate(ada_minimax, instance, ada_minimax.Steps(1.0, 1.0, 1.0, 1.0), 20_000)
    flat, witness = cases.rate(0, result), cases.rate(1, result)
    assert flat.high < NOISY - 0.05
    assert witness.value == pytest.approx(NOISY, abs=0.03)
    assert flat.high < witness.low


def test_trap_6_the_worst_ratio_to_the_bound_says_little() -> None:
    """Bound over measured is above 1000 in every run at every horizon, and stays so without any momentum."""
    cases = Cases(3, 64)
    instance = Quadratic(noise=Sphere(cases.column([0.0, 0.1, 1.0])))
    slack = []
    for algorithm in (ada_nsgdm, mutant(ada_nsgdm, MUTATIONS["no-momentum"])):
        result = cases.simulate(algorithm, instance, ada_nsgdm.Steps(1.0, 1.0), 5000)
        constants = instance.constants({"x": np.full((192, 1), START)})
        known = {**constants, "eta": 1.0, "alpha": 1.0, "delta": DELTA, "T": result.marks[None].astype(float)}
        slack.append(THEOREM_5_6.numeric()(**known) / result.data["grad_norm_mean"])
        wrong = cases.rate(1, result)
    assert min(s.min() for s in slack) > 1e3
    assert verdict(wrong) is VIOLATED, "which the slope sees"


def test_trap_7_tiada_wins_without_noise() -> None:
    """Its running mean falls like 1/T, because the sum of |Phi'| converges; Ada-Minimax keeps to T^-1/2 by design."""
    cases = Cases(1, 16)
    x = np.random.default_rng(7).uniform(1.0, 1.5, (16, 1))
    other = cases.simulate(tiada, QuadraticSaddle(), tiada.Steps(1.0, 1.0, 0.6, 0.4, 1e-12), 4096, x)
    own = cases.simulate(ada_minimax, QuadraticSaddle(), ada_minimax.Steps(1.0, 1.0, 1.0, 1.0), 4096, x)
    late = [other.at(1024), other.at(4096)]
    total = (cases.of(0, other) * other.marks)[:, late]
    np.testing.assert_allclose(total[:, 0], total[:, 1], rtol=1e-6)
    mean = cases.of(0, own)[:, late]
    np.testing.assert_allclose(np.log(mean[:, 1] / mean[:, 0]) / np.log(4), -0.5, atol=0.05)
    assert (cases.of(0, other)[:, -1] < 0.1 * mean[:, 1]).all()


def test_trap_8_divergence_looks_like_convergence_on_a_flat_function() -> None:
    """alpha_t in place of alpha'_t, noise in y only: the slope on I2n is -1/2 while x runs off; on I2 it shows."""
    cases = Cases(1, 64)
    steps = ada_minimax.Steps(1.0, 1.0, 1.0, 1.0)
    wrong = mutant(ada_minimax, ALPHA_FOR_ALPHA_PRIME)
    flat = cases.simulate(wrong, LogarithmSaddle(noise_y=Sphere(1.0)), steps, 10_000)
    assert verdict(cases.rate(0, flat)) is HOLDS, "faster than claimed"
    assert cases.rate(0, flat).value == pytest.approx(-0.5, abs=0.01)
    assert (flat.data["x_norm_max"][:, -1] > 100 * START).all()
    right = cases.simulate(ada_minimax, LogarithmSaddle(noise_y=Sphere(1.0)), steps, 10_000)
    assert (right.data["x_norm_max"][:, -1] < 20 * START).all()
    round_ = cases.simulate(wrong, QuadraticSaddle(noise_y=Sphere(1.0)), steps, 10_000)
    assert cases.rate(0, round_).low > NOISY + 0.1
    assert (round_.data["x_norm_max"][:, -1] < 10 * START).all()
