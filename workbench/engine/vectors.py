"""What this machine's processor does at once: the sizes that the printer of kernels and its primitives agree on."""

from __future__ import annotations

from llvmlite.binding import get_host_cpu_features

# Floats of a vector; columns and rows of a block of a matrix product whose sums stay in registers.
NATIVE, WIDE, HEIGHT = (8, 16, 8) if get_host_cpu_features().get("avx512f") else (4, 8, 4)
