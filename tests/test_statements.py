"""Statements as text: what is printed is read back as the same tree, and a mistake is told with its place."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.evidence.verdicts import Verdict
from workbench.ledger import parser, printer, typed
from workbench.ledger.decide import decide_statement
from workbench.ledger.trees import Wrong

NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=7)
VARIABLES = st.sampled_from(["x", "y", "q", "sum_1", "_2", "E", "plus"])


def _trees(inner):
    some = st.lists(inner, min_size=2, max_size=3)
    powers = NUMBERS.filter(bool)
    return st.one_of(
        st.tuples(st.sampled_from(["+", "*"]), some).map(lambda p: [p[0], *p[1]]),
        st.tuples(st.sampled_from(["max", "min"]), st.lists(inner, min_size=1, max_size=3)).map(
            lambda p: [p[0], *p[1]]
        ),
        st.tuples(st.sampled_from(parser.FUNCTIONS), inner).map(list),
        st.tuples(st.just("^"), inner, powers.map(str)).map(list),
        st.tuples(st.just("^"), inner, st.sampled_from(["-1", "1/2", "-1/2", "2", "-2", "1"])).map(list),
        st.tuples(st.just("pow"), inner, inner).map(list),
        st.tuples(st.just("if"), inner, inner, inner).map(list),
        st.tuples(st.sampled_from(parser.SERIES), st.just("k"), inner, inner, inner).map(list),
        st.tuples(st.just("at"), st.just("A"), inner).map(list),
        st.tuples(st.just("call"), st.just("f"), inner, inner).map(list),
    )


LEAVES = st.one_of(
    VARIABLES, NUMBERS.map(lambda q: ["q", str(q)]), st.sampled_from([["pi"], ["e"], ["q", "1"], ["q", "-1"]])
)
TREES = st.recursive(LEAVES, _trees, max_leaves=12)


@given(TREES)
def test_a_printed_tree_is_read_back_as_it_is(tree):
    assert parser.tree(printer.text(tree)) == tree


SIDES = st.sampled_from(
    [
        ["-oo", "oo", True, True, False],
        ["-oo", "oo", True, True, True],
        ["0", "oo", False, True, False],
        ["-1/2", "oo", True, True, False],
        ["1", "oo", False, True, True],
        ["-oo", "3", True, False, False],
        ["-oo", "-3", True, False, True],
        ["0", "1", False, True, False],
        ["2", "5", False, False, True],
    ]
)


@st.composite
def _statements(draw):
    lhs, rhs, condition = (draw(TREES.filter(lambda t: "call" not in json.dumps(t))) for _ in range(3))
    box = {name: draw(SIDES) for name in ("x", "y", "q", "sum_1", "_2", "E", "plus", "k")}
    if draw(st.booleans()):
        lhs = [draw(st.sampled_from(parser.SERIES)), "j", ["q", "1"], draw(VARIABLES), lhs]
    given = [[condition, draw(st.sampled_from([">=", ">", "="]))]] * draw(st.integers(0, 1))
    s = {"kind": "inequality", "lhs": lhs, "rhs": rhs, "box": box, "given": given}
    return draw(st.sampled_from([s, parser.induction(s) or s]))


@given(_statements())
def test_a_printed_statement_is_read_back_as_it_is(s):
    assert parser.statement(printer.statement(s)) == s


@pytest.mark.parametrize(
    "line",
    [
        "(a - b)^2 = a^2 - 2*a*b + b^2 for a, b real",
        "sum(k, k, 1, n) = n*(n + 1)/2 for integer n >= 1 by induction on n",
        "A[n] = A[1]*prod(1 - c[k], k, 2, n) for integer n >= 1 by induction on n with A[n + 1] = (1 - c[n + 1])*A[n]",
        "maximum of x + 2*y + 1/2 <= 5 given x <= 1, -x + y = 2",
        "sum(1/sqrt(k), k, 1, n) <= 2*sqrt(n) for integer n >= 1",
        "sum(1/sqrt(k), k, 1, n) <= 2*sqrt(n) for integer n >= 1 without induction",
        "if(x >= 0, x, -x) <= abs(x) for x in [-1, 1)",
        "x <= 1 for x, y >= 0 given 1 - x - y >= 0",
        "f(x, 1) = f(x, 1) for x < 2",
        "1 <= 2",
    ],
)
def test_a_line_in_the_printers_form_is_printed_as_it_was(line):
    assert printer.statement(parser.statement(line)) == line


@pytest.mark.parametrize(
    ("written", "tree"),
    [
        ("-x*y", ["*", ["q", "-1"], "x", "y"]),
        ("-(x*y)", ["*", ["q", "-1"], ["*", "x", "y"]]),
        ("2 - 3*x", ["+", ["q", "2"], ["*", ["q", "-3"], "x"]]),
        ("-2^2", ["*", ["q", "-1"], ["^", ["q", "2"], "2"]]),
        ("1/2/x", ["*", ["q", "1/2"], ["^", "x", "-1"]]),
        ("x/y^2", ["*", "x", ["^", "y", "-2"]]),
        ("x/y^-2", ["*", "x", ["^", ["^", "y", "-2"], "-1"]]),  # y may not vanish, but may where y^2 is read
        ("6/4", ["q", "3/2"]),
        ("e^x", ["pow", ["e"], "x"]),
        ("x^(1/2)", ["^", "x", "1/2"]),
    ],
)
def test_how_signs_and_quotients_are_read(written, tree):
    assert parser.tree(written) == tree


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("x^2 <= y for x real", 8, "a domain of y"),
        ("x <= 2^3^4 for x real", 9, "brackets"),
        ("x < 2 for x real", 3, "an operator, <=, >= or ="),
        ("x <= (1 + 2 for x real", 13, "')'"),
        ("x <= 1.5 for x real", 7, "a number, a name or a sign"),
        ("x <= \u0661 for x real", 6, "a number, a name or a sign"),
        ("\u03b7 <= 1 for x real", 1, "a number, a name or a sign"),
        ("x <= 1/0 for x real", 8, "a divisor that is not 0"),
        ("ln(x) <= x for x > 0", 1, "a known function"),
        ("x <= 1 for e real", 12, "a variable"),
        ("x <= 1 for x in [1, 0]", 14, "a domain that is not empty"),
        ("x <= 1 for x in [0, 1], x > 0", 25, "one domain of x"),
        ("x <= 1 for x real trailing", 19, "'given'"),
        ("sqrt(x, y) <= 1 for x, y > 0", 6, "one argument of sqrt"),
        ("x = x for x real by induction on x", 34, "'integer x >= ...'"),
        ("", 1, "a number, a name or a bracket, not the end of the line"),
        ("x <=", 5, "a number, a name or a bracket, not the end of the line"),
        ("(" * 5000 + "x", 61, "brackets within brackets"),
        ("x^" + "9" * 5000 + " <= 1 for x real", 3, "a shorter number"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_was_expected(line, column, expected):
    with pytest.raises(typed.BadLine) as error:
        typed.one(line, "notes.txt", 7)
    place, _, said = str(error.value).partition(": ")
    assert (place, expected in said) == (f"notes.txt:7:{column}", True), error.value


def test_a_statement_without_one_meaning_is_refused_by_the_re_checkers_rules():
    with pytest.raises(typed.BadLine, match="-e:1: the index x has the name of a variable"):
        typed.one("x + sum(x, x, 1, 3) <= 9 for x real")


@pytest.mark.parametrize("tree", [["+", "x"], ["*", "x"], ["sure", "x", "x", "x"], ["q", "2/4"]])
def test_a_tree_without_a_form_is_not_printed(tree):
    with pytest.raises(Wrong):
        printer.text(tree)


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("sum(1/sqrt(k), k, 1, n) <= 2*sqrt(n) for integer n >= 1", Verdict.HOLDS),
        ("2*a*b <= a^2 + b^2 for a, b real", Verdict.HOLDS),
        ("x <= x^2 for x > 0", Verdict.VIOLATED),
        ("(a + b)^2 = a^2 + b^2 for a, b > 0", Verdict.VIOLATED),
        ("x/x = 1 for x real", Verdict.HOLDS),
        ("sum(k, k, 1, n) = n*(n + 1)/2 for integer n >= 1 by induction on n", Verdict.HOLDS),
        ("prod(1 - 1/(k + 1), k, 1, n) = 1/(n + 1) for integer n >= 1 by induction on n", Verdict.HOLDS),
        ("A[n] = 2^(n - 1)*A[1] for integer n >= 1 by induction on n with A[n + 1] = 2*A[n]", Verdict.HOLDS),
        (
            "A[n] = 3^(n - 1)*A[1] for integer n >= 1 by induction on n with A[n + 1] = 2*A[n]",
            Verdict.VIOLATED,
        ),
        ("maximum of x + 2*y = 3 given x <= 1, y <= 1", Verdict.HOLDS),
        ("maximum of x + 2*y = 2 given x <= 1, y <= 1", Verdict.VIOLATED),
    ],
)
def test_typed_statements_are_decided_without_a_record(line, verdict):
    assert decide_statement(typed.one(line).statement).verdict == verdict


# ------------------------------------------------------------------------------------------------ command


def _ledger(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "workbench", "ledger", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_line_is_answered_and_shown_as_it_was_read():
    status, out, _ = _ledger("-e", "a*b + a*b <= a^2 + b^2 for b real, a real")
    assert (status, out.splitlines()[0]) == (0, "holds: a*b + a*b <= a^2 + b^2 for a, b real")


def test_a_file_of_statements_is_answered_line_by_line(tmp_path: Path):
    notes = tmp_path / "notes.txt"
    notes.write_text(
        "# two lines\nyoung: 2*a*b <= a^2 + b^2 for a, b real\n\nx <= x^2 for x > 0  # for x >= 1\n"
    )
    status, out, _ = _ledger(str(notes))
    assert status == 1
    assert [line for line in out.splitlines() if line[0] != " "] == [
        "holds: young: 2*a*b <= a^2 + b^2 for a, b real",
        "violated: x <= x^2 for x > 0",
    ]


@pytest.mark.parametrize(
    ("content", "said", "decided"),
    [
        ("1 <= 2\nx <= \n3 <= 2", "notes.txt:2:5: expected a number", ["holds: 1 <= 2", "violated: 3 <= 2"]),
        ("# nothing\n", "no statement in it", []),
        (None, "cannot read", []),
    ],
)
def test_a_bad_line_is_a_sentence_and_status_2_and_the_others_are_decided(
    tmp_path: Path, content, said, decided
):
    notes = tmp_path / "notes.txt"
    if content is not None:
        notes.write_text(content)
    status, out, err = _ledger(str(notes))
    assert (status, said in err, err.count("\n")) == (2, True, 1), err
    assert [line for line in out.splitlines() if line[0] != " "] == decided


def test_a_line_is_decided_without_the_catalog():
    """Most of the time of an answer is imports: no paper, no simulation, no table."""
    code = (
        "import sys; from workbench.cli.app import app\n"
        "try: app(['ledger', '-e', '1 <= 2'], standalone_mode=False)\n"
        "finally: print(sorted(n for n in sys.modules if n.startswith('workbench')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "workbench.run.catalog" not in done.stdout
    assert "workbench.theorems" not in done.stdout


# What new users typed, copied from papers: what to write instead is said.
HABITS = {
    "t^{-p} <= 1 for t >= 1, p > 0": "1:3: .*write \\( and \\) for",
    "sum_{i=1}^t i <= t^2 for integer t >= 1": "1:5: .*sum\\(term, i, 1, n\\)",
    "2p <= 2 for p in (0, 1)": "1:2: .*2\\*p",
    "2(x + 1) <= 4 for x in (0, 1)": "1:2: .*2\\*p",
    "p <= 1 for 0 < p < 1": "1:12: .*x in \\(0, 1\\)",
    "ln(t) <= t for t > 0": "1:1: .*natural logarithm",
    "x \u2264 1 for x in [0, 1]": "1:3: .*<=, >=",
    "\u03b4 <= 1 for \u03b4 in [0, 1]": "1:1: .*ASCII letters",
    "0.5*x <= 1 for x in [0, 1]": "1:2: .*1/2 for 0.5",
    "\\frac{1}{2} <= 1": "1:1: .*LaTeX",
    "|x| <= 1 for x in [0, 1]": "1:1: .*abs\\(x\\)",
    "x**2 <= 1 for x in [0, 1]": "1:3: .*x\\^2",
}


@pytest.mark.parametrize("line", HABITS)
def test_what_to_write_instead_is_said(line):
    with pytest.raises(typed.BadLine, match=HABITS[line]):
        typed.one(line)
