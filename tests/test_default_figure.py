"""The figure of a paper that declares none."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from workbench.cli.app import app

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
