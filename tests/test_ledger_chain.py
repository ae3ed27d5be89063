"""The chain of a proof, the studies of its sharpness, and the commands that show them."""

import json
from dataclasses import replace

import pytest
from sympy import Integer, Le, Rational, exp, log, symbols
from sympy_lines import POSITIVE, Constant, Identity, Inequality, LinearProgram, closed
from sympy_lines import link as link_of
from typer.testing import CliRunner

from workbench.evidence.verdicts import Verdict
from workbench.ledger import certificate, checkers, outcomes, study
from workbench.ledger.brackets import brackets
from workbench.ledger.checks import decide
from workbench.ledger.graph import Status, chain, check_links, link, users
from workbench.ledger.mutants import Mutant, kill_rate, mutants, run
from workbench.ledger.statements import statement
from workbench.run import catalog
from workbench.theory.lemma import AlongTrajectory
from workbench.theory.record import Paper

x, y, c = symbols("x y c", positive=True)
a = symbols("a", real=True)
u = symbols("u")
PAPER = Paper("demo", "Demo", "Nobody", "nowhere")
YOUNG = Inequality(
    "young",
    x * y,
    c * (x**2 + y**2),
    {x: POSITIVE, y: POSITIVE},
    constants=(Constant(c, Rational(1, 2)),),
    shows="statement",
)
WRONG = Inequality(
    "as printed", x, x / 2, {x: POSITIVE}, shows="statement", expected="violated", erratum="E1"
)
MENDED = Inequality("mended", x / 2, x, {x: POSITIVE}, shows="statement", form="repaired", erratum="E1")
RUN = AlongTrajectory("runs", x, y, ("demo/sim-1",), shows="statement")
LINE = Inequality("a line", x / 2, x, {x: POSITIVE})
SUM = Identity("3 nines", 3 * Integer(9), Integer(27), shows="arithmetic")


def lemma(name, *checks, uses=(), **rest):
    return link_of(PAPER, name, name, "L1", "s", uses, *checks, **rest)


CHAIN = {
    x_.key: x_
    for x_ in (
        lemma("thm-1", YOUNG, uses=("lem-1", "lem-2", "asm-1")),
        lemma("lem-1", WRONG, MENDED, uses=("lem-3",)),
        lemma("lem-2", RUN, uses=("lem-3",)),
        lemma("lem-3", quoted=True),
    )
}
GOOD = {
    ("demo/thm-1", "young"): "holds",
    ("demo/lem-1", "as printed"): "violated",
    ("demo/lem-1", "mended"): "holds",
    ("demo/lem-2", "runs"): "holds",
}


def test_who_uses_whom_is_derived():
    assert users(CHAIN)["demo/lem-3"] == ("demo/lem-1", "demo/lem-2")
    assert users(CHAIN)["demo/thm-1"] == ()
    assert [x_.key for x_ in chain(CHAIN, "demo/thm-1")] == list(CHAIN)
    assert [x_.key for x_ in chain(CHAIN, "demo/lem-2")] == ["demo/lem-2", "demo/lem-3"]


def test_unknown_uses_and_circles_are_refused():
    check_links(CHAIN, ["demo/asm-1"])
    with pytest.raises(ValueError, match="uses demo/asm-1, which is neither a lemma"):
        check_links(CHAIN, [])
    circle = {**CHAIN, "demo/lem-3": lemma("lem-3", uses=("lem-1",))}
    with pytest.raises(ValueError, match=r"circular proof: .*lem-1 uses demo/lem-3"):
        check_links(circle, ["demo/asm-1"])


@pytest.mark.parametrize(
    ("key", "change", "status", "repaired"),
    [
        ("demo/thm-1", {}, Status.CERTIFIED, Status.CERTIFIED),
        ("demo/lem-1", {}, Status.FALSE, Status.CERTIFIED),
        ("demo/lem-2", {}, Status.TESTED, Status.TESTED),
        ("demo/lem-3", {}, Status.QUOTED, Status.QUOTED),
        ("demo/lem-1", {("demo/lem-1", "mended"): "violated"}, Status.BROKEN, Status.BROKEN),
        ("demo/lem-1", {("demo/lem-1", "as printed"): "holds"}, Status.BROKEN, Status.CERTIFIED),
        ("demo/lem-2", {("demo/lem-2", "runs"): "inconclusive"}, Status.OPEN, Status.OPEN),
    ],
)
def test_status(key, change, status, repaired):
    found = link(CHAIN[key], {**GOOD, **change})
    assert (found.status, found.repaired) == (status, repaired)
    unmade = {k: v for k, v in GOOD.items() if k[0] != key}
    assert link(CHAIN[key], unmade).status == (Status.QUOTED if CHAIN[key].quoted else Status.UNMEASURED)


