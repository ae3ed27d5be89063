"""The generated parts of the project's paper: what is escaped, that TeX accepts it, that --check notices a change."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from workbench.claims.claims import Bound, Claim, Custom, Results, caught
from workbench.claims.plan import UNPLANNED, Plan
from workbench.cli.app import app
from workbench.evidence.verdicts import Decision, Finding, Verdict
from workbench.homes.usage import UsageError
from workbench.ledger.graph import link
from workbench.report import calibration_results, paper, tex
from workbench.report.card import About, Card, Outcome, Row
from workbench.report.dossier import Dossier, says_what, short
from workbench.report.drawing.figure import Order, Table
from workbench.report.latex import (
    Tex,
    code,
    environment,
    escape,
    exponent,
    formula,
    interval,
    number,
    prose,
    summands,
)
from workbench.report.summary import Summary, counts_in_words, numbers_shown
from workbench.run import catalog
from workbench.run.options import Options
from workbench.run.store.results import Store
from workbench.theory import vocabulary
from workbench.theory.record import Theorem
from workbench.verdicts.verify import Line

MAIN = Path(__file__).parent.parent / "paper" / "main.tex"
NEEDS_TEX = pytest.mark.skipif(tex.problem() is not None, reason=f"{tex.problem()}")
# One of the paper with the fewest theorems: typesetting bounds takes most of the time.
THEOREM = min(
    (t for t in catalog.theorems().values() if t.cases),
    key=lambda t: (sum(x.paper == t.paper for x in catalog.theorems().values()), t.key),
)
PAPER = THEOREM.paper.key
OPTIONS = Options(profile="quick")


def said(*arguments: str) -> SimpleNamespace:
    found = CliRunner().invoke(app, list(arguments))
    return SimpleNamespace(status=found.exit_code, text=found.output)


def compiles(body: str, folder: Path) -> str:
    """The log of a document with the preamble of the paper and this body."""
    preamble = MAIN.read_text().partition(r"\input{generated/numbers}")[0]
    (folder / "small.tex").write_text(f"{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n")
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "small.tex"]
    done = subprocess.run(call, cwd=folder, capture_output=True, check=False)
    log = done.stdout.decode(errors="replace")
    assert done.returncode == 0, log[-1500:]
    return log


# ------------------------------------------------------------------------------------------------- what is escaped


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=30))
def test_no_text_reaches_tex_unescaped(text: str) -> None:
    made = escape(text)
    # What is left after the commands that stand for special letters has no meaning for TeX.
    left = re.sub(r"\\(?:[{}$&#%_]|[a-z]+\{\})|\{\}", "", made)
    assert not set(left) & set("\\{}$&#%_^~\n\x00")
    assert "--" not in made


@given(st.text(alphabet="xyT_^-+*/()<>=|~ 123aeltdopmns.,sigma", max_size=60))
def test_prose_keeps_every_letter(text: str) -> None:
    """Setting a formula changes its look only: braces balance, and what is read is what was written."""
    made = prose(text)
    depth = 0
    for token in re.findall(r"\\[{}]|[{}]", made):
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
    assert depth == 0
    assert made.count("$") % 2 == 0
    assert set(re.findall(r"\d", text)) == set(re.findall(r"\d", made))


def test_formulas_in_ascii_are_set() -> None:
    assert prose("T^-1/4 <= eps") == r"T\textsuperscript{$-$1/4} $\le$ $\varepsilon$"
    assert prose("T^-0.19") == r"T\textsuperscript{$-$0.19}"
    assert prose("t^-(1/2 - p)") == r"t\textsuperscript{$-$(1/2 $-$ p)}"
    assert prose("log(d t^2/delta)") == r"log(d t\textsuperscript{2}/$\delta$)"
    assert prose("eta_(t-1), F_*") == r"$\eta$\textsubscript{t$-$1}, F\textsubscript{*}"
    assert prose("last_inner_gap of ab_cd/sim-e") == r"last\_inner\_gap of ab\_cd/sim-e"
    assert prose("sigma_x_bar, sigma_low") == r"$\bar{\sigma}_{x}$, $\underline{\sigma}$"
    assert prose("f_next, E_gxyT, lower_bar") == r"f\textsubscript{next}, E\textsubscript{gxyT}, lower\_bar"
    assert prose("T = 1e5, calF(x)") == r"T = $10^{5}$, $\mathcal{F}$(x)"
    assert escape("snow \u2603") == "snow U+2603"


def test_numbers() -> None:
    assert number(1e5) == "$10^{5}$"
    assert number(-0.25) == "$-0.25$"
    assert number(12345.0) == r"$1.23\cdot 10^{4}$"
    assert number(math.nan) == number(None) == "--"
    assert interval(-0.26, 2e6) == r"$[-0.26,\,2\cdot 10^{6}]$"
    assert exponent(-1 / 3) == "$-1/3$"
    assert code("a/b_c") == r"\texttt{a/\allowbreak{}b\_\allowbreak{}c}"


def test_numbers_below_ten_thousand_have_no_power_of_ten() -> None:
    assert [number(x, 2) for x in (100, 99.7, 1234, -0.0)] == ["$100$", "$100$", "$1234$", "$0$"]
    assert interval(88, 100, 2) == r"$[88,\,100]$"


def test_limits_that_are_infinite() -> None:
    assert interval(-math.inf, 2.0) == r"$[-\infty,\,2]$"
    assert interval(math.inf, math.inf) == interval(math.nan, math.nan) == ""


def test_what_is_nothing_beside_what_it_is_compared_with_is_zero() -> None:
    """The other way round a small number means something: one bound is a millionth of another."""
    exact = line(-1.6e-7)
    assert numbers_shown(exact)[0] == 0.0
    assert numbers_shown(line(-1e-3))[0] == -1e-3
    bound = replace(exact.decision.finding, evidence="bound")
    assert numbers_shown(replace(exact, decision=replace(exact.decision, finding=bound)))[0] == -1.6e-7


def test_a_term_that_a_line_has_no_room_for_is_broken() -> None:
    long = " + ".join(rf"\frac{{x_{{{i}}} + y}}{{z}}" for i in range(12))
    made = formula("b", rf"c + \frac{{u \left({long}\right)}}{{v}}")
    assert made.startswith(
        r"\maxbox{\linewidth}{$\displaystyle b = c$} \wholeor{\maxbox{\linewidth}{$\displaystyle {}+ \frac{u"
    )
    assert r"{$\displaystyle \frac{x_{11} + y}{z}\Bigr){}$}" in made
    assert r"\frac{1}{v} u \Bigl(" in made


def test_a_sum_is_taken_apart_outside_brackets_only() -> None:
    assert summands(r"b = \frac{x + y}{z} + \left(u - v\right) w - c") == [
        r"b = \frac{x + y}{z}", r"+ \left(u - v\right) w", "- c",
    ]  # fmt: skip


def test_a_template_escapes_what_is_not_latex() -> None:
    text = environment().from_string("<< a >> << b >> << a | prose >>").render(a="x_1 & $", b=Tex(r"\q"))
    assert text == r"x\_1 \& \$ \q x\textsubscript{1} \& \$"


# ------------------------------------------------------------------------------------------------ a small dossier


def line(
    value: float = -0.49, verdict: Verdict = Verdict.HOLDS, about: str = THEOREM.key, name: str = "a"
) -> Line:
    finding = Finding(
        "rate",
        claimed=-0.5,
        value=value,
        low=-0.52,
        high=-0.46,
        p_if_wrong=0.0,
        p_if_right=1.0,
        runs=8,
        horizon=100.0,
    )
    claim = Custom(about, "rate", name, lambda results: finding)
    return Line(claim, Decision(finding, verdict, -0.52, -0.46, 0.001, sensitivity=0.1), 1.0)


def dossier(*lines: Line) -> Dossier:
    lemmas = {k: x for k, x in catalog.lemmas().items() if x.paper.key == PAPER}
    few = dict(list(lemmas.items())[:3])
    return Dossier(lines, {k: link(x, {}) for k, x in few.items()}, {}, {}, "quick", 0)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """`collect` gives two lines, and errata are left out: their exact checks are tested elsewhere."""
    monkeypatch.setattr(Dossier, "errata", lambda self, key: [])
    monkeypatch.setattr(
        paper, "collect", lambda *_: dossier(line(), line(-0.123, Verdict.VIOLATED, name="100 % & b_1"))
    )


def written(folder: Path) -> Path:
    paper.write([PAPER], OPTIONS, Store(folder / "store"), folder, folder / "drawn", lambda said: None)
    return folder / paper.GENERATED


def checked(folder: Path, options: Options = OPTIONS) -> list[str]:
    return paper.check([PAPER], options, Store(folder / "store"), folder, lambda said: None)


@pytest.mark.usefixtures("small")
def test_a_changed_number_is_noticed(tmp_path: Path) -> None:
    out = written(tmp_path)
    assert checked(tmp_path) == []
    file = out / "lines.tex"
    file.write_text(file.read_text().replace("-0.123", "-0.321"))
    (out / paper.MACHINE).write_text(f"{(out / paper.MACHINE).read_text()}% another computer\n")
    (out / "left-out.tex").unlink()
    missing, changed = checked(tmp_path)
    assert missing == f"{out / 'left-out.tex'} is missing"
    assert re.fullmatch(
        rf"{re.escape(str(file))}, line \d+, has .*-0\.321.* where the store gives .*-0\.123.*", changed
    )
    with pytest.raises(UsageError, match=r"was made from profile quick, seed 0; compare it with the same"):
        checked(tmp_path, Options(profile="default"))


@pytest.mark.usefixtures("small")
def test_only_files_of_the_workbench_are_touched(tmp_path: Path) -> None:
    out = written(tmp_path)
    (out / "old.tex").write_text(f"{paper.MARK} from profile quick, seed 0.\n")
    (out / "notes.txt").write_text("mine")
    written(tmp_path)
    assert not (out / "old.tex").exists()
    assert (out / "notes.txt").read_text() == "mine"
    (out / "mine.tex").write_text("mine")
    with pytest.raises(UsageError, match=r"mine\.tex was not written by the workbench"):
        written(tmp_path)
    with pytest.raises(UsageError, match="holds no generated text"):
        checked(tmp_path / "elsewhere")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    taken = said("report", "--paper", str(tmp_path / "file"), "--store", str(tmp_path))
    assert taken.status == 2
    assert re.search(r"cannot create the folder .*file", taken.text)
    alone = said("report", "--pdf")
    assert alone.status == 2
    assert "--pdf compiles the document of --paper" in alone.text


def test_without_tex_a_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(
        tex.TexError, match=r"main\.pdf was not made: no TeX is installed; .*apt-get install .*latexmk"
    ):
        tex.compile_pdf(tmp_path / "main.tex")


@pytest.mark.usefixtures("small")
def test_every_file_that_the_text_inputs_is_written(tmp_path: Path) -> None:
    out = written(tmp_path)
    asked = re.findall(r"\\input\{generated/([\w-]+)\}", MAIN.read_text())
    assert {f"{name}.tex" for name in asked} <= {path.name for path in out.iterdir()}
    macros = set(re.findall(r"\\(wb[A-Za-z]+)", MAIN.read_text()))
    defined = set(re.findall(r"\\newcommand\{\\(wb[A-Za-z]+)\}", (out / "numbers.tex").read_text()))
    assert macros <= defined
    assert not re.search(r"(?<![\w.^{-])\d{2,}(?![\w.}]|mm|pt)", _prose_of(MAIN)), (
        "a number was typed by hand"
    )


@pytest.mark.usefixtures("small")
def test_the_person_reads_the_verdicts_and_the_rest_is_a_supplement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of all theorems comes before anything else that was found; what counts lines one by one comes last."""
    body, supplement = MAIN.read_text().split(r"\appendix")
    order = [
        body.index(rf"\input{{generated/{name}}}")
        for name in ("verdicts", "overview", "digests", "reproduced")
    ]
    assert order == sorted(order)
    assert not set(re.findall(r"\\input\{generated/([\w-]+)\}", body)) & {
        "papers",
        "errata",
        "lines",
        "bounds",
        "slack",
    }
    assert {"papers", "errata", "lines", "bounds", "slack"} <= set(
        re.findall(r"\\input\{generated/([\w-]+)\}", supplement)
    )
    card = Card(
        THEOREM.key,
        "A & B",
        "L1",
        (Row(About.RATE, "rate T^-1/2", Outcome.UNDECIDED, "100 %", "T^-1/2"),),
        True,
    )
    monkeypatch.setattr(paper, "collect", lambda *_: replace(dossier(line()), cards={THEOREM.key: card}))
    out = written(tmp_path)
    table, digest = ((out / f"{name}.tex").read_text() for name in ("verdicts", "digests"))
    name = short(THEOREM.key)
    assert name + r" & A \& B & not decided &  &  &  &  &  \\" in table
    assert rf"\paragraph{{{name}: A \& B.}} \emph{{Rate}}: T\textsuperscript{{$-$1/2}} not decided" in digest
    assert r"\item[not decided]" not in digest
    assert r"1 leave something undecided" in (out / "found.tex").read_text()
    assert prose(THEOREM.paper.title) in digest


