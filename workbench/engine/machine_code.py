"""Compiled kernels as machine code, kept in files of their own: they run without Numba, which takes long to load.

Numba compiles a kernel to an object file, which is kept beside Numba's own files (`kernels`). LLVM's linker alone, from
llvmlite, puts it into memory, and ctypes calls it as Numba's dispatcher would: a kernel takes whole numbers and arrays,
and returns nothing. An array is passed as two null pointers (nothing owns it), its size and the size of an element, the
address, the shape and the strides. It is the same code, so that numbers have the same bits.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from workbench.homes import disk

LARGEST = 1 << 28  # bytes of a file
# With one of these Numba would compile otherwise, or not at all.
OTHERWISE = (
    "NUMBA_CPU_NAME",
    "NUMBA_CPU_FEATURES",
    "NUMBA_DISABLE_JIT",
    "NUMBA_DEBUGINFO",
    "NUMBA_BOUNDSCHECK",
)
_linkers: list[Any] = []  # what holds the code in memory, to the end of the process


def keep(path: Path, kernel: Any) -> None:
    """Writes the machine code of a kernel that Numba has just compiled; nothing where it cannot be had.

    Raises OSError where the file cannot be written.
    """
    try:
        (overload,) = kernel.overloads.values()
        arrays = [
            [str(np.dtype(t.dtype.name)), t.ndim] for t in overload.signature.args if hasattr(t, "ndim")
        ]
        numbers = [t.name for t in overload.signature.args[: -len(arrays)]]
        code = overload.library._get_compiled_object()
        symbol = overload.fndesc.llvm_func_name
    except (
        AttributeError,
        RuntimeError,
        TypeError,
        ValueError,
    ):  # another version of Numba; code loaded from disk
        return
    if set(numbers) != {"int64"}:
        return
    head = {"symbol": symbol, "machine": _machine(), "numbers": len(numbers), "arrays": arrays}
    disk.replace(path, json.dumps(head).encode(), b"\n", code)


def load(path: Path) -> Callable[..., None] | None:
    """The kernel in a file; None where there is none for this machine. The file is known to be whole."""
    if any(os.environ.get(name) for name in OTHERWISE):
        return None
    try:
        head, _, code = disk.read(path, LARGEST).partition(b"\n")
        about = json.loads(head)
        if about["machine"] != _machine():
            return None
        return _function(_address(code, about["symbol"]), about["numbers"], about["arrays"])
    except (OSError, ValueError, KeyError, RuntimeError):
        return None


def _machine() -> str:
    """What the code was made for."""
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_default_triple()} {llvm.get_host_cpu_name()} {features}"


def _address(code: bytes, symbol: str) -> int:
    """Where a function of an object file begins, once it is in memory. Raises RuntimeError where it is not there."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    linker = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    linker.add_object_file(llvm.ObjectFileRef.from_data(code))
    linker.finalize_object()
    _linkers.append(linker)
    if not (address := linker.get_function_address(symbol)):
        raise RuntimeError(f"no function {symbol}")
    return int(address)


def _function(address: int, numbers: int, arrays: list[list[Any]]) -> Callable[..., None]:
    """The Python function of a kernel with so many whole numbers, and arrays of these types and dimensions."""
    whole, pointer = ctypes.c_int64, ctypes.c_void_p
    of_arrays = [
        kind for _, n in arrays for kind in (pointer, pointer, whole, whole, pointer, *[whole] * (2 * n))
    ]
    native = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, *[whole] * numbers, *of_arrays)(address)
    kinds = [(np.dtype(name), n) for name, n in arrays]

    def kernel(*given: Any) -> None:
        arguments: list[Any] = list(given[:numbers])
        for array, (kind, n) in zip(given[numbers:], kinds, strict=True):
            if array.dtype != kind or array.ndim != n or not array.flags.c_contiguous:
                raise TypeError(
                    f"a kernel takes {n}-dimensional arrays of {kind}, got {array.ndim} of {array.dtype}"
                )
            arguments += [
                None,
                None,
                array.size,
                array.itemsize,
                array.ctypes.data,
                *array.shape,
                *array.strides,
            ]
        result, failure = pointer(), pointer()
        if status := native(ctypes.addressof(result), ctypes.addressof(failure), *arguments):
            raise RuntimeError(f"a kernel ended with status {status}")

    return kernel
