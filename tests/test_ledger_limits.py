"""Every statement and every certificate ends within its processor time and memory, and no number is too large."""

import json
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Eq, Integer, Rational, symbols
from sympy_lines import Inequality, closed

from workbench.evidence.verdicts import Verdict
from workbench.ledger import (
    answers,
    boxes,
    certificate,
    confined,
    indicators,
    outcomes,
    parser,
    printer,
    sizes,
    solvers,
    typed,
)
from workbench.ledger.checks import decide
from workbench.ledger.decide import decide_statement
from workbench.ledger.outcome import Reason
from workbench.theory.indicator import IsPositive, IsZero

UNIT = ["0", "1", False, False, False]
HUGE = "1" + "0" * 399


def _inequality(lhs, rhs, box, given=()):
    return {"kind": "inequality", "lhs": lhs, "rhs": rhs, "box": box, "given": list(given)}


# ------------------------------------------------------------------------------------------------ counted beforehand


@pytest.mark.parametrize(
    "line",
    [
        "sum(1/k^2, k, 1, 10000000) <= 2",
        "sum(sum(1/(j*k), j, 1, 1000), k, 1, 1000) <= 1000000000",
        "sum(sum(sum(1/(i*j*k), i, 1, j), j, 1, k), k, 1, 50) <= 1000000000",
        "prod(1 + 1/k, k, 1, 100000) <= 100002",
        "sum(1/k^2, k, 1, n) <= 2 - 1/n for integer n >= 100000",
        "prod(1 + 1/k^2, k, 1, n) <= 4 for integer n >= 100000",
        "x <= 1 for x in [0, 1] given sum(x^k, k, 1, 1000000) <= 1",
    ],
)
def test_what_is_too_long_is_counted_and_not_built(line):
    began = time.process_time()
    found = decide_statement(typed.one(line).statement)
    assert (found.verdict, found.reason, "at most" in found.note) == (Verdict.INCONCLUSIVE, Reason.OVER, True)
    assert time.process_time() - began < 0.5


LIMITS = st.integers(-3, 6)


def _counted(tree, at):
    """Terms, one by one."""
    if isinstance(tree, str) or tree[0] == "q":
        return 0
    if tree[0] != "sum":
        return sum(_counted(part, at) for part in tree[1:])
    first, last = (sizes.ends(end, {k: (v, v) for k, v in at.items()})[0] for end in tree[2:4])
    return sum(1 + _counted(tree[4], {**at, tree[1]: k}) for k in range(first, last + 1))


@given(LIMITS, LIMITS, LIMITS, st.sampled_from(["1", "-1", "2"]), st.booleans())
def test_no_more_terms_than_counted(a, b, c, slope, inner):
    """The count takes the longest inner sum for all of them."""
    limit = ["+", ["*", ["q", slope], "j"], ["q", str(c)]] if inner else ["q", str(c)]
    tree = ["sum", "j", ["q", str(a)], ["q", str(b)], ["sum", "k", ["q", "1"], limit, ["*", "j", "k"]]]
    real, counted = _counted(tree, {}), sizes.terms(tree, {})
    assert counted >= real
    assert inner or counted == real


# ------------------------------------------------------------------------------------------------ certificates

