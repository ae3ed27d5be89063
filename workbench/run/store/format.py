"""The file format of a stored result: `encode` and `seal` produce the bytes, `decode` verifies and reads them.

A file is netCDF-4, which xarray (with h5netcdf) and h5py open as is, followed by a 40-byte seal: a magic number and
the SHA-256 of all preceding bytes. The seal is verified before any HDF5 code sees the bytes, so truncated, edited or
foreign files are recognised at once.

Dimensions have no coordinates. HDF5 keeps the name of one as an array without meaning, a "dimension scale", to which
the arrays refer; see "NetCDF-4 File Format Specification", Unidata.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import platform
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.engine.records import Result
from workbench.run.store.interrupts import deferring

if TYPE_CHECKING:
    import h5py

Variables = dict[str, tuple[tuple[str, ...], np.ndarray]]  # name -> dimensions, values

FORMAT = 4
SEAL = b"wbsha256"
UNSEALED = "does not end with this store's seal (truncated, edited or foreign)"
NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable"
SMALL = 4096  # bytes of an array that is not worth deflating
CHUNK = 1 << 24  # bytes that are deflated together, about
# Fields of a Result that map names to arrays: the prefix of the variables, and their dimensions.
_GROUPS = {
    "data": ("data", ("run", "mark")),
    "params": ("param", ("run",)),
    "calls": ("calls", ("run", "mark")),
    "constants": ("constant", ("run", "mark")),
    "steps": ("step", ("run", "mark")),
}
# Dimensions of length 1, for quantities that are the same for all rows or at all marks.
_SHARED = {"run": "all", "mark": "once"}
_SINGLE = {"marks": "mark", "elapsed": "mark", "run_ids": "run", "status": "run", "failed_at": "run"}
_files = itertools.count()  # each has a name of its own: HDF5 knows the files that are open by their names


class StoreError(Exception):
    """A folder or file cannot be used. The message is one sentence addressed to the user."""


class Damage(Exception):
    """The bytes are not a result of this store. The message completes a sentence that starts with the file name."""


def encode(key: str, result: Result) -> bytes:
    """A netCDF file in memory, without its seal.

    Raises TypeError for arrays of anything but booleans and numbers of at most 64 bits, and for meta that JSON cannot
    represent; ValueError for an array that does not fit the others; MemoryError.
    """
    variables, attrs = _variables(result), _attributes(key, result)
    try:
        return _netcdf(variables, attrs)
    except OSError as error:  # HDF5's word for memory that is lacking; there is no other file
        raise MemoryError(f"a result could not be written in memory: {error}") from error


def seal(body: bytes | memoryview) -> bytes:
    """The seal to append to the bytes of a netCDF file."""
    return SEAL + hashlib.sha256(body).digest()


def unseal(content: bytes) -> bytes:
    """The bytes before a seal that is theirs. Raises Damage."""
    end = len(content) - len(seal(b""))
    if end < 0 or content[end : end + len(SEAL)] != SEAL:
        raise Damage(UNSEALED)
    body = content[:end]
    if content[end:] != seal(body):
        raise Damage("does not match its checksum")
    return body


def decode(key: str, content: bytes) -> Result:
    """The result in a file, exactly as saved. Raises Damage if it is not the result that was saved under the key."""
    attrs, arrays = _read(content)
    if attrs.get("format") != FORMAT:
        raise Damage(f"has format {attrs.get('format')}, not {FORMAT}")
    if attrs.get("key") != key:
        raise Damage(f"holds the result of another key ({attrs.get('key')})")
    try:
        parts: dict[str, Any] = {name: arrays.pop(name) for name in _SINGLE}
        fields = {prefix: field for field, (prefix, _) in _GROUPS.items()}
        parts |= {field: {} for field in _GROUPS}
        for variable, values in arrays.items():
            prefix, _, name = variable.partition("_")
            parts[fields[prefix]][_unescape(name)] = values
        meta = json.loads(attrs["meta"])
        if not isinstance(meta, dict):
            raise ValueError("its metadata are no table")
        return Result(**parts, meta=meta)
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise Damage(f"lacks part of a result ({error})") from error


def attributes(content: bytes) -> dict[str, Any]:
    """The attributes of a file as plain values. Raises Damage as `decode` does."""
    return _read(content, arrays=False)[0]


def _read(content: bytes, arrays: bool = True) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """(attributes, variables) of a sealed file. Raises Damage."""
    import h5py

    body = unseal(content)
    try:
        # HDF5 would take an interrupt for an error of the file, and print it.
        with deferring(), h5py.File(h5py.h5f.open_file_image(body), "r") as file:
            attrs = {n: v.item() if np.size(v) == 1 else v for n, v in _plain(file.attrs)}
            return attrs, {n: _array(d) for n, d in file.items() if _is_variable(d)} if arrays else {}
    except MemoryError:
        raise
    except Exception as error:  # sealed, but not netCDF; HDF5 raises many exception classes
        raise Damage(f"cannot be read as netCDF ({type(error).__name__})") from error


def _plain(attrs: Any) -> Any:
    """Names and values; netCDF-4 stores a single number as an array of length 1."""
    return ((name, np.asarray(value)) for name, value in attrs.items())


def _is_variable(dataset: h5py.Dataset) -> bool:
    return not bytes(dataset.attrs.get("NAME", b"")).startswith(NO_VARIABLE.encode())


def _array(dataset: h5py.Dataset) -> np.ndarray:
    """The values; booleans are stored as bytes with an attribute that marks them."""
    values = np.asarray(dataset[()])
    return values.astype(bool) if dataset.attrs.get("dtype") == "bool" else values


def _netcdf(variables: Variables, attrs: dict[str, Any]) -> bytes:
    """The bytes of a file."""
    import h5py

    name = f"netcdf-{next(_files)}"
    with h5py.File(name, "w", driver="core", backing_store=False, track_order=True) as file:
        for name, (dims, values) in variables.items():
            bare = values.astype(np.int8) if values.dtype == bool else values
            dataset = file.create_dataset(name, data=bare, **_deflating(bare))
            if values.dtype == bool:  # of which netCDF knows nothing; this is xarray's way
                dataset.attrs["dtype"] = "bool"
            for axis, (dim, size) in enumerate(zip(dims, values.shape, strict=True)):
                if dim not in file:  # its array is never written, and takes no room
                    file.create_dataset(dim, (size,), ">f4").make_scale(f"{NO_VARIABLE}.{size:10}")
                if file[dim].shape != (size,):
                    raise ValueError(
                        f"{name} has length {size} along {dim}, and others have {len(file[dim])}"
                    )
                dataset.dims[axis].attach_scale(file[dim])
        for name, value in attrs.items():
            file.attrs[name] = value if isinstance(value, str) else np.atleast_1d(value)
        file.flush()
        return bytes(file.id.get_file_image())


def _deflating(values: np.ndarray) -> dict[str, Any]:
    """How an array is deflated, bytes of equal weight together ("shuffle"): to two thirds of its size."""
    if values.nbytes < SMALL:
        return {}
    rows = max(1, min(len(values), CHUNK * len(values) // values.nbytes))
    return {
        "compression": "gzip",
        "compression_opts": 1,
        "shuffle": True,
        "chunks": (rows, *values.shape[1:]),
    }


def _variables(result: Result) -> Variables:
    """All arrays of a result, with their dimensions."""
    variables: Variables = {
        name: ((dim,), np.asarray(getattr(result, name))) for name, dim in _SINGLE.items()
    }
    for field, (prefix, dims) in _GROUPS.items():
        for name, value in getattr(result, field).items():
            array, own = np.asarray(value), dims
            if field in ("calls", "constants", "steps"):
                own = tuple(_SHARED[d] if n == 1 else d for d, n in zip(dims, array.shape, strict=True))
            variables[f"{prefix}_{_escape(name)}"] = (own, array)
    for name, (_, value) in variables.items():
        if value.dtype.kind not in "biuf" or value.dtype.itemsize > 8:
            raise TypeError(
                f"{name} of a result has dtype {value.dtype}, which the store cannot represent exactly"
            )
    return variables


def _attributes(key: str, result: Result) -> dict[str, Any]:
    """Columns for listings, versions, and the fields verified on reading (key, format).

    The seed is text, since netCDF's integers have at most 64 bits.
    """
    columns = {n: str(result.meta.get(n, "")) for n in ("title", "simulation", "backend", "engine", "seed")}
    return columns | {
        "key": key,
        "format": FORMAT,
        "rows": result.size,
        "runs": result.runs,
        "horizon": result.horizon,
        "wall_seconds": float(result.elapsed[-1]),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "numpy": np.__version__,
        "sympy": metadata.version("sympy"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "meta": _json(result.meta),
    }


def _json(meta: dict[str, Any]) -> str:
    """meta as JSON, with NumPy scalars as numbers. Raises TypeError for what JSON cannot represent."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        raise TypeError(
            f"meta of a result holds a {type(value).__name__}; only strings and numbers can be stored"
        )

    return json.dumps(meta, sort_keys=True, default=plain)


def _escape(name: str) -> str:
    """The name without slashes, which would create HDF5 groups."""
    return name.replace("%", "%25").replace("/", "%2F")


def _unescape(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")
