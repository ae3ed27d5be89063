"""How many processors this process may use: those that a batch system or a container leaves to it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

GROUPS = Path("/proc/self/cgroup")  # which control groups of Linux this process is in
CONTROL = Path("/sys/fs/cgroup")


def count() -> int:
    """Processors of the machine, without those that the affinity mask or a control group's quota takes away."""
    return max(1, min([in_mask(), *map(math.ceil, quotas())]))


def in_mask() -> int:
    """Processors on which this process may be scheduled; all of the machine on platforms without such a mask."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def quotas(groups: Path = GROUPS, control: Path = CONTROL) -> Iterator[float]:
    """Processor seconds per second that each control group around this process grants, where it is limited.

    groups, control: the files of Linux in which this is written, in both of its versions ("Control Group v2",
    "CFS Bandwidth Control", Linux kernel documentation).
    """
    with suppress(OSError):
        for line in groups.read_text().splitlines():
            _, kinds, inner = line.split(":", 2)
            if kinds and "cpu" not in kinds.split(","):
                continue
            top = control / kinds if kinds else control
            folder = top.joinpath(*Path(inner).parts[1:])
            for group in (folder, *folder.parents):
                if group.is_relative_to(top) and (quota := _quota(group)) is not None:
                    yield quota


def _quota(group: Path) -> float | None:
    with suppress(OSError, ValueError):
        quota, period = (group / "cpu.max").read_text().split()
        return None if quota == "max" else int(quota) / int(period)
    with suppress(OSError, ValueError):
        quota, period = ((group / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        return int(quota) / int(period) if int(quota) > 0 else None
    return None
