"""Noise laws: zero mean, almost-sure bounds that hold and are (nearly) attained, second moments.

Seeds are fixed; a mean is compared with 5 standard deviations of itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from discover import same
from hypothesis import given
from hypothesis import strategies as st
from strategies import noise_laws

from workbench.arrays import backends, noise
from workbench.arrays.random import Draws

RUNS = 40_000
LAWS: dict[str, Any] = {
    "sphere": noise.Sphere(0.7),
    "two radii": noise.TwoRadius(0.2, 1.4),
    "equal radii": noise.TwoRadius(0.7, 0.7),
    "skewed": noise.Skewed(0.2, 1.0),
    "gaussian": noise.Gaussian(0.7),
    "none": noise.Sphere(0.0),
}


def sample(law, d, runs=RUNS, t=1, part=0, k=0, xp=np):
    return law(Draws(3, np.arange(runs), xp).at(t)(0), d, part, xp, k)


def cases():
    return [(name, d) for name in LAWS for d in ((1,) if "skewed" in name else (1, 2, 5))]


@pytest.mark.parametrize(("name", "d"), cases())
@pytest.mark.parametrize("part", [0, 2])
def test_mean_second_moment_and_bounds(name, d, part):
    law, z = LAWS[name], sample(LAWS[name], d, part=part)
    assert z.shape == (RUNS, d)
    size = np.linalg.norm(z, axis=1)
    assert np.all(np.abs(z.mean(axis=0)) <= 5 * z.std(axis=0) / np.sqrt(RUNS))
    second = law.second_moment if law.bounded else d * law.sigma**2
    assert abs((size**2).mean() - second) <= 5 * (size**2).std() / np.sqrt(RUNS) + 1e-14
    assert np.all(size >= law.low * (1 - 1e-14))
    assert np.all(size <= law.high * (1 + 1e-14))
    if law.bounded:  # these laws put mass on both bounds
        assert size.min() == pytest.approx(law.low, rel=1e-14)
        assert size.max() == pytest.approx(law.high, rel=1e-14)


@given(law=noise_laws(d=3), t=st.integers(1, 10**6), part=st.sampled_from([0, 2]), k=st.integers(0, 30))
def test_bounds_hold_for_every_parameter(law, t, part, k):
    size = np.linalg.norm(sample(law, 3, runs=50, t=t, part=part, k=k), axis=1)
    assert np.all(size >= law.low * (1 - 1e-14))
    assert np.all(size <= law.high * (1 + 1e-14))
    assert law.low**2 <= law.second_moment * (1 + 1e-14)
    assert law.second_moment <= law.high**2 * (1 + 1e-14)


def test_a_bound_that_is_too_small_is_exceeded():
    """The check above can fail: nine tenths of the upper bound, eleven tenths of the lower one."""
    for law in (noise.Sphere(0.7), noise.TwoRadius(0.2, 1.4)):
        size = np.linalg.norm(sample(law, 3, runs=50), axis=1)
        assert np.any(size > 0.9 * law.high)
        assert np.any(size < 1.1 * law.low)


def test_gaussian_is_outside_the_assumptions():
    law, z = noise.Gaussian(1.0), sample(noise.Gaussian(1.0), 1)
    assert not law.bounded
    assert law.low == 0.0
    assert law.high == np.inf
    # No positive lower bound and no upper one: four standard deviations and a thousandth of one both occur.
    assert np.abs(z).max() > 4.0
    assert np.abs(z).min() < 1e-3


@pytest.mark.parametrize("law", [noise.Sphere(1.0), noise.TwoRadius(0.5, 1.0)])
def test_direction_is_isotropic_and_independent_of_the_size(law):
    z = sample(law, 3)
    size = np.linalg.norm(z, axis=1, keepdims=True)
    u = z / size
    assert np.all(np.abs(u.T @ u / RUNS - np.eye(3) / 3) < 5 / np.sqrt(3 * RUNS))
    together = (u * (size - size.mean())).mean(axis=0)
    assert np.all(np.abs(together) <= 5 * size.std() / np.sqrt(3 * RUNS) + 1e-14)


def test_two_radii_are_equally_likely_and_independent_of_the_sign():
    z = sample(noise.TwoRadius(1.0, 2.0), 1)[:, 0]
    counts = np.array([np.sum(z == v) for v in (-2.0, -1.0, 1.0, 2.0)])
    assert counts.sum() == RUNS
    assert np.all(np.abs(counts - RUNS / 4) < 5 * np.sqrt(RUNS * 3 / 16))


def test_skewed_law():
    """+high with probability low / (low + high), else -low: mean 0, variance low * high, third moment positive."""
    law = noise.Skewed(0.2, 1.0)
    z = sample(law, 1)[:, 0]
    assert set(z) == {1.0, -0.2}
    p = 0.2 / 1.2
    assert abs(np.mean(z == 1.0) - p) < 5 * np.sqrt(p * (1 - p) / RUNS)
    assert law.second_moment == pytest.approx(p * 1.0 + (1 - p) * 0.04)
    assert p * law.high - (1 - p) * law.low == pytest.approx(0.0, abs=1e-16)
    third = law.low * law.high * (law.high - law.low)
    assert np.mean(z**3) == pytest.approx(third, abs=5 * np.std(z**3) / np.sqrt(RUNS))
    assert third > 0


@pytest.mark.parametrize("d", [2, 10])
def test_skewed_law_lives_on_the_line(d):
    with pytest.raises(ValueError, match=f"d = {d}"):
        sample(noise.Skewed(0.1, 0.2), d, runs=3)


@pytest.mark.parametrize("name", [n for n in LAWS if n != "none"])
def test_parts_and_samples_are_independent(name):
    """grad_x and grad_y of one sample, and the two samples of one iteration, carry uncorrelated noise."""
    law, draws = LAWS[name], Draws(5, np.arange(RUNS), np).at(2)
    x, y = law(draws(0), 1, 0, np), law(draws(0), 1, 2, np)
    other, again = law(draws(1), 1, 0, np), law(draws(0), 1, 0, np, 3)
    for a, b in [(x, y), (x, other), (x, again), (y, other)]:
        for f in (lambda v: v, np.abs):
            u, v = f(a) - f(a).mean(), f(b) - f(b).mean()
            assert abs((u * v).mean()) <= 5 * u.std() * v.std() / np.sqrt(RUNS) + 1e-14
    np.testing.assert_array_equal(x, law(draws(0), 1, 0, np))


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("kind", [noise.Sphere, noise.TwoRadius, noise.Gaussian])
def test_columns_are_a_grid(kind, d):
    """A column of levels gives each row the bits of its own level; a level of zero gives zero."""
    level = np.array([0.0, 0.3, 1.0, 7.0])[:, None]
    make = (lambda v: kind(v / 2, v)) if kind is noise.TwoRadius else kind
    whole = sample(make(level), d, runs=4)
    assert np.all(whole[0] == 0.0)
    for i in range(1, 4):
        same(sample(make(level[i, 0]), d, runs=4)[i], whole[i])


@pytest.mark.parametrize(("name", "d"), cases())
def test_backends_agree(name, d, xp):
    law = backends.place(LAWS[name], xp)
    same(sample(law, d, runs=64, xp=xp), sample(LAWS[name], d, runs=64))


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("law", [noise.Pareto(3.5, 0.7), noise.Student(6, 0.7)])
def test_heavy_tails_have_the_moments_that_they_say(law, d):
    z = sample(law, d)
    size = np.linalg.norm(z, axis=1)
    assert np.all(np.abs(z.mean(axis=0)) <= 5 * z.std(axis=0) / np.sqrt(RUNS))
    for p in (0.5, 1.0, 1.4):
        expected = law.moment(p) if isinstance(law, noise.Pareto) else law.moment(p, d)
        powers = size**p
        assert abs(powers.mean() - expected) <= 5 * powers.std() / np.sqrt(RUNS)
    same(sample(law, d, runs=16), sample(law, d)[:16])


def test_heavy_tails_say_which_moments_are_infinite():
    assert noise.Pareto(1.5).deviation(3) == noise.Student(2).deviation(3) == np.inf
    assert noise.Pareto(3.0).moment(2.0) == 3.0
    assert noise.Student(4).moment(2.0) == pytest.approx(2.0)  # degrees/(degrees - 2)
    sizes = np.abs(sample(noise.Pareto(1.5), 1)[:, 0])
    assert sizes.min() >= 1.0
    for r in (2.0, 8.0):  # P(|noise| > r) = r^-1.5
        share = r**-1.5
        assert abs(np.mean(sizes > r) - share) <= 5 * np.sqrt(share / RUNS)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: noise.Pareto(1.0), "index must be above 1"),
        (lambda: noise.Pareto(2.0, -1.0), "noise bounds"),
        (lambda: noise.Student(3), "even number"),
        (lambda: noise.Student(4, -1.0), "noise bounds"),
    ],
)
def test_heavy_tails_refuse_what_is_no_parameter(make, words):
    with pytest.raises(ValueError, match=words):
        make()
