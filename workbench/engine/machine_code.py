"""From LLVM's language to machine code, and from machine code to a function of this process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding as llvm

LEVEL = 2  # of LLVM's optimization
INTEGER, POINTER = ctypes.c_int64, ctypes.c_void_p
NUMBERS = 7  # of a kernel's arguments come first and are no arrays
_linkers: list[Any] = []  # what holds the code in memory, to the end of the process


@cache
def machine() -> str:
    """What code is made for: the processor of this machine and all that it can do."""
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_default_triple()} {llvm.get_host_cpu_name()} {features}"


def object_code(text: str) -> bytes:
    """An object file for this machine. Raises RuntimeError where the text is not well formed."""
    module, target = optimize(text)
    return bytes(target.emit_object(module))


def optimize(text: str) -> tuple[Any, Any]:
    """A text as LLVM's module, and the machine that it is for.

    The text says what is computed once, and in which vectors; what is left to LLVM is what to keep in registers, which
    loops to unroll, and the vectors of a kernel for a single run.
    """
    target = _target()
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=LEVEL))
    builder.getModulePassManager().run(module, builder)
    return module, target


def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    name, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=name, features=features, opt=LEVEL, jit=True)


def load(code: bytes) -> Callable[..., None]:
    """The ``kernel`` of an object file. Raises RuntimeError where there is none."""
    target = _target()
    linker = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    linker.add_object_file(llvm.ObjectFileRef.from_data(code))
    linker.finalize_object()
    _linkers.append(linker)
    if not (address := linker.get_function_address("kernel")):
        raise RuntimeError("an object file without a kernel")
    return _function(int(address))


def _function(address: int) -> Callable[..., None]:
    """The Python function at an address: takes `NUMBERS` whole numbers and any number of arrays."""

    def kernel(*given: Any) -> None:
        numbers, arrays = given[:NUMBERS], given[NUMBERS:]
        for array in arrays:
            if array.itemsize != 8 or not array.flags.c_contiguous:
                raise TypeError(f"a kernel takes contiguous arrays of 64-bit numbers, got {array.dtype}")
        native = ctypes.CFUNCTYPE(None, *[INTEGER] * NUMBERS, *[POINTER] * len(arrays))(address)
        native(*numbers, *(array.ctypes.data for array in arrays))

    return kernel
