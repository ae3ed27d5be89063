"""Results on disk: one netCDF file per key, whole or absent, and checked before it is believed.

A file is a netCDF-4 file (xarray and h5netcdf; ncdump, MATLAB or Julia read it as well) followed by a 40-byte seal: a
mark and the SHA-256 of all bytes before it. The seal is checked before any HDF5 code sees the bytes, so a truncated,
edited or foreign file is recognised at once; it is set aside and its result computed again. The attribute ``content``
is a digest of the arrays and of ``meta`` alone, checked once more after decoding.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import platform
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.fingerprint import content_hash
from workbench.records import Result

if TYPE_CHECKING:
    import xarray

FORMAT = 1
DEFAULT_FOLDER = ".workbench"
_SEAL = b"wbsha256"
_STALE_SECONDS = 3600.0  # no save takes an hour; a younger temporary may belong to a process that is alive
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_DIMS = {"data": ("run", "mark"), "param": ("run",), "calls": ("mark",)}
_SINGLE = {"marks": "mark", "elapsed": "mark", "run_ids": "run", "status": "run", "failed_at": "run"}


class StoreError(Exception):
    """A folder or file that cannot be used; the message is one sentence fit for a user."""


def store_folder(option: str | os.PathLike[str] | None = None) -> Path:
    """The folder of the store: the option, else the environment's WORKBENCH_STORE, else ``.workbench`` here."""
    return Path(option or os.environ.get("WORKBENCH_STORE") or DEFAULT_FOLDER).expanduser()


@dataclass(frozen=True)
class Entry:
    """A stored result without its arrays. attributes: the system columns, by name."""

    key: str
    path: Path
    size: int
    attributes: dict[str, Any]


