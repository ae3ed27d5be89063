"""The figure of a paper that declares none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from typer.testing import CliRunner

from workbench.cli.app import app
from workbench.report.drawing import draw, log_ticks

CLAIM = """
import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")

def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0)))

STUDY = wb.Study(__name__, "SGD", metric="grad_norm_mean", view=wb.window_means)
SGD = STUDY.simulation(
    step, Steps(eta=1.0), problem=lambda p: wb.problems.Quadratic(wb.Sphere(p["sigma"])),
    start={"x": 1.0}, grid={"sigma": [0.5, 1.0]}, horizon=2_000, runs=24,
)
CURVES = STUDY.readings("rate", SGD, wb.over("sigma", [0.5, 1.0]), claimed=-1 / 4)
CLAIMS = (*CURVES.tight(), *CURVES.rate(), *CURVES.rate(metric="grad_sq_mean", claimed=-1 / 2))
"""


def test_it_shows_each_quantity_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CLAIM)
    options = ("--profile", "quick", "--jobs", "1", "--store", "store")
    done = CliRunner().invoke(app, ["figures", "./mine.py", *options, "--out", "out"])
    assert done.exit_code == 0, done.output
    assert sorted(p.name for p in Path("out").glob("mine-*")) == [
        f"mine-fig-main.{e}" for e in ("pdf", "png", "txt")
    ]
    caption = Path("out/mine-fig-main.txt").read_text()
    assert caption.count("(claimed −1/4") == 2 == caption.count("(claimed −1/2")


def test_a_legend_lies_on_no_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor beyond the page, however long its entries."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CLAIM.replace("sigma", "a_very_long_name_of_a_parameter"))
    pictures: list[Figure] = []
    save = draw.save
    monkeypatch.setattr(draw, "save", lambda picture, *rest: pictures.append(picture) or save(picture, *rest))
    options = ("--profile", "quick", "--jobs", "1", "--store", "store")
    done = CliRunner().invoke(app, ["figures", "./mine.py", *options, "--out", "out"])
    assert done.exit_code == 0, done.output
    (picture,) = pictures
    renderer = FigureCanvasAgg(picture).get_renderer()
    legends = [legend.get_window_extent(renderer) for legend in picture.findobj(Legend)]
    assert len(legends) == 2
    for box in legends:
        assert picture.bbox.x0 <= box.x0 < box.x1 <= picture.bbox.x1
        assert picture.bbox.y0 <= box.y0
        assert not any(box.overlaps(ax.bbox) for ax in picture.axes)


def test_metrics_without_a_name_share_no_axis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    two = "".join(
        f"*CURVES.rate(metric=lambda r: r.table('grad_norm_mean') ** {n}, claimed=-{n} / 4, tag='{n}'), "
        for n in (2, 3)
    )
    Path("mine.py").write_text(CLAIM[: CLAIM.index("CLAIMS")] + f"CLAIMS = ({two})\n")
    labels: list[str] = []
    monkeypatch.setattr("matplotlib.axes.Axes.set_ylabel", lambda ax, text, **kw: labels.append(text))
    options = ("--profile", "quick", "--jobs", "1", "--store", "store")
    done = CliRunner().invoke(app, ["figures", "./mine.py", *options, "--out", "out"])
    assert done.exit_code == 0, done.output
    curves = [text for text in labels if "slope" not in text]
    assert len(curves) == 2
    assert all("metric" in text and "<" not in text for text in curves)


def test_a_paper_with_figures_has_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = 'FIGURE = wb.Figure("mine/fig-own", "t", "s", (SGD.key,), lambda results: None, "", lambda results: "")\n'
    Path("mine.py").write_text(CLAIM + own)
    done = CliRunner().invoke(app, ["list", "./mine.py"])
    assert ("fig-own" in done.output, "fig-main" in done.output) == (True, False)


def test_verify_draws_what_figures_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CLAIM)
    options = ("./mine.py", "--profile", "quick", "--jobs", "1", "--store", "store")
    done = CliRunner().invoke(app, ["verify", *options, "--figures", "--json", "-"])
    assert done.exit_code in (0, 1), done.output
    files = [Path(f"figures/out/mine-fig-main.{e}") for e in ("pdf", "png", "txt")]
    assert [str(file) for file in files] == re.findall("figures/out/mine.*", done.stderr)
    assert json.loads(done.stdout)["claims"]
    contents = [file.read_bytes() for file in files]
    again = CliRunner().invoke(app, ["figures", *options])
    assert again.stdout == "mine/fig-main is up to date\n"
    again = CliRunner().invoke(app, ["figures", *options, "--redraw"])
    assert again.exit_code == 0
    assert contents == [file.read_bytes() for file in files]


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (10.0, 1e6, ["10¹", "10²", "10³", "10⁴", "10⁵", "10⁶"]),
        (0.05, 0.9, ["5×10⁻²", "10⁻¹", "2×10⁻¹", "5×10⁻¹"]),
        (0.02, 0.9, ["3×10⁻²", "10⁻¹", "3×10⁻¹"]),
        (2e-308, 1.7e308, ["10⁻²⁶⁷", "10⁻¹⁷⁸", "10⁻⁸⁹", "10⁰", "10⁸⁹", "10¹⁷⁸", "10²⁶⁷"]),
        (1e-30, 1.0, ["10⁻³⁰", "10⁻²⁵", "10⁻²⁰", "10⁻¹⁵", "10⁻¹⁰", "10⁻⁵", "10⁰"]),
        (1e3, 10.0, ["10¹", "3×10¹", "10²", "3×10²", "10³"]),  # downwards
    ],
)
def test_labels_of_a_logarithmic_axis(low: float, high: float, labels: list[str]) -> None:
    ax = Figure().subplots()
    ax.set(xscale="log", xlim=(low, high))
    log_ticks.set_ticks(ax)
    assert [text.get_text() for text in ax.get_xticklabels()] == labels
    values = [_as_float(text) for text in labels]
    np.testing.assert_allclose(ax.get_xticks(), values)
    (small,) = (line.get_xdata() for line in ax.artists or ax.lines)
    assert set(np.round(np.log10(ax.get_xticks()), 9)) <= set(np.round(np.log10(small), 9))
    assert min(low, high) <= min(small)
    assert max(small) <= max(low, high)


def test_small_ticks_of_hundreds_of_decades_are_no_bar() -> None:
    ax = Figure().subplots()
    ax.set(xscale="log", xlim=(1e-228, 1.0))
    log_ticks.set_ticks(ax)
    (small,) = ax.artists or ax.lines
    np.testing.assert_array_equal(small.get_xdata(), ax.get_xticks())


def _as_float(label: str) -> float:
    mantissa, power = re.fullmatch("(?:([235])×)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", label).groups()
    return float(f"{mantissa or 1}e{power.translate(str.maketrans('⁻⁰¹²³⁴⁵⁶⁷⁸⁹', '-0123456789'))}")


def test_an_axis_of_less_than_a_decade_keeps_its_ticks() -> None:
    ax = Figure().subplots()
    ax.set(xscale="log", xlim=(0.91, 0.97), yscale="linear")
    before = ax.xaxis.get_major_locator(), ax.yaxis.get_major_locator()
    log_ticks.set_ticks(ax)
    assert before == (ax.xaxis.get_major_locator(), ax.yaxis.get_major_locator())


BOUNDED = """
from fractions import Fraction

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Steps", "me", "draft")
THEOREM = PAPER.theorem("thm-1", bound=1 / v.T, exponent=-1)
STUDY = wb.Study(PAPER)
CURVE = STUDY.exact_curve(
    lambda T, a: [Fraction(a, t) for t in range(1, T + 1)], horizon=100, grid={"a": [1, 2]}, metric="gap"
)
ONE, TWO = STUDY.readings(THEOREM, CURVE, wb.over("a", [1, 2]))
CLAIMS = (
    STUDY.bound(THEOREM, "printed", CURVE, "gap", points=({"a": 1},)),
    ONE.at_most(1 / v.T, "1/T"),
    TWO.at_most(1 / v.T, "1/T", refutes="A. Author, Lemma 1"),
    TWO.equals(2 / v.T, "2/T"),
    TWO.rate(claimed=-2, refutes="A. Author, Lemma 2"),
)
"""


def test_a_curve_is_shown_beside_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came out stands above the picture: also a rate that is refuted, which used to be called undecided."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(BOUNDED)
    labels: list[str] = []
    monkeypatch.setattr("matplotlib.axes.Axes.set_ylabel", lambda ax, text, **kw: labels.append(text))
    options = ("--profile", "quick", "--jobs", "1", "--store", "store")
    done = CliRunner().invoke(app, ["figures", "./mine.py", *options, "--out", "out"])
    assert done.exit_code == 0, done.output
    assert [text for text in labels if text] == ["measured / formula", "gap", "local slope", "gap"]
    caption = " ".join(Path("out/mine-fig-exact.txt").read_text().split())
    for sentence in (
        "Rate slower than claimed on the curve;",
        "never above the printed bound at a = 1;",
        "never above 1/T at a = 1;",
        "up to 2 times 1/T at a = 2;",
        "equal to 2/T at a = 2.",
    ):
        assert sentence in caption, caption
