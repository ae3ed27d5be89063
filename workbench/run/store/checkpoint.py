"""Checkpoints of unfinished simulations, stored next to the results, from which a later command resumes.

An engine passes its position (plain data: numbers, arrays, lists and dicts of them) at points where it can resume, at
most every `EVERY` seconds and when the process is asked to terminate. The noise is a function of t and has no state,
so a resumed run gives the same bits as an uninterrupted one. A checkpoint is valid only for the engine, kernel,
backend and code that wrote it. Any other checkpoint, and any damaged file, is ignored.
"""

from __future__ import annotations

import contextlib
import io
import json
import platform
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.run.store.format import seal, unseal
from workbench.run.store.interrupts import Interrupts
from workbench.run.store.results import Store, StoreError
from workbench.run.store.sources import code_hash

FORMAT = 2
WORTH = 3.0  # seconds of work below which a checkpoint is not worth writing
EVERY = 30.0  # seconds between two checkpoints; longer if writing one is slow
SHARE = 0.05  # largest share of the time spent on writing
ARRAY = "array of the archive"  # placeholder key of an array in the plain data; no quantity has this name
# Code that determines the bits besides the simulation's key.
CODE = frozenset({"workbench.engine.choice:simulate"})


class Checkpointer:
    """Writes and reads the checkpoints of one simulation, or of one half of a batch (see `part`).

    resumed: called with the iteration after which a checkpoint continues. of: which of the simulation's rows are
    computed, if not all.
    """

    def __init__(
        self,
        store: Store,
        key: str,
        interrupts: Interrupts,
        on_resume: Callable[[int], None] = lambda t: None,
        part: str = "",
        of: str = "",
    ) -> None:
        self._store, self._key, self._part, self._of = store, key, part, of
        self._interrupts, self._on_resume = interrupts, on_resume
        self._about: dict[str, Any] = {}
        self._since, self._every = time.monotonic(), EVERY

    def part(self, n: int) -> Checkpointer:
        """The checkpointer of half ``n`` of a batch that did not fit into memory."""
        part = f"{self._part}{n}"
        return Checkpointer(self._store, self._key, self._interrupts, self._on_resume, part, self._of)

    def resume(self, engine: str, backend_name: str) -> dict[str, Any] | None:
        """The position to resume from, or None. engine: its name, including that of its kernel if there is one."""
        self._about = {
            "format": FORMAT,
            "key": self._key,
            "part": self._part,
            "of": self._of,
            "engine": engine,
            "backend": backend_name,
            "machine": platform.machine(),
        }
        self._since = time.monotonic()
        try:
            content = self._store.load_partial(self._key, self._part)
        except StoreError:
            content = None
        position = None if content is None else decode(self._whole(), content)
        if position is not None:
            self._on_resume(position["t"])
        return position

    def due(self, end: bool = False) -> bool:
        """Whether the engine should write its position now. end: it has reached the last iteration.

        At the end a whole simulation needs no checkpoint, but half of a batch must wait for the other half.
        """
        if end:
            return bool(self._part)
        seconds = time.monotonic() - self._since
        if seconds >= WORTH:
            self._interrupts.hold()  # from now on an interrupt waits for the checkpoint
        return self._interrupts.number is not None or seconds >= self._every

    def write(self, position: dict[str, Any]) -> None:
        """Replaces the checkpoint, then delivers an interrupt that was waiting for it.

        A failed write is ignored: the simulation continues, and saving its result reports a problem that persists.
        """
        began = time.monotonic()
        with contextlib.suppress(StoreError, MemoryError):
            self._store.save_partial(self._key, self._part, encode(self._whole(), position))
        self._since = time.monotonic()
        self._every = max(EVERY, (self._since - began) / SHARE)
        if self._interrupts.number is not None:
            self._interrupts.deliver()

    def _whole(self) -> dict[str, Any]:
        return {**self._about, "code": code_hash(CODE)}


def encode(about: dict[str, Any], position: dict[str, Any]) -> tuple[memoryview, bytes]:
    """The bytes of a checkpoint file: NumPy's archive of the arrays and of the rest as JSON, and its seal."""
    arrays: dict[str, np.ndarray] = {}

    def encoded_array(leaf: Any) -> dict[str, Any]:
        host = backends.to_host(leaf)
        axes = _memory_order(leaf if hasattr(leaf, "strides") else host)
        name = f"array {len(arrays)}"
        arrays[name] = np.asarray(host.transpose(axes), order="C")
        if host.dtype.kind not in "biuf":
            raise TypeError(f"a checkpoint holds an array of {host.dtype}; only numbers can be stored")
        return {ARRAY: name, "axes": axes}

    text = json.dumps({"about": about, "position": position}, default=encoded_array)
    archive = io.BytesIO()
    np.savez(archive, text=np.array(text), **arrays)  # type: ignore[arg-type]
    return archive.getbuffer(), seal(archive.getbuffer())


def decode(about: dict[str, Any], content: bytes) -> dict[str, Any] | None:
    """The position in a checkpoint file; None if the file is damaged or belongs to something else."""
    try:
        with np.load(io.BytesIO(unseal(content)), allow_pickle=False) as archive:

            def decoded_array(leaf: dict[str, Any]) -> Any:
                return archive[leaf[ARRAY]].transpose(np.argsort(leaf["axes"])) if ARRAY in leaf else leaf

            whole = json.loads(archive["text"].item(), object_hook=decoded_array)
            return whole["position"] if whole["about"] == about else None
    except Exception:  # a file that is damaged, or of another form, which raises many classes
        return None


def _memory_order(a: Any) -> list[int]:
    """The axes of an array from slowest to fastest in memory; the last bits of NumPy's sums depend on this order."""
    if a.flags.c_contiguous or 0 in a.strides:
        return list(range(a.ndim))
    return [int(i) for i in np.argsort(np.negative(a.strides), kind="stable")]
