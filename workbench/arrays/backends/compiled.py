"""The shared functions on NumPy, compiled by Numba from the source that also runs on arrays: same bits, 7-14x faster.

Numba is imported late and only where it pays. A process starts with the array versions and compiles once these have
taken `PATIENCE` seconds, or loads what was compiled before (the cache is beside this file, or in NUMBA_CACHE_DIR).
Without Numba it keeps the array versions. The two differ only in speed.
"""

from __future__ import annotations

import functools
import hashlib
import os
import time
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from workbench.arrays import maths

# Seconds in array versions before compiling; importing Numba and loading a compiled function costs about as much.
PATIENCE = 0.25
FUNCTIONS = ("log", "exp", "sin", "cos", "tanh", "power", "log_unit", "cos_turn", "sin_turn")
# Division by zero gives inf. Fastmath stays off, so nothing is contracted or reordered.
_STRICT: dict[str, Any] = {"error_model": "numpy", "forceinline": True}
SCALAR: Any = None  # global: from a closure, Numba's disk cache would not find its entries again
_Scalar = namedtuple("_Scalar", "where floor abs sqrt")


def compiles() -> bool:
    """Whether Numba may compile in this process: not where its user has set NUMBA_DISABLE_JIT."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


class Patient:
    """A function that starts as ``plain`` and becomes ``make()`` once all of them have taken `PATIENCE` seconds."""

    seconds = 0.0  # seconds of this process in array versions

    def __init__(self, plain: Callable[..., Any], make: Callable[[], Callable[..., Any]]) -> None:
        self._plain, self._make = plain, make
        self._fast: Callable[..., Any] | None = None

    def __call__(self, *args: Any) -> Any:
        if self._fast is not None:
            return self._fast(*args)
        if Patient.seconds > PATIENCE and compiles():
            try:
                self._fast = self._make()
            except (ImportError, OSError):  # no Numba here, or no source file to compile from
                self._fast = self._plain
            return self._fast(*args)
        began = time.perf_counter()
        result = self._plain(*args)
        Patient.seconds += time.perf_counter() - began
        return result


def on_numpy(name: str) -> Callable[..., np.ndarray]:
    """The shared function ``name`` for NumPy arrays and numbers."""
    formula = getattr(maths, name)

    def plain(*args: Any) -> np.ndarray:
        return formula(*(np.asarray(a, dtype=np.float64) for a in args), np)

    return Patient(plain, lambda: ufunc(name))


@functools.cache
def ufunc(name: str) -> np.ufunc:
    """The NumPy ufunc of the shared function ``name``. Raises ImportError where Numba is missing."""
    import numba

    global SCALAR
    SCALAR = scalar_namespace()
    formula, stamp = getattr(maths, name), source_stamp(maths.log)
    if name == "power":
        return compile_cached(numba.vectorize, "f8(f8, f8)", lambda x, p: (stamp, formula(x, p, SCALAR))[1])
    return compile_cached(numba.vectorize, "f8(f8)", lambda x: (stamp, formula(x, SCALAR))[1])


def source_stamp(function: Any) -> str:
    """Hash of the file that defines ``function``.

    Numba's cache watches the file of the function that it compiles, here a wrapper in another file. With a stamp among
    the wrapper's free variables, a new text becomes a new entry.
    """
    return hashlib.sha256(Path(function.__code__.co_filename).read_bytes()).hexdigest()


def compile_cached(compile: Any, signature: str, function: Callable[..., Any]) -> Any:
    """``function`` compiled for one signature, cached on disk where possible.

    Numba raises many things where its files are damaged, or have no room; what it has against the function it says
    again without them.
    """
    try:
        return compile([signature], cache=True)(function)
    except Exception:
        return compile([signature])(function)


@functools.cache
def scalar_namespace() -> Any:
    """What ``xp`` is inside a compiled loop: four functions of numbers. Teaches Numba to compile `maths`."""
    import numba
    from numba.extending import overload, register_jitable

    jit = numba.njit(**_STRICT)
    overload(maths.bits)(lambda x, xp: lambda x, xp: np.float64(x).view(np.int64))
    overload(maths.unbits)(lambda i, xp: lambda i, xp: np.int64(i).view(np.float64))
    for name, function in vars(maths).items():
        own = callable(function) and function.__module__ == maths.__name__
        if own and name not in ("bits", "unbits"):
            register_jitable(**_STRICT)(function)
    return _Scalar(
        where=jit(lambda c, a, b: a if c else b),
        floor=jit(lambda x: np.floor(x)),
        abs=jit(lambda x: np.abs(x)),
        sqrt=jit(lambda x: np.sqrt(x)),
    )


def words_on_numpy(philox: Callable[..., Any], as_word: Callable[..., Any]) -> Callable[..., Any]:
    """``philox`` of `random`, compiled for blocks: (counter, key) -> four (length, ids, d) arrays of uint64.

    counter: arrays of shapes (length, 1, 1), (1, ids, 1), (1, 1, d) and (). Raises ImportError where Numba is missing.
    """
    import numba
    from numba.extending import overload, register_jitable

    stamp = source_stamp(philox)
    overload(as_word)(lambda value, xp: lambda value, xp: np.uint64(value))
    register_jitable(**_STRICT)(philox)

    def fill(times: Any, run: Any, coordinate: Any, last: Any, k0: int, k1: int, out: Any) -> None:
        stamp  # noqa: B018  (see `source_stamp`)
        for i in range(len(times)):
            for j in range(len(run)):
                out[0, i, j], out[1, i, j], out[2, i, j], out[3, i, j] = philox(
                    (times[i], run[j], coordinate[j], last), (k0, k1), None
                )

    kernel = compile_cached(numba.njit, "(u8[::1], u8[::1], u8[::1], u8, i8, i8, u8[:, :, ::1])", fill)

    def words(counter: tuple[np.ndarray, ...], key: tuple[int, int]) -> tuple[np.ndarray, ...]:
        times, run, coordinate, last = counter
        shape = (times.size, run.size, coordinate.size)
        out = np.empty((4, shape[0], shape[1] * shape[2]), dtype=np.uint64)
        rows, columns = np.broadcast_arrays(run[0], coordinate[0])
        kernel(times.ravel(), rows.ravel(), columns.ravel(), np.uint64(last), *key, out)
        return tuple(out.reshape(4, *shape))

    return words
