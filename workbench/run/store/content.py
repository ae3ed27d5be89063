"""Hashes of plain data: equal content has equal hashes, in every process."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

BITS = 30  # of 53, the same on every machine: sums of BLAS and LAPACK end in others on another processor


def digest(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of a tag and some parts, each prefixed by its length so that different inputs cannot collide."""
    hasher = hashlib.sha256()
    for part in (tag.encode(), *parts):
        hasher.update(len(part).to_bytes(8, "little"))
        hasher.update(part)
    return hasher.digest()


def content_hash(obj: Any) -> str:
    """Hash of plain data, identical in every process. Every bit of a float or an array counts.

    Plain data: None, bool, int, float, str, NumPy arrays and scalars, and tuples, lists, dicts, named tuples and frozen
    dataclasses of these. Raises TypeError for anything else, naming the field.
    """
    return content(obj, type(obj).__name__).hex()


def without_last_bits(a: np.ndarray) -> np.ndarray:
    """Floats, each to a multiple of 2^-BITS of the largest finite one, up to a factor of two; a zero has no sign."""
    largest = np.max(np.abs(a), initial=0.0, where=np.isfinite(a))
    mantissa, power = np.frexp(largest)
    if np.rint(np.ldexp(mantissa, BITS)) == 2.0**BITS:  # just below a power of two is the same as this power
        power += 1
    unit = np.ldexp(1.0, max(int(power), -900) - BITS)
    return np.asarray(np.rint(a / unit) * unit + 0.0)


def content(obj: Any, where: str, floats: Callable[[np.ndarray], np.ndarray] = np.asarray) -> bytes:
    """The digest behind `content_hash`.

    where: what the object is called in an error. floats: given each float, or array of them, before it is read.
    """
    inner = partial(content, floats=floats)
    if obj is None or isinstance(obj, bool):
        return digest("constant", str(obj).encode())
    if isinstance(obj, float):  # includes np.float64
        return digest("float", repr(float(floats(np.asarray(obj, dtype=float)))).encode())
    if type(obj) is int or type(obj) is str:
        return digest(type(obj).__name__, str(obj).encode("utf-8", "surrogatepass"))
    if isinstance(obj, np.ndarray | np.generic):
        array = np.asarray(obj)
        return _array(floats(array) if array.dtype.kind == "f" else array, where)
    if type(obj) is dict:
        items = [
            digest("item", inner(k, f"key of {where}"), inner(v, f"{where}[{k!r}]")) for k, v in obj.items()
        ]
        return digest("dict", *sorted(items))
    if type(obj) is tuple or type(obj) is list:
        return digest(type(obj).__name__, *(inner(v, f"{where}[{i}]") for i, v in enumerate(obj)))
    if (names := fields(obj)) is not None:
        label = f"{type(obj).__module__}.{type(obj).__qualname__}"
        values = (digest(n, inner(getattr(obj, n), f"{where}.{n}")) for n in names)
        return digest("record", label.encode(), *values)
    raise TypeError(
        f"{where} is a {type(obj).__qualname__}; a result can only depend on numbers, strings, arrays, and tuples, "
        "lists, dicts, named tuples and frozen dataclasses of these"
    )


def _array(a: np.ndarray, where: str) -> bytes:
    if a.dtype.kind not in "biufcSU":
        raise TypeError(f"{where} is an array of dtype {a.dtype}, which has no canonical byte representation")
    a = np.ascontiguousarray(a, dtype=a.dtype.newbyteorder("<")).reshape(a.shape)
    return digest("array", a.dtype.str.encode(), repr(a.shape).encode(), a.tobytes())


def fields(obj: Any) -> tuple[str, ...] | None:
    """Field names of a named tuple or a frozen dataclass, None for anything else."""
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return tuple(obj._fields)
    if dataclasses.is_dataclass(obj) and not isinstance(obj, type) and type(obj).__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return tuple(f.name for f in dataclasses.fields(obj))
    return None
