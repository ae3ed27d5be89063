"""The dossier: what its pages say, that every link leads somewhere, and what happens where it cannot be written."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from markupsafe import Markup, escape
from typer.testing import CliRunner

from workbench.claims import caught
from workbench.claims.claims import Custom
from workbench.cli.app import app
from workbench.evidence.verdicts import Decision, Finding, Verdict
from workbench.homes.usage import UsageError
from workbench.ledger import corpus, status
from workbench.ledger.claims import LemmaClaim
from workbench.ledger.graph import link
from workbench.report import pages
from workbench.report.calibration_results import Calibration
from workbench.report.card import About, Card, Outcome, Row
from workbench.report.dossier import Dossier, spread
from workbench.report.formulas import breakable, mathml, prose, statement
from workbench.report.proof_graph import HEIGHT, layout, reduction
from workbench.run import catalog
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options
from workbench.verdicts import verify
from workbench.verdicts.calibration import calibrate
from workbench.verdicts.verify import Line, chosen_claims, simulations_of

THEOREM = next(iter(catalog.theorems().values()))
PAPER = THEOREM.paper.key
SMALL = ("--runs", "4", "--horizon", "64", "--engine", "eager")  # too small to decide anything
PATIENCE = 180_000  # milliseconds for a page, beside other work on two cores


def write(found: Dossier, images: Mapping[str, Path], folder: Path, checker: Any = None) -> list[Path]:
    return pages.write(pages.page_texts(found, images, folder, checker), folder)


def said(*arguments: str) -> SimpleNamespace:
    found = CliRunner().invoke(app, list(arguments))
    return SimpleNamespace(status=found.exit_code, text=found.output)


class Page(HTMLParser):
    """Ids, links, pictures and text of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.sources: list[str] = []
        self.tags: set[str] = set()
        self.heads: list[dict[str, str | None]] = []
        self.pictures: list[dict[str, str | None]] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.add(tag)
        self.ids |= {found["id"]} if found.get("id") else set()
        self.links += [found["href"]] if found.get("href") else []
        self.sources += [found["src"]] if found.get("src") else []
        self.heads += [found] if tag == "th" else []
        self.pictures += [found] if tag == "img" else []


def check_pages(folder: Path) -> dict[str, Page]:
    """Every page of a folder, after a check that each link and picture exists and that nothing is fetched."""
    found = {path.name: Page(path) for path in folder.glob("*.html")}
    for name, page in found.items():
        for target in page.links:
            if target.startswith("data:"):
                continue
            assert "//" not in target, f"{name} leaves the folder: {target}"
            file, _, anchor = target.partition("#")
            assert (folder / (file or name)).is_file(), f"{name} links to {file}"
            assert not anchor or anchor in found[file or name].ids, f"{name} links to {target}"
        assert all((folder / source).is_file() for source in page.sources)
        assert all(head.get("scope") for head in page.heads), name
        assert all(picture.get("loading") == "lazy" and picture.get("alt") for picture in page.pictures), name
        assert "content" in page.ids, f"{name} has nothing to skip to"
    return found


# ------------------------------------------------------------------------------------------------- one dossier


def line(
    note: str = "",
    void: str = "",
    verdict: Verdict = Verdict.HOLDS,
    expected: str = "holds",
    about: str = THEOREM.key,
) -> Line:
    finding = Finding(
        "rate", claimed=-0.5, value=-0.49, low=-0.52, high=-0.46, p_if_wrong=0.0, p_if_right=1.0, note=note,
        runs=8, horizon=100.0,
    )  # fmt: skip
    claim = Custom(about, "rate", "a curve", lambda results: finding, expected=expected)
    return Line(claim, Decision(finding, verdict, -0.52, -0.46, 0.001, sensitivity=0.1), 1.0, void)


def dossier(*lines: Line) -> Dossier:
    lemmas = {k: x for k, x in catalog.lemmas().items() if x.paper.key == PAPER}
    few = dict(list(lemmas.items())[:3])
    return Dossier(lines, {k: link(x, {}) for k, x in few.items()}, {}, {}, "quick", 0)


def test_what_comes_from_a_record_is_escaped(tmp_path: Path) -> None:
    write(dossier(line("<script>alert(1)</script> & more")), {}, tmp_path)
    text = (tmp_path / pages.page_of(THEOREM.key)).read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in text
    check_pages(tmp_path)