@pytest.mark.parametrize(
    ("checks", "status", "repaired"),
    [
        ((), Status.UNCHECKED, Status.UNCHECKED),
        ((SUM,), Status.ARITHMETIC, Status.ARITHMETIC),  # 3 * 9 = 27 promotes nothing
        ((LINE, SUM), Status.LINES, Status.LINES),
        ((replace(RUN, shows="line"),), Status.LINES, Status.LINES),
        ((YOUNG, LINE, SUM), Status.CERTIFIED, Status.CERTIFIED),
        ((replace(YOUNG, shows="arithmetic"),), Status.ARITHMETIC, Status.ARITHMETIC),
        (
            (replace(YOUNG, form="own"), LINE),
            Status.LINES,
            Status.CERTIFIED,
        ),  # a statement of this project's is not the printed one
        ((RUN, LINE), Status.TESTED, Status.TESTED),
        ((RUN, YOUNG), Status.CERTIFIED, Status.CERTIFIED),
        ((replace(WRONG, shows="line"),), Status.PROOF_WRONG, Status.UNCHECKED),
        ((replace(WRONG, shows="line"), YOUNG), Status.PROOF_LINE, Status.CERTIFIED),
        ((replace(WRONG, shows="line"), RUN), Status.PROOF_TESTED, Status.TESTED),
        ((replace(WRONG, shows="line"), MENDED), Status.PROOF_WRONG, Status.CERTIFIED),
        ((WRONG, MENDED, LINE), Status.FALSE, Status.CERTIFIED),
    ],
)
def test_what_the_checks_of_a_link_show(checks, status, repaired):
    held = lemma("lem-9", *checks)
    found = link(held, {("demo/lem-9", c.name): c.expected for c in checks})
    assert (found.status, found.repaired) == (status, repaired)


def test_a_link_of_this_project_has_no_printed_statement():
    own = lemma("own-9", replace(YOUNG, form="own"), LINE)
    found = link(own, {(own.key, c.name): "holds" for c in own.checks})
    assert (found.status, found.repaired) == (Status.CERTIFIED, Status.CERTIFIED)


def test_a_link_with_a_line_that_was_not_measured_is_not_certified():
    held = lemma("lem-9", YOUNG, RUN)
    assert link(held, {("demo/lem-9", "young"): "holds"}).status == Status.UNMEASURED


def test_a_quoted_link_with_arithmetic_stays_quoted():
    held = lemma("lem-9", SUM, quoted=True)
    assert link(held, {("demo/lem-9", SUM.name): "holds"}).status == Status.QUOTED


def test_a_false_statement_names_the_errata_that_refute_it():
    line = replace(WRONG, name="a wrong line", shows="line", erratum="E2")
    both, alone = lemma("lem-9", WRONG, MENDED, line), lemma("lem-9", YOUNG, line)
    decided = {("demo/lem-9", c.name): c.expected for c in (*both.checks, YOUNG)}
    assert link(both, decided).words == "false as printed (E1); repaired: certified"
    assert link(alone, decided).words == "proof line wrong, statement holds (E2)"


# ------------------------------------------------------------------------------------------------ brackets


def test_a_tight_constant_is_bracketed_tightly():
    found = brackets(YOUNG)[0]
    assert found.certified == Rational(1, 2)
    assert Rational(48, 100) < found.refuted < Rational(1, 2)


def test_a_loose_constant_is_found_loose():
    loose = Inequality("i", x * exp(-x), c, {x: POSITIVE}, constants=(Constant(c, 16),))
    found = brackets(loose)[0]
    assert 1 / 2.72 < found.certified < 0.385
    assert 0.35 < found.refuted < 1 / 2.71
    assert str(found) == f"c = 16 can be {found.certified}, not {found.refuted}"


def test_a_constant_too_small_is_bracketed_from_the_other_side():
    small = Inequality("i", x + y, c, {x: UNIT_OPEN, y: UNIT_OPEN}, constants=(Constant(c, 1),))
    found = brackets(small)[0]
    assert found.certified == 2
    assert 1.9 < found.refuted < 2