class Store:
    """A folder of results. It is made by the first save.

    ``notices`` collects one sentence for each file that was not what it should be (see ``take_notices``).
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.notices: list[str] = []

    def path(self, key: str) -> Path:
        """Where the result of a key is, or would be. Raises ValueError for a key that is no plain file name."""
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} cannot name a stored result; use letters, digits, '.', '_' and '-'")
        return self.folder / f"{key}.nc"

    def has(self, key: str) -> bool:
        """Whether there is a file for the key; only ``load`` checks it."""
        return self.path(key).is_file()

    def take_notices(self) -> list[str]:
        """The notices so far, which are then forgotten."""
        taken, self.notices = self.notices, []
        return taken

    def check_writable(self) -> None:
        """Raises StoreError where a save would fail for reasons that can be known beforehand."""
        with self._temporary("probe") as (file, _):
            file.write(_SEAL)

    def save(self, key: str, result: Result) -> None:
        """Stores a result, replacing what is there: after a crash at any moment the old file or the new one is whole.

        ``result.meta`` must survive JSON. Raises StoreError where the file cannot be written (full disk, read-only
        folder, a file in the folder's place); the result in memory is as good as before.
        """
        target = self.path(key)
        body = _encode(key, result)
        with self._temporary(key) as (file, name):
            file.write(body)
            file.write(_seal(body))
            file.flush()
            os.fsync(file.fileno())
            file.close()
            os.replace(name, target)
        self._sync_folder()
        self._remove_stale()

    def load(self, key: str) -> Result | None:
        """The result, exactly as saved, or None where there is none.

        A file that is damaged, of another key or not of this store is renamed to ``<name>.damaged-<n>``, a notice
        says so, and None is returned. Raises StoreError where the file is there but cannot be read.
        """
        path = self.path(key)
        sealed = self._read(path)
        if sealed is None:
            return None
        try:
            dataset = _open(sealed)
            result = _decode(key, dataset)
        except _Damage as damage:
            self._set_aside(path, str(damage))
            return None
        return result

    def entries(self) -> list[Entry]:
        """All stored results, by simulation and time. Files that are not whole are left out, with a notice.

        Raises StoreError where a file cannot be read.
        """
        found = []
        for path in sorted(p for p in self.folder.glob("*.nc") if p.is_file()):
            try:
                sealed = self._read(path)
                if sealed is not None:
                    attrs = _open(sealed).attrs.items()
                    attributes = {n: v.item() if isinstance(v, np.generic) else v for n, v in attrs}
                    found.append(Entry(path.name.removesuffix(".nc"), path, len(sealed), attributes))
            except _Damage as damage:
                self.notices.append(f"{path.name} in the store {damage}; it was passed over")
        return sorted(
            found, key=lambda e: (str(e.attributes.get("simulation")), str(e.attributes.get("created")))
        )

    # Files.

    @contextlib.contextmanager
    def _temporary(self, key: str) -> Iterator[tuple[io.BufferedWriter, Path]]:
        """A new file in the folder, gone at the end unless renamed. OSErrors come out as StoreErrors."""
        name = self.folder / f".{key}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with open(name, "xb") as file:
                yield file, name
        except OSError as error:
            raise StoreError(f"cannot write to the store {self.folder}: {_reason(error)}") from error
        finally:
            with contextlib.suppress(OSError):
                name.unlink()

    def _read(self, path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise StoreError(f"cannot read {path}: {_reason(error)}") from error

    def _set_aside(self, path: Path, why: str) -> None:
        n = 1
        while (aside := path.with_name(f"{path.name}.damaged-{n}")).exists():
            n += 1
        try:
            os.replace(path, aside)
            done = f"it was renamed to {aside.name}"
        except OSError as error:
            done = f"it could not be renamed ({_reason(error)})"
        self.notices.append(f"{path.name} in the store {why}; {done} and its result will be computed again")

    def _sync_folder(self) -> None:
        """Makes a rename durable, where the platform can open folders."""
        with contextlib.suppress(OSError):
            handle = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def _remove_stale(self) -> None:
        """Deletes what killed processes left behind."""
        oldest = time.time() - _STALE_SECONDS
        for path in self.folder.glob(".*.tmp"):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def _reason(error: OSError) -> str:
    said = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EROFS: "the file system is read-only",
        errno.EACCES: "permission denied",
        errno.EEXIST: "there is a file where the folder should be",
        errno.ENOTDIR: "there is a file where the folder should be",
    }
    return said.get(error.errno or 0, error.strerror or str(error))


# ---- bytes -----------------------------------------------------------------------------------------------------------


class _Damage(Exception):
    """Bytes that are not a result of this store; reads as "<file> ..."."""


def _seal(body: bytes | memoryview) -> bytes:
    return _SEAL + hashlib.sha256(body).digest()


def _open(sealed: bytes) -> xarray.Dataset:
    """The dataset in a sealed file, in memory, nothing decoded but booleans. Raises _Damage."""
    xr = _xarray()
    cut = len(sealed) - len(_seal(b""))
    if cut < 0 or sealed[cut : cut + len(_SEAL)] != _SEAL:
        raise _Damage("does not end as this store ends its files (truncated, edited or foreign)")
    body = memoryview(sealed)[:cut]
    if sealed[cut:] != _seal(body):
        raise _Damage("does not match its checksum")
    try:
        with io.BytesIO(body) as file:
            return xr.load_dataset(file, engine="h5netcdf", mask_and_scale=False, decode_times=False)
    except MemoryError:
        raise
    except Exception as error:  # sealed by something else; HDF5 reports in many exception classes
        raise _Damage(f"cannot be read as netCDF ({type(error).__name__})") from error


def _xarray() -> Any:
    """xarray, imported late: it takes a second. A missing library must not make good files look damaged."""
    try:
        import h5netcdf  # noqa: F401
        import xarray
    except ImportError as error:
        raise StoreError(f"the store needs xarray, h5netcdf and h5py, and {error.name} is missing") from error
    return xarray


def _encode(key: str, result: Result) -> bytes:
    """A netCDF file in memory. Raises TypeError for arrays of anything but booleans and 64-bit (or shorter) numbers."""
    variables: dict[str, Any] = {
        name: (dim, np.asarray(getattr(result, name))) for name, dim in _SINGLE.items()
    }
    for group, dims in _DIMS.items():
        for name, value in _group(result, group).items():
            variables[f"{group}_{_escaped(name)}"] = (dims, np.asarray(value))
    for name, (_, value) in variables.items():
        if value.dtype.kind not in "biuf" or value.dtype.itemsize > 8:
            raise TypeError(
                f"{name} of a result has dtype {value.dtype}, which the store cannot keep exactly"
            )
    meta = _json(result.meta)
    attributes = {
        "title": str(result.meta.get("title", "")),
        "simulation": str(result.meta.get("simulation", "")),
        "key": key,
        "format": FORMAT,
        "backend": str(result.meta.get("backend", "")),
        "engine": str(result.meta.get("engine", "")),
        "seed": str(result.meta.get("seed", "")),  # text: netCDF has no integers beyond 64 bits, meta has
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
    dataset = _xarray().Dataset(variables, attrs=attributes)
    plain = {name: {"_FillValue": None} for name in variables}  # a NaN is a value here, not a gap
    return bytes(dataset.to_netcdf(engine="h5netcdf", encoding=plain))


def _decode(key: str, dataset: xarray.Dataset) -> Result:
    """The result in a dataset; raises _Damage where it is not the one that was saved under the key."""
    held = dataset.attrs
    if held.get("format") != FORMAT:
        raise _Damage(f"has format {held.get('format')}, not {FORMAT}")
    if held.get("key") != key:
        raise _Damage(f"holds the result of another key ({held.get('key')})")
    try:
        groups: dict[str, dict[str, np.ndarray]] = {group: {} for group in _DIMS}
        for variable in map(str, dataset.variables):
            group, _, name = variable.partition("_")
            if variable not in _SINGLE:
                groups[group][_unescaped(name)] = dataset[variable].values
        single = {name: dataset[name].values for name in _SINGLE}
        meta = json.loads(held["meta"])
        result = Result(
            data=groups["data"], params=groups["param"], calls=groups["calls"], meta=meta, **single
        )
        if _content_digest(result, held["meta"]) == held["content"]:
            return result
    except (KeyError, ValueError, TypeError) as error:
        raise _Damage(f"lacks a part of a result ({error})") from error
    raise _Damage("does not match its content digest")


def _group(result: Result, group: str) -> dict[str, np.ndarray]:
    return {"data": result.data, "param": result.params, "calls": result.calls}[group]


def _content_digest(result: Result, meta: str) -> str:
    groups = {group: {n: np.asarray(v) for n, v in _group(result, group).items()} for group in _DIMS}
    return content_hash({**groups, **{n: np.asarray(getattr(result, n)) for n in _SINGLE}, "meta": meta})


def _json(meta: dict[str, Any]) -> str:
    """meta as JSON; NumPy numbers count as numbers. Raises TypeError for what JSON cannot hold."""

    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        raise TypeError(
            f"meta of a result holds a {type(value).__name__}; only strings and numbers can be stored"
        )

    return json.dumps(meta, sort_keys=True, default=plain)


def _escaped(name: str) -> str:
    """Slashes would make HDF5 groups."""
    return name.replace("%", "%25").replace("/", "%2F")


def _unescaped(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