def test_surprises_and_void_lines_are_shown(tmp_path: Path) -> None:
    lines = line(), line(void="repeats another"), line(verdict=Verdict.VIOLATED), line(expected="violated")
    write(dossier(*lines), {}, tmp_path)
    overview = (tmp_path / "index.html").read_text()
    assert "2 verdicts are not the\nexpected ones." in overview
    assert '<span class="cell surprise">3 + 1</span>' in overview
    theorem = (tmp_path / pages.page_of(THEOREM.key)).read_text()
    assert "void: repeats another" in theorem
    assert "(expected: violated)" in theorem


def test_the_overview_answers_for_each_theorem(tmp_path: Path) -> None:
    """And the theorem's page begins with its card."""
    rows = (
        Row(About.RATE, "rate T^-1/2", Outcome.ATTAINED, "slope -0.5", "T^-1/2"),
        Row(About.BOUND, "bound as printed", Outcome.REFUTED, "exceeded", "as printed"),
    )
    card = Card(THEOREM.key, THEOREM.title, THEOREM.source, rows, True)
    write(replace(dossier(line(verdict=Verdict.VIOLATED)), cards={THEOREM.key: card}), {}, tmp_path)
    overview = (tmp_path / "index.html").read_text()
    assert '<span class="verdict violated">refuted</span>' in overview
    row = overview.partition("sortable answers")[2].partition("</tbody>")[0]
    cells = [html.unescape(re.sub("<[^>]*>", "", f"<td{cell}")).strip() for cell in row.split("<td")[3:]]
    assert cells[0].endswith(" attained")
    assert cells[1:] == ["as printed: false", "", "nothing"]
    text = (tmp_path / pages.page_of(THEOREM.key)).read_text()
    assert text.index('id="verdict"') < text.index('id="evidence"') < text.index('id="conditions"')
    check_pages(tmp_path)


def test_the_overview_says_what_is_decided_of_each_theorem(tmp_path: Path) -> None:
    """The sharpest two-sided line, the falsifiers, and what the profile leaves out with the reason."""
    exact = replace(line(), claim=replace(line().claim, kind="scaling", name="stages"))
    wrong = replace(line(), claim=caught(line().claim))
    longer = replace(line().claim, name="a longer curve", profiles=("full",))
    write(replace(dossier(line(), exact, wrong), omissions=(longer,)), {}, tmp_path)
    row = " ".join(
        (tmp_path / "index.html").read_text().split('id="decided"')[1].split("</table>")[0].split()
    )
    assert f">{THEOREM.key}</a>" in row
    assert "two-sided: -0.49 [-0.52, -0.46] for -0.5, 8 runs; stages" in row.replace("\N{MINUS SIGN}", "-")
    assert "<td>1 of 1 caught" in row
    assert "<summary>1 in a longer profile</summary><p>rate of a longer curve</p>" in row
    check_pages(tmp_path)


def test_nothing_of_a_theorem_is_decided(tmp_path: Path) -> None:
    write(dossier(replace(line(), claim=replace(line().claim, kind="assumptions"))), {}, tmp_path)
    row = (tmp_path / "index.html").read_text().split('id="decided"')[1].split("</table>")[0]
    assert row.count("<td>none") == 4


def test_a_second_dossier_removes_only_pages_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "mine.html").write_text("mine")
    (tmp_path / pages.MANIFEST).write_text('["old.html", "../mine.html", "mine.txt", 3]')
    (tmp_path / "old.html").write_text("a page of mine: the list is damaged, so nothing is believed")
    write(dossier(line()), {}, tmp_path)
    assert (tmp_path / "old.html").exists()
    written = json.loads((tmp_path / pages.MANIFEST).read_text())
    (tmp_path / pages.MANIFEST).write_text(json.dumps([*written, "old.html", "../mine.html", "mine.txt"]))
    write(dossier(line()), {}, tmp_path)
    assert not (tmp_path / "old.html").exists()
    assert (tmp_path / "mine.html").read_text() == "mine"


def test_a_page_of_somebody_else_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(UsageError, match=r"has a file index\.html that no report wrote"):
        write(dossier(line()), {}, tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("index.html", "mine")]


def whole(made: str) -> str:
    return f'<span class="whole">{made}</span>'