def test_what_the_abstract_counts() -> None:
    """Of what a paper prints; a repaired form that is refuted counts nowhere."""
    rows = (
        Row(About.RATE, "rate T^-1/2", Outcome.ATTAINED, ""),
        Row(About.BOUND, "bound as printed", Outcome.REFUTED, ""),
        Row(About.FROM_BOUND, "rate from the bound (as printed)", Outcome.REFUTED, ""),  # not along runs
        Row(About.REPAIR, "proof as repaired", Outcome.FAILS, "", printed=False),
    )
    counts = paper.answer_of(Card("a/thm-1", "A", "", rows, True))
    assert {name for name, is_so in counts.items() if is_so} == {"refuted_bound", "attained", "not_given"}


def _prose_of(path: Path) -> str:
    """The text of the document without its preamble, mathematics, references and names of files."""
    body = path.read_text().partition(r"\begin{document}")[2]
    return re.sub(r"\$[^$]*\$|\\(?:ref|input|label)\{[^}]*\}|L\d+|line \d+", "", body)


@NEEDS_TEX
@pytest.mark.usefixtures("small")
def test_tex_accepts_the_tables(tmp_path: Path) -> None:
    out = written(tmp_path)
    names = ("numbers", "overview", f"paper-{PAPER}", "lines", "left-out", "machine", "bounds")
    log = compiles("\n".join(rf"\input{{generated/{name}}}" for name in names), tmp_path)
    assert r"100 \% \& b" in (out / "lines.tex").read_text()
    assert tex.too_wide(log) == ""


