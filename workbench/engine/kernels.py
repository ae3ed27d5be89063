"""The disk cache of compiled kernels, shared by all processes: verified before each use, rebuilt if damaged.

A kernel is a file ``k_<hash>.obj``: the digest of its machine code, then the code. The hash covers the text, how it is
compiled, for which processor, and the version of LLVM.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

from workbench.engine import machine_code
from workbench.homes import disk, garbage

SECONDS_PER_LINE = 0.00012  # of compiling, about: 0.3 s for 2500 lines, 0.6 s for 5000 (Zen 4)
LARGEST = 1 << 28  # bytes of a file
DIGEST = hashlib.sha256().digest_size


def folder() -> Path:
    """WORKBENCH_KERNELS, or the user's cache folder, or a temporary folder if that is not writable."""
    cache = disk.cache_folder()
    for path in (os.environ.get("WORKBENCH_KERNELS"), cache and cache / "kernels"):
        if path:
            with contextlib.suppress(OSError):
                Path(path).mkdir(parents=True, exist_ok=True)
                if os.access(path, os.W_OK):
                    return Path(path)
    return Path(_temporary_folder().name)


def count() -> int:
    """The number of cached kernels."""
    return len(list(folder().glob("k_*.obj")))


@cache
def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that is deleted when the process ends."""
    return tempfile.TemporaryDirectory(prefix="workbench-kernels-")


@cache
def _toolchain() -> str:
    """What a compiled kernel depends on besides its text."""
    how = hashlib.sha256(Path(machine_code.__file__).read_bytes()).hexdigest()
    return f"{version('llvmlite')} {machine_code.machine()} {how}"


def name_of(text: str) -> str:
    return "k_" + hashlib.sha256(f"{_toolchain()}\n{text}".encode()).hexdigest()[:24]


def compile_seconds(text: str) -> float:
    """Estimated compile time of a text."""
    return SECONDS_PER_LINE * text.count("\n")


def is_cached(text: str) -> bool:
    """Is there an intact compiled kernel for this text?"""
    return _code_in(_path(text)) is not None


@cache
def load(text: str) -> Callable[..., None]:
    """The compiled ``kernel`` of a text, from disk if it is there; one process at a time compiles it.

    Where nothing can be kept (a full disk), it is compiled for this process alone.
    """
    try:
        path = _path(text)
        with disk.lock(path.with_suffix(".lock")):
            code = _code_in(path)
            if code is None:
                code = _compile(text)
                with contextlib.suppress(OSError):
                    disk.replace(path, hashlib.sha256(code).digest(), code)
    except OSError:
        code = _compile(text)
    return machine_code.load(code)


def _compile(text: str) -> bytes:
    with garbage.no_collection():
        return machine_code.object_code(text)


def _path(text: str) -> Path:
    return folder() / f"{name_of(text)}.obj"


def _code_in(path: Path) -> bytes | None:
    """The machine code in a file; None where there is none, or not all of it."""
    try:
        content = disk.read(path, LARGEST)
    except (OSError, ValueError):
        return None
    digest, code = content[:DIGEST], content[DIGEST:]
    return code if hashlib.sha256(code).digest() == digest else None
