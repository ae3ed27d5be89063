"""What a claim does without: each protection costs what it costs, and nothing but what it protects against changes."""

from __future__ import annotations

import numpy as np
import pytest
from typer.testing import CliRunner

import workbench as wb
from workbench import evidence as ev
from workbench.cli.app import app
from workbench.engine.marks import log_marks
from workbench.evidence.protections import PROTECTIONS
from workbench.evidence.verdicts import Finding, Verdict, decide

LEVEL = 0.005
MARKS = log_marks(100_000).astype(float)
REPEATS = 20


def runs(mean: np.ndarray, marks: np.ndarray, seed: int, count: int = 256) -> np.ndarray:
    rng = np.random.default_rng([48, seed])
    return mean * rng.lognormal(0, 0.2, (count, 1)) * np.exp(0.1 * rng.standard_normal((count, marks.size)))


def verdict(finding: Finding) -> Verdict:
    return decide([finding], LEVEL)[0].verdict


def test_a_wrong_exponent_on_seven_horizons_is_caught_where_no_start_up_is_allowed_for() -> None:
    """True 1/T times chi^2 with one degree of freedom, 1,024 runs, claimed -1.25: 5 of 60 with the protection."""
    marks = 2.0 ** np.arange(6, 13)
    caught = {(): 0, ("start-up",): 0}
    for seed in range(REPEATS):
        values = np.random.default_rng(seed).chisquare(1, (1024, 7)) / marks
        for without in caught:
            finding = ev.rate(values, marks, -1.25, window=(64.0, 4096.0), without=without)
            caught[without] += decide([finding], 0.01 / 6)[0].verdict is Verdict.VIOLATED
    assert caught[()] < REPEATS / 2
    assert caught["start-up",] >= 0.9 * REPEATS


def test_what_a_claim_does_without_is_not_protected_against() -> None:
    """A floor, a burn-in, a wave and an oscillation: open with the protection, and wrong without it."""
    u = MARKS / MARKS[-1]
    cases = {
        "slower terms": ("rate", 0.7 * u**-0.5 + 0.3, -0.25, Verdict.HOLDS),
        "start-up": ("rate", 1 / (1 + (u * 30) ** 0.5), -0.5, Verdict.VIOLATED),
        "waves": ("rate", u**-0.466, -0.5, Verdict.VIOLATED),
        "residuals": ("tight", u**-0.5 * (1 + 0.2 * (-1.0) ** np.arange(u.size)), -0.5, Verdict.HOLDS),
    }
    for name, (kind, mean, claimed, wrong) in cases.items():
        for seed in range(3):
            values = runs(mean, MARKS, seed, 2048)
            assert verdict(getattr(ev, kind)(values, MARKS, claimed)) is Verdict.INCONCLUSIVE, name
            assert verdict(getattr(ev, kind)(values, MARKS, claimed, without=(name,))) is wrong, name
            others = tuple(p for p in PROTECTIONS if p != name)
            assert verdict(getattr(ev, kind)(values, MARKS, claimed, without=others)) is not wrong, name


def test_a_level_does_without_them_too() -> None:
    u = MARKS / MARKS[-1]
    still = u**-0.5 * (1 + 0.055 * (1 - u**0.05) / (1 - 0.03**0.05))  # its ratio is on its way to 1
    values = runs(still, MARKS, 0, 8192)
    assert verdict(ev.level(values, MARKS, u**-0.5, 0.01)) is Verdict.INCONCLUSIVE
    finding = ev.level(values, MARKS, u**-0.5, 0.01, without=("start-up", "waves"))
    assert (verdict(finding), finding.without) == (Verdict.VIOLATED, ("start-up",))


def test_what_a_protection_costs_is_said() -> None:
    """The error that is named is the one that the same runs reject without it."""
    short = 2.0 ** np.arange(6, 13)
    for name, marks, words in (("waves", MARKS, "waves"), ("start-up", short, "a start-up")):
        values, window = runs(1 / marks, marks, 0), (float(marks[-1]) / 1000, float(marks[-1]))
        decision = decide([ev.rate(values, marks, -1.0, window=window)], LEVEL)[0]
        less = decide([ev.rate(values, marks, -1.0, window=window, without=(name,))], LEVEL)[0]
        assert f"{less.sensitivity:.2g} off without allowance for {words}" in decision.costs
        assert f"not only {decision.sensitivity:.2g}" in decision.costs
        assert words not in less.costs


def test_an_unknown_protection_is_refused() -> None:
    for call in (ev.rate, ev.tight):
        with pytest.raises(ValueError, match="no protection 'burn-in'"):
            call(runs(MARKS**-0.5, MARKS, 0), MARKS, -0.5, without=("burn-in",))
    with pytest.raises(ValueError, match="no protection 'burn-in'"):
        wb.judge(runs(MARKS**-0.5, MARKS, 0), MARKS, "-1/2", without=("burn-in",))


def test_judge_takes_them(tmp_path) -> None:
    file = tmp_path / "curves.npz"
    np.savez(file, values=runs(MARKS**-0.5, MARKS, 0), marks=MARKS)
    asked = [
        "judge",
        str(file),
        "--claimed",
        "-1/2",
        "--at",
        "marks",
        "--value",
        "values",
        "--picture",
        "none",
    ]
    made = CliRunner().invoke(app, [*asked, "--without", "start-up", "--without", "waves"])
    assert made.exit_code == 0, made.output
    assert "the curve needs no allowance for start-up, waves" in made.output
    made = CliRunner().invoke(app, [*asked, "--without", "luck"])
    assert made.exit_code == 2
    assert "no protection 'luck'" in made.output