def test_ascii_formulas_are_typeset() -> None:
    assert prose("T^1/3 (1 + V)<x>") == f"{whole('T<sup>1/3</sup>')} (1 + V)&lt;x&gt;"
    assert prose("eta_(t-1)") == whole(f"{mathml(chr(92) + 'eta')}<sub>t−1</sub>")
    assert prose("1.2e4") == mathml(r"1.2\cdot 10^{4}")


def test_a_long_formula_can_be_broken() -> None:
    """After an operator, never inside of braces, and never before the full stop."""
    assert breakable(r"a_{i + 1} \le \sqrt{b + c} + d, e") == [
        r"a_{i + 1} \le ",
        r"\sqrt{b + c} + ",
        "d, ",
        "e",
    ]
    assert breakable(r"\left( a + b \right) = 1") == [r"\left( a + b \right) = ", "1"]
    long, longer = "a + " * 30 + "b", "c, " * 60 + "d"
    assert breakable(rf"\max\left({longer}\left({long}\right)^{{2}}\right) + \left(1, 2\right)") == [
        r"\max(c, ",
        *["c, "] * 59,
        "d(a + ",
        *["a + "] * 29,
        r"b)^{2}) + ",
        r"\left(1, 2\right)",
    ]
    assert breakable(rf"\left({long}\right|") == [rf"\left({long}\right|"]
    made = statement("$a + b$. And $c$")
    sum_so_far = str(mathml("a + ")).replace(
        "<mo>", '<mo form="infix">'
    )  # with space on both sides of the sign
    assert made == f'{sum_so_far}<wbr><span class="whole">{mathml("b")}.</span> And {mathml("c")}'


@pytest.mark.parametrize(
    "latex",
    [
        "x^", "a^b^c", r"\left( a", r"\begin{cases} a", r"\sqrt", r"\foo{x}",
        r"\text{<script>alert(1)</script> & c}", r"\href{javascript:alert(1)}{x}", r"\style{color: red}{x}",
    ],
)  # fmt: skip
def test_a_formula_that_cannot_be_typeset_is_shown_as_written(latex: str) -> None:
    assert statement(f"If ${latex}$.").startswith(
        Markup('If <span class="whole"><code>{}</code>.').format(latex)
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("D^2/2", f"{whole('D<sup>2</sup>')}/2"),
        ("T^1/3 and T^(2/3)", f"{whole('T<sup>1/3</sup>')} and {whole('T<sup>2/3</sup>')}"),
        ("grad_norm_mean of `storm-omega`, np.sqrt, my_lib.py:27 is_own", None),
        ("a <=> b <-> c, sim-1e5", None),
    ],
)
def test_what_is_a_formula_in_prose(text: str, shown: str | None) -> None:
    assert prose(text) == Markup(shown or escape(text))


def test_formulas_of_a_statement_are_typeset() -> None:
    assert statement(r"At most $C T^{-1/4}$ & <T^2>.") == (
        f"At most {mathml('C T^{-1/4}')} &amp; {whole('&lt;T<sup>2</sup>')}&gt;."
    )
    assert prose("calG_t") == whole(f"{mathml(chr(92) + 'mathcal{G}')}<sub>t</sub>")


def test_constants_without_a_symbol_of_the_theorem_are_set_by_their_names() -> None:
    assert prose("sigma_fx") == whole(f"{mathml(chr(92) + 'sigma')}<sub>fx</sub>")
    assert prose("E_gxyT") == whole("E<sub>gxyT</sub>")
    assert prose("sigma_x_low") == mathml(r"\underline{\sigma}_{x}")


def test_ranges_of_constants() -> None:
    assert spread(np.array(3.0)) == "3"
    assert spread(np.array([[1.0, 2.0], [1.0, 5.0]])) == "2 to 5"
    assert spread(np.array([[np.nan]])) == "undefined"


@pytest.mark.parametrize("theorem", catalog.theorems().values(), ids=lambda t: t.key)
def test_every_bound_is_typeset(theorem) -> None:
    for form in theorem.forms:
        for name, formula in theorem.latex_definitions(form.name):
            for made in (mathml(name), mathml(formula)):
                assert made.startswith("<math")
                assert "\\" not in made
                assert "merror" not in made


# ---------------------------------------------------------------------------------------------------- the graph

USES = {"a": ("b", "c", "d"), "b": ("d",), "c": ("d", "far away"), "d": (), "alone": ()}


