"""NVIDIA's runtime compiler (NVRTC) without a GPU: compiles CUDA text and reports registers and spills of each kernel.

The library comes with the wheel ``nvidia-cuda-nvrtc`` or with a CUDA toolkit; ``cuda-pathfinder`` finds either. It is
called through ctypes, so compiling needs neither CuPy nor a driver.
"""

from __future__ import annotations

import ctypes
import functools
import re
from dataclasses import dataclass
from typing import Any

HINT = "install it with `pip install nvidia-cuda-nvrtc cuda-pathfinder`"


@dataclass(frozen=True)
class Resources:
    """What the assembler reports for one architecture: registers, bytes of stack and of spills per thread."""

    architecture: str
    registers: int
    stack: int
    spills: int


def problem() -> str | None:
    """None if the compiler can be used, else one sentence on what to install."""
    try:
        _library()
    except ImportError as error:
        return f"the CUDA compiler NVRTC is not there ({error}): {HINT}"
    except Exception as error:  # pathfinder's own exceptions, OSError of a damaged library
        return f"the CUDA compiler NVRTC cannot be loaded ({str(error).splitlines()[0]}): {HINT}"
    return None


@functools.cache
def _library() -> Any:
    from cuda.pathfinder import load_nvidia_dynamic_lib

    return ctypes.CDLL(load_nvidia_dynamic_lib("nvrtc").abs_path)


@functools.cache
def machine_code(text: str, architecture: str, options: tuple[str, ...]) -> tuple[bytes, Resources]:
    """Machine code for ``sm_80``, ``sm_90`` ... and its resources. Raises RuntimeError with the compiler's log."""
    nvrtc, program = _library(), ctypes.c_void_p()
    _check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None))
    try:
        flags = (f"--gpu-architecture={architecture}", "--ptxas-options=-v", *options)
        array = (ctypes.c_char_p * len(flags))(*(o.encode() for o in flags))
        status = nvrtc.nvrtcCompileProgram(program, len(flags), array)
        log = _bytes(nvrtc, "nvrtcGetProgramLog", program).decode(errors="replace")
        if status:
            raise RuntimeError(log)
        return _bytes(nvrtc, "nvrtcGetCUBIN", program), _resources(log, architecture)
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _bytes(nvrtc: Any, name: str, program: ctypes.c_void_p) -> bytes:
    size = ctypes.c_size_t()
    _check(getattr(nvrtc, f"{name}Size")(program, ctypes.byref(size)))
    room = ctypes.create_string_buffer(size.value)
    _check(getattr(nvrtc, name)(program, room))
    return room.raw[: size.value]


def _check(status: int) -> None:
    if status:
        raise RuntimeError(f"NVRTC answered with error {status}")


def _resources(log: str, architecture: str) -> Resources:
    def number(pattern: str) -> int:
        return sum(int(n) for n in re.findall(pattern, log))

    return Resources(
        architecture,
        number(r"Used (\d+) registers"),
        number(r"(\d+) bytes stack frame"),
        number(r"(\d+) bytes spill (?:stores|loads)"),
    )
