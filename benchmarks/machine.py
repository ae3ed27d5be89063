"""Description of the machine on which the benchmarks ran."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
from pathlib import Path
from typing import Any

LIBRARIES = ("numpy", "numba", "llvmlite", "jax", "jaxlib", "cupy-cuda12x", "cupy-cuda13x")


def processor() -> str:
    """The processor's name as reported by the system."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return " ".join(line.split(":", 1)[1].split())
    return platform.processor() or platform.machine()


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe(gpu: str | None) -> dict[str, Any]:
    """Processor, cores, GPU, system, versions."""
    versions = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            versions[library] = importlib.metadata.version(library)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "processor": processor(),
        "cores": cores(),
        "gpu": gpu,
        "system": platform.system(),
        "vectors": vectors(),
        "versions": versions,
    }


def vectors() -> str:
    """The widest vector instructions that LLVM detects."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    for name in ("avx512f", "avx2", "avx", "neon"):
        if features.get(name):
            return name
    return "none known"


def slug(meta: dict[str, Any]) -> str:
    """A file name of letters, digits and hyphens, with the vector width, since clouds reuse processor names."""
    words = meta["gpu"] or f"{meta['processor']} {meta['cores']} cores {meta['vectors']}"
    words = re.sub(r"\((R|TM|C)\)", "", words, flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
