"""Curves in the pages: the numbers are those that claims read, and the script that draws them can be used."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.test_report import Page, dossier, write
from workbench.claims.claims import Caught, Claim
from workbench.claims.readings import Rate
from workbench.evidence.verdicts import Decision, Finding, Verdict
from workbench.report import pages
from workbench.report.curves import Curve, curves, grid_points
from workbench.report.drawing.panels import FEW
from workbench.report.drawing.readings import under
from workbench.run import catalog
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options, UsageError
from workbench.verdicts import verify
from workbench.verdicts.verify import Line

SIM = "ada_minimax/sim-i1"
CLAIMS = [c for c in verify.claims() if c.needs == (SIM,)]
RATE = next(c for c in CLAIMS if isinstance(c, Rate))
BOUNDS = [c for c in CLAIMS if c.bound]
THEOREM = RATE.key
SCRIPT = Path(pages.__file__).parent / "templates" / "curves.js"


def results(runs: int = 9) -> dict[str, Any]:
    sim = catalog.simulations()[SIM]
    return {SIM: execute(prepare(sim, Options("quick", horizon=64, runs=runs)), "numpy")}


def line(claim: Claim, verdict: Verdict = Verdict.HOLDS, error: UsageError | None = None) -> Line:
    finding = Finding("rate", claimed=-0.5, value=-0.5, low=-0.5, high=-0.5, p_if_wrong=0.0, p_if_right=1.0)
    return Line(claim, Decision(finding, verdict, -0.5, -0.5, 0.01), 1.0, error=error)


def with_claim(found: list[Curve]) -> Curve:
    (only,) = [c for c in found if c["claimed"] is not None]
    return only


def test_the_numbers_are_those_that_a_claim_reads() -> None:
    held = results()
    found = with_claim(curves([line(RATE)], held))
    values, marks = RATE.reading.curve(held)
    assert found["mean"] == pytest.approx(values.mean(axis=0), rel=1e-3)
    assert found["at"] == marks.tolist()
    assert (found["low"], found["high"]) == tuple(
        pytest.approx(row, rel=1e-3) for row in np.quantile(values, (0.1, 0.9), axis=0)
    )
    assert (found["claimed"], found["runs"], found["failed"]) == (RATE.reading.claimed.value, len(values), 0)
    few = with_claim(curves([line(RATE)], results(runs=FEW - 1)))
    assert few["band"] == "smallest to largest"
    json.dumps(few, allow_nan=False)


def test_each_bound_stands_over_the_curve_at_its_grid_point() -> None:
    held = results()
    found = curves(map(line, BOUNDS), held)
    where = grid_points(held[SIM])
    assert len(found) == len(where)
    forms = {b.bound.form: b.bound for b in BOUNDS if b.bound}
    for curve, point in zip(found, where, strict=True):
        assert curve["bounds"].keys() == forms.keys()
        for form, bound in forms.items():
            assert curve["bounds"][form] == pytest.approx(under(held, bound, point)[2], rel=1e-3)


def test_a_claim_that_is_wrong_on_purpose_never_says_what_is_claimed_of_a_curve() -> None:
    wrong = RATE.reading.caught(claimed=-3 / 4)
    assert isinstance(wrong, Caught)
    found = with_claim(curves([line(wrong), line(RATE)], results()))
    assert (found["wrong"], found["power"]) == (False, "-1/2" if found["claimed"] == -0.5 else "-1/4")
    assert {words for _, words in found["lines"]} == {"rate holds", "wrong on purpose, caught"}
    alone = curves([line(wrong, Verdict.VIOLATED)], results())
    assert [c["wrong"] for c in alone] == [True]
    assert alone[0]["lines"][0][1] == "wrong on purpose, not caught"


def test_a_line_with_an_error_and_results_of_another_kind_have_no_curve() -> None:
    assert curves([line(RATE, error=UsageError("no such metric"))], results()) == []
    assert curves([line(RATE)], {}) == []


def written(folder: Path) -> Path:
    held = results()
    lines = [*map(line, (RATE, *BOUNDS)), line(RATE.reading.caught(claimed=-3 / 4))]
    found = replace(dossier(*lines), results=held)
    found.__dict__["figures"] = {paper.key: () for paper in found.papers}  # as if none could be drawn
    write(found, {}, folder)
    return folder / pages.page_of(THEOREM)


def test_a_page_holds_the_numbers_and_no_script_but_its_own(tmp_path: Path) -> None:
    text = written(tmp_path).read_text()
    assert re.findall(r"<script[^>]*>", text) == [
        f'<script src="{name}.js" defer>' for name in ("dossier", "curves")
    ]
    (data,) = re.findall(r"data-curves='([^']*)'", text)
    held = json.loads(data)
    assert {c["name"] for c in held} >= {RATE.experiment}
    assert {anchor for c in held for anchor, _ in c["lines"]} <= Page(tmp_path / pages.page_of(THEOREM)).ids


def test_the_script_is_small_and_fetches_nothing() -> None:
    text = SCRIPT.read_text()
    assert len(text.splitlines()) < 150
    assert not re.search(
        r"fetch|XMLHttp|import\b|eval|innerHTML|Function\(|https?://(?!www\.w3\.org/2000/svg)", text
    )


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser is installed (Chromium)")
def test_curves_can_be_used_in_a_browser(tmp_path: Path) -> None:
    """By keyboard and mouse: values at a mark, zoom, axes, settings."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no driver for the browser is installed")
    path = written(tmp_path)
    with playwright.sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-gpu"]
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page, wrong = browser.new_page(), []
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        held = json.loads(page.locator(".curves").get_attribute("data-curves"))
        check_values(page, held)
        check_axes(page)
        browser.close()
    assert not wrong


def points(page: Any) -> list[int]:
    """How many marks each drawn mean has."""
    rows = page.locator(".curves polyline:not(.bound):not(.printed):not(.claimed)")
    return [len(row.get_attribute("points").split()) for row in rows.all()]


def check_values(page: Any, held: list[Curve]) -> None:
    svg, said = page.locator(".curves svg"), page.locator(".curves output")
    first = held[0]
    svg.press("ArrowRight")
    mean = first["mean"][1]
    assert f"{first['name']}: T = {first['at'][1]:g}, mean {mean:.4g}" in said.inner_text()
    assert f"10 to 90 % of {first['runs']} runs" in said.inner_text()
    svg.hover(position={"x": 300, "y": 150})
    assert page.locator(".curves .cursor").count() == 1
    assert "mean" in said.inner_text()


def check_axes(page: Any) -> None:
    svg, whole = page.locator(".curves svg"), points(page)
    assert len(whole) >= 1
    svg.press("ArrowRight")
    svg.press("+")
    zoomed = points(page)
    assert max(zoomed) < max(whole)
    svg.press("Escape")
    assert points(page) == whole
    before = page.locator(".curves polyline").first.get_attribute("points")
    for name in ("logarithmic values", "logarithmic T", "over the claimed power"):
        button = page.get_by_role("button", name=name)
        pressed = button.get_attribute("aria-pressed")
        button.press("Enter")
        assert button.get_attribute("aria-pressed") != pressed
        assert page.locator(".curves polyline").first.get_attribute("points") != before
        button.press("Enter")
    assert page.locator(".curves polyline").first.get_attribute("points") == before
    while page.locator(".curves input:checked").count():
        page.locator(".curves input:checked").first.uncheck()
    assert "No curve is chosen" in page.locator(".curves output").inner_text()
    assert not points(page)
    page.locator(".curves input").first.check()
    assert len(points(page)) == 1
