"""Results on disk: one netCDF file per key, written atomically and verified on reading.

A save writes a temporary file and renames it when complete. A truncated, edited or foreign file is recognised on
reading; it is set aside, and its result is computed again. Only `workbench.run.store.format` knows the file format.
Checkpoints of unfinished simulations (`.partial`) lie next to the results; their format belongs to
`workbench.run.store.checkpoint`.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.engine.records import Result
from workbench.homes import disk
from workbench.run.store.format import SEAL, Damage, StoreError, attributes, decode, encode, seal
from workbench.run.store.interrupts import deferring

__all__ = ["Entry", "Store", "StoreError", "store_folder"]

DEFAULT_FOLDER = ".workbench"
# Files that killed processes leave behind: their names, and the age in seconds at which they are deleted. Only names
# of this store's own making match: the folder may be the user's, with other files in it.
_OWN = "[0-9a-f]{32}"  # `fingerprint.simulation_key`
_PARTIAL = rf"{_OWN}(?:\.(?:[01]+|rows-[0-9]+-[0-9]+))?\.partial"
_STALE = {
    # No save takes an hour; a younger temporary file may belong to a live process.
    re.compile(rf"\.(?:{_OWN}\.nc|{_PARTIAL})\.[0-9]+-[0-9a-f]{{8}}\.tmp"): 3600.0,
    re.compile(_PARTIAL): 30 * 24 * 3600.0,
}
_SEALED = len(seal(b""))
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


def store_folder(option: str | os.PathLike[str] | None = None) -> Path:
    """The store's folder: the option, else the variable WORKBENCH_STORE, else ``.workbench`` in the working folder.

    Raises StoreError for an empty name, which would mean the working folder itself, and for the home of nobody.
    """
    if option is not None and not str(option):
        raise StoreError("the store needs a folder's name, got an empty one")
    folder = Path(option or os.environ.get("WORKBENCH_STORE") or DEFAULT_FOLDER)
    try:
        return folder.expanduser()
    except RuntimeError:
        raise StoreError(f"the store {folder} is in the home of a user who is not known here") from None


@dataclass(frozen=True)
class Entry:
    """A stored result without its arrays. attributes: its metadata by name."""

    key: str
    path: Path
    size: int
    attributes: dict[str, Any]


class Store:
    """A folder of results, created by the first save.

    ``notices`` collects one sentence per damaged file (see ``take_notices``), ``failures_to_save`` the simulations
    whose results could not be stored.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.notices: list[str] = []
        self.failures_to_save: list[str] = []
        self._last_seals: dict[str, str] = {}  # key -> seal of what was loaded or saved last

    def path(self, key: str) -> Path:
        """The path of a key's result file, existing or not. Raises ValueError unless the key is a plain file name."""
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} cannot name a stored result; use letters, digits, '.', '_' and '-'")
        return self.folder / f"{key}.nc"

    def has(self, key: str) -> bool:
        """Whether there is a file for the key; only ``load`` checks it."""
        return self.path(key).is_file()

    def empty(self) -> bool:
        """Whether there is no result of any key."""
        return not any(self.folder.glob("*.nc"))

    def state(self, key: str) -> tuple[str, int, int] | None:
        """What tells one file of a key from another without reading it: (seal, bytes, time of its last change).

        None where there is no file that ends in a seal.
        """
        try:
            with disk.opened(self.path(key), sys.maxsize) as file:
                about = os.fstat(file.fileno())
                file.seek(-_SEALED, os.SEEK_END)
                end = file.read()
        except OSError:
            return None
        return (
            (end.removeprefix(SEAL).hex(), about.st_size, about.st_mtime_ns) if end.startswith(SEAL) else None
        )

    def last_seal(self, key: str) -> str | None:
        """The seal of the result that `load` gave last, or `save` was given; another process may have replaced it."""
        return self._last_seals.get(key)

    def take_notices(self) -> list[str]:
        """Returns the notices so far and clears them."""
        notices, self.notices = self.notices, []
        return notices

    def problem(self) -> str:
        """Why a save would fail, as far as can be seen without making the folder; "" if it would not."""
        there = next(p for p in (self.folder.absolute(), *self.folder.absolute().parents) if p.exists())
        if there != self.folder.absolute() and not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            return f"the store {self.folder} cannot be made in {there}"
        try:
            if there == self.folder.absolute():
                self.check_writable()
        except StoreError as error:
            return str(error)
        return ""

    def check_writable(self) -> None:
        """Raises StoreError if a save would fail for a reason that can be detected in advance."""
        if self.folder.exists() and not self.folder.is_dir():
            raise StoreError(
                f"cannot write to the store {self.folder}: there is a file where the folder should be"
            )
        with self._writing(), tempfile.TemporaryFile(dir=self.folder) as file:
            file.write(SEAL)

    def save(self, key: str, result: Result) -> None:
        """Stores a result, atomically replacing an existing one: a crash leaves either the old file or the new one.

        ``result.meta`` must be JSON-serializable. Raises StoreError if the file cannot be written (full disk, read-only
        folder, a file in the folder's place); the result in memory is unaffected.
        """
        self._last_seals.pop(key, None)
        with deferring():  # what is computed is not lost to a Ctrl-C
            body = encode(key, result)
            end = seal(body)
            with self._writing():
                disk.replace(self.path(key), body, end)
            self._last_seals[key] = end.removeprefix(SEAL).hex()
        self._remove_stale()

    def load(self, key: str, about: Mapping[str, object] = MappingProxyType({})) -> Result | None:
        """The result, exactly as saved, or None if there is none.

        about: what its metadata must say, such as its simulation and its seed. A file that is damaged, foreign or the
        result of something else is renamed to ``<name>.damaged-<n>`` with a notice, and None is returned. Raises
        StoreError if the file exists but cannot be read.
        """
        path = self.path(key)
        try:
            content = self._read(path)
            if content is None:
                return None
            result = decode(key, content)
            if other := [name for name, value in about.items() if result.meta.get(name) != value]:
                raise Damage(f"holds the result of another {other[0]}")
            self._last_seals[key] = bytes(content[-_SEALED:]).removeprefix(SEAL).hex()
            return result
        except Damage as damage:
            self._set_aside(path, str(damage))
            return None

    def entries(self) -> list[Entry]:
        """All stored results, sorted by simulation and time. Damaged files are left out, with a notice.

        Raises StoreError if a file cannot be read.
        """
        entries = []
        for path in sorted(p for p in self.folder.glob("*.nc") if p.is_file()):
            try:
                content = self._read(path)
                if content is not None:
                    key = path.name.removesuffix(".nc")
                    entries.append(Entry(key, path, len(content), attributes(content)))
            except Damage as damage:
                self.notices.append(f"{path.name} in the store {damage}; it was skipped")
        return sorted(
            entries, key=lambda e: (str(e.attributes.get("simulation")), str(e.attributes.get("created")))
        )

    # Checkpoints and finished pieces of unfinished simulations; ``part`` tells those of one simulation apart.

    def partial_path(self, key: str, part: str = "") -> Path:
        return self.path(key).with_name(f"{key}{part and '.' + part}.partial")

    def save_partial(self, key: str, part: str, content: Iterable[bytes | memoryview]) -> None:
        """Stores a checkpoint's bytes as `save` does, with the same errors."""
        with self._writing():
            disk.replace(self.partial_path(key, part), *content)

    def load_partial(self, key: str, part: str = "") -> bytes | None:
        """A checkpoint's bytes, unverified, or None. Raises StoreError if the file exists but cannot be read."""
        try:
            return self._read(self.partial_path(key, part))
        except Damage:
            return None

    def remove_partials(self, key: str) -> None:
        """Deletes the checkpoints and the pieces of a simulation."""
        parts = [path for form in ("[01]*", "rows-*") for path in self.folder.glob(f"{key}.{form}.partial")]
        for path in (self.partial_path(key), *parts):
            with contextlib.suppress(OSError):
                path.unlink()

    # Files.

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Makes the folder. Turns OSErrors into StoreErrors."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            yield
        except OSError as error:
            raise StoreError(f"cannot write to the store {self.folder}: {error.strerror or error}") from error

    def _read(self, path: Path) -> bytes | None:
        """The bytes of a file; None if there is none. Raises Damage for a folder or a pipe in its place."""
        try:
            return disk.read(path, sys.maxsize)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except disk.NotPlain as error:
            raise Damage(str(error)) from None
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror or error}") from error

    def _set_aside(self, path: Path, why: str) -> None:
        n = 1
        while (aside := path.with_name(f"{path.name}.damaged-{n}")).exists():
            n += 1
        try:
            os.replace(path, aside)
            outcome = f"it was renamed to {aside.name}"
        except OSError as error:
            outcome = f"it could not be renamed ({error.strerror or error})"
        self.notices.append(
            f"{path.name} in the store {why}; {outcome} and its result will be computed again"
        )

    def _remove_stale(self) -> None:
        """Deletes files left behind by killed processes, and nothing else."""
        now = time.time()
        try:
            paths = list(self.folder.iterdir())
        except OSError:  # a folder that is not readable may still be writable
            return
        for path in paths:
            for pattern, seconds in _STALE.items():
                with contextlib.suppress(OSError):
                    if pattern.fullmatch(path.name) and path.stat().st_mtime < now - seconds and _ours(path):
                        path.unlink()


def _ours(path: Path) -> bool:
    """Whether a checkpoint ends with this store's seal; a temporary file may have been cut short anywhere."""
    if path.suffix == ".tmp":
        return path.is_file()
    with open(path, "rb") as file:
        file.seek(-_SEALED, os.SEEK_END)
        return file.read(len(SEAL)) == SEAL
