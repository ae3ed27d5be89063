"""What many verdicts come to in a sentence; and what a terminal shows while they are collected."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from workbench.claims.claims import Custom
from workbench.cli import progress
from workbench.evidence.verdicts import Decision, Finding, Verdict
from workbench.run.timings import TIMINGS
from workbench.verdicts import tally
from workbench.verdicts.verify import Line


def line(verdict: Verdict = Verdict.HOLDS, expected: str = "holds", void: str = "") -> Line:
    finding = Finding("rate", -0.5, -0.5, -0.6, -0.4, 0.0, 1.0, note="", runs=8, horizon=100.0)
    claim = Custom("toy/thm-1", "rate", "a curve", lambda results: finding, expected=expected)
    return Line(claim, Decision(finding, verdict, -0.6, -0.4, 0.01), 1.0, void)


HOLDS, ERRATUM, VOID = line(), line(Verdict.VIOLATED, "violated"), line(void="repeats another")
SURPRISE, OPEN = line(Verdict.VIOLATED), line(Verdict.INCONCLUSIVE)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "No claim was decided."),
        ([HOLDS], "The verdict is as expected: 1 holds, 0 are known errata, 0 undecided."),
        (
            [HOLDS] * 1770 + [ERRATUM] * 165 + [VOID] * 44,
            "All 1,979 verdicts are as expected: 1,770 hold, 165 are known errata, 0 undecided, 44 void (no "
            "evidence).",
        ),
        (
            [HOLDS, HOLDS, ERRATUM, SURPRISE, OPEN],
            "NOT all as expected: 2 of 5 verdicts are not. 2 hold, 1 is a known erratum, 1 violated, 1 undecided.",
        ),
        (
            [line(expected="violated")],
            "NOT all as expected: 1 of 1 verdict is not. 1 holds, 0 are known errata, 0 undecided.",
        ),
    ],
)  # fmt: skip
def test_every_verdict_is_counted_once(lines: list[Line], said: str) -> None:
    assert tally.outcome(lines) == said


def test_a_terminal_is_told_of_every_phase_from_the_first_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """And on a pipe nothing is shown."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress.Bars() as bars:
        told = [bars._bar.tasks[0].description]
        with TIMINGS.phase("outer"):
            with TIMINGS.phase("inner"):
                told.append(bars._bar.tasks[0].description)
            told.append(bars._bar.tasks[0].description)
        done, at = bars.of([SimpleNamespace(key="toy/sim-1")])
        at("toy/sim-1", 50, 100)
        assert [task.description for task in bars._bar.tasks if task.visible][1:] == [
            "simulations",
            "  toy/sim-1",
        ]
        done(SimpleNamespace(key="toy/sim-1"), False)
    assert told == [progress.AT_FIRST, "inner", "outer"]
    assert TIMINGS.on_phase is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    with progress.Bars():
        assert TIMINGS.on_phase is None
