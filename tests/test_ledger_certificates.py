"""Certificates: what the stand-alone checker accepts, and that it accepts nothing that was tampered with."""

import copy
import json
import signal
import subprocess
import sys
from fractions import Fraction

import pytest
from sympy import Eq, Ge, I, Integer, Le, Rational, Sum, cos, exp, log, sqrt, symbols

from theorems.lemma import (
    POSITIVE,
    REAL,
    Identity,
    Induction,
    Inequality,
    LinearProgram,
    at_least,
    closed,
    opened,
)
from workbench.evidence.verdicts import Verdict
from workbench.ledger import boxes, enclosure, portable, rewriting
from workbench.ledger.certificate import Wrong, check, inverted, main
from workbench.ledger.decide import decide
from workbench.ledger.rewriting import quotient, same

x, y = symbols("x y", positive=True)
a = symbols("a", real=True)
n, k = symbols("n k", integer=True, positive=True)
u, v = symbols("u v")


def certificate_of(item):
    found = decide(item)
    assert found.certificate is not None, found
    return found.certificate


RIGHT = {
    "one box": Inequality("i", log(1 + x), x, {x: POSITIVE}),
    "many boxes": Inequality("i", x * exp(-x) * y, Rational(2, 5), {x: closed("1/10", 4), y: opened(0, 1)}),
    "a tie": Inequality("i", 1 - a**2 / 2, cos(a), {a: closed(-3, 3)}),
    "inverted": Inequality("i", 1 / (x + 1), log(x + 1) - log(x), {x: at_least(1)}),
    "a condition": Inequality("i", exp(x), Integer(3), {x: closed("1/10", 2)}, given=(Le(x, 1),)),
    "z3": Inequality("i", x * y, (x**2 + y**2) / 2, {x: POSITIVE, y: POSITIVE}),
    "a witness": Inequality("i", exp(x), 1 + x + x**2 / 2, {x: opened(0, 1)}),
    "an identity": Identity("i", (x + y) ** 2, x**2 + 2 * x * y + y**2),
    "an induction": Induction("i", Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n), n, 1),
    "a program": LinearProgram("p", 3 * u + 2 * v, (Le(u + v, 4), Le(u, 3), Ge(v, 0)), 11),
    "an equation": LinearProgram("p", u, (Eq(u + v, 1), Ge(v, 0)), 1),
}


@pytest.mark.parametrize("name", RIGHT)
def test_it_survives_json_and_is_checked_again(name):
    certificate = json.loads(json.dumps(certificate_of(RIGHT[name])))
    assert check(certificate)


def leaves(tree, found):
    """Every place of a tree of pieces that holds a reason: (container, index)."""
    pairs = (
        [(key, tree[key]) for key in ("slope", "face")]
        if isinstance(tree, dict)
        else list(enumerate(tree))[1:]
    )
    for key, value in pairs:
        if isinstance(value, (dict, list)):
            leaves(value, found)
        else:
            found.append((tree, key))
    return found


def tampered():
    """(name, certificate with one thing changed that must not pass)."""
    made = {name: certificate_of(item) for name, item in RIGHT.items()}

    def of(name, change):
        c = copy.deepcopy(made[name])
        change(c)
        return name, c

    def wider(c):
        c["statement"]["box"]["x"][0] = "-1"

    def smaller_right(c):
        c["statement"]["rhs"] = ["*", ["q", "1/2"], c["statement"]["rhs"]]

    yield of("one box", wider)
    for name in ("one box", "many boxes", "a tie", "inverted", "z3"):
        yield of(name, smaller_right)
    yield of("many boxes", lambda c: c.update(tree="v"))
    yield of("a condition", lambda c: c["statement"].update(given=[]))
    yield of("a witness", lambda c: c["point"].update(x="2"))  # outside the box
    yield of("a witness", lambda c: c["statement"].update(rhs=["q", "100"]))
    yield of("a witness", lambda c: c["point"].update(x="zero"))
    yield of("a witness", lambda c: c["point"].clear())
    yield of("inverted", lambda c: c.update(rewritten=[["q", "1"], ["q", "1"]]))
    yield of("inverted", lambda c: c["statement"]["box"]["x"].__setitem__(0, "-1"))
    yield of("a tie", lambda c: c.update(form="guess"))
    yield of("an identity", lambda c: c["differences"]["difference"].update(tree="x"))
    yield of("an induction", lambda c: c["parts"]["base"].update(kind="nothing"))
    yield of("a program", lambda c: c.update(claimed="12"))
    yield of("a program", lambda c: c["dual"].__setitem__(0, "3"))
    yield of("a program", lambda c: c["point"].__setitem__(0, "5"))
    yield of("an equation", lambda c: c["point"].__setitem__(0, "0"))
    yield of("one box", lambda c: c.pop("tree"))
    yield of("one box", lambda c: c.update(kind="trust me"))


