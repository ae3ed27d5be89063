"""Files that are never half written, and that are read only if they are plain and of a size that can be meant.

It imports nothing of the workbench: results, certificates, kernels, stamps and figures are all written this way.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

SCHEMA = 1  # of the JSON that commands write (docs/for-programs.md); another where a field goes or means something else
SMALL = 1 << 26  # bytes of the largest file of text that is read


class NotPlain(OSError):
    """A pipe, device or folder, or a file too large to be meant. The message completes "<name> ..."."""


def cache_folder() -> Path | None:
    """The user's folder for what can be made again; None for a user who has no home."""
    with contextlib.suppress(RuntimeError):
        base = os.environ.get("XDG_CACHE_HOME")
        return (Path(base) if base else Path.home() / ".cache") / "theorem-workbench"
    return None


@contextlib.contextmanager
def opened(path: Path, most: int = SMALL) -> Iterator[BinaryIO]:
    """A file opened for reading. Raises NotPlain before a byte is read, and OSError as `open` does.

    most: the largest size in bytes. A pipe is not waited for.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    about = os.fstat(handle)
    plain = stat.S_ISREG(about.st_mode)
    if not plain or about.st_size > most:
        os.close(handle)
        many = f"has {about.st_size:.3g} bytes, more than the {most:.3g} that are read"
        raise NotPlain(many if plain else "is no regular file")
    with open(handle, "rb") as file:
        yield file


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """A lock between processes, on platforms with file locks. path: a file made for it, in a folder that exists."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(path, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def read(path: Path, most: int = SMALL) -> bytes:
    """The bytes of a file; see `opened`."""
    with opened(path, most) as file:
        return file.read()


def read_json(path: Path) -> Any:
    """The document in a file of text. Raises OSError, and ValueError for what is no JSON or nested too deeply."""
    try:
        return json.loads(read(path))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def replace(path: Path, *content: bytes | memoryview) -> None:
    """Writes a file under another name in its folder and renames it. Raises OSError, and then leaves what was there.

    A link stays a link, and what is no regular file (a terminal, a pipe) is written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(b"".join(content))
        return
    target = path.resolve()
    for is_last in (False, False, True):
        try:
            _replace(target, content)
        except (
            FileNotFoundError
        ):  # a process whose clock runs ahead may have taken the new file for one left behind
            if is_last or not target.parent.is_dir():
                raise
        else:
            return


def _replace(target: Path, content: Iterable[bytes | memoryview]) -> None:
    temporary = target.with_name(f".{target.name[:200]}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
