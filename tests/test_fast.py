"""Fast arithmetic: other last bits, the same method."""

import numpy as np
import pytest
import toy_method

from workbench.arrays import noise
from workbench.engine.choice import simulate
from workbench.engine.records import Problem, Run


@pytest.mark.parametrize("runs", [1, 40])  # plain code and lanes
def test_fast_kernels_agree_with_strict_ones_to_round_off(runs):
    """Normal draws, logarithms and cosines included: fusing a * b + c may not break what they are made of."""
    pytest.importorskip("numba")
    start = {"x": np.ones((runs, 2))}
    problem = Problem(
        toy_method, toy_method.Quadratic(noise.Gaussian(0.5)), toy_method.Steps(0.3, 0.7), start
    )
    hows = [Run(np.array([1, 3]), seed=3, engine="fused", fast=fast) for fast in (False, True)]
    strict, fast = (simulate(problem, how) for how in hows)
    for name in strict.data:
        np.testing.assert_allclose(fast.data[name], strict.data[name], rtol=1e-12)
    assert fast.meta["arithmetic"] == "fast"
    assert "arithmetic" not in strict.meta