def test_a_lower_bound_has_its_constant_on_the_other_side():
    lower = Inequality(
        "i", c * x / (1 + x), log(1 + x), {x: POSITIVE}, constants=(Constant(c, Rational(1, 4), "larger"),)
    )
    found = brackets(lower)[0]
    assert 0.97 < found.certified <= 1
    assert 1 < found.refuted < 1.1


UNIT_OPEN = closed("1/100", 1)


# ------------------------------------------------------------------------------------------------- mutants


def test_mutants_differ_from_the_original_and_cover_all_kinds():
    made = mutants(Inequality("i", sqrt_of(x), 1 + 2 * x * y, {x: POSITIVE, y: POSITIVE}), at_most=20)
    kinds = {label.split(": ")[1] for label, _ in made}
    assert kinds == {"sign", "constant", "factor", "exponent"}
    original = statement(Inequality("i", sqrt_of(x), 1 + 2 * x * y, {x: POSITIVE, y: POSITIVE}))
    assert all(statement(t) != original for _, t in made)


def sqrt_of(e):
    return e ** Rational(1, 2)


def test_a_tight_statement_kills_its_mutants():
    square = Identity("square", (x + y) ** 2, x**2 + 2 * x * y + y**2)
    program = LinearProgram("p", u, (Le(u, 3),), 3)
    found = run(lemma("lem-9", YOUNG, square, program))
    assert len(found) > 15
    assert kill_rate(found) == 1.0


def test_a_slack_statement_has_true_mutants_and_they_are_proved():
    found = run(lemma("lem-9", Inequality("i", x * exp(-x), Integer(16), {x: POSITIVE})))
    true = [t for t in found if t.fate == "true"]
    assert any("16" not in t.change and "constant: 8" in t.change for t in true)


def test_printed_lines_that_are_wrong_have_no_mutants():
    assert run(lemma("lem-9", WRONG)) == []


def test_the_rate_counts_what_is_false_only():
    made = [Mutant("k", "c", "", fate) for fate in ("refuted", "refuted", "refuted", "survived", "true")]
    assert kill_rate(made) == 0.75
    assert kill_rate(made[-1:]) != kill_rate(made[-1:])  # NaN: nothing false was made


# ------------------------------------------------------------------------------------------------ outcomes kept


@pytest.fixture
def forgetful(monkeypatch):
    monkeypatch.setattr(outcomes, "_outcomes", {})
    monkeypatch.setattr(study, "_studies", {})


def test_outcomes_are_kept_and_a_damaged_file_is_made_again(tmp_path, forgetful, monkeypatch):
    held = lemma("lem-1", YOUNG, WRONG)
    items = [(held, check) for check in held.checks]
    first = outcomes.ensure(items, tmp_path, 1)
    assert first["demo/lem-1", "young"].verdict == Verdict.HOLDS
    assert first["demo/lem-1", "as printed"].verdict == Verdict.VIOLATED
    files = sorted((tmp_path / "ledger").glob("*.json"))
    assert len(files) == 2
    outcomes._outcomes.clear()
    real = outcomes._compute
    monkeypatch.setattr(outcomes, "_compute", lambda missing, jobs: pytest.fail("again") if missing else [])
    assert outcomes.ensure(items, tmp_path) == first
    monkeypatch.setattr(outcomes, "_compute", real)
    files[0].write_bytes(files[0].read_bytes()[:-20])
    outcomes._outcomes.clear()
    assert {k: v.verdict for k, v in outcomes.ensure(items, tmp_path).items()} == {
        k: v.verdict for k, v in first.items()
    }
    json.loads(certificate.unseal(files[0].read_bytes()))


def test_a_statement_of_two_lemmas_is_decided_once(tmp_path, forgetful, monkeypatch):
    """Whichever of them comes first."""
    one, two = lemma("lem-1", YOUNG), lemma("lem-2", YOUNG)
    items, seen = [(one, YOUNG), (two, YOUNG)], []
    outcomes.ensure(items, tmp_path, 1, lambda lemma, check: seen.append(lemma.key))
    assert seen == ["demo/lem-1", "demo/lem-2"]
    assert len(list((tmp_path / "ledger").glob("*.json"))) == 1
    monkeypatch.setattr(outcomes, "_compute", lambda missing, jobs: pytest.fail("again") if missing else [])
    for order in (items, items[::-1], items[:1]):
        outcomes._outcomes.clear()
        assert {v.verdict for v in outcomes.ensure(order, tmp_path).values()} == {Verdict.HOLDS}


