"""The installation: versions, backends, store, optional tools, and how to get missing ones."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from workbench.arrays import backends
from workbench.engine import kernels, nvrtc
from workbench.homes import processors
from workbench.homes.disk import SCHEMA
from workbench.run.store.results import Store, StoreError, store_folder

PACKAGES = ("numpy", "numba", "scipy", "sympy", "h5py", "matplotlib", "scikit-learn")


@dataclass(frozen=True)
class Line:
    what: str
    state: str
    good: bool = True
    remedy: str = ""


def versions() -> dict[str, str]:
    """Versions of Python and of every package that results or figures depend on."""
    table = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            table[name] = version(name)
        except PackageNotFoundError:
            table[name] = "missing"
    return table


def diagnose(folder: Path | None, no_tex: str | None) -> list[Line]:
    """What is there. folder: of the store, if it is given. no_tex: why TeX cannot be used, None if it can."""
    lines = [
        Line(name, text, text != "missing", "" if text != "missing" else f"pip install {name}")
        for name, text in versions().items()
    ]
    cores = f"{os.cpu_count()} cores, of which this process may use {processors.count()}"
    lines.append(Line("processor", f"{platform.machine()}, {cores}"))
    lines.append(Line("backend numpy", "ready"))
    problem = backends.cupy_problem()
    remedy = "optional: everything runs without a GPU" if problem else ""
    lines.append(Line("backend cupy", problem or _device(), problem is None, remedy))
    missing = nvrtc.problem()
    remedy = "only the fused engine on a GPU needs it" if missing else ""
    lines.append(Line("CUDA compiler", missing or "ready (NVRTC)", missing is None, remedy))
    lines.append(Line("compiled kernels", f"{kernels.folder()}: {kernels.count()} cached"))
    lines.append(
        Line("TeX", "missing" if no_tex else "ready", not no_tex, f"optional: {no_tex}" if no_tex else "")
    )
    lines.append(_store(store_folder(folder)))
    return lines


def _device() -> str:
    import cupy

    count = cupy.cuda.runtime.getDeviceCount()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return f"CuPy {cupy.__version__}, {count} device(s), first: {name}"


def _store(folder: Path) -> Line:
    store = Store(folder)
    why = store.problem()
    try:
        count = len(store.entries())
    except StoreError as error:
        why = why or str(error)
    if why:
        return Line("store", why, False, "choose another folder with --store or WORKBENCH_STORE")
    notices = store.take_notices()
    return Line("store", f"{folder}: {count} results", not notices, " ".join(notices))


def meta(options: Any, keys: Sequence[str]) -> dict[str, Any]:
    """What a JSON document says about its making. options: `workbench.run.options.Options`."""
    return {"schema": SCHEMA, "keys": list(keys), **vars(options), "versions": versions()}
