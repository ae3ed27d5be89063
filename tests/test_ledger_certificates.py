"""Certificates: what the stand-alone checker accepts, and that it accepts nothing that was tampered with."""

import copy
import gc
import json
import random
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import inf

import pytest
from sympy import (
    Eq,
    Ge,
    I,
    IndexedBase,
    Integer,
    Le,
    Max,
    Product,
    Rational,
    Sum,
    cos,
    exp,
    log,
    sqrt,
    symbols,
)
from sympy_lines import (
    POSITIVE,
    REAL,
    UNIT,
    Identity,
    Induction,
    Inequality,
    LinearProgram,
    at_least,
    closed,
    integers,
    opened,
)

from workbench.evidence.verdicts import Verdict
from workbench.ledger import certificate, enclosure, intervals, rewriting, solvers
from workbench.ledger.algebra import zero
from workbench.ledger.certificate import check, digest, main, seal, unseal, with_inverses
from workbench.ledger.checks import decide
from workbench.ledger.printer import statement as shown
from workbench.ledger.rewriting import quotient
from workbench.ledger.statements import statement as statement_of
from workbench.ledger.trees import Wrong, heads, minus

x, y = symbols("x y", positive=True)
a, b, c, d = symbols("a b c d", real=True)
n, k = symbols("n k", integer=True, nonnegative=True)
u, v = symbols("u v")
V = IndexedBase("V")


def certificate_of(item):
    found = decide(item)
    assert found.certificate is not None, found
    return found.certificate


BY_SOLVERS = Inequality(
    "i", a * b, Max(a * c, a * d), dict.fromkeys((a, b, c, d), REAL), given=(Le(c, b), Le(b, d))
)

RIGHT = {
    "one box": Inequality("i", log(1 + x), x, {x: POSITIVE}),
    "many boxes": Inequality("i", x * exp(-x) * y, Rational(2, 5), {x: closed("1/10", 4), y: opened(0, 1)}),
    "a tie": Inequality("i", 1 - a**2 / 2, cos(a), {a: closed(-3, 3)}),
    "inverted": Inequality("i", 1 / (x + 1), log(x + 1) - log(x), {x: at_least(1)}),
    "a condition": Inequality("i", exp(x), Integer(3), {x: closed("1/10", 2)}, given=(Le(x, 1),)),
    "terms": Inequality("i", x * y, (x**2 + y**2) / 2, {x: POSITIVE, y: POSITIVE}),
    "z3": BY_SOLVERS,
    "a witness": Inequality("i", exp(x), 1 + x + x**2 / 2, {x: opened(0, 1)}),
    "an identity": Identity("i", (x + y) ** 2, x**2 + 2 * x * y + y**2),
    "an induction": Induction("i", Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n), n, 1),
    "a program": LinearProgram("p", 3 * u + 2 * v, (Le(u + v, 4), Le(u, 3), Ge(v, 0)), 11),
    "an equation": LinearProgram("p", u, (Eq(u + v, 1), Ge(v, 0)), 1),
}


MADE = {}


def made(name):
    if name not in MADE:
        MADE[name] = certificate_of(ITEMS[name])
    return copy.deepcopy(MADE[name])


ITEMS = {
    **RIGHT,
    "cases": Inequality("i", Sum(1 / k**2, (k, 1, n)), 2 - 1 / n, {n: integers(1, 5)}),
    "solving": Inequality("i", exp(b), exp(a) + 1, {a: UNIT, b: UNIT}, given=(Eq(2 * b, a),)),
    "a product": Induction("i", Product(1 - 1 / (2 * k), (k, 1, n)), 1 / sqrt(n + 1), n, 1),
    "a false induction": Induction("i", Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n) - Rational(3, 2), n, 1),
    "a false identity": Identity("i", (x + y) ** 2, x**2 + x * y + y**2),
    "an identity by induction": Identity("i", Sum(k**2, (k, 1, n)), n * (n + 1) * (2 * n + 1) / 6, n=n),
    "a recursion": Identity("i", V[n], V[0] * x**n, n=n, start=0, recursion={V[n + 1]: x * V[n]}),
    "a false recursion": Identity("i", V[n], V[0] + n, n=n, start=0, recursion={V[n + 1]: x * V[n]}),
    "a false program": LinearProgram("p", u, (Le(u, 3),), 4),
}  # fmt: skip


