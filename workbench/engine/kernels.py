"""The disk cache of compiled kernels, shared by all processes: verified before each use, rebuilt if damaged.

A kernel is a file ``k_<hash of its text>.py`` next to the files that Numba compiled from it. The hash covers the text,
the primitives it imports and the versions of Numba and LLVM. A seal lists the digests of the compiled files; files that
do not match are deleted and compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from workbench.homes import disk, garbage

# Approximate compile time: 1.1 s for 230 lines, 3.2 s for 740, about 14 s of processor time for 2000 (Zen 4): beyond
# LONG lines it grows with the square.
SECONDS_PER_LINE, LONG = 0.0045, 1300


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
    return len(list(folder().glob("k_*.seal")))


@cache
def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that is deleted when the process ends."""
    return tempfile.TemporaryDirectory(prefix="workbench-kernels-")


@cache
def _toolchain() -> str:
    """What a compiled kernel depends on besides its text."""
    names = ("pipeline.py", "lanes.py", "vectors.py", "machine_code.py")
    primitives = b"".join((Path(__file__).parent / name).read_bytes() for name in names)
    return f"{version('numba')} {version('llvmlite')} {sys.version_info[:2]} {hashlib.sha256(primitives).hexdigest()}"


def name_of(text: str) -> str:
    return "k_" + hashlib.sha256(f"{_toolchain()}\n{text}".encode()).hexdigest()[:24]


def compile_seconds(text: str) -> float:
    """Estimated compile time of a text."""
    lines = text.count("\n")
    return SECONDS_PER_LINE * lines * max(1.0, lines / LONG)


def is_cached(text: str) -> bool:
    """Is there an intact compiled kernel for this text?"""
    return _sound(name_of(text))


@cache
def machine_code(text: str) -> Any:
    """The compiled ``kernel`` of a text from an earlier process, without Numba; None where there is none."""
    from workbench.engine import machine_code

    name = name_of(text)
    with contextlib.suppress(OSError), disk.lock(folder() / f"{name}.lock"):
        return machine_code.load(folder() / f"{name}.obj") if _sound(name) else None
    return None


@cache
def load(text: str) -> Any:
    """The compiled ``kernel`` of a text; the first call in a process compiles it or loads it from disk.

    Where nothing can be kept (a full disk), it is compiled for this process alone.
    """
    try:
        return _load_from_disk(text)
    except (OSError, RuntimeError):  # Numba's word for a folder that it cannot write to is a RuntimeError
        return _compile_in_memory(text)


def _compile_in_memory(text: str) -> Any:
    module = ModuleType(name_of(text))
    exec(text.replace("cache=True", "cache=False"), vars(module))  # the printer's own text
    return vars(module)["kernel"]


def _load_from_disk(text: str) -> Any:
    name = name_of(text)
    path = folder() / f"{name}.py"
    with disk.lock(folder() / f"{name}.lock"):
        if not _sound(name):
            for old in (folder() / f"{name}.obj", *_object_files(name)):
                old.unlink(missing_ok=True)
        if not path.exists() or disk.read(path) != text.encode():
            disk.replace(path, text.encode())
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # Numba's cache finds a function's module by name
    with _beside_the_text():
        exec(compile(text, str(path), "exec"), vars(module))  # from the text: bytecode on disk has no seal
    return vars(module)["kernel"]


@contextlib.contextmanager
def _beside_the_text() -> Iterator[None]:
    """Overrides NUMBA_CACHE_DIR, so that compiled files lie next to the text, where the seal expects them."""
    import numba

    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, ""
    try:
        yield
    finally:
        config.CACHE_DIR = before


def compile_once(text: str, call: Any) -> None:
    """Makes the first call of a kernel, one process at a time, and seals the resulting files if they can be kept."""
    from workbench.engine import machine_code

    name, kernel = name_of(text), load(text)  # takes the lock itself, which nobody can hold twice
    try:
        with disk.lock(folder() / f"{name}.lock"), garbage.no_collection():
            call()
            machine_code.keep(folder() / f"{name}.obj", kernel)
            disk.replace(folder() / f"{name}.seal", json.dumps(_digests(name)).encode())
    except OSError:  # what is compiled is in memory by now, or the next call compiles it
        with contextlib.suppress(OSError):
            call()


def _sound(name: str) -> bool:
    try:
        seal = disk.read_json(folder() / f"{name}.seal")
        return bool(seal) and seal == _digests(name)
    except (OSError, ValueError):
        return False


def _digests(name: str) -> dict[str, str]:
    files = [folder() / f"{name}.py", folder() / f"{name}.obj", *_object_files(name)]
    return {f.name: hashlib.sha256(disk.read(f)).hexdigest() for f in files if f.exists()}


def _object_files(name: str) -> list[Path]:
    return sorted((folder() / "__pycache__").glob(f"{name}.*.nb[ic]"))
