"""Simulations that did not end: how far they came is kept beside the results, and a later command goes on from there.

An engine hands over its position (plain data: numbers, arrays, lists and dicts of them) where it could be taken up, at
most every `EVERY` seconds and when the process is asked to end. The noise is addressed by t and so has no position:
what is taken up gives the bits of a run that was never interrupted. A position counts only for the engine, kernel,
backend and code that it comes from; anything else, and every file that is damaged, is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import platform
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.store.format import SEAL, seal
from workbench.store.interrupts import Interrupts
from workbench.store.results import Store, StoreError
from workbench.store.sources import code_hash

FORMAT = 1
WORTH = 3.0  # seconds of work that are not worth a file
EVERY = 30.0  # seconds between two files; more where one takes long to write
SHARE = 0.05  # of the time that may go into writing
ARRAY = "array number"  # in the place of an array among the plain data; no quantity is called so
# What decides the bits besides the simulation's key. The primitives of compiled kernels are named in texts only.
CODE = frozenset({"workbench.engine.choice:simulate", "workbench.engine.lanes"})


class Keeper:
    """Where one simulation (or one half of a batch, see `part`) keeps its position.

    resumed: called with the iteration that a kept position continues after.
    """

    def __init__(
        self,
        store: Store,
        key: str,
        interrupts: Interrupts,
        resumed: Callable[[int], None] = lambda t: None,
        part: str = "",
    ) -> None:
        self._store, self._key, self._part = store, key, part
        self._interrupts, self._resumed = interrupts, resumed
        self._about: dict[str, Any] = {}
        self._since, self._every = time.monotonic(), EVERY

    def part(self, n: int) -> Keeper:
        """The keeper of half ``n`` of a batch that did not fit into memory."""
        return Keeper(self._store, self._key, self._interrupts, self._resumed, f"{self._part}{n}")

    def taken_up(self, engine: str, backend_name: str) -> dict[str, Any] | None:
        """The position to go on from, if there is one that fits. engine: its name, and that of its kernel if any."""
        self._about = {
            "format": FORMAT,
            "key": self._key,
            "part": self._part,
            "engine": engine,
            "backend": backend_name,
            "machine": platform.machine(),
        }
        self._since = time.monotonic()
        try:
            sealed = self._store.load_partial(self._key, self._part)
        except StoreError:
            sealed = None
        held = None if sealed is None else decode(self._whole(), sealed)
        if held is not None:
            self._resumed(held["t"])
        return held

    def due(self, end: bool = False) -> bool:
        """Should the engine hand over its position now? end: it has come to its last iteration.

        A whole simulation has its result then; a half must wait for the other one.
        """
        if end:
            return bool(self._part)
        waited = time.monotonic() - self._since
        if waited >= WORTH:
            self._interrupts.hold()  # from here on an interrupt waits for the position
        return self._interrupts.asked is not None or waited >= self._every

    def write(self, position: dict[str, Any]) -> None:
        """Keeps a position in place of the one before; then an interrupt that waited for it takes effect.

        What cannot be written is not kept: the simulation goes on, and its result will say so if it meets the same.
        """
        began = time.monotonic()
        with contextlib.suppress(StoreError, MemoryError):
            self._store.save_partial(self._key, self._part, encode(self._whole(), position))
        self._since = time.monotonic()
        self._every = max(EVERY, (self._since - began) / SHARE)
        if self._interrupts.asked is not None:
            self._interrupts.deliver()

    def _whole(self) -> dict[str, Any]:
        return {**self._about, "code": code_hash(CODE)}


def encode(about: dict[str, Any], position: dict[str, Any]) -> Iterator[bytes | memoryview]:
    """The bytes of a file, piece by piece: length of the head, head (JSON), arrays, seal."""
    arrays: list[np.ndarray] = []
    forms: list[tuple[str, tuple[int, ...], list[int]]] = []

    def placed(leaf: Any) -> dict[str, int]:
        host = backends.to_host(leaf)
        axes = _memory_order(leaf if hasattr(leaf, "strides") else host)
        plain = np.asarray(host.transpose(axes), order="C")
        if plain.dtype.kind not in "biuf":
            raise TypeError(f"a position holds an array of {plain.dtype}; only numbers can be kept")
        arrays.append(plain)
        forms.append((plain.dtype.str, plain.shape, axes))
        return {ARRAY: len(arrays) - 1}

    text = json.dumps(position, default=placed)
    head = json.dumps({"about": about, "position": text, "arrays": forms}).encode()
    digest = hashlib.sha256()
    pieces: list[Any] = [len(head).to_bytes(8, "little"), head]
    for piece in (*pieces, *(a.reshape(-1).view(np.uint8).data for a in arrays)):
        digest.update(piece)
        yield piece
    yield SEAL + digest.digest()


def decode(about: dict[str, Any], sealed: bytes) -> dict[str, Any] | None:
    """The position in a file; None where the file is not whole or is about something else."""
    cut = len(sealed) - len(seal(b""))
    if cut < 8 or sealed[cut:] != seal(memoryview(sealed)[:cut]):
        return None
    end = 8 + int.from_bytes(sealed[:8], "little")
    try:
        head = json.loads(sealed[8:end])
        if head["about"] != about:
            return None
        arrays = []
        for dtype, shape, axes in head["arrays"]:
            flat = np.frombuffer(sealed, dtype, math.prod(shape), end)
            end += flat.nbytes
            arrays.append(flat.reshape(shape).copy().transpose(np.argsort(axes)))
        return json.loads(head["position"], object_hook=lambda d: arrays[d[ARRAY]] if ARRAY in d else d)
    except (KeyError, ValueError, TypeError):
        return None  # sealed, but by something else


def _memory_order(a: Any) -> list[int]:
    """The axes of an array from the slowest to the fastest in memory: NumPy's sums depend on it in their last bits."""
    if a.flags.c_contiguous or 0 in a.strides:
        return list(range(a.ndim))
    return [int(i) for i in np.argsort(np.negative(a.strides), kind="stable")]