@pytest.mark.parametrize("name", ITEMS)
def test_a_certificate_holds_its_whole_statement_and_gives_its_verdict(name):
    found, expected = made(name), "violated" if "false" in name or name == "a witness" else "holds"
    assert found["verdict"] == expected
    assert check(json.loads(json.dumps(found)), statement_of(ITEMS[name])) == expected
    assert shown(found["statement"])


def places(value, path=()):
    """Every path into a JSON value."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield from places(part, (*path, key))


def tampered(document, rng):
    """(what was done, the document with one thing changed): a part dropped, swapped or repeated, a number, a sign, a
    verdict, a name or a relation changed."""
    changed = copy.deepcopy(document)
    path = rng.choice([p for p in places(changed) if p and p[0] != "hash"])
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    key, old = path[-1], parent[path[-1]]
    moves = ["drop", "swap"]
    if isinstance(old, str) and old.lstrip("-").replace("/", "").isdigit():
        moves += ["number"] * 4
    elif isinstance(old, (bool, int)):
        moves += ["flip"] * 4
    elif isinstance(old, str):
        moves += ["word"] * 4
    move = rng.choice(moves)
    if move == "drop":
        del parent[key]
    elif move == "number":
        q = Fraction(old)
        parent[key] = str(rng.choice([-q, q + 1, q - 1, 2 * q, q / 2, q + Fraction(1, 1000)]))
    elif move == "flip":
        parent[key] = (not old) if isinstance(old, bool) else old + rng.choice([-1, 1])
    elif move == "word":
        words = ["holds", "violated", "x", "y", "n", "+", "*", "exp", "log", "max", "oo", "-oo", ">=", "=", "v", "m",
                 "sum", "prod", "solver", "boxes", "algebra", "q", "1"]  # fmt: skip
        parent[key] = rng.choice([w for w in words if w != old])
    else:
        other = copy.deepcopy(
            rng.choice([document["statement"], document["proof"], ["q", "0"], "x", 1, [], {}])
        )
        parent[key] = other
    return f"{move} at {path}", changed


def rehashed(document):
    return {
        **document,
        "hash": digest({k: document[k] for k in ("statement", "verdict", "proof") if k in document}),
    }


def refused(document, statement=None):
    try:
        check(document, statement, seconds=2.0)
    except Wrong:
        return True
    return False


def test_every_tampering_is_refused():
    """1,000 of them over certificates of all kinds: nothing but what was certified passes."""
    rng = random.Random(5)
    names = sorted(ITEMS)
    for i in range(1000):
        name = names[i % len(names)]
        what, document = tampered(made(name), rng)
        while document == MADE[name]:
            what, document = tampered(made(name), rng)
        assert refused(document), (name, what)


def test_a_tampered_certificate_with_a_new_hash_proves_its_statement_or_is_refused():
    """Whoever changes a certificate can compute a new hash. A changed statement or verdict is refused all the same; a
    changed proof passes only if it still proves the very same statement."""
    rng = random.Random(6)
    names = sorted(ITEMS)
    counts = {"refused": 0, "another proof": 0}
    for i in range(600):
        name = names[i % len(names)]
        what, document = tampered(made(name), rng)
        if document == MADE[name]:
            continue
        document, statement = rehashed(document), statement_of(ITEMS[name])
        if refused(document, statement):
            counts["refused"] += 1
            continue
        assert document["statement"] == statement, (name, what)
        assert document["verdict"] == MADE[name]["verdict"], (name, what)
        counts["another proof"] += 1
    assert counts["refused"] > 400
    assert counts["another proof"] < 100


def with_(name, change):
    document = made(name)
    change(document["statement"], document["proof"])
    return rehashed(document)


ONE, X = ["q", "1"], ["^", "x", "1"]


def inequality(lhs, rhs, box, proof, given=()):
    statement = {"kind": "inequality", "lhs": lhs, "rhs": rhs, "box": box, "given": list(given)}
    return certificate.certificate(statement, "holds", proof)


MINUS_ONE, STEP = ["q", "-1"], ["if", ["+", "x", ["q", "-1"]], ["q", "1"], ["q", "-1"]]
FORGED = {
    "a jump behind a jump": inequality(
        ["if", STEP, ["q", "-5"], ["*", ["q", "1/10"], "x"]],
        ["q", "0"],
        {"x": ["0", "1", False, False, False]},
        {"by": "boxes", "form": "difference", "tree": {"along": "x", "up": False, "slope": "v", "face": "v"}},
    ),
    "a square without a value": inequality(
        ["q", "0"],
        ["*", MINUS_ONE, "y"],
        {"x": ["0", "0", False, False, False], "y": ["0", "1", False, False, False]},
        {"by": "terms", "multiplier": [], "terms": [["1", [["plain", ["*", "x", ["^", "x", "-1"]]]]]]},
    ),
    "a multiple of an equation that has no value": inequality(
        ["q", "1"],
        ["q", "0"],
        {"x": ["0", "1", False, False, False]},
        {
            "by": "terms",
            "multiplier": [],
            "terms": [["-1", [["given", 0], ["free", ["^", "x", "-1"]]]]],
            "example": {"x": "0"},
        },
        [["x", "="]],
    ),
    "a multiplier that may vanish": inequality(
        ["q", "1"],
        ["q", "0"],
        {"x": ["0", "1", False, False, False]},
        {"by": "terms", "multiplier": ["x"], "terms": []},
    ),
    "a sum over no terms as a multiplier": inequality(
        ["q", "1"],
        ["q", "0"],
        {"n": ["0", "oo", False, True, True]},
        {"by": "terms", "multiplier": [["sum", "k", ["q", "1"], "n", ["q", "1"]]], "terms": []},
    ),
    "a negative term": inequality(
        ["q", "1"],
        ["q", "0"],
        {"x": ["1", "2", False, False, False]},
        {"by": "terms", "multiplier": [], "terms": [["-1", []]]},
    ),
    "a factor that is not a condition": inequality(
        ["q", "1"],
        "x",
        {"x": ["0", "2", False, False, False]},
        {"by": "terms", "multiplier": [], "terms": [["1", [["plain", ["+", "x", MINUS_ONE]]]]]},
    ),
    "an induction without its step": with_("an induction", lambda s, p: p["parts"].pop("step")),
    "an induction without its base": with_("an induction", lambda s, p: p["parts"].pop("base")),
    "an identity with another text": with_("an identity", lambda s, p: s.update(lhs=ONE, rhs=["q", "2"])),
    "a wider box": with_("one box", lambda s, p: s["box"]["x"].__setitem__(0, "-1")),
    "half the right side": with_("a tie", lambda s, p: s.update(rhs=["*", ["q", "1/2"], s["rhs"]])),
    "a larger left side for solvers": with_("z3", lambda s, p: s.update(lhs=["*", ["q", "2"], s["lhs"]])),
    "no solver": with_("z3", lambda s, p: p.update(names=[])),
    "no condition": with_("a condition", lambda s, p: s.update(given=[])),
    "an example outside": with_("a condition", lambda s, p: p["example"].update(x="2")),
    "a condition that nothing satisfies": with_("a condition", lambda s, p: s["given"].append([["q", "-1"], ">="])),
    "a rewritten form 0/0": with_("inverted", lambda s, p: p.update(rewritten=[["q", "0"], ["q", "0"]], tree="v")),
    "a point outside the box": with_("a witness", lambda s, p: p["point"].update(x="2")),
    "a case left out": with_("cases", lambda s, p: p["parts"].pop("3")),
    "division by what may vanish": with_(
        "solving", lambda s, p: (s["given"].__setitem__(0, [["*", "a", ["+", "b", ["*", ["q", "-1"], "a"]]], "="]),
                                 p.update(slope="a", value="a", variable="b"))),
    "a multiplier that divides by the difference": with_(
        "an identity by induction", lambda s, p: p.update(multiplier=["^", ["+", "n", ["q", "-3"]], "-1"])),
    "a recursion of itself": with_("a recursion", lambda s, p: s["rules"].append(["V", 0, ["at", "V", ["q", "0"]]])),
    "a dual of the other sign": with_("a program", lambda s, p: p["dual"].__setitem__(0, "-2")),
    "a false program that holds": {**made("a false program"), "verdict": "holds"},
    "an index with the name of a variable": with_(
        "one box", lambda s, p: s.update(lhs=["sum", "x", ONE, ["q", "3"], "x"])),
    "an empty sum": with_("one box", lambda s, p: s.update(lhs=["sum", "k", ["q", "3"], ["q", "1"], "k"])),
    "the power 0": with_("one box", lambda s, p: s.update(lhs=["^", "x", "0"])),
    "an unknown kind": {**made("one box"), "statement": {**made("one box")["statement"], "kind": "rumour"}},
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_refused_with_a_reason(name):
    with pytest.raises(Wrong):
        check(rehashed(FORGED[name]))


def test_normal_forms_stay_exact_where_a_divisor_is_a_difference():
    """1/(M x - M) and 1/((M + 1) x - (M + 1)) differ by one part in 1e18, less than a floating-point number holds."""

    def over(m):
        return ["^", ["+", ["*", ["q", str(m)], "x"], ["q", str(-m)]], "-1"]

    def identity(lhs, rhs):
        s = {"kind": "identity", "lhs": lhs, "rhs": rhs, "box": {"x": ["-oo", "oo", True, True, False]}}
        s |= {"n": None, "start": None, "rules": []}
        return certificate.certificate(s, "holds", {"by": "algebra", "example": {"x": "2"}})

    with pytest.raises(Wrong, match="not shown to be zero"):
        certificate.check(identity(over(10**18), over(10**18 + 1)))
    for n in (2, 3, 7, 49):
        for k in (3, 7, 11):
            parts = ["+", *(["*", ["q", f"{j}/{k}"], over(n)] for j in (1, 2, 4))]
            assert certificate.check(identity(parts, ["*", ["q", f"7/{n * k}"], over(1)])) == "holds"
    tiny = ["*", over(10**400), ["q", str(10**400)]]
    with pytest.raises(Wrong, match="not shown to be zero"):
        certificate.check(identity(tiny, ["q", "0"]))


@pytest.mark.parametrize("given", [[], [["y", "="]]])
def test_a_power_of_zero_is_no_positive_multiplier(given):
    """0^2 = 0 has a value, and exp(2 log 0) has not."""
    power, high = ["pow", "y", "x"], "1" if given else "0"
    box = {"y": ["0", high, False, False, False], "x": ["2", "2", False, False, False]}
    s = {"kind": "inequality", "lhs": ["q", "1"], "rhs": ["q", "0"], "box": box, "given": given}
    less = ["pow", "y", ["+", "x", ["q", "-1"]]]
    term = ["-1", [["given", 0], ["free", less]]] if given else ["1", [["high", "y"], ["plain", less]]]
    proof = {"by": "terms", "multiplier": [power], "terms": [term], "example": {"y": "0", "x": "2"}}
    with pytest.raises(Wrong):
        certificate.check(certificate.certificate(s, "holds", proof))


def test_the_lemma_of_the_exponential_cannot_be_swapped_for_a_trivial_one():
    document = made("one box")
    trivial = {**document["statement"], "lhs": "x", "rhs": ["+", "x", ["q", "1"]]}
    swapped = rehashed({**document, "statement": trivial})
    with pytest.raises(Wrong, match="another statement"):
        check(swapped, statement_of(RIGHT["one box"]))


def test_a_reason_that_does_not_settle_its_piece_is_found():
    document = made("many boxes")
    document["proof"] = {"by": "boxes", "form": "difference", "tree": ["x", "1", "v", "v"]}
    with pytest.raises(Wrong, match="not settled"):
        check(rehashed(document))


def test_the_command_checks_files(tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    document = made("a tie")
    good.write_bytes(seal(json.dumps(document).encode()))
    document["statement"]["rhs"] = ["q", "0"]
    bad.write_bytes(seal(json.dumps(rehashed(document)).encode()))
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
    assert "right, holds: 1 - 1/2*a^2 <= cos(a) for a in [-3, 3]" in done.stdout
    assert "WRONG" in done.stdout


def test_a_flipped_bit_of_a_file_is_found(tmp_path):
    """400 bits over the files of every kind of certificate."""
    rng = random.Random(8)
    for i in range(400):
        name = sorted(ITEMS)[i % len(ITEMS)]
        content = bytearray(seal(json.dumps({"verdict": "holds", "certificate": made(name)}).encode()))
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        with pytest.raises(Wrong, match="seal"):
            unseal(bytes(content))


def test_the_checker_is_independent():
    """It loads neither the search nor the records, and of other packages nothing at all.

    (What loads the library's names on demand and finds papers comes with the package; neither checks anything.)
    """
    rooms = ("workbench", "z3", "cvc5", "theorems", "numpy", "sympy", "flint", "mpmath")
    code = (
        f"import sys, workbench.ledger.certificate; print(*[m for m in sys.modules if m.startswith({rooms})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {
        "workbench", "workbench.ledger", "workbench.homes",
        *(f"workbench.homes.{name}" for name in ("keys", "on_demand", "papers")),
        *(f"workbench.ledger.{name}" for name in ("algebra", "calculus", "certificate", "confined", "intervals")),
        *(f"workbench.ledger.{name}" for name in ("balls", "parser", "printer", "quadratics", "trees")),
        "workbench.ledger.worst_cases",
    }  # fmt: skip


@pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="processes end themselves by signals that Windows lacks"
)
def test_a_solver_that_keeps_no_limit_outlives_nobody():
    """It ends by itself, also where the process that asked was killed."""
    code = "import time; from workbench.ledger import cvc5_worker as w; w.answer = lambda *a: time.sleep(60); w.main()"
    question = json.dumps(["(check-sat)", -2.4, {}])  # 0.2 s from now
    done = subprocess.run(
        [sys.executable, "-c", code], input=f"{question}\n", text=True, check=False, timeout=50
    )
    assert done.returncode == -signal.SIGALRM


def test_without_a_solver_nothing_is_concluded_and_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(solvers, "_is_installed", lambda name: name != "cvc5")
    found = decide(BY_SOLVERS, budget=1.0)
    assert found.verdict == Verdict.INCONCLUSIVE
    assert "pip install cvc5" in found.note


def test_a_verdict_that_the_checker_refuses_is_not_given(monkeypatch):
    refusing = lambda *args, **rest: (_ for _ in ()).throw(Wrong("it is not shown"))  # noqa: E731
    monkeypatch.setattr(certificate, "check", refusing)
    for name in ("one box", "z3", "a witness", "an identity", "an induction", "a program"):
        found = decide(ITEMS[name])
        assert found.verdict == Verdict.INCONCLUSIVE
        assert "it is not shown" in found.note


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
        here = intervals.Enclosure({name: intervals.point(q) for name, q in at.items()})
        near = intervals.Enclosure({name: (q, q + 1, False, False) for name, q in at.items()})
        try:
            wide = tape.value([(enclosure.rational(q)[0], enclosure.rational(q + 1)[1]) for q in at.values()])
            point = tape.value([enclosure.rational(q) for q in at.values()])
            own = [e.value(tree) for e in (here, near)]
        except (enclosure.Undefined, intervals.Undefined):
            continue
        true = value(tree, {n_: mpmath.mpf(q.numerator) / q.denominator for n_, q in at.items()})
        for low, high, _, _ in own:
            assert as_mpf(low) - mpmath.mpf(10) ** -40 * (1 + abs(true)) <= true
            assert true <= as_mpf(high) + mpmath.mpf(10) ** -40 * (1 + abs(true))
        if not {"sin", "cos"} & heads(tree):  # of large numbers these are not reduced
            assert float(own[0][1] - own[0][0]) <= 1e-20 * (1 + float(abs(true)))
        slack = mpmath.mpf(10) ** -18 * (1 + abs(true))
        for low, high in (wide, point):
            if low.is_finite():
                assert mpmath.mpf(low.str(40, radius=False)) - slack <= true
            if high.is_finite():
                assert true <= mpmath.mpf(high.str(40, radius=False)) + slack
        assert float(point[1] - point[0]) <= 1e-12 * (1 + float(abs(true)))
        tried += 1
    assert tried > 150


def as_mpf(x):
    import mpmath

    return mpmath.mpf(x) if x in (inf, -inf) else mpmath.mpf(x.numerator) / x.denominator


def test_the_checkers_own_functions_enclose_narrowly():
    """exp, log, roots, cos, pi between their bounds, over 30 orders of magnitude, against mpmath."""
    import mpmath

    rng = random.Random(12)
    mpmath.mp.dps = 130
    for _ in range(400):
        bits = rng.choice([60, 90, 300])
        x = Fraction(rng.randint(1, 10**9), rng.randint(1, 10**9)) * Fraction(10) ** rng.randint(-12, 3)
        p = Fraction(rng.randint(1, 9), rng.randint(2, 9))
        signed = x * rng.choice((1, -1))
        cases = [
            (intervals.log_of, (x,), mpmath.log(as_mpf(x))),
            (intervals.log_of, (1 + x / 10**6,), mpmath.log(as_mpf(1 + x / 10**6))),
            (intervals.root_of, (x, p), mpmath.power(as_mpf(x), as_mpf(p))),
        ]
        if abs(signed) < 5000:
            cases.append((intervals.exp_of, (signed,), mpmath.exp(as_mpf(signed))))
        for function, args, true in cases:
            low, high = (function(*args, bits, up) for up in (False, True))
            slack = abs(true) * mpmath.mpf(10) ** -70
            assert as_mpf(low) - slack <= true <= as_mpf(high) + slack, (function, args)
            assert as_mpf(high) - as_mpf(low) <= abs(true) * mpmath.mpf(2) ** (8 - bits) + slack, (
                function,
                args,
            )
        low, high = intervals.cos_of(signed, bits)
        true = mpmath.cos(as_mpf(signed))
        assert as_mpf(low) - mpmath.mpf(10) ** -70 <= true <= as_mpf(high) + mpmath.mpf(10) ** -70
    low, high = (intervals.pi_of(200, up) for up in (False, True))
    assert as_mpf(low) < mpmath.pi < as_mpf(high)
    assert high - low < Fraction(1, 2**180)


def test_exact_values_stay_exact():
    box = intervals.Enclosure({"x": intervals.point(Fraction(1, 9))})
    for tree, value in {
        "root": (["^", "x", "3/2"], Fraction(1, 27)),
        "exponential": (["exp", ["+", "x", ["q", "-1/9"]]], 1),
        "logarithm": (["log", ["*", ["q", "9"], "x"]], 0),
        "cosine": (["cos", ["q", "0"]], 1),
        "hyperbolic tangent": (["tanh", ["q", "0"]], 0),
    }.values():
        assert box.value(tree)[:2] == (value, value)


def test_an_open_end_is_not_attained():
    """1/x and log x exist on (0, 1], not on [0, 1]; 1/(1 - x) on [0, 1), not on [0, 1]."""
    for tree, side in (
        (["^", "x", "-1"], (0, 1, True, False)),
        (["log", "x"], (0, 1, True, False)),
        (["^", ["+", ["q", "1"], ["*", ["q", "-1"], "x"]], "-1"], (0, 1, False, True)),
    ):
        low, high, *flags = side
        half_open = (Fraction(low), Fraction(high), *flags)
        intervals.Enclosure({"x": half_open}).value(tree)
        with pytest.raises(intervals.Undefined):
            intervals.Enclosure({"x": (*half_open[:2], False, False)}).value(tree)


def test_strictness_of_products_is_right():
    """Against all products of a few values: an end that is said not to be attained is not attained."""
    rng = random.Random(4)
    for _ in range(3000):
        made_ = []
        for _ in range(2):
            a_, b_ = sorted(rng.randint(-2, 2) for _ in range(2))
            flags = (rng.random() < 0.5, rng.random() < 0.5) if a_ < b_ else (False, False)
            inside = [Fraction(a_ * (8 - i) + b_ * i, 8) for i in range(9)]
            inside = [v for v in inside if not (v == a_ and flags[0]) and not (v == b_ and flags[1])]
            made_.append(((Fraction(a_), Fraction(b_), *flags), inside))
        (p, values_p), (q, values_q) = made_
        e = intervals.Enclosure({})
        for op, f in (
            (e.mul, lambda x_, y_: x_ * y_),
            (e.add, lambda x_, y_: x_ + y_),
            (e.larger, max),
            (e.smaller, min),
        ):
            low, high, never_low, never_high = op(p, q)
            results = [f(x_, y_) for x_ in values_p for y_ in values_q]
            assert all((low < r if never_low else low <= r) for r in results), (op, p, q)
            assert all((r < high if never_high else r <= high) for r in results), (op, p, q)


NORMAL = {
    "a root of a square": (["^", ["^", "x", "2"], "1/2"], "x", True),
    "a root of a square of any sign": (["^", ["^", "a", "2"], "1/2"], "a", False),
    "its absolute value": (["^", ["^", "a", "2"], "1/2"], ["abs", "a"], False),  # true, but not shown
    "roots of numbers": (
        ["*", ["^", ["q", "2"], "1/2"], ["^", ["q", "6"], "1/2"]],
        ["*", ["q", "2"], ["^", ["q", "3"], "1/2"]],
        True,
    ),
    "a logarithm of a product": (["log", ["*", "x", "y"]], ["+", ["log", "x"], ["log", "y"]], True),
    "a logarithm of numbers": (["log", ["q", "4/9"]], ["*", ["q", "2"], ["log", ["q", "2/3"]]], True),
    "a power of e": (
        ["exp", ["+", "x", ["*", ["q", "2"], ["log", "y"]]]],
        ["*", ["exp", "x"], ["^", "y", "2"]],
        True,
    ),
    "a symbolic power": (["pow", "x", ["+", "a", ["q", "1"]]], ["*", "x", ["pow", "x", "a"]], True),
    "a quotient": (
        ["+", ["*", "x", ["^", ["+", "x", ["q", "1"]], "-1"]], ["^", ["+", "x", ["q", "1"]], "-1"]],
        ["q", "1"],
        True,
    ),
    "a nested quotient": (
        ["^", ["+", ["q", "1"], ["^", ["+", "a", ["q", "1"]], "-1"]], "-1"],
        ["*", ["+", "a", ["q", "1"]], ["^", ["+", "a", ["q", "2"]], "-1"]],
        True,
    ),
    "a logarithm of numbers of any sign": (
        ["log", ["*", "a", "b"]],
        ["+", ["log", "a"], ["log", "b"]],
        False,
    ),
    "a wrong sum": (["+", "x", "y"], ["*", "x", "y"], False),
    "sums in another index": (["sum", "j", ["q", "1"], "n", "j"], ["sum", "k", ["q", "1"], "n", "k"], True),
    "a last term": (
        ["sum", "j", ["q", "1"], ["+", "n", ["q", "1"]], ["at", "A", "j"]],
        ["+", ["sum", "j", ["q", "1"], "n", ["at", "A", "j"]], ["at", "A", ["+", "n", ["q", "1"]]]],
        True,
    ),
    "a factor": (
        ["sum", "j", ["q", "1"], "n", ["*", "x", "j"]],
        ["*", "x", ["sum", "j", ["q", "1"], "n", "j"]],
        True,
    ),
    "different functions": (["call", "f", "x"], ["call", "g", "x"], False),
}


@pytest.mark.parametrize("name", NORMAL)
def test_normal_forms(name):
    left, right, same = NORMAL[name]
    positive, any_ = (Fraction(0), inf, True, True), (-inf, inf, True, True)
    box = {"x": positive, "y": positive, "a": any_, "b": any_, "n": (Fraction(1), inf, False, True)}
    assert zero(minus(left, right), box) is same


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
    s = statement_of(Inequality("i", a, a, {a: REAL}))
    with pytest.raises(Wrong):
        with_inverses(s, ["a"])


def test_rewritten_forms_are_judged():
    tree = ["+", ["^", "x", "-1"], ["*", ["q", "-1"], ["^", ["+", "x", ["q", "1"]], "-1"]]]
    top, bottom = quotient(tree, frozenset(["x"]))
    low = {"x": (Fraction(0), inf, True, True)}
    assert zero(minus(["*", tree, bottom], top), low)
    assert not zero(minus(["*", tree, bottom], ["*", ["q", "2"], top]), low)


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


def test_rewriting_ends_outside_the_garbage_collector(monkeypatch):
    """In a callback of the collector Python would print the exception and go on. (Hypothesis has such a callback.)"""

    def slow(*_):
        until = time.thread_time() + 0.02
        while time.thread_time() < until:
            pass

    def allocating(e):
        until = time.thread_time() + 5
        while time.thread_time() < until:
            kept = [[] for _ in range(2000)]
            kept.append(kept)
        pytest.fail("never ended")

    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    monkeypatch.setattr(rewriting, "factor", allocating)
    monkeypatch.setattr(rewriting, "SECONDS", 0.2)
    gc.callbacks.append(slow)
    try:
        assert (
            quotient(["+", ["^", "x", "-1"], ["^", ["+", "x", ["q", "9"]], "-1"]], frozenset(["x"])) is None
        )
    finally:
        gc.callbacks.remove(slow)
    assert gc.isenabled()
    assert not lost


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
    held = {
        "none": ("holds", None),
        "wrong": ("holds", {"kind": "nonsense"}),
        "other": ("violated", made("a tie")),
    }
    for name, (verdict, certificate_) in held.items():
        record = {"verdict": verdict, "method": "SymPy only", "certificate": certificate_}
        (tmp_path / f"{name}.json").write_bytes(seal(json.dumps(record).encode()))
    assert main([str(tmp_path / "none.json")]) == 1
    assert "a verdict without a certificate" in capsys.readouterr().out
    assert main([str(tmp_path / "wrong.json")]) == 1
    assert main([str(tmp_path / "other.json")]) == 1
