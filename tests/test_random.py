"""The noise source: published vectors, addresses, independence, laws.

Statistical tests have a fixed seed, so they pass or fail for good; thresholds are stated in standard deviations of the
statistic under the null, and 5 or more of them for a family, so that a right generator would fail about once in a
million seeds.
"""

from __future__ import annotations

import tracemalloc
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from workbench.arrays import backends, random
from workbench.arrays.backends import compiled
from workbench.arrays.random import PARTS, Draws, Sample, derived_seed, philox4x32, place, unit_interval

SEED = 97

# Random123, kat_vectors, lines "philox4x32 10": counter, key -> output.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
word = st.integers(0, 2**32 - 1)


def reference_philox(counter, key):
    """Philox4x32-10 on Python integers, from Figure 2 of the paper: multiply, split, swap, bump the key."""
    c, k = list(counter), list(key)
    for r in range(10):
        if r:
            k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
        high0, low0 = divmod(0xD2511F53 * c[0], 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 2**32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
    return tuple(c)


def words(counter, key, xp):
    out = philox4x32(tuple(xp.asarray([c], dtype=xp.uint64) for c in counter), key, xp)
    return tuple(int(w[0]) for w in out)


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_philox_known_answers(counter, key, expected, xp):
    assert words(counter, key, xp) == expected
    assert reference_philox(counter, key) == expected


@given(st.tuples(word, word, word, word), st.tuples(word, word))
@example((2**32 - 1, 0, 2**32 - 1, 0), (2**32 - 1, 0))
def test_philox_equals_integer_arithmetic(counter, key):
    assert words(counter, key, np) == reference_philox(counter, key)


@given(
    seed=st.integers(0, 2**64 - 1),
    rid=word,
    t=st.integers(1, 2**31),
    i=st.integers(0, 9),
    part=st.integers(0, PARTS - 1),
    k=st.integers(0, 1000),
    d=st.integers(1, 4),
)
def test_address_of_a_number(seed, rid, t, i, part, k, d):
    """The documented address, word by word; anything else would break replays of stored runs."""
    got = Draws(seed, [rid], np, block_elements=8).at(t)(i).uniform(d, part, k)
    for j in range(d):
        counter = (t, rid, j, 2**30 + 4 * (i // 2) + part // 2 + 256 * (k + 1))
        expected = reference_philox(counter, (seed % 2**32, seed // 2**32))[2 * (i % 2) + part % 2]
        assert got[0, j] == (expected + 0.5) / 2**32


@given(
    seed=st.integers(0, 2**64 - 1),
    rid=word,
    t=st.integers(1, 2**31),
    i=st.integers(0, 9),
    part=st.integers(0, PARTS - 1),
    k=st.integers(0, 1000),
)
@example(seed=1, rid=0, t=31, i=0, part=0, k=0)
@example(seed=1, rid=0, t=32, i=0, part=0, k=0)
def test_address_of_a_sign(seed, rid, t, i, part, k):
    """Bit t % 32 of the word whose counter holds t // 32 and 2^31 more in its last entry."""
    got = Draws(seed, [rid], np).at(t)(i).sign(2, part, k)
    for j in range(2):
        counter = (t // 32, rid, j, 2**31 + 4 * (i // 2) + part // 2 + 256 * (k + 1))
        bits = reference_philox(counter, (seed % 2**32, seed // 2**32))[2 * (i % 2) + part % 2]
        assert got[0, j] == (1.0 if bits >> (t % 32) & 1 else -1.0)


# One of each kind of number, at an address of its own.
KINDS = {
    "uniform": lambda s, d: s.uniform(d, 1),
    "sign": lambda s, d: s.sign(d, 2),
    "normal": lambda s, d: s.normal(d, 0),
    "normal, second of the pair": lambda s, d: s.normal(d, 5),
    "repeated draw": lambda s, d: s.normal(d, 2, k=7),
    "sphere": lambda s, d: s.sphere(d, 4),
    "index": lambda s, d: s.index(10, d, 3),
}


@pytest.mark.parametrize("ids", [[5, 0, 17, 3, 2**32 - 1], [5, 0, 5, 5, 3]], ids=["distinct", "shared"])
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_blocks_rows_and_order_do_not_matter(kind, d, ids):
    """Same bits whatever the block length, the batch around a row, the order of rows, and the order of iterations."""
    draw, ids, times = KINDS[kind], np.array(ids), [1, 2, 3, 511, 512, 513, 1000]
    whole = Draws(SEED, ids, np)
    expected = {t: draw(whole.at(t)(1), d) for t in times}
    for elements in (1, 20, 1 << 12):
        other = Draws(SEED, ids, np, block_elements=elements)
        for t in reversed(times):
            np.testing.assert_array_equal(draw(other.at(t)(1), d), expected[t])
    for row, rid in enumerate(ids):
        alone = Draws(SEED, [rid], np)
        for t in times:
            np.testing.assert_array_equal(draw(alone.at(t)(1), d)[0], expected[t][row])
    order = [3, 1, 4, 0, 2]
    shuffled = Draws(SEED, ids[order], np)
    for t in times:
        np.testing.assert_array_equal(draw(shuffled.at(t)(1), d), expected[t][order])


@pytest.mark.parametrize("kind", KINDS)
def test_backends_agree(kind, xp):
    """Bit for bit, GPUs included: words are integers, and log, cos and sin are the shared ones."""
    ids = np.arange(40)
    ours = backends.to_host(KINDS[kind](Draws(SEED, ids, xp).at(3)(2), 3))
    host = KINDS[kind](Draws(SEED, ids, np).at(3)(2), 3)
    assert ours.dtype == host.dtype
    np.testing.assert_array_equal(ours, host)


@pytest.mark.parametrize("kind", KINDS)
def test_compiled_words_and_functions_change_nothing(kind, monkeypatch):
    """Array versions first, compiled ones from the next block on: the same numbers."""
    pytest.importorskip("numba")
    ids, times = np.arange(33), (5, 64, 1000)

    def numbers(seconds):
        monkeypatch.setattr(compiled.Patient, "seconds", seconds)
        monkeypatch.setattr(random, "_words_on_numpy", compiled.Patient(plain, random._words_on_numpy._make))
        draws = Draws(SEED, ids, np)
        draws.xp = SimpleNamespace(**vars(draws.xp))
        for name in ("log", "cos", "sin"):
            setattr(draws.xp, name, compiled.on_numpy(name))
        return [KINDS[kind](draws.at(t)(1), 3) for t in times]

    calls = []

    def plain(counter, key):
        calls.append(1)
        return philox4x32(counter, key, np)

    slow = numbers(-1e9)
    assert len(calls) > 0
    calls.clear()
    np.testing.assert_array_equal(numbers(1e9), slow)
    assert len(calls) == 0


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "sphere"])
def test_task_axes_number_their_coordinates(kind, xp):
    """Coordinate j of task i is number i d + j of a vector of length m d."""
    draw, sample = KINDS[kind], Draws(SEED, np.arange(4), xp).at(9)(1)
    flat, tasks = backends.to_host(draw(sample, 6)), backends.to_host(draw(sample, (2, 3)))
    np.testing.assert_array_equal(tasks, flat.reshape(4, 2, 3))


def test_every_task_has_its_own_direction(xp):
    sample = Draws(SEED, np.arange(4), xp).at(9)(1)
    s = backends.to_host(sample.sphere((5, 3), 2))
    normals = backends.to_host(sample.normal(15, 2)).reshape(4, 5, 3)
    np.testing.assert_allclose(np.linalg.norm(s, axis=-1), 1.0, rtol=1e-15)
    np.testing.assert_allclose(s, normals / np.linalg.norm(normals, axis=-1, keepdims=True), rtol=1e-14)
    on_a_line = backends.to_host(sample.sphere((5, 1), 2))
    np.testing.assert_array_equal(on_a_line, backends.to_host(sample.sign(5, 2)).reshape(4, 5, 1))


def test_a_sample_asks_for_nothing_but_numbers():
    """Another engine's noise: an object with ``xp`` and ``number``, whose k may be anything."""

    class Recorded:
        xp = np

        def __init__(self):
            self.asked = []

        def number(self, kind, stream, d, k):
            self.asked.append((kind, stream, d, k))
            return np.full((2, d), 0.5)

    source, k = Recorded(), object()
    sample = Sample(source, 3)
    assert sample.index(10, 4, 1, k).tolist() == [[5] * 4] * 2
    np.testing.assert_allclose(sample.sphere(4, 2, k), 0.5)
    sample.sphere(1, 5)
    first = 3 * PARTS
    assert source.asked == [
        ("uniform", first + 1, 4, k),
        ("normal", first + 2, 4, k),
        ("sign", first + 5, 1, 0),
    ]


@pytest.mark.parametrize("i", [0, 1, 5])
def test_normals_are_box_muller_of_two_words(i):
    """Against mpmath; parts 2q and 2q + 1 of one sample share the pair of words."""
    runs, t, q = 50, 3, 2
    sample = Draws(SEED, np.arange(runs), np).at(t)(i)
    for part, wave in ((2 * q, mpmath.cos), (2 * q + 1, mpmath.sin)):
        exact = np.empty((runs, 2))
        for rid, j in np.ndindex(exact.shape):
            counter = (t, rid, j, 4 * (i // 2) + q + 256)
            drawn = reference_philox(counter, (SEED % 2**32, SEED // 2**32))
            u, v = ((w + mpmath.mpf(0.5)) / 2**32 for w in drawn[2 * (i % 2) :][:2])
            exact[rid, j] = mpmath.sqrt(-2 * mpmath.log(u)) * wave(2 * mpmath.pi * v)
        np.testing.assert_allclose(sample.normal(2, part), exact, rtol=1e-14, atol=2e-15)


def test_kinds_are_independent():
    """A uniform and a sign of the words that made a normal would repeat it; kinds have words of their own."""
    places = [place(kind, stream) for kind in ("normal", "uniform", "sign") for stream in range(4 * PARTS)]
    assert len(set(places)) == 3 * 4 * PARTS
    uniform, normal = many(lambda d: d(0).uniform(1)), many(lambda d: d(0).normal(1))
    sign = many(lambda d: d(0).sign(1))
    for a, b in ((uniform, normal), (uniform, normal**2), (sign, normal), (sign, uniform)):
        assert abs(z_of_correlation(a, b)) < 5.0


def test_a_pair_is_independent():
    """Both normals of a pair: neither they nor their squares are correlated."""
    a, b = many(lambda d: d(0).normal(1, 0)), many(lambda d: d(0).normal(1, 1))
    for f in (lambda v: v, lambda v: v**2, np.abs):
        assert abs(z_of_correlation(f(a), f(b))) < 5.0


def test_equal_addresses_give_equal_numbers_and_others_do_not():
    sample = Draws(SEED, [0, 1], np).at(4)(0)
    once = sample.normal(2, 0)
    np.testing.assert_array_equal(once, sample.normal(2, 0))
    draws = Draws(SEED, [0, 1], np)
    others = {
        "run": once[1],
        "coordinate": once[0, ::-1],
        "part": sample.normal(2, 1)[0],
        "k": sample.normal(2, 0, k=1)[0],
        "sample": draws.at(4)(1).normal(2, 0)[0],
        "t": draws.at(5)(0).normal(2, 0)[0],
        "seed": Draws(SEED + 1, [0], np).at(4)(0).normal(2, 0)[0],
        "high half of the seed": Draws(SEED + 2**32, [0], np).at(4)(0).normal(2, 0)[0],
    }
    for what, other in others.items():
        assert not np.any(other == once[0]), what


def test_repeated_draws_stay_small_in_memory():
    """A full Neumann sum of 30 terms asks for 435 repeated draws per sample: one block of each, 256 KiB, is kept."""
    draws = Draws(SEED, np.arange(500), np).at(1)
    tracemalloc.start()
    for k in range(1, 101):
        draws(0).sign(1, 6, k)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 10 * 2**18 < held < 110 * 2**18


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seed_out_of_range(seed):
    with pytest.raises(ValueError, match="seed"):
        Draws(seed, [0], np)


def many(draw, times=range(1, 65), runs=256, seed=SEED):
    """(len(times), runs, d) numbers."""
    draws = Draws(seed, np.arange(runs), np)
    return np.stack([draw(draws.at(t)) for t in times])


def z_of_correlation(a, b):
    a, b = a.ravel() - a.mean(), b.ravel() - b.mean()
    return float(a @ b / np.sqrt((a @ a) * (b @ b)) * np.sqrt(a.size))


def distance_from_half(u):
    """Sees dependence that correlations of the values cannot see."""
    return (u - 0.5) ** 2


@pytest.mark.parametrize("f", [lambda u: u, distance_from_half], ids=["values", "squares"])
def test_streams_are_uncorrelated(f):
    """All pairs among three samples, their parts, and repeated draws: 325 correlations."""
    addresses = [(i, part, 0) for i in (0, 1, 2) for part in range(PARTS)] + [(0, 0, 1), (0, 0, 2)]
    columns = [f(many(lambda d, a=a: d(a[0]).uniform(2, a[1], a[2]))).ravel() for a in addresses]
    z = np.corrcoef(columns) * np.sqrt(len(columns[0]))
    worst = np.abs(np.triu(z, k=1))
    assert worst.max() < 5.0, [addresses[k] for k in np.unravel_index(worst.argmax(), worst.shape)]


@pytest.mark.parametrize("f", [lambda u: u, distance_from_half], ids=["values", "squares"])
def test_neighbours_are_uncorrelated(f):
    u = f(many(lambda d: d(0).uniform(2)))
    assert abs(z_of_correlation(u[..., 0], u[..., 1])) < 5.0  # coordinates
    for first, second in [(u[1:], u[:-1]), (u[:, 1:], u[:, :-1]), (u[1:, 1:], u[:-1, :-1])]:  # t, run, both
        assert abs(z_of_correlation(first, second)) < 5.0


def test_parts_are_jointly_uniform():
    """Chi-square on pairs of words in a 16 x 16 table; a dependence of any shape shows there."""
    for first, second in [
        ((0, 0), (0, 1)),
        ((0, 0), (0, 4)),
        ((0, 2), (0, 6)),
        ((0, 0), (1, 0)),
        ((1, 3), (2, 3)),
    ]:
        u = many(lambda d, a=first: d(a[0]).uniform(1, a[1])).ravel()
        v = many(lambda d, a=second: d(a[0]).uniform(1, a[1])).ravel()
        counts = np.bincount((16 * u).astype(int) * 16 + (16 * v).astype(int), minlength=256)
        p = stats.chisquare(counts).pvalue
        assert 1e-6 < p < 1 - 1e-6, (first, second, p)


def test_uniform_law():
    u = many(lambda d: d(0).uniform(1)).ravel()
    assert 0.0 < u.min() < 1e-3
    assert 1 - 1e-3 < u.max() < 1.0
    assert stats.kstest(u, "uniform").pvalue > 1e-6


def test_uniform_never_reaches_its_ends(xp):
    """log(u) stays finite, and an event of probability 0 or 1 is decided the same way for every word."""
    ends = backends.to_host(unit_interval(xp.asarray([0, 2**32 - 1], dtype=xp.uint64), xp))
    np.testing.assert_array_equal(ends, [2.0**-33, 1 - 2.0**-33])


def test_normal_moments_and_pair_independence():
    pair = np.stack([many(lambda d, p=p: d(0).normal(2, p)) for p in (0, 1)]).reshape(2, -1)
    n = pair.shape[1]
    for z in pair:
        assert abs(z.mean()) < 5 / np.sqrt(n)
        assert abs((z**2).mean() - 1) < 5 * np.sqrt(2 / n)
        assert abs((z**3).mean()) < 5 * np.sqrt(15 / n)
        assert abs((z**4).mean() - 3) < 5 * np.sqrt(96 / n)
        assert stats.kstest(z, "norm").pvalue > 1e-6
        assert np.abs(z).max() < 6.8
    # Box-Muller: the two are independent, so the radius says nothing about the angle.
    assert abs(z_of_correlation(pair[0], pair[1])) < 5
    assert abs(z_of_correlation(pair[0] ** 2, pair[1] ** 2)) < 5


@pytest.mark.parametrize("d", [1, 2, 3, 10])
def test_sphere(d):
    s = many(lambda draw: draw(0).sphere(d, 2)).reshape(-1, d)
    np.testing.assert_allclose(np.linalg.norm(s, axis=1), 1.0, rtol=4e-16 * d)
    n = len(s)
    assert np.all(np.abs(s.mean(axis=0)) < 5 / np.sqrt(d * n))
    assert np.all(np.abs(s.T @ s / n - np.eye(d) / d) < 5 / np.sqrt(n * d))
    if d == 1:
        assert set(s.ravel()) == {-1.0, 1.0}
    if d == 3:  # Archimedes: a coordinate on the sphere in three dimensions is uniform on [-1, 1]
        assert stats.kstest(s[:, 0], stats.uniform(-1, 2).cdf).pvalue > 1e-6


def test_signs_are_fair_in_runs_of_time():
    """Signs of one run over time form no pattern: counts of all 8 words of length 3."""
    s = many(lambda d: d(0).sign(1), times=range(1, 1 + 3 * 80))[..., 0] > 0
    triples = s.reshape(80, 3, -1).transpose(1, 0, 2).reshape(3, -1)
    counts = np.bincount(4 * triples[0] + 2 * triples[1] + triples[2], minlength=8)
    assert stats.chisquare(counts).pvalue > 1e-6


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_index_range_and_uniformity(n):
    i = many(lambda d: d(0).index(n, 5, 1)).reshape(-1)
    assert i.dtype == np.int64
    assert i.min() == 0
    assert i.max() == n - 1
    if n > 1:
        assert stats.chisquare(np.bincount(i, minlength=n)).pvalue > 1e-6


def test_derived_seeds_are_stable_and_distinct():
    # The number is part of every stored key: it must not change between versions.
    assert derived_seed(0, "paper/sim-x") == 8659384910739518816
    seeds = {derived_seed(s, name) for s in range(20) for name in "abc"}
    assert len(seeds) == 60
    assert all(0 <= s < 2**64 for s in seeds)
