"""Hashes of plain data: equal content has equal hashes, in every process."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import numpy as np


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


def content(obj: Any, where: str) -> bytes:
    """The digest behind `content_hash`; where: what the object is called in an error."""
    if obj is None or isinstance(obj, bool):
        return digest("constant", str(obj).encode())
    if isinstance(obj, float):  # includes np.float64
        return digest("float", repr(float(obj)).encode())
    if type(obj) is int or type(obj) is str:
        return digest(type(obj).__name__, str(obj).encode("utf-8", "surrogatepass"))
    if isinstance(obj, np.ndarray | np.generic):
        return _array(np.asarray(obj), where)
    if type(obj) is dict:
        items = [
            digest("item", content(k, f"key of {where}"), content(v, f"{where}[{k!r}]"))
            for k, v in obj.items()
        ]
        return digest("dict", *sorted(items))
    if type(obj) is tuple or type(obj) is list:
        return digest(type(obj).__name__, *(content(v, f"{where}[{i}]") for i, v in enumerate(obj)))
    if (names := fields(obj)) is not None:
        label = f"{type(obj).__module__}.{type(obj).__qualname__}"
        values = (digest(n, content(getattr(obj, n), f"{where}.{n}")) for n in names)
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