BOXES = {"by": "boxes", "form": "difference"}
PROGRAM = {
    "kind": "program", "sense": "max", "relation": "<=", "claimed": "1", "objective": {"x": "1"}, "constant": "0",
    "rows": [[{"x": "1"}, "<=", "1"]],
}  # fmt: skip
DUAL = {"point": {"x": "1"}, "dual": ["1"]}
INTEGER = ["1", "1" + "0" * 900, False, False, True]
HALF_LINE = ["0", "oo", False, True, False]
LONG = "1e999999999"  # digits: a thousand million
X = _inequality("x", ["q", "2"], {"x": UNIT})
FORGED = {
    "a point": (_inequality("x", ["q", "0"], {"x": HALF_LINE}), {"by": "point", "point": {"x": LONG}}),
    "a tiny point": (X, {"by": "point", "point": {"x": "1e-999999999"}}),
    "a coefficient": (X, {"by": "terms", "multiplier": [], "terms": [[LONG, [["high", "x"]]]]}),
    "a cut": (X, {**BOXES, "tree": ["x", "1e-999999999", "v", "v"]}),
    "a dual": (PROGRAM, {**DUAL, "dual": [LONG]}),
    "an optimum": (PROGRAM, {**DUAL, "point": {"x": LONG}}),
    "a claim": ({**PROGRAM, "claimed": LONG}, DUAL),
    "a row": ({**PROGRAM, "rows": [[{"x": LONG}, "<=", "1"]]}, DUAL),
    "a right side": ({**PROGRAM, "rows": [[{"x": "1"}, "<=", LONG]]}, DUAL),
    "a constant": ({**PROGRAM, "constant": LONG}, DUAL),
    "cases": (_inequality("x", ["q", "9"], {"x": INTEGER}), {"by": "cases", "over": ["x"], "parts": {}}),
    "cases of cases": (
        _inequality("x", ["q", "9"], {"x": ["1", "90", False, False, True]}),
        {"by": "cases", "over": ["x"] * 9, "parts": {}},
    ),
    "a power": (
        _inequality(["^", ["^", ["q", "3"], "1000"], "1000"], ["q", "9"], {}),
        {**BOXES, "tree": "v"},
    ),
    "an exponent": (
        _inequality(["pow", ["q", "3"], ["q", "9" * 900]], ["q", "9"], {}),
        {**BOXES, "tree": "v"},
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_short_certificate_takes_no_long_time(name):
    statement, proof = FORGED[name]
    document = certificate.certificate(statement, "holds", proof)
    began = time.process_time()
    with pytest.raises(certificate.Wrong):
        certificate.check(document)
    assert time.process_time() - began < 1


SLOW = _inequality(
    ["sum", "k", ["q", "1"], ["q", "19999"], ["^", ["exp", ["sin", "k"]], "999/1000"]], ["q", "9" * 9], {}
)


def test_a_certificate_that_takes_long_is_ended(monkeypatch):
    monkeypatch.setattr(certificate, "MOST_SECONDS", 1)
    with confined.Confined("workbench.ledger.certificate") as process:
        document = certificate.certificate(SLOW, "holds", {**BOXES, "tree": "v"})
        assert certificate.judge(process, document) == {"wrong": "not checked: over 1 s of processor time"}
        small = certificate.certificate(*_right())
        assert certificate.judge(process, small, with_line=True) == {"verdict": "holds", "shown": "1 <= 2"}


def _right():
    return _inequality(["q", "1"], ["q", "2"], {}), "holds", {**BOXES, "tree": "v"}


def test_files_after_a_malformed_one_are_checked(tmp_path, capsys):
    right = certificate.certificate(*_right())
    floating = {**right["statement"], "lhs": ["sum", "k", ["q", "1"], ["q", "3"], ["+", 0.5, "k"]]}
    contents = {
        "1-deep": "[" * 100_000 + "]" * 100_000,
        "2-deep-tree": json.dumps(right).replace(
            '["q", "1"]', '["abs", ' * 900 + '["q", "1"]' + "]" * 900, 1
        ),
        "3-float": json.dumps(certificate.certificate(floating, "holds", right["proof"])),
        "4-infinite": json.dumps(right).replace('["q", "1"]', "Infinity"),
        "5-list": "[1, 2]",
        "6-nothing": "",
        "7-right": json.dumps(right),
    }
    paths = []
    for name, text in contents.items():
        paths.append(str(tmp_path / name))
        Path(paths[-1]).write_bytes(certificate.seal(text.encode()))
    assert certificate.main(paths) == 1
    said = capsys.readouterr().out.splitlines()
    assert ["WRONG" in line for line in said] == [True] * 6 + [False]


# ------------------------------------------------------------------------------------------------ processes


def _python(code: str) -> subprocess.CompletedProcess:
    code = f"from workbench.ledger import confined; {code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(sys.platform != "linux", reason="the limits of a process are Linux's")
def test_limits_of_a_process():
    done = _python("confined.limit_time(0)\nwhile True: pass")
    assert confined.time_was_over(done.returncode)
    assert not any(map(confined.time_was_over, (0, -9, None)))
    done = _python("confined.limit_memory(1 << 26); x = bytearray(1 << 25); y = bytearray(1 << 27)")
    assert (done.returncode, "MemoryError" in done.stderr) == (1, True)


def test_what_a_process_answers_without_memory_or_with_an_error(monkeypatch):
    monkeypatch.setattr(
        confined, "limit_time", lambda seconds: None
    )  # it would end this process a minute later

    def raising(error):
        def answer(question):
            raise error

        return json.loads(confined._reply(answer, json.dumps([1, 60])))

    assert raising(MemoryError()) == {"over": "over 1 GiB of memory"}
    assert raising(KeyError("x")) == {"error": "KeyError: 'x'"}


def test_a_process_that_is_killed_starts_again():
    with confined.Confined("workbench.ledger.certificate") as process:
        question = [certificate.certificate(*_right()), True]
        assert process.ask(question, 9)["verdict"] == "holds"
        process._process.kill()
        with pytest.raises(confined.Over) as over:
            process.ask(question, 9)
        assert not over.value.lasting
        assert process.ask(question, 9)["verdict"] == "holds"


def test_an_answer_that_took_long_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(answers, "SLOW", 0.0)
    statement = typed.one("x^2 <= x for x in [0, 1]").statement
    first = answers.Answers(tmp_path)
    found = first.answer(statement)
    monkeypatch.setattr(first, "_search", None)
    assert first.answer(statement) == found
    (file,) = (tmp_path / "ledger").iterdir()
    mark, record = json.loads(certificate.unseal(file.read_bytes()))
    for change in ({"verdict": "violated"}, {"certificate": None}, {"note": "believed"}):
        forged = json.dumps([mark, {**record, **change}]).encode()
        file.write_bytes(certificate.seal(forged))
        assert first._stored_answer(statement) is None


def test_that_a_statement_is_over_its_limit_is_kept_and_not_paid_again(tmp_path, monkeypatch):
    monkeypatch.setattr(answers, "SECONDS", 1)
    monkeypatch.setattr(answers, "SLOW", 0.0)
    first = answers.Answers(tmp_path)
    statement = typed.one("sum(exp(sin(k*x)), k, 1, 19000) <= 51645 for x in [0, 1]").statement
    found = first.answer(statement)
    assert (found["verdict"], found["note"]) == ("inconclusive", "over 1 s of processor time")
    monkeypatch.setattr(first, "_search", None)
    assert first.answer(statement) == found


def test_a_record_whose_process_was_ended_is_answered_by_the_limit():
    class Ended:
        exitcode = -24 if sys.platform != "win32" else None

        def join(self, seconds):
            pass

        def recv(self):
            raise EOFError

    worker = type("Worker", (), {"pipe": Ended(), "process": Ended()})()
    found = outcomes._receive(worker, 5)
    assert (found.reason, found.note) == (Reason.OVER, "over 20 s of processor time")
    assert outcomes._receive(worker, 15).note == "over 30 s of processor time"
    assert found.reason not in outcomes.KILLED  # so that it is stored


# ------------------------------------------------------------------------------------------------ large numbers


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        (f"{HUGE}*x <= 1 for x in [0, 1]", Verdict.VIOLATED),
        (f"x <= {HUGE} for x <= 5", Verdict.HOLDS),
        (f"x <= {HUGE} for x in [0, {HUGE}]", Verdict.HOLDS),
        (f"2*x <= {HUGE} for x in [0, {HUGE}]", Verdict.VIOLATED),
        (f"2 <= x for x <= -{HUGE}", Verdict.VIOLATED),
        (f"x <= 0 for x in ({HUGE}, oo)", Verdict.VIOLATED),
        (f"x*y <= {HUGE} for x in [0, {HUGE}], y in [0, 1/{HUGE}]", Verdict.HOLDS),
        (f"sqrt(x) <= x for x >= {HUGE}", Verdict.HOLDS),
        (f"{HUGE}*x = x*{HUGE} for x real", Verdict.HOLDS),
        (f"{HUGE}*x = x for x real", Verdict.VIOLATED),
        (f"maximum of x <= 3 given x <= {HUGE}", Verdict.VIOLATED),
        (f"sum({HUGE}*k, k, 1, n) <= {HUGE}*n^2 for integer n >= 1", Verdict.HOLDS),
        (f"x + n <= 1 for integer n in [-{HUGE}, {HUGE}], x real", Verdict.VIOLATED),
        (f"x <= y for x in [0, 1], y real given y >= {HUGE}", Verdict.HOLDS),
    ],
)
def test_numbers_beyond_double_precision(line, verdict):
    assert decide_statement(typed.one(line).statement, 3.0).verdict == verdict