def test_tampered_certificates_are_rejected():
    count = 0
    for name, certificate in tampered():
        try:
            check(certificate)
        except Wrong:
            count += 1
        else:
            pytest.fail(f"{name}: {certificate}")
    assert count > 20


def test_a_reason_that_does_not_settle_its_piece_is_found():
    certificate = boxes.decide(portable.statement(RIGHT["many boxes"]), 5.0).certificate
    certificate = {**certificate, "form": "difference"}
    certificate.pop("rewritten", None)
    certificate["tree"] = ["x", "v", "v"]
    with pytest.raises(Wrong, match="not settled"):
        check(certificate)


def test_the_command_checks_files(tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    certificate = certificate_of(RIGHT["a tie"])
    good.write_text(json.dumps(certificate))
    certificate["statement"]["rhs"] = ["q", "0"]
    bad.write_text(json.dumps(certificate))
    assert main([str(good)]) == 0
    assert main([str(good), str(bad)]) == 1
    assert main([str(tmp_path / "absent.json")]) == 1
    assert main([]) == 2
    done = subprocess.run(
        [sys.executable, "-m", "workbench.ledger.certificate", str(good), str(bad)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "right" in done.stdout
    assert "WRONG" in done.stdout


def test_the_checker_shares_only_the_interval_arithmetic():
    """It loads neither the search nor the statements' records."""
    rooms = ("workbench", "z3", "theorems", "numpy", "sympy")
    code = (
        f"import sys, workbench.ledger.certificate; print(*[m for m in sys.modules if m.startswith({rooms})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {
        "workbench", "workbench.ledger", "workbench.ledger.certificate", "workbench.ledger.enclosure",
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ enclosures


def test_enclosures_hold_the_true_value():
    """Random expressions at random points: mpmath's value lies inside, and the interval is narrow."""
    import random

    import mpmath

    rng = random.Random(11)
    mpmath.mp.dps = 50
    one_place = ("exp", "log", "sin", "cos", "tanh", "abs")

    def grow(depth):
        if depth == 0:
            return rng.choice(["x", "y", ["q", f"{rng.randint(1, 9)}/{rng.randint(1, 9)}"]])
        head = rng.choice([*one_place, "+", "*", "max", "min", "^"])
        if head == "^":
            return ["^", ["abs", grow(depth - 1)], rng.choice(["2", "1/2", "3/4", "-1/3"])]
        if head == "log":
            return ["log", ["+", ["q", "1"], ["abs", grow(depth - 1)]]]
        if head == "exp":
            return ["exp", ["tanh", grow(depth - 1)]]
        return [head, *(grow(depth - 1) for _ in range(1 if head in one_place else 2))]

    def value(tree, at):
        if isinstance(tree, str):
            return at[tree]
        head, *args = tree
        if head == "q":
            return mpmath.mpf(Fraction(args[0]).numerator) / Fraction(args[0]).denominator
        if head == "^":
            p = Fraction(args[1])
            return mpmath.power(value(args[0], at), mpmath.mpf(p.numerator) / p.denominator)
        parts = [value(p, at) for p in args]
        plain = {
            "+": lambda p: p[0] + p[1],
            "*": lambda p: p[0] * p[1],
            "max": max,
            "min": min,
            "abs": lambda p: abs(p[0]),
        }
        return plain[head](parts) if head in plain else getattr(mpmath, head)(parts[0])

    tried = 0
    for _ in range(300):
        tree = grow(4)
        at = {name: Fraction(rng.randint(1, 40), rng.randint(1, 12)) for name in ("x", "y")}
        tape = enclosure.Tape(tree, ["x", "y"])
        try:
            wide = tape.value([(enclosure.rational(q)[0], enclosure.rational(q + 1)[1]) for q in at.values()])
            point = tape.value([enclosure.rational(q) for q in at.values()])
        except enclosure.Undefined:
            continue
        true = value(tree, {n_: mpmath.mpf(q.numerator) / q.denominator for n_, q in at.items()})
        slack = mpmath.mpf(10) ** -18 * (1 + abs(true))
        for low, high in (wide, point):
            if low.is_finite():
                assert mpmath.mpf(low.str(40, radius=False)) - slack <= true
            if high.is_finite():
                assert true <= mpmath.mpf(high.str(40, radius=False)) + slack
        assert float(point[1] - point[0]) <= 1e-12 * (1 + float(abs(true)))
        tried += 1
    assert tried > 150


def test_slopes_hold_difference_quotients():
    tree = ["*", ["exp", ["*", ["q", "-1"], "x"]], ["^", ["+", "x", ["log", "y"]], "2"]]
    tape = enclosure.Tape(tree, ["x", "y"])
    box = [
        (enclosure.rational("1/2")[0], enclosure.rational("3/4")[1]),
        (enclosure.rational(1)[0], enclosure.rational(2)[1]),
    ]
    slopes = tape.slopes(box)
    import math

    def f(p, q):
        return math.exp(-p) * (p + math.log(q)) ** 2

    for p in (0.5, 0.6, 0.74):
        for q in (1.01, 1.5, 1.99):
            assert (
                float(slopes[0][0]) - 1e-6 <= (f(p + 1e-6, q) - f(p, q)) / 1e-6 <= float(slopes[0][1]) + 1e-6
            )
            assert (
                float(slopes[1][0]) - 1e-6 <= (f(p, q + 1e-6) - f(p, q)) / 1e-6 <= float(slopes[1][1]) + 1e-6
            )


def test_an_unknown_head_is_refused():
    with pytest.raises(ValueError, match="no enclosure for 'gamma'"):
        enclosure.Tape(["gamma", "x"], ["x"])
    with pytest.raises(ValueError, match="z has no domain"):
        enclosure.Tape("z", ["x"])


def test_inverting_needs_a_positive_endless_side():
    s = portable.statement(Inequality("i", a, a, {a: REAL}))
    with pytest.raises(Wrong):
        inverted(s, ["a"])


def test_rewritten_forms_are_judged():
    tree = ["+", ["^", "x", "-1"], ["*", ["q", "-1"], ["^", ["+", "x", ["q", "1"]], "-1"]]]
    top, bottom = quotient(tree, frozenset(["x"]))
    assert same(["*", tree, bottom], top, frozenset(["x"]))
    assert not same(["*", tree, bottom], ["*", ["q", "2"], top], frozenset(["x"]))


def test_rewriting_ends(monkeypatch):
    """SymPy's factoring may take minutes; then there is no other form, and no alarm is left behind."""

    def endless(e):
        while True:
            pass

    monkeypatch.setattr(rewriting, "factor", endless)
    monkeypatch.setattr(rewriting, "SECONDS", 0.05)
    before = signal.getsignal(signal.SIGVTALRM)
    tree = ["+", ["^", "x", "-1"], ["^", ["+", "x", ["q", "7"]], "-1"]]
    assert quotient(tree, frozenset(["x"])) is None
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) == before


def test_a_logarithm_of_something_negative_is_not_rewritten(monkeypatch):
    """Forced rules split log(1 - x^(2/3)) at x^(1/3) - 1; with the imaginary unit, factoring would take minutes."""
    tree = ["+", ["log", ["+", ["q", "1"], ["*", ["q", "-1"], ["^", "x", "2/3"]]]], "x"]
    asked = []
    factored = rewriting.factor
    monkeypatch.setattr(rewriting, "factor", lambda e: asked.append(e) or factored(e))
    assert quotient(tree, frozenset(["x"])) is None
    assert asked
    assert not any(e.has(I) for e in asked)


def test_a_verdict_never_comes_without_its_reason():
    for item in RIGHT.values():
        found = decide(item)
        assert found.verdict in (Verdict.HOLDS, Verdict.VIOLATED)
        assert found.certificate
        assert found.method


def test_files_of_the_store_are_checked(tmp_path, capsys):
    """The store keeps a verdict around each certificate; the command looks inside, and is not fooled there either."""
    for name, held in (("none", None), ("wrong", {"kind": "nonsense"})):
        (tmp_path / f"{name}.json").write_text(json.dumps({"verdict": "inconclusive", "certificate": held}))
    assert main([str(tmp_path / "none.json")]) == 0
    assert "no certificate" in capsys.readouterr().out
    assert main([str(tmp_path / "wrong.json")]) == 1
