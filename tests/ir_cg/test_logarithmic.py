"""sigma_t = 1/log(t + 3), which Theorems 3 and 4 admit: the runs have it, and the conditions hold for it."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import limit, oo
from workbench.theorems.ir_cg.experiments import finite_sum, one_sample
from workbench.theorems.ir_cg.experiments.study import Q
from workbench.theorems.ir_cg.theory.theorems_3_4 import LOGARITHM, t

from workbench.engine.start import begin
from workbench.run import jobs
from workbench.run.options import Options

SIMS = {**one_sample.SIMS, **finite_sum.SIMS}


@pytest.mark.parametrize(("name", "held"), [("hc-log", 0), ("exp-log", 0), ("fs-log", Q), ("fs-exp-log", Q)])
def test_the_runs_have_this_sequence(name: str, held: int) -> None:
    """Held until t = q in finite sums."""
    sim = SIMS[name]
    assert sim.kind == "compliant"
    problem = jobs.problem_of(jobs.prepare(sim, Options("quick", horizon=20, runs=2)))
    made = begin(problem, 0, np)
    state, seen = made.state, [made.state.sigma[0, 0]]
    for k in range(1, 21):
        state = problem.algorithm.step(state, np.asarray(float(k)), made.c, made.oracle, made.draw.at(k), np)
        seen.append(state.sigma[0, 0])
    wanted = [float(LOGARITHM.sigma.subs(t, max(k, held))) for k in range(21)]
    np.testing.assert_allclose(seen, wanted, rtol=1e-12)


def test_it_vanishes_more_slowly_than_every_power() -> None:
    """t (sigma_t/sigma_(t+1) - 1) tends to L = 0; for t^-p it tends to p."""
    sigma = LOGARITHM.sigma
    assert limit(sigma, t, oo) == 0
    assert LOGARITHM.L == 0
    for k in (10.0**4, 10.0**8):
        ratio = float(sigma.subs(t, k) / sigma.subs(t, k + 1)) - 1
        assert 0 < k * ratio < 1.1 / np.log(k)