def test_a_remaining_box_beyond_double_precision_is_shown():
    assert boxes._short(Fraction(10) ** 400) == "1.000e+400"
    assert boxes._short(Fraction(12345, 1000)) == "2469/200"
    assert boxes._short(Fraction(10) ** 12 / 7) == "1.429e+11"


def test_a_fraction_of_many_numbers_is_refused_with_its_place():
    long = "/".join(["1"] + ["9" * 399] * 20)
    with pytest.raises(parser.SyntaxFault, match="a fraction with fewer digits"):
        parser.statement(f"x <= {long} for x >= 0")


x, y = symbols("x y", real=True)
THIRD = {x: closed(0, 1), y: closed(0, 1)}


@pytest.mark.parametrize(
    ("lhs", "rhs", "given"),
    [
        (x, Rational(1, 3) - Rational(1, 10**30), (Eq(3 * x, 1), Eq(y, 0))),
        (x * y, y / 3 - Rational(1, 10**60), (Eq(3 * x * y, y), Eq(y, 1))),
        (Rational(1, 10**60), (3 * x - 1) ** 2 + y, ()),
        (x, y, (Eq(9 * x**2, 1), Eq(y + Rational(1, 10**30), x))),
        (x, Rational(1, 7) - Rational(1, 10**100), (Eq(7 * x, 1), Eq(y, 0))),
    ],
)
def test_thirds_and_sevenths_are_rational_counter_examples(lhs, rhs, given):
    """They lie between two binary numbers of any precision."""
    found = decide(Inequality("near", lhs, rhs, THIRD, given), 3.0)
    assert found.verdict == Verdict.VIOLATED
    assert {Fraction(found.witness["x"]).denominator} <= {3, 7}


