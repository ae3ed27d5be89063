"""The fault campaign, run short: no promise may be broken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(sys.platform != "linux", reason="forks, and reads /proc")
def test_a_short_campaign_breaks_no_promise() -> None:
    # A cluster's lost and hanging processes are in `test_cluster`: the campaign waits out what hangs, for minutes.
    times = {
        "kills": 1, "cluster": 0, "writers": 1, "full-disks": 1, "read-only-stores": 1, "clocks": 1, "little-memory": 1,
        "flips": 200, "damaged-stores": 1, "command-lines": 2,
        "scripts": 1,
    }  # fmt: skip
    words = [word for name, n in times.items() for word in (f"--{name}", str(n))]
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults", *words],
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 broken promises." in done.stdout
    for trial in (
        "writers",
        "full disk",
        "command on damage",
        "damage: result",
        "damage: checkpoint",
        "script",
    ):
        assert trial in done.stdout
