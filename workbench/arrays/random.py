"""Counter-based noise: one number for (seed, run, t, stream, coordinate), the same on every backend.

Generator: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011),
checked against its published known-answer vectors in ``tests/test_random.py``.

Address of a 32-bit word of sample i (the paper's xi, xi', zeta), part p:

    counter = (t, run, coordinate, kind + block + 256 (k + 1))        key = 64-bit seed
    block = 4 (i // 2) + p // 2            word = 2 (i % 2) + p % 2 of the four

``run`` is the row's noise identity (rows of a parameter grid may share it), ``k`` numbers repeated draws inside one
step (inner loops, Neumann factors), ``kind`` separates normals, uniforms and signs: draws of different kinds are
independent whatever their parts. A sample has eight parts. Parts 2q and 2q + 1 make one Box-Muller pair, whose two
normals are independent and cost one logarithm; samples 2j and 2j + 1 share the four words of one call.

A fair sign needs one bit, so a word serves 32 iterations: bit t % 32 of the word with t // 32 in place of t.

A number depends only on its address. So any run of a batch can be replayed alone, and evaluating one sample at two
points means passing the same object twice.

`Sample`, `unit_interval` and `box_muller` are independent of the array library: an engine that offers ``number(kind,
stream, d, k)`` and a namespace ``xp`` gets the same laws from the same formulas.
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np

from workbench.arrays import backends, maths, ops
from workbench.arrays.backends.compiled import Patient, words_on_numpy

Array = Any
Shape = int | tuple[int, ...]

PARTS = 8  # streams owned by one sample
KINDS = {"normal": 0, "uniform": 1 << 30, "sign": 1 << 31}
_MASK = 0xFFFFFFFF
_ONE = 0x3FF0000000000000  # bits of the float 1
_M0, _M1 = 0xD2511F53, 0xCD9E8D57
_W0, _W1 = 0x9E3779B9, 0xBB67AE85


def philox4x32(
    counter: tuple[Array, Array, Array, Array], key: tuple[int, int], xp: Any
) -> tuple[Array, ...]:
    """Ten rounds of Philox4x32 on broadcastable ``uint64`` arrays that hold 32-bit words; four such arrays back."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    m0, m1, mask, shift = as_word(_M0, xp), as_word(_M1, xp), as_word(_MASK, xp), as_word(32, xp)
    for _ in range(10):
        p0, p1 = c0 * m0, c2 * m1
        c0, c1 = (p1 >> shift) ^ c1 ^ as_word(k0, xp), p1 & mask
        c2, c3 = (p0 >> shift) ^ c3 ^ as_word(k1, xp), p0 & mask
        k0, k1 = (k0 + _W0) & _MASK, (k1 + _W1) & _MASK
    return c0, c1, c2, c3


def as_word(value: int, xp: Any) -> Array:
    """A constant of the generator as an array; compiled loops have a number in its place."""
    return xp.asarray(value, dtype=xp.uint64)


def unit_interval(words: Array, xp: Any) -> Array:
    """32-bit words as the midpoints of 2^32 equal parts of (0, 1), exact.

    A word becomes the first bits of the fraction of a number in [1, 2): many processors have no instruction that turns
    64-bit integers into floats.
    """
    return maths.unbits((words << 20) + _ONE, xp) - (1.0 - 2.0**-33)


def box_muller(u: Array, v: Array, which: int, xp: Any) -> Array:
    """Standard normals from uniforms on (0, 1): the first (which = 0) or the second of an independent pair."""
    radius = xp.sqrt(-2.0 * xp.log_unit(u))
    return radius * (xp.sin_turn(v) if which else xp.cos_turn(v))


def from_words(kind: str, word: int, words: tuple[Array, ...], xp: Any) -> Array:
    """Uniforms or standard normals (``kind``) from the four words of a block; ``word`` as in `place`."""
    if kind == "uniform":
        return unit_interval(words[word], xp)
    pair, which = word - word % 2, word % 2
    return box_muller(unit_interval(words[pair], xp), unit_interval(words[pair + 1], xp), which, xp)