def test_an_edge_that_a_path_implies_is_left_out() -> None:
    assert reduction(USES) == {"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": (), "alone": ()}
    with pytest.raises(ValueError, match="circular"):
        reduction({"a": ("b",), "b": ("a",)})


@pytest.mark.parametrize("paper", [None, *dict.fromkeys(x.paper.key for x in catalog.lemmas().values())])
def test_links_stand_above_those_they_use_and_do_not_overlap(paper: str | None) -> None:
    lemmas = {k: x for k, x in catalog.lemmas().items() if x.paper.key == paper}
    uses = {k: x.uses for k, x in lemmas.items()} if paper else USES
    found = layout(uses, {key: key for key in uses})
    boxes = {box.key: box for box in found.boxes}
    assert boxes.keys() == uses.keys()
    for key, used in uses.items():
        assert all(boxes[key].y < boxes[u].y for u in used if u in boxes)
    for box in found.boxes:
        assert box.width / 2 <= box.x <= found.width - box.width / 2
        assert HEIGHT / 2 <= box.y <= found.height - HEIGHT / 2
        for other in found.boxes:
            apart = abs(box.x - other.x) >= (box.width + other.width) / 2
            assert other is box or other.y != box.y or apart
    ends = sorted((edge[0], edge[-1]) for edge in found.edges)
    wanted = [
        ((boxes[k].x, boxes[k].y + HEIGHT / 2), (boxes[u].x, boxes[u].y - HEIGHT / 2))
        for k, used in reduction(uses).items()
        for u in used
    ]
    assert np.array(ends) == pytest.approx(np.array(sorted(wanted)))


def test_one_link_and_none() -> None:
    assert len(layout({"a": ()}, {"a": "a"}).boxes) == 1
    assert layout({}, {}).boxes == ()


# -------------------------------------------------------------------------------------------------- the command


@cache
def simulated(paper: str) -> set[str]:
    """What the paper's claims need."""
    claims, _ = chosen_claims([paper], Options("default", runs=4, horizon=64))
    return {sim.key for sim in simulations_of(claims)}


@pytest.mark.usefixtures("certificates")
def test_a_report_of_stored_results(tmp_path: Path) -> None:
    store, out = str(tmp_path / "store"), tmp_path / "report"
    paper = min((e.key for e in catalog.entries() if e.kind == "paper"), key=lambda key: len(simulated(key)))
    missing = said("report", paper, "--store", store, "--out", str(out), *SMALL)
    assert missing.status == 2
    assert (
        f"compute them with: workbench verify {paper} --profile default --runs 4 --horizon 64" in missing.text
    )
    assert said("verify", paper, "--store", store, *SMALL).status == 1  # nothing is decided
    made = said("report", paper, "--store", store, "--out", str(out), *SMALL)
    assert made.status == 0, made.text
    found = check_pages(out)
    theorems = [t for t in catalog.theorems().values() if t.paper.key == paper]
    assert {pages.page_of(t.key) for t in theorems} <= found.keys()
    figures = {f.key: f.needs for f in catalog.figures().values() if f.key.startswith(f"{paper}/")}
    drawn = {key for key, needs in figures.items() if simulated(paper).issuperset(needs)}
    assert drawn <= found["gallery.html"].ids
    assert all(f"{key} is left out" in made.text for key in figures.keys() - drawn)
    assert {f"{paper}/{e.label}" for e in _errata(paper)} <= found["errata.html"].ids
    assert "math" in found[pages.page_of(theorems[0].key)].tags
    again = {path: path.stat().st_mtime_ns for path in (out / "figures").glob("*.svg")}
    pages_before = {path: path.read_text() for path in out.glob("*.html")}
    status.remember([paper], {})  # as in a new process
    assert said("report", paper, "--store", store, "--out", str(out), *SMALL).status == 0
    assert pages_before == {path: path.read_text() for path in out.glob("*.html")}
    assert again == {path: path.stat().st_mtime_ns for path in (out / "figures").glob("*.svg")}


@pytest.mark.parametrize("kind", [(), ("--single-file",)], ids=["folder", "file"])
def test_a_report_of_a_paper_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = "./mine.py" if kind else "./mine"
    assert said("new", path, *kind).status == 0
    assert "workbench verify" in said("report", path, *SMALL).text
    assert said("verify", path, *SMALL).status == 1  # nothing is decided
    made = said("report", path, *SMALL)
    assert made.status == 0, made.text
    assert "mine.html" in check_pages(tmp_path / "report")