@pytest.mark.parametrize("indicator", [IsZero, IsPositive])
@pytest.mark.parametrize(
    ("argument", "low", "high"),
    [
        (x, -1, Rational(-1, 2)),
        (x, -1, 1),
        (x - y, 0, 1),
        (x**3, -1, 1),
        (-x, 0, 1),
        (x - Rational(1, 2), 0, 1),
    ],
)
def test_an_indicator_outside_its_domain_is_refused(indicator, argument, low, high):
    box = {x: closed(low, high), y: closed(0, 1)}
    for bound in (0, 1):
        statement = Inequality("outside", Integer(0), Integer(bound) + y, box).statement
        with pytest.raises(ValueError, match="alone, which the box does not show"):
            indicators.require_values([indicator(argument)], statement)


@pytest.mark.parametrize(
    ("argument", "given"), [(x, ()), (x * y, ()), (x**2, ()), (1 - x, ()), (x - y, (x - y >= 0,))]
)
def test_an_indicator_in_its_domain_is_decided(argument, given):
    line = Inequality("inside", IsZero(argument), Integer(1), THIRD, given)
    indicators.require_values([IsZero(argument)], line.statement)
    assert decide(line).verdict == Verdict.HOLDS


# ------------------------------------------------------------------------------------------------ what is printed

NUMBERS = st.fractions(-9, 9, max_denominator=7).map(str)


