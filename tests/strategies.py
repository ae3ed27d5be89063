"""Hypothesis strategies: what a valid input of the workbench looks like, said once."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from workbench.arrays import noise

# Positive constants over six decades: wide enough that terms of different powers change places.
constants = st.floats(1e-3, 1e3, allow_nan=False, allow_infinity=False)
levels = st.one_of(st.just(0.0), st.floats(1e-3, 1e2))
horizons = st.integers(1, 40)
seeds = st.integers(0, 2**64 - 1)
finite = st.floats(-1e6, 1e6, allow_subnormal=False)
awkward = st.one_of(finite, st.sampled_from([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1.7e308]))


@st.composite
def rows(draw, elements=finite, max_runs=5, d=None):
    """(runs, d) array; ``d`` fixed or between 1 and 12 (left-to-right and pairwise sums part at 8)."""
    runs, width = draw(st.integers(1, max_runs)), d or draw(st.integers(1, 12))
    values = draw(st.lists(elements, min_size=runs * width, max_size=runs * width))
    return np.array(values).reshape(runs, width)


@st.composite
def noise_laws(draw, d=1):
    """A law with an almost-sure bound, for d coordinates."""
    low, factor = draw(st.floats(1e-3, 10.0)), draw(st.floats(1.0, 20.0))
    kinds = [noise.Sphere(low), noise.TwoRadius(low, factor * low)]
    return draw(st.sampled_from(kinds + [noise.Skewed(low, factor * low)] * (d == 1)))
