"""Array libraries: from names to namespaces, and from arrays to the host. Only this module asks which library it is.

A namespace is a library's own, with log, exp, sin, cos, tanh and pow replaced by the shared ones
(`workbench.arrays.maths`), and maximum, minimum, clip, sign and cosh by those of `workbench.arrays.standard`.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from workbench.arrays import maths, standard
from workbench.arrays.backends.compiled import FUNCTIONS, on_numpy
from workbench.arrays.patch import plain

_MODULES = {"numpy": "numpy", "cupy": "cupy", "array-api-strict": "array_api_strict"}
BACKENDS = tuple(_MODULES)
CUPY_HINT = "install CuPy with `pip install 'theorem-workbench[cuda12]'` (or [cuda13])"


class BackendError(ValueError):
    """A backend that is unknown, not installed or without a device; the message is meant for users."""


def cupy_problem() -> str | None:
    """None if CuPy and a CUDA device can be used, else one sentence that says what is missing."""
    try:
        cupy = importlib.import_module("cupy")
    except ImportError:
        return f"CuPy is not installed: {CUPY_HINT}"
    try:
        if cupy.cuda.runtime.getDeviceCount() < 1:
            return "CuPy is installed but sees no CUDA device"
    except Exception as error:  # the driver's errors come in many classes; all mean "no usable device"
        return f"CuPy is installed but no CUDA device can be used ({error})"
    return None


def resolve(name: str) -> str:
    """``auto`` becomes ``cupy`` where a CUDA device can be used, else ``numpy``; other names are checked."""
    if name == "auto":
        return "numpy" if cupy_problem() else "cupy"
    if name not in BACKENDS:
        raise BackendError(f"unknown backend {name!r}; choose one of auto, {', '.join(BACKENDS)}")
    if name == "cupy" and (problem := cupy_problem()):
        raise BackendError(f"backend cupy was asked for: {problem}")
    return name


def namespace(name: str) -> Any:
    """The array-API namespace of a backend name (see BACKENDS, or ``auto``), with the shared elementary functions.

    Raises BackendError with one sentence where the backend is unknown or unusable.
    """
    name = resolve(name)
    try:
        return namespace_of(importlib.import_module(_MODULES[name]))
    except ImportError as error:
        raise BackendError(f"backend {name} was asked for: {error}") from error


def namespace_of(xp: Any) -> Any:
    """The shared namespace of a library module; any other namespace (a tracer, or one of these) is returned as is."""
    is_library = isinstance(xp, ModuleType) and xp.__name__ in _MODULES.values()
    return _namespace(xp) if is_library else xp


def shared_namespace(library: ModuleType) -> Any:
    """The shared namespace of another library with NumPy's names, as jax.numpy."""
    return _namespace(library)


@functools.cache
def _namespace(library: Any) -> SimpleNamespace:
    """Copies the library's names, so that a lookup is as fast as in a module. ``pow`` is for arguments x >= 0."""
    names = {n: v for n, v in vars(library).items() if not n.startswith("_") and n != "power"}
    xp = SimpleNamespace(**{**names, "random": _NoNoise()}, __name__=library.__name__)
    if library.__name__ == "array_api_strict":  # the standard has no view of the same bits as another type
        xp.bits = lambda v: xp.asarray(np.asarray(v).view(np.int64))
        xp.unbits = lambda v: xp.asarray(np.asarray(v).view(np.float64))
    for name in FUNCTIONS:
        function = on_numpy(name) if library is np else functools.partial(_call, getattr(maths, name), xp)
        setattr(xp, "pow" if name == "power" else name, function)
    for name, shared_one in standard.FUNCTIONS.items():
        setattr(xp, name, functools.partial(shared_one, xp=xp))
    return xp


class _NoNoise:
    """In the place of a library's random numbers, which no run and no seed could reproduce."""

    def __getattr__(self, name: str) -> Any:
        raise BackendError(
            f"xp.random.{name}: noise comes from draw, as draw(0); xp.random is not tied to a run"
        )


def _call(function: Any, xp: Any, *args: Any) -> Any:
    return function(*args, xp)


def sparse_library(a: Any) -> Any:
    """SciPy's module of sparse matrices, or CuPy's for an array of CuPy."""
    return importlib.import_module(f"{'cupyx.' if type(a).__module__.startswith('cupy') else ''}scipy.sparse")


def to_host(a: Any) -> np.ndarray:
    """A NumPy copy of an array of any backend, or of what stands for one."""
    a = plain(a)
    if hasattr(a, "get") and type(a).__module__.startswith("cupy"):
        return a.get()
    return np.asarray(a)


def release(name: str) -> None:
    """Gives the memory that CuPy keeps for later arrays back to the device; on other backends nothing is kept."""
    if name == "cupy":
        importlib.import_module("cupy").get_default_memory_pool().free_all_blocks()


def place(record: Any, xp: Any) -> Any:
    """A frozen dataclass with every array or float (at any depth) as an array of ``xp``; other fields unchanged.

    Floats become 0-dimensional arrays: Python's ``c**2`` is C's pow, which sometimes differs in the last bit from an
    array's c * c. A constant must give the same bits as a number and as a column of the parameter grid.
    """
    if isinstance(record, (np.ndarray, float)):
        return xp.asarray(record)
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        changes = {f.name: place(getattr(record, f.name), xp) for f in dataclasses.fields(record) if f.init}
        return dataclasses.replace(record, **changes)
    return record
