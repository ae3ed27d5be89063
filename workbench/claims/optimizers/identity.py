"""What an optimizer is made of, as plain data: equal optimizers have equal data, others do not.

An optimizer is often a closure, as `optax.adam(1e-3)` is, in which the rate cannot be seen from outside. So functions
are described by their code and by what they close over, objects by their class and attributes, and classes and
functions of installed libraries by the version of the library, too.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import sys
import types
from typing import Any

import numpy as np

from workbench.claims.optimizers.libraries import version

Plain = Any


def identity(value: Any) -> Plain:
    """Numbers, texts, arrays, and tuples of these. Raises ValueError for what nothing is known of, as an open file."""
    return _Description().of(value)


class _Description:
    """Describes what is reachable from an object, each thing once.

    descriptions: id -> the thing, which is kept so that no other one gets its id, and its description. depth: id -> how
    far above a thing is in which this one stands: a circle, as of a function that closes over itself.
    """

    def __init__(self) -> None:
        self._descriptions: dict[int, tuple[Any, Plain]] = {}
        self._depth: dict[int, int] = {}

    def of(self, value: Any) -> Plain:
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, bytes):
            return ("bytes", value.hex())
        if id(value) in self._depth:
            return ("above", len(self._depth) - self._depth[id(value)])
        if id(value) not in self._descriptions:
            self._depth[id(value)] = len(self._depth)
            try:
                self._descriptions[id(value)] = value, self._of_container(value)
            finally:
                del self._depth[id(value)]
        return self._descriptions[id(value)][1]

    def _of_container(self, value: Any) -> Plain:
        if isinstance(value, type | types.ModuleType | types.BuiltinFunctionType) or _of_a_library(value):
            return _name_of(value)
        if (array := _as_array(value)) is not None:
            return ("array", array)
        if isinstance(value, dict):
            return ("dict", *((self.of(k), self.of(v)) for k, v in value.items()))
        if isinstance(value, tuple | list | set | frozenset):
            members = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
            return (type(value).__qualname__, *map(self.of, members))
        if isinstance(value, types.CodeType):
            return self._of_code(value)
        if isinstance(value, types.MethodType):
            return ("method", self.of(value.__func__), self.of(value.__self__))
        if isinstance(value, types.FunctionType):
            return self._of_function(value)
        if isinstance(value, functools.partial):
            return ("partial", self.of(value.func), self.of(value.args), self.of(value.keywords))
        if (inner := getattr(value, "__wrapped__", None)) is not None:  # a compiled function
            return ("wrapped", type(value).__qualname__, self.of(inner))
        return self._of_object(value)

    def _of_function(self, value: types.FunctionType) -> Plain:
        cells = []
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            try:
                content = cell.cell_contents
            except ValueError:  # it is empty
                continue
            cells.append((name, self.of(content)))
        defaults = self.of(value.__defaults__), self.of(value.__kwdefaults__)
        return ("function", *_name_of(value)[1:], self.of(value.__code__), tuple(cells), *defaults)

    def _of_code(self, code: types.CodeType) -> Plain:
        """Its instructions, names and constants; not the file and the lines."""
        names = (*code.co_names, *code.co_varnames)
        digest = hashlib.sha256(code.co_code).hexdigest()
        return ("code", digest, names, tuple(self.of(c) for c in code.co_consts))

    def _of_object(self, value: Any) -> Plain:
        kind = _name_of(type(value))
        if dataclasses.is_dataclass(value):
            return (
                "object",
                kind,
                *((f.name, self.of(getattr(value, f.name))) for f in dataclasses.fields(value)),
            )
        if getattr(value, "__dict__", None):
            return ("object", kind, *((name, self.of(part)) for name, part in vars(value).items()))
        text = "" if type(value) is object else repr(value)  # a mere object stands for "nothing was given"
        if " at 0x" in text:
            raise ValueError(
                f"a {type(value).__qualname__} cannot be told from another one by its content, so that a stored result"
                " could not be found again; write the optimizer with numbers, arrays and functions"
            )
        return ("object", kind, text)


def _as_array(value: Any) -> np.ndarray | None:
    if isinstance(value, np.ndarray | np.generic) or hasattr(value, "__array__"):
        array = np.asarray(value.detach() if hasattr(value, "detach") else value)
        if array.dtype.kind in "biufc":
            return array
    return None


def _of_a_library(value: Any) -> bool:
    """Whether it is what an installed library has under its own name, so that name and version say what it is."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not version(module.partition(".")[0]):
        return False
    return getattr(sys.modules.get(module), name, None) is value


def _name_of(value: Any) -> Plain:
    """A class, module or compiled function: its name, and the version of its library."""
    module = value.__name__ if isinstance(value, types.ModuleType) else str(value.__module__)
    return (
        type(value).__name__,
        module,
        getattr(value, "__qualname__", ""),
        version(module.partition(".")[0]),
    )
