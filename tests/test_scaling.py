"""The forecast for a cluster: cases that can be worked out by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))  # the benchmarks are no part of what is installed

from benchmarks.scaling import Load, Overheads, forecast

HOUR, FREE = 3600.0, Overheads(start=0.0, compile=0.0, read=float("inf"), write=float("inf"))


def load(name: str, pieces: int, hours: float, size: float = 0.0) -> Load:
    return Load(name, 0.0, name, pieces, hours * HOUR, size)


def test_pieces_go_to_whoever_is_free() -> None:
    found = forecast([load("a", 4, 4.0), load("b", 1, 2.0)], 2, FREE)
    assert (found.hours, found.busy, found.last) == (4.0, 0.75, "b")


def test_no_number_of_workers_helps_a_simulation_that_stays_whole() -> None:
    assert forecast([load("whole", 1, 3.0), load("cut", 30, 3.0)], 500, FREE).hours == 3.0


def test_a_worker_starts_once_and_compiles_each_kernel_once() -> None:
    given = Overheads(start=0.5 * HOUR, compile=0.25 * HOUR, read=float("inf"), write=float("inf"))
    assert forecast([load("a", 3, 3.0), load("b", 1, 1.0)], 1, given).hours == 0.5 + 4.0 + 2 * 0.25


def test_one_process_collects() -> None:
    given = Overheads(start=0.0, compile=0.0, read=1.0, write=0.5)
    found = forecast(
        [load("a", 2, 2.0, size=HOUR)], 2, given
    )  # both halves after an hour, half an hour to read each
    assert found.hours == pytest.approx(1.0 + 1.0 + 2.0)
    assert found.collecting == pytest.approx(3.0)