def place(kind: str, stream: int) -> tuple[int, int]:
    """(the number added to 256 (k + 1) in the counter's last entry, index of the word); stream = 8 i + p."""
    i, part = divmod(stream, PARTS)
    return KINDS[kind] + 4 * (i // 2) + part // 2, 2 * (i % 2) + part % 2


# On NumPy the words of a block are compiled once this pays; `philox4x32` stays the definition.
_words_on_numpy = Patient(
    lambda counter, key: philox4x32(counter, key, np), lambda: words_on_numpy(philox4x32, as_word)
)


class Draws:
    """The noise of one batch. ``draws.at(t)`` moves to iteration t; ``draws(i)`` is the step's i-th sample.

    Words are produced for a block of iterations at a time: in eager NumPy Philox costs as much as its array calls, so
    one call serves up to 512 steps.

    run_ids: (runs,) non-negative integers below 2**32, the noise identity of each row.
    """

    def __init__(self, seed: int, run_ids: Any, xp: Any, block_elements: int = 1 << 15) -> None:
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"the seed must lie in [0, 2^64), got {seed}")
        self.xp = xp = backends.namespace_of(xp)
        self._key = (seed & _MASK, seed >> 32)
        # Grid points share noise identities: each distinct one is drawn once, for all its rows.
        distinct, of_row = np.unique(np.asarray(run_ids, dtype=np.uint64), return_inverse=True)
        self.runs = len(of_row)
        self._of_row = None if len(distinct) == self.runs else xp.asarray(of_row)
        self._rid = xp.reshape(
            xp.asarray(run_ids if self._of_row is None else distinct, dtype=xp.uint64), (1, -1, 1)
        )
        self._elements = block_elements
        self._t = 1
        self._cache: dict[tuple[Any, ...], tuple[int, Array]] = {}
        self._samples: dict[int, Sample] = {}

    def at(self, t: int) -> Draws:
        self._t = t
        return self

    def __call__(self, i: int) -> Sample:
        if i not in self._samples:
            self._samples[i] = Sample(self, i)
        return self._samples[i]

    def number(self, kind: str, stream: int, d: Shape, k: int) -> Array:
        """(runs, d) numbers of this iteration; ``kind`` is one of uniform, sign, normal.

        d: an int, or the tuple (m, d) for task axes: coordinate j of task i has the number i d + j; (runs, m, d) back.
        """
        if isinstance(d, tuple):
            return self.xp.reshape(self.number(kind, stream, math.prod(d), k), (self.runs, *d))
        address = (kind, stream, d, k)
        # The block length may depend on the batch, since a number depends only on its address.
        length = max(1, min(512, self._elements // (self.runs * d)))
        if kind == "sign":
            # A word has the signs of 32 iterations, of which a large batch unpacks one at a time.
            length = 1 if length < 4 else 32 * max(1, length // 32)
        first = self._t - self._t % length
        entry = self._cache.get(address)
        if entry is None or entry[0] != first:
            block = self._block(address, first, length)
            entry = (first, block if self._of_row is None else self.xp.take(block, self._of_row, axis=1))
            if isinstance(entry[1], np.ndarray):
                entry[1].flags.writeable = False  # a write would change the sample for whoever draws it next
            self._cache[address] = entry
        return entry[1][self._t - first, ...]

    def _block(self, address: tuple[Any, ...], first: int, length: int) -> Array:
        kind, stream, d, k = address
        xp, (block, word) = self.xp, place(kind, stream)
        if kind == "sign":
            words = self._sign_words((block, word), d, k, first // 32, max(1, length // 32))
            return _bits_as_signs(words, first % 32, length, xp)
        return from_words(kind, word, self._words(block, d, k, first, length), xp)

    def _sign_words(self, at: tuple[int, int], d: int, k: int, first: int, length: int) -> Array:
        """Words of 32 signs each, kept for the next signs of them; copied, so that the other three words of the block
        are not kept as well.
        """
        address = ("packed", *at, d, k)
        entry = self._cache.get(address)
        if entry is None or entry[0] != first:
            entry = (first, self.xp.asarray(self._philox(at[0], d, k, first, length)[at[1]], copy=True))
            self._cache[address] = entry
        return entry[1]

    def _words(self, block: int, d: int, k: int, first: int, length: int) -> tuple[Array, ...]:
        if (
            k > 0
        ):  # not worth keeping: repeated draws are many (N^2/2 in a Neumann sum) and use one word of four
            return self._philox(block, d, k, first, length)
        address = ("words", block, d, k)
        entry = self._cache.get(address)
        if entry is None or entry[0] != first:
            entry = (first, self._philox(block, d, k, first, length))
            self._cache[address] = entry
        return entry[1]

    def _philox(self, block: int, d: int, k: int, first: int, length: int) -> tuple[Array, ...]:
        xp = self.xp
        t = xp.reshape(xp.arange(first, first + length, dtype=xp.uint64), (-1, 1, 1))
        coordinate = xp.reshape(xp.arange(d, dtype=xp.uint64), (1, 1, -1))
        last = xp.asarray(block + 256 * (k + 1), dtype=xp.uint64)
        counter = (t, self._rid, coordinate, last)
        if xp.__name__ == "numpy":
            return _words_on_numpy(counter, self._key)
        return philox4x32(counter, self._key, xp)


class Sample:
    """One random sample of the paper (xi_t, xi'_t, zeta_t ...); equal addresses give equal numbers.

    draws: anything with ``xp`` and ``number(kind, stream, d, k)``. Everywhere below d may also be a tuple (m, d), for
    (runs, m, d) back, and k, the number of a repeated draw, whatever ``number`` takes.
    """

    def __init__(self, draws: Any, i: int, begin: Any = None) -> None:
        self._draws, self._first, self._begin = draws, PARTS * i, begin

    def repeat(self, k: Any) -> Sample:
        """Its k-th repeated draw as a sample of its own, for oracle methods that take no k; the next ones follow it."""
        return Sample(self._draws, self._first // PARTS, k if self._begin is None else self._begin + k)

    def _number(self, kind: str, d: Shape, part: int, k: Any) -> Array:
        return self._draws.number(kind, self._first + part, d, k if self._begin is None else self._begin + k)

    def uniform(self, d: Shape, part: int = 0, k: Any = 0) -> Array:
        """(runs, d), uniform on (0, 1), multiples of 2^-32 plus 2^-33."""
        return self._number("uniform", d, part, k)

    def sign(self, d: Shape, part: int = 0, k: Any = 0) -> Array:
        """(runs, d) of +1 or -1."""
        return self._number("sign", d, part, k)

    def normal(self, d: Shape, part: int = 0, k: Any = 0) -> Array:
        """(runs, d) standard normals (Box-Muller; 32-bit uniforms limit them to about 6.8 in absolute value)."""
        return self._number("normal", d, part, k)

    def sphere(self, d: Shape, part: int = 0, k: Any = 0) -> Array:
        """(runs, d), uniform on the unit sphere of the last axis; fair signs where that has length 1."""
        if (d[-1] if isinstance(d, tuple) else d) == 1:
            return self.sign(d, part, k)
        return ops.unit(self.normal(d, part, k), self._draws.xp)

    def index(self, n: int, size: Shape, part: int = 0, k: Any = 0) -> Array:
        """(runs, size) int64 in {0, ..., n-1}, drawn with replacement (bias at most n 2^-32)."""
        xp = self._draws.xp
        return xp.astype(xp.floor(self.uniform(size, part, k) * float(n)), xp.int64)


def _bits_as_signs(words: Array, first: int, length: int, xp: Any) -> Array:
    """(words, ids, d) words to (length, ids, d) of +1 (bit set) and -1, least significant bit first.

    length: 32 for each word, or 1, which is the bit `first` of a single one.
    """
    bits_of_one = xp.arange(first, first + min(length, 32), dtype=xp.uint64)
    one, bit = xp.asarray(1, dtype=xp.uint64), xp.reshape(bits_of_one, (1, -1, 1, 1))
    bits = (words[:, None, ...] >> bit) & one
    return xp.reshape(xp.where(bits == one, xp.asarray(1.0), xp.asarray(-1.0)), (length, *words.shape[1:]))


def derived_seed(seed: int, name: str) -> int:
    """A 64-bit seed for one simulation from the user's seed and the simulation's key (stable across versions)."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{name}".encode()).digest()[:8], "little")
