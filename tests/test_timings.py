"""Where the time of a command goes."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pytest

from workbench.run import timings


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(timings.time, "perf_counter", lambda: now[0])
    return now


def test_an_inner_phase_does_not_count_for_the_outer_one(clock: list[float]) -> None:
    kept = timings.Timings()
    clock[0] += 1
    with kept.phase("outer"):
        clock[0] += 2
        with kept.phase("inner"):
            clock[0] += 4
        clock[0] += 8
    with contextlib.suppress(KeyError), kept.phase("inner"):
        clock[0] += 16
        raise KeyError
    assert kept.seconds_of == {"else": 1.0, "outer": 10.0, "inner": 20.0}
    assert kept.sentence() == "31.0 s: 20.0 s inner, 10.0 s outer, 1.0 s else."


def test_what_is_done_with_an_item_does_not_count_for_its_making(clock: list[float]) -> None:
    kept = timings.Timings()

    def items():
        for n in (1, 2):
            clock[0] += 10
            yield SimpleNamespace(elapsed=[0.0, n])

    for item in kept.over("simulating", items()):
        clock[0] += 1
        kept.note_simulation(item)
    assert kept.seconds_of == {"else": 2.0, "simulating": 20.0}
    assert kept.sentence().endswith(
        "New simulations: 2; all processes together iterated for 3.0 s, with what resumed ones had done before. The "
        "rest is starting, compiling, storing and waiting."
    )


def test_what_makes_the_items_is_closed_where_their_user_fails() -> None:
    """Workers must not go on while somebody holds the traceback."""
    closed = []

    def items():
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    made = items()
    with contextlib.suppress(KeyboardInterrupt):
        for _ in timings.Timings().over("simulating", made):
            raise KeyboardInterrupt
    assert closed