@given(
    st.dictionaries(st.sampled_from("xyz"), NUMBERS.filter(lambda q: q != "0"), min_size=1),
    st.lists(
        st.tuples(st.dictionaries(st.sampled_from("xyz"), NUMBERS.filter(lambda q: q != "0"), min_size=1),
                  st.sampled_from(["<=", "="]), NUMBERS).map(list), max_size=3),
    NUMBERS, NUMBERS, st.sampled_from(["max", "min"]), st.sampled_from(["<=", ">=", "="]),
)  # fmt: skip
def test_a_printed_program_is_read_back_as_it_is(objective, rows, constant, claimed, sense, relation):
    s = {"kind": "program", "sense": sense, "relation": relation, "claimed": claimed, "objective": objective,
         "constant": constant, "rows": rows}  # fmt: skip
    assert parser.statement(printer.statement(s)) == s


@given(st.integers(0, 3), st.sampled_from(["A", "B_1"]), NUMBERS, NUMBERS)
def test_a_printed_recursion_is_read_back_as_it_is(start, name, first, factor):
    rules = [[name, start, ["q", first]], [name, None, ["*", ["q", factor], ["at", name, "n"], "x"]]]
    s = {"kind": "identity", "lhs": ["at", name, "n"], "rhs": ["pow", "x", "n"], "n": "n", "start": start,
         "rules": rules, "box": {"n": [str(start), "oo", False, True, True], "x": UNIT}}  # fmt: skip
    assert parser.statement(printer.statement(s)) == s


@pytest.mark.parametrize("mark", [0, 1, "", "x", None, [], 0.5])
@pytest.mark.parametrize("place", [2, 3, 4])
def test_what_a_side_is_like_is_yes_or_no(mark, place):
    side = [*UNIT[:place], mark, *UNIT[place + 1 :]]
    with pytest.raises(certificate.Wrong, match="yes or no"):
        certificate.well_formed(_inequality("x", ["q", "2"], {"x": side}))


class Interrupted:
    """The end of a pipe of which the first line is waited for in vain."""

    def __init__(self, stream):
        self.stream = stream

    def readline(self):
        raise KeyboardInterrupt

    def __getattr__(self, name):
        return getattr(self.stream, name)


def test_the_answer_to_an_interrupted_question_is_not_taken_for_that_of_the_next():
    one, two = (_inequality(["q", n], ["q", "1"], {}) for n in ("0", "2"))
    with confined.Confined("workbench.ledger.decide") as process:
        assert process.ask(one, 10.0)["verdict"] == "holds"
        process._process.stdout = Interrupted(process._process.stdout)
        with pytest.raises(KeyboardInterrupt):
            process.ask(one, 10.0)
        assert process.ask(two, 10.0)["verdict"] == "violated"


def test_the_answer_of_cvc5_to_an_interrupted_question_is_not_taken_for_that_of_the_next(monkeypatch):
    large, negative = (
        f"(set-logic QF_NRA)(declare-const x Real)(assert {c})(check-sat)"
        for c in ("(> x 2.0)", "(< (* x x) 0.0)")
    )
    assert solvers.cvc5_answer(large, 5.0) == "sat"
    monkeypatch.setattr(solvers._worker.process, "stdout", Interrupted(solvers._worker.process.stdout))
    with pytest.raises(KeyboardInterrupt):
        solvers.cvc5_answer(large, 5.0)
    assert solvers.cvc5_answer(negative, 5.0) == "unsat"


def test_an_answer_that_nobody_waits_for_any_more_prints_no_traceback():
    """After Ctrl-C in a command, its processes wrote tracebacks below the command's sentence."""
    process = subprocess.Popen(
        [sys.executable, "-P", confined.__file__, "workbench.ledger.decide"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdout.close()
    process.stdin.write(json.dumps([_inequality(["q", "0"], ["q", "1"], {}), 10.0]) + "\n")
    process.stdin.close()
    assert process.stderr.read() == ""
    assert process.wait() == 1
    process.stderr.close()