def test_an_erratum_says_what_runs_decided() -> None:
    """Not only that its lines were measured; and a line that was not says so."""
    measured = {(c.key, c.item.name): c for c in verify.claims() if isinstance(c, LemmaClaim)}
    row, printed = next(
        (row, c["check"])
        for row in catalog.errata_rows()
        for c in row["checks"]
        if (c["lemma"], c["check"]) in measured and c["form"] == "printed"
    )
    claim = next(c for (_, name), c in measured.items() if name == printed)
    refuted = replace(line(verdict=Verdict.VIOLATED, about=claim.key), claim=claim)
    for lines, said in (((refuted,), "violated on runs"), ((), "not measured here")):
        found = dossier(*lines).errata(row["key"].split("/")[0])
        checks = next(r for r in found if r["key"] == row["key"])["checks"]
        assert {c["check"]: c["verdict"] for c in checks}[printed] == said


def _errata(paper: str) -> list:
    return [e for key, e in catalog.errata().items() if key.startswith(f"{paper}/")]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser is installed (Chromium)")
def test_in_a_browser(tmp_path: Path) -> None:
    """Every page, on a screen, a tablet and a phone: no error, nothing fetched in vain, no sideways scrolling.

    Formulas are typeset, and tables can be sorted, filtered and searched by keyboard.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="no driver for the browser is installed")
    theorems = [key for key in catalog.theorems() if key.startswith(f"{PAPER}/")]
    lines = [line(about=key) for key in theorems]
    refuted = line("wrong <b>here</b>", verdict=Verdict.VIOLATED, expected="violated", about=theorems[0])
    write(
        dossier(*lines, replace(refuted, claim=replace(refuted.claim, name="a second curve", tag="second"))),
        {},
        tmp_path,
    )
    stating = {*map(pages.page_of, theorems), f"{PAPER}-proof.html"}
    options = (
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
    )
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(options))
        wrong: list[str] = []
        for width in (1400, 800, 390):
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.set_default_timeout(PATIENCE)
            page.on("console", lambda message: wrong.append(message.text))
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("requestfailed", lambda request: wrong.append(request.url))
            for path in sorted(tmp_path.glob("*.html")):
                page.goto(path.as_uri())
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (path.name, width)
                # Tables that become lists on a phone are read without moving them; formulas and pictures may be moved.
                moved = page.evaluate(
                    "[...document.querySelectorAll('.wide:has(> .cards, > .stacked)')]"
                    ".filter(e => e.scrollWidth > e.clientWidth).length"
                )
                assert width > 390 or not moved, path.name
                heights = page.evaluate("[...document.querySelectorAll('math')].map(m => m.clientHeight)")
                assert all(height > 0 for height in heights), path.name
                assert heights or path.name not in stating, path.name
                assert not wrong, (path.name, wrong)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        check_use(page, tmp_path, theorems[0])
        browser.close()


def check_use(page: Any, folder: Path, theorem: str) -> None:
    """A table is filtered and sorted, a link opens what it names, and the overview finds a claim, all by keyboard."""
    page.goto((folder / pages.page_of(theorem)).as_uri())
    rows = ".evidence tbody tr:not(.note):not([hidden])"
    assert page.locator(rows).count() == 2
    page.get_by_role("button", name="refuted").press("Enter")
    assert page.locator(rows).count() == 1
    assert "wrong <b>here</b>" in page.locator(".evidence tr.note:not([hidden])").inner_text()
    page.get_by_role("button", name="all", exact=True).press("Enter")
    page.get_by_role("button", name="experiment").press("Enter")
    first = page.locator(rows).first.inner_text()
    page.get_by_role("button", name="experiment").press("Enter")
    assert page.locator(rows).first.inner_text() != first
    page.get_by_label("filter the lines").fill("second curve")
    assert page.locator(rows).count() == 1
    page.goto(f"{(folder / pages.page_of(theorem)).as_uri()}#conditions")
    assert page.evaluate("document.getElementById('conditions').open")
    page.goto((folder / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.locator("#find input").fill("second CURVE violated")
    page.locator("#results a").first.press("Enter")
    page.wait_for_selector(":target", state="attached")  # the page that Enter leads to is being loaded
    assert page.evaluate("document.querySelector(':target').dataset.verdict") == "violated"


# Planted papers: those of one claim have one row together, the last.
CALLS = [
    {
        "paper": paper,
        "claims": claims,
        "calls": 15,
        "wrong_%": 0.0,
        "wrong_from": 0.0,
        "wrong_to": 32.9,
        "ok": True,
    }
    for paper, claims in (("one claim: T^-1", 1), ("20 bounds", 20), ("all of one claim", 1))
]


def test_the_page_of_the_checker(tmp_path: Path) -> None:
    write(dossier(line()), {}, tmp_path)
    assert "holds no outcome of" in (tmp_path / "checker.html").read_text()
    curves = calibrate.calibrate(repeats=1, names=(calibrate.scenarios()[0].name,))
    found = Calibration(
        1,
        0,
        2.0,
        curves,
        calibrate.sizes(samples=10),
        corpus.table(corpus.judge(corpus.entries()[:1])),
        CALLS,
    )
    write(dossier(line()), {}, tmp_path, found)
    text = (tmp_path / "checker.html").read_text()
    assert escape(curves[0]["scenario"]) in text
    assert all(escape(row["mean of"]) in text for row in found.sizes)
    assert f"<td>{corpus.entries()[0].mechanism}<td>false" in text
    assert [row["paper"] for row in CALLS if row["paper"] in text] == ["20 bounds", "all of one claim"]
    assert "earlier version" not in text
    check_pages(tmp_path)
    write(dossier(line()), {}, tmp_path, replace(found, of_this_code=False))
    assert "Measured with an earlier version of the checker" in (tmp_path / "checker.html").read_text()


def test_the_gallery_begins_with_what_is_reproduced(tmp_path: Path) -> None:
    sims = catalog.simulations()
    theirs = [f for f in catalog.figures().values() if f.ordering and f.key.startswith(f"{PAPER}/")]
    results = {
        k: execute(prepare(sims[k], Options("quick", horizon=2, runs=2)), "numpy")
        for f in theirs
        for k in f.needs
    }
    found = replace(dossier(line()), results=results)
    images = {f.key: tmp_path / f"{f.key.replace('/', '-')}.svg" for f in found.figures[PAPER]}
    for path in images.values():
        path.write_text("<svg/>")
        path.with_suffix(".csv").write_text("panel,curve,x,y\n")
    write(found, images, tmp_path)
    text = (tmp_path / "gallery.html").read_text()
    for figure in theirs:
        order = figure.order(results)
        word = "as in the paper" if order.holds else "not as in the paper"
        assert f"{word}</span> {prose(order.says)} {prose(order.why)}" in text
    check_pages(tmp_path)


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    taken = said("report", PAPER, "--store", str(tmp_path), "--out", str(tmp_path / "file"))
    assert taken.status == 2
    assert re.search(r"cannot create the folder .*file", taken.text)
    theorem = said("report", THEOREM.key, "--store", str(tmp_path), "--out", str(tmp_path / "out"))
    assert theorem.status == 2
    assert "a report is about papers" in theorem.text


def test_a_figure_without_results_is_left_out(tmp_path: Path) -> None:
    assert dossier(line()).figures[PAPER] == ()
    write(dossier(line()), {}, tmp_path)
    assert "None: their simulations are not in the store." in (tmp_path / "gallery.html").read_text()


@pytest.mark.parametrize(
    ("latex", "same"),
    [
        (r"\binom52", r"\binom{5}{2}"),
        (r"\frac{\eta}24", r"\frac{\eta}{2}4"),
        (r"\frac12 x", r"\frac{1}{2} x"),
        (r"\sqrt12", r"\sqrt{1}2"),
        (r"\sqrt[3]12", r"\sqrt[3]{1}2"),
        (r"x^12 + y_34", r"x^{1}2 + y_{3}4"),
        (r"\operatorname{arg\,min} f", r"\operatorname{arg}\,\operatorname{min} f"),
        (r"\operatorname*{arg\,max} f", r"\operatorname{arg}\,\operatorname{max} f"),
    ],
)
def test_an_argument_is_what_tex_takes_for_one(latex, same):
    assert mathml(latex) == mathml(same)


@pytest.mark.parametrize(
    "relation", [r"\leqslant", r"\geqslant", r"\sim", r"\iff", r"\implies", r"\preceq", r"\ll"]
)
def test_relations_have_the_space_of_operators(relation):
    assert "<mo>" in mathml(f"a {relation} b")