@NEEDS_TEX
def test_tex_accepts_a_table_of_a_figure(tmp_path: Path) -> None:
    wide = ("a long cell of a table",) * 9
    table = Table(
        ("method", "T^1/2 & more", *wide), (("A", "1.388 ± 0.052", *wide), ("B_c", "1.2e4 (T^1.10)", *wide))
    )
    order = Order(False, "Ahead in 50 % & less.", "Likely reason: x_t is drawn anew.")
    figure = {
        "key": "a/fig-1", "title": "A", "source": "Table 1", "text": "Text.", "table": table, "order": order,
    }  # fmt: skip
    made = (
        environment()
        .get_template("captions.tex")
        .render(sections=[{"cited": "A and B", "figures": [figure]}])
    )
    assert made.count(r" \\") == 3
    assert r"Ahead in 50 \% \& less. \emph{Why.} Likely reason: x\textsubscript{t} is drawn anew." in made
    assert "longtable" not in made  # without a caption it would take a number
    assert r"1.388 \textpm{} 0.052" in made
    assert tex.too_wide(compiles(made, tmp_path)) == ""


@NEEDS_TEX
@settings(max_examples=1, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=40), min_size=300, max_size=300))
def test_tex_accepts_any_text(texts: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        compiles("\n\n".join(f"x{escape(t)} {prose(t)} {code(t)}" for t in texts), Path(folder))


# --------------------------------------------------------------------------------------------------- its sources


def test_void_lines_are_counted_apart() -> None:
    void = replace(line(), void="repeats another")
    assert (
        counts_in_words([line(), line(), void, line(verdict=Verdict.VIOLATED)])
        == "2 hold, 1 violated, 1 void"
    )
    assert counts_in_words([void]) == "1 void"


@dataclass(frozen=True)
class Joint(Claim):
    """Two bounds at once, as a paper's own module may have them."""

    first: Bound
    second: Bound
    key: str = THEOREM.key
    evidence: str = "bound"
    experiment: str = "both"
    needs: tuple[str, ...] = ()

    @property
    def bound(self) -> Bound:
        return self.first

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        raise AssertionError("no report asks for it")


def test_bounds_that_are_tested_jointly_have_slack_and_form() -> None:
    form = THEOREM.forms[0].name
    sim = next(iter(catalog.simulations().values()))
    one = Bound(THEOREM, form, sim, "a quantity")
    joint = Joint(one, replace(one, metric="another"))
    assert joint.bound is one.bound is one
    assert caught(joint).bound is caught(one).bound is None
    about = line()
    finding = replace(about.decision.finding, evidence="bound", slack=7.0)
    found = Summary(
        THEOREM, (replace(about, claim=joint, decision=replace(about.decision, finding=finding)),)
    )
    assert (found.bound_forms, found.slack) == (form, (7.0, 7.0))


def test_what_a_statement_already_says_is_not_said_again() -> None:
    said = replace(THEOREM, statement="mean of $a$ is small, $a$ the gap", metric="mean of $a$, $a$ the gap")
    assert says_what(said)
    assert not says_what(replace(said, metric="mean of $a$, $a$ the loss"))


@pytest.mark.parametrize("theorem", catalog.theorems().values(), ids=lambda t: t.key)
def test_what_is_defined_has_a_name(theorem: Theorem) -> None:
    """Not an expression: "(1 - rho) = 1 - rho" defines nothing."""
    for form in theorem.forms:
        names = {
            symbol: {**vocabulary.LATEX, **theorem.notation}.get(symbol, "") for symbol, _ in form.definitions
        }
        assert not [name for name in names.values() if re.search(r"^\(|[+=]", name)]


def test_errata_stand_in_the_order_of_their_numbers() -> None:
    for key in {x.paper.key for x in catalog.lemmas().values()}:
        labels = [row["key"] for row in dossier(line()).errata(key)]
        assert labels == sorted(labels, key=lambda k: [int(n) for n in re.findall(r"\d+", k.split("/")[1])])


def test_an_order_that_is_found_in_part() -> None:
    assert Order(True, "It is.").outcome == "reproduced"
    assert Order(False, "Not in full.", partly=True).outcome == "in part"
    assert Order(False, "Not in full.").outcome == "not reproduced"


def test_a_page_that_something_runs_off_is_told() -> None:
    little = "Overfull \\hbox (3.2pt too wide) in paragraph at lines 1--2\n"
    much = "Overfull \\hbox (87.01pt too wide) in alignment at lines 64--76\n"
    assert tex.too_wide(little + much) == "something runs off the page, by 87 pt in alignment at lines 64--76"
    assert tex.too_wide(little) == ""


def test_groups_of_a_theorem() -> None:
    lines = line(), line(-0.4, Verdict.VIOLATED)
    (group,) = Summary(THEOREM, lines).groups()
    assert (group.name, group.printed, counts_in_words(group.lines)) == (
        "other curves and ratios",
        "$-0.5$",
        "1 holds, 1 violated",
    )
    assert group.measured is lines[0]


def test_an_outcome_of_the_calibration_is_kept_while_the_code_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = calibration_results.Calibration(2, 0, 0.0, [{"scenario": "a", "ok": True}], [], [], [])
    assert calibration_results.load(tmp_path) is None
    calibration_results.save(made, tmp_path)
    assert calibration_results.load(tmp_path) == made
    shipped, empty = tmp_path / calibration_results.NAME, tmp_path / "empty"
    assert calibration_results.at_hand(empty, shipped) == made
    monkeypatch.setattr(calibration_results, "code_hash", lambda modules: "other")
    assert calibration_results.load(tmp_path) is None
    assert calibration_results.at_hand(empty, shipped) == replace(made, of_this_code=False)
    shipped.write_text("[]")
    assert calibration_results.load(tmp_path) is None
    assert calibration_results.at_hand(empty, shipped) is None


def test_verdicts_by_seed_are_read_from_their_table(tmp_path: Path) -> None:
    rows = "| seed | claims |\n| --- | --- |\n| 1 | a \\| b |\n| 2 | 7 |\n"
    (tmp_path / "quick.md").write_text(f"About.\n\n{rows}\n2 calls, 14 verdicts.\n")
    (tmp_path / "empty.md").write_text("nothing")
    (found,) = calibration_results.by_seed(tmp_path)
    assert found == calibration_results.Seeds(
        "quick", ["seed", "claims"], [["1", "a | b"], ["2", "7"]], "2 calls, 14 verdicts."
    )
