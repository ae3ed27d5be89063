"""What figures say came out: measured slopes beside what is claimed, exceeded bounds, methods wrong on purpose."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from workbench.claims.readings import Reading
from workbench.report.drawing import curve_files, readings
from workbench.report.drawing._style import PALETTE, STYLE
from workbench.report.drawing.panels import FEW, band
from workbench.run import catalog

READING = next(
    c.reading for c in catalog.claims() if hasattr(c, "reading") and isinstance(c.reading, Reading)
)
WRONG = replace(READING, sim=replace(READING.sim, kind="falsifier"))


@pytest.mark.parametrize(
    ("value", "shown"), [(-0.25, "−1/4"), (-1 / 3, "−1/3"), (-2.0, "−2"), (-0.8321, "−0.832"), (0.0, "0")]
)
def test_exponents_are_fractions_where_they_are(value: float, shown: str) -> None:
    assert readings.power(value) == shown


def said(monkeypatch: pytest.MonkeyPatch, *words: tuple[Reading, str], by: set[str] | None = None) -> str:
    table = {id(r): w for r, w in words}
    monkeypatch.setattr(readings, "outcome", lambda results, r: table[id(r)])
    monkeypatch.setattr(readings, "caught_by", lambda r: by or set())
    return readings.outcomes(SimpleNamespace(), [r for r, _ in words])  # type: ignore[arg-type]


def test_what_came_out_of_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (replace(READING) for _ in range(3))
    assert said(monkeypatch, (one, "as claimed")) == "rate as claimed on the curve"
    assert said(monkeypatch, (one, "")) == "rate undecided on the curve at this horizon"
    text = said(monkeypatch, (one, "as claimed"), (two, ""), (three, ""))
    assert text == "rate as claimed on 1 of 3 curves, 2 undecided"


def test_what_came_out_of_levels() -> None:
    findings = {"attained": (1e-9, 0.5), "missed": (0.5, 1e-9), "open": (0.2, 0.2)}

    def of(*names: str) -> str:
        made = [
            SimpleNamespace(
                finding=lambda results, plan, p=findings[n]: SimpleNamespace(p_if_wrong=p[0], p_if_right=p[1])
            )
            for n in names
        ]
        return readings.outcome_of_levels(SimpleNamespace(plan=None), made)  # type: ignore[arg-type]

    assert of("attained") == "level attained"
    assert of("missed") == "level missed"
    assert of("open") == of() == ""
    assert of("attained", "missed", "open") == "1 of 3 levels attained, 1 missed"
    assert of("missed", "open") == "1 of 2 levels missed"


def test_a_wrong_method_that_keeps_the_rate_says_by_what_it_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = replace(WRONG), replace(WRONG)
    text = said(monkeypatch, (one, "slower"), (two, "as claimed"), by={"level", "bound"})
    assert (
        text
        == "1 of 2 methods that are wrong on purpose are slower, 1 keeps the rate (caught by: bound, level)"
    )


def test_a_wrong_method_is_slower_than_the_theorem_and_not_than_its_own_theory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It falls as its own theory says, T^0: against the claim T^-1/4 that is slower."""
    right = READING.rate(claimed=-1 / 4).reading
    wrong = replace(WRONG.rate(claimed=0.0).reading)
    falls = {id(right): -1 / 4}
    monkeypatch.setattr(readings, "is_exact", lambda r: True)
    monkeypatch.setattr(
        readings,
        "outcome",
        lambda results, r: "as claimed" if falls.get(id(r), 0.0) <= r.claimed.value else "slower",
    )
    text = readings.outcomes(SimpleNamespace(), [right, wrong])  # type: ignore[arg-type]
    assert text == "rate as claimed on the curve; 1 of 1 methods that are wrong on purpose are slower"


@pytest.mark.parametrize(
    ("runs", "lines", "areas"), [(1, 1, 0), (3, 4, 0), (FEW - 1, FEW, 0), (FEW, 1, 1), (100, 1, 1)]
)
def test_few_runs_are_thin_lines_and_no_band(runs: int, lines: int, areas: int) -> None:
    figure, ax = plt.subplots()
    values = np.exp(np.random.default_rng(0).normal(size=(runs, 5)))
    band(ax, np.arange(1, 6), values, label="a")
    assert (len(ax.lines), len(ax.collections)) == (lines, areas)
    assert len(ax.get_legend_handles_labels()[0]) == 1
    plt.close(figure)


def test_the_curves_of_a_picture_as_a_table() -> None:
    figure, (left, right) = plt.subplots(1, 2)
    left.set_title("curves")
    left.plot([1, 2, 3], [0.5, np.nan, 0.25], label="a, b")
    right.plot([1, 2], [3, 4])
    rows = list(csv.reader(io.StringIO(curve_files.table(figure))))
    assert rows == [
        ["panel", "curve", "x", "y"],
        ["curves", "a, b", "1", "0.5"],
        ["curves", "a, b", "3", "0.25"],
        ["panel 2", "line 1", "1", "3"],
        ["panel 2", "line 1", "2", "4"],
    ]
    plt.close(figure)


def test_lines_are_seen_on_white_and_letters_can_be_read() -> None:
    """WCAG: contrast of a graphic at least 3."""

    def luminance(colour: str) -> float:
        channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return float(np.dot((0.2126, 0.7152, 0.0722), linear))

    assert len(set(PALETTE)) == len(PALETTE)
    assert min(1.05 / (luminance(colour) + 0.05) for colour in PALETTE) >= 3
    sizes: dict[str, Any] = {
        name: size for name, size in STYLE.items() if name.endswith(("size", "fontsize"))
    }
    assert min(size for size in sizes.values() if isinstance(size, int | float)) >= 7
