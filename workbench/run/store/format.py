"""The file format of a stored result: `encode` and `seal` produce the bytes, `decode` verifies and reads them.

A file is netCDF-4, which xarray (with h5netcdf) and h5py open as is, followed by a 40-byte seal: a magic number and
the SHA-256 of all preceding bytes. The seal is verified before any HDF5 code sees the bytes, so truncated, edited or
foreign files are recognised at once. The attribute ``content`` is a digest of the arrays and ``meta`` alone; it is
verified after decoding.

Arrays are deflated, bytes of equal weight together ("shuffle"): two thirds of the size. Where a file would be much
smaller than its arrays, they are not: see `EXPANDS`.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import platform
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.engine.records import Result
from workbench.run.store.content import content_hash
from workbench.run.store.interrupts import deferred
from workbench.run.store.netcdf import NO_VARIABLE, Variable, written

if TYPE_CHECKING:
    import h5py

FORMAT = 4
READABLE = (3, FORMAT)  # 3: not deflated
EXPANDS = (
    50  # times the size of its file, at most, is what a result takes in memory: a damaged one cannot fill it
)
FILTERS = {1, 2}  # of HDF5, which knows others and loads more: deflate and shuffle
SEAL = b"wbsha256"
UNSEALED = "does not end with this store's seal (truncated, edited or foreign)"
_DIMS = {
    "data": ("run", "mark"),
    "param": ("run",),
    "calls": ("run", "mark"),
    "constant": ("run", "mark"),
    "step": ("run", "mark"),
}
# Dimensions of length 1, for quantities that are the same for all rows or at all marks.
_SHARED = {"run": "all", "mark": "once"}
_SINGLE = {"marks": "mark", "elapsed": "mark", "run_ids": "run", "status": "run", "failed_at": "run"}


class StoreError(Exception):
    """A folder, file or library cannot be used. The message is one sentence addressed to the user."""


class Damage(Exception):
    """The bytes are not a result of this store. The message completes a sentence that starts with the file name."""


def encode(key: str, result: Result) -> bytes:
    """A netCDF file in memory, without its seal.

    Raises TypeError for arrays of anything but booleans and numbers of at most 64 bits, and for meta that JSON cannot
    represent; StoreError if a library is missing.
    """
    _need_h5py()
    variables, attrs = _variables(result), _attributes(key, result)
    body = written(variables, attrs, deflated=True)
    if sum(v.nbytes for _, v in variables.values()) <= EXPANDS * len(body):
        return body
    return written(variables, attrs, deflated=False)


def seal(body: bytes | memoryview) -> bytes:
    """The seal to append to the bytes of a netCDF file."""
    return SEAL + hashlib.sha256(body).digest()


def decode(key: str, sealed: bytes) -> Result:
    """The result in a file, exactly as saved.

    Raises Damage if it is not the result that was saved under the key, StoreError if a library is missing.
    """
    held, arrays = _open(sealed)
    if held.get("format") not in READABLE:
        raise Damage(f"has format {held.get('format')}, not {FORMAT}")
    if held.get("key") != key:
        raise Damage(f"holds the result of another key ({held.get('key')})")
    try:
        groups: dict[str, dict[str, np.ndarray]] = {group: {} for group in _DIMS}
        for variable in arrays:
            group, _, name = variable.partition("_")
            if variable not in _SINGLE:
                groups[group][_unescaped(name)] = arrays[variable]
        single: dict[str, Any] = {name: arrays[name] for name in _SINGLE}
        meta = json.loads(held["meta"])
        result = Result(
            data=groups["data"],
            params=groups["param"],
            calls=groups["calls"],
            constants=groups["constant"],
            steps=groups["step"],
            meta=meta,
            **single,
        )
        if _content_digest(result, held["meta"]) == held["content"]:
            return result
    except (KeyError, ValueError, TypeError) as error:
        raise Damage(f"lacks part of a result ({error})") from error
    raise Damage("does not match its content digest")


def attributes(sealed: bytes) -> dict[str, Any]:
    """The attributes of a file as plain values. Raises Damage and StoreError as `decode` does."""
    return _open(sealed, arrays=False)[0]


def _open(sealed: bytes, arrays: bool = True) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """(attributes, variables) of a sealed file. Raises Damage, or StoreError if h5py is missing."""
    cut = len(sealed) - len(seal(b""))
    if cut < 0 or sealed[cut : cut + len(SEAL)] != SEAL:
        raise Damage(UNSEALED)
    body = sealed[:cut]
    if sealed[cut:] != seal(body):
        raise Damage("does not match its checksum")
    try:
        with (
            deferred(),
            _file(body) as file,
        ):  # HDF5 would take an interrupt for an error of the file, and print it
            attrs = {n: _plain(v) for n, v in file.attrs.items()}
            held = _arrays(file, EXPANDS * len(body)) if arrays else {}
            return attrs, held
    except (Damage, MemoryError, StoreError):
        raise
    except Exception as error:  # sealed, but not netCDF; HDF5 raises many exception classes
        raise Damage(f"cannot be read as netCDF ({type(error).__name__})") from error


def _file(body: bytes) -> h5py.File:
    """An open file, read from memory."""
    _need_h5py()
    import h5py

    return h5py.File(h5py.h5f.open_file_image(body), "r")


def _arrays(file: h5py.File, room: int) -> dict[str, np.ndarray]:
    """The arrays of a file. Raises Damage, before they take memory, if they would not fit into ``room`` bytes.

    A file with a larger or foreign array was made by hand, and reading it could fill the memory, open other files or
    load code.
    """
    import h5py

    held = {}
    for name in file:
        plain = isinstance(file.get(name, getlink=True), h5py.HardLink)
        dataset = file[name] if plain else None
        if not isinstance(dataset, h5py.Dataset) or dataset.external or dataset.is_virtual:
            raise Damage(f"holds {name}, which is no array of its own")
        if _is_dimension(dataset):
            continue
        if not _filters(dataset) <= FILTERS:
            raise Damage(f"holds {name} in an encoding that this store does not use")
        if dataset.dtype.kind not in "biuf":
            raise Damage(f"holds {name} of type {dataset.dtype}, which is no number")
        room -= dataset.nbytes
        if room < 0:
            raise Damage(f"says that {name} has shape {dataset.shape}, which is too large for the file")
        held[name] = _array(dataset)
    return held


def _filters(dataset: h5py.Dataset) -> set[int]:
    """The numbers of the filters through which HDF5 would read the array."""
    made = dataset.id.get_create_plist()
    return {made.get_filter(n)[0] for n in range(made.get_nfilters())}


def _is_dimension(dataset: h5py.Dataset) -> bool:
    """Whether this is a dimension without coordinates, which netCDF-4 stores as an array without meaning."""
    name = dataset.attrs.get("NAME", b"")
    return bytes(name).startswith(NO_VARIABLE.encode())


def _plain(attribute: Any) -> Any:
    """An attribute as a Python value; netCDF-4 stores a single number as an array of length 1."""
    return np.asarray(attribute).item() if np.size(attribute) == 1 else attribute


def _array(dataset: h5py.Dataset) -> np.ndarray:
    """The values; booleans are stored as bytes with an attribute that marks them."""
    values = np.asarray(dataset[()])
    return values.astype(bool) if dataset.attrs.get("dtype") == "bool" else values


def _need_h5py() -> None:
    """Raises StoreError if it is missing, which must not make intact files look damaged."""
    try:
        importlib.import_module("h5py")
    except ImportError as error:
        raise StoreError(f"the store needs h5py, and {error.name} is missing") from error


def _variables(result: Result) -> dict[str, Variable]:
    """All arrays of a result as netCDF variables, with their dimensions."""
    made: dict[str, Variable] = {
        name: (dim, np.asarray(getattr(result, name))) for name, dim in _SINGLE.items()
    }
    for group, dims in _DIMS.items():
        for name, value in _group(result, group).items():
            array = np.asarray(value)
            own = dims
            if group in ("calls", "constant", "step"):
                own = tuple(_SHARED[d] if n == 1 else d for d, n in zip(dims, array.shape, strict=True))
            made[f"{group}_{_escaped(name)}"] = (own, array)
    for name, (_, value) in made.items():
        if value.dtype.kind not in "biuf" or value.dtype.itemsize > 8:
            raise TypeError(
                f"{name} of a result has dtype {value.dtype}, which the store cannot represent exactly"
            )
    return made


def _attributes(key: str, result: Result) -> dict[str, Any]:
    """Columns for listings, versions, and the fields verified on reading (key, format, content)."""
    meta = _json(result.meta)
    return {
        "title": str(result.meta.get("title", "")),
        "simulation": str(result.meta.get("simulation", "")),
        "key": key,
        "format": FORMAT,
        "backend": str(result.meta.get("backend", "")),
        "engine": str(result.meta.get("engine", "")),
        "seed": str(
            result.meta.get("seed", "")
        ),  # text: netCDF integers have at most 64 bits, meta's may have more
        "rows": result.size,
        "runs": result.runs,
        "horizon": result.horizon,
        "wall_seconds": float(result.elapsed[-1]),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "numpy": np.__version__,
        "sympy": _version("sympy"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "meta": meta,
        "content": _content_digest(result, meta),
    }


def _group(result: Result, group: str) -> dict[str, np.ndarray]:
    return {
        "data": result.data,
        "param": result.params,
        "calls": result.calls,
        "constant": result.constants,
        "step": result.steps,
    }[group]


def _content_digest(result: Result, meta: str) -> str:
    groups = {group: {n: np.asarray(v) for n, v in _group(result, group).items()} for group in _DIMS}
    return content_hash({**groups, **{n: np.asarray(getattr(result, n)) for n in _SINGLE}, "meta": meta})


def _json(meta: dict[str, Any]) -> str:
    """meta as JSON, with NumPy scalars as numbers. Raises TypeError for what JSON cannot represent."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        raise TypeError(
            f"meta of a result holds a {type(value).__name__}; only strings and numbers can be stored"
        )

    return json.dumps(meta, sort_keys=True, default=plain)


def _escaped(name: str) -> str:
    """The name without slashes, which would create HDF5 groups."""
    return name.replace("%", "%25").replace("/", "%2F")


def _unescaped(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