@pytest.mark.parametrize("body", [b"null", b"[]", b"3", b'{"key": 1}', b"[" * 100_000, b"\xff", None])
def test_a_sealed_file_that_holds_no_outcome_counts_as_missing(tmp_path, forgetful, body):
    held = lemma("lem-1", YOUNG)
    outcomes.ensure([(held, YOUNG)], tmp_path, 1)
    (file,) = (tmp_path / "ledger").glob("*.json")
    key, record = outcomes.content_key(YOUNG), json.loads(certificate.unseal(file.read_bytes()))
    assert outcomes._read(tmp_path, held, YOUNG, key) is not None
    wrong = json.dumps({**record, "certificate": []}).encode() if body is None else body
    file.write_bytes(certificate.seal(wrong))
    assert outcomes._read(tmp_path, held, YOUNG, key) is None


def test_another_statement_or_budget_is_another_key():
    other = replace(YOUNG, constants={"c": ["q", "1/3"]})
    noted = replace(YOUNG, note="said")
    longer = replace(YOUNG, budget=9)
    assert outcomes.content_key(other) != outcomes.content_key(YOUNG)
    assert outcomes.content_key(longer) != outcomes.content_key(YOUNG)
    assert outcomes.content_key(noted) == outcomes.content_key(YOUNG)


def test_a_solver_that_was_missing_makes_another_key(monkeypatch):
    """What was left open without it is decided once it is installed."""
    there = outcomes.content_key(YOUNG)
    monkeypatch.setattr(checkers, "_release", lambda library: "" if library == "z3-solver" else "1")
    for kept in (outcomes.content_key, checkers.checkers_hash):
        kept.cache_clear()
    try:
        assert outcomes.content_key(YOUNG) != there
    finally:
        for kept in (outcomes.content_key, checkers.checkers_hash):
            kept.cache_clear()


def test_a_checker_that_never_answers_is_stopped(forgetful, monkeypatch):
    """The worker's process is stopped, the next check gets a fresh one."""
    monkeypatch.setattr(outcomes, "GRACE", -1.9)
    monkeypatch.setattr(outcomes._Worker, "give", _impatient)
    held = lemma("lem-1", Inequality("slow", exp(-x) * a, a, {x: POSITIVE, a: closed(0, 1)}, budget=1))
    (found,) = outcomes.ensure([(held, held.checks[0])], None, 1).values()
    assert found.verdict == Verdict.INCONCLUSIVE
    assert "killed" in found.note


def test_a_checker_that_is_late_once_is_asked_again(forgetful, monkeypatch):
    """As after a machine was asleep: the deadline has passed, and says nothing about the statement."""
    patient, asked = outcomes._Worker.give, []

    def give(self, key, check):
        asked.append(key)
        (_impatient if len(asked) == 1 else patient)(self, key, check)

    monkeypatch.setattr(outcomes._Worker, "give", give)
    (found,) = outcomes.ensure([(lemma("lem-1", YOUNG), YOUNG)], None, 1).values()
    assert found.verdict == Verdict.HOLDS
    assert len(asked) == 2


def _impatient(self, key, check):
    self.key, self.deadline = key, 0.0
    self.pipe.send(check)


def test_studies_are_kept(tmp_path, forgetful):
    held = lemma("lem-1", YOUNG)
    made = study.study(held)
    assert made.brackets[0][1].startswith("c = 1/2 can be 1/2, not ")
    study._keep(held, made, tmp_path)
    assert study.read(held, tmp_path) == made
    assert study.read(lemma("lem-1", WRONG), tmp_path) is None
    study.recall([held], tmp_path)
    assert study.in_memory(held) == made


# ------------------------------------------------------------------------------------------------ layout, commands


def test_list_errata_shows_both_forms(capsys):
    from workbench.cli.app import app

    shown = CliRunner().invoke(app, ["list", "--errata", "--json"])
    assert shown.exit_code == 0
    rows = {row["key"]: row for row in json.loads(shown.stdout)}
    assert rows.keys() == catalog.errata().keys()
    assert all(row["printed"] and row["right"] for row in rows.values())
    both = [k for k, row in rows.items() if {c["expected"] for c in row["checks"]} == {"holds", "violated"}]
    assert both
    text = CliRunner().invoke(app, ["list", "--errata"]).stdout
    assert all(key in text for key in both)


def test_decide_never_raises_on_a_mutant():
    for _, mutant in mutants(YOUNG, at_most=30):
        decide(mutant, 0.3)
