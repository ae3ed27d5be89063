"""Rules of calculus: what they prove of the inequalities that convergence proofs use, and that nothing false passes."""

import copy
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench.evidence.verdicts import Verdict
from workbench.ledger import (
    analysis,
    calculus,
    certificate,
    counterexample,
    derivatives,
    parser,
    typed,
    words,
)
from workbench.ledger.decide import decide_statement
from workbench.ledger.trees import Wrong

HERE = Path(__file__).parent / "ledger"
SECONDS = 5.0
OPEN = set()  # labels of lines that are not proved
SLOW = {"cosh", "cosh_near", "gronwall", "prod_power", "prod_squares", "sum_geometric_exact", "sum_log", "sum_power",
        "young", "prod_half", "kappa_root", "chung_half"}  # fmt: skip


def lines(name):
    statements, mistakes = typed.every((HERE / name).read_text("utf-8"), name)
    assert not mistakes
    return {each.label: each for each in statements}


USUAL, HELD_BACK = lines("bread_and_butter.txt"), lines("held_back.txt")
SECOND, SECOND_FALSE = lines("second_list.txt"), lines("second_list_false.txt")


def test_the_lists_have_68_and_34_lines():
    assert (len(USUAL), len(HELD_BACK)) == (68, 34)
    assert not set(USUAL) & set(HELD_BACK)


@pytest.mark.parametrize(
    "label", [pytest.param(n, marks=[pytest.mark.long] * (n in SLOW)) for n in USUAL if n not in OPEN]
)
def test_a_usual_line_is_proved_as_it_was_typed(label):
    outcome = decide_statement(USUAL[label].statement, SECONDS)
    assert outcome.verdict == Verdict.HOLDS, outcome.note
    assert certificate.check(outcome.certificate, USUAL[label].statement) == "holds"


@pytest.mark.long
def test_nearly_all_lines_that_were_held_back_are_proved():
    outcomes = [decide_statement(each.statement, SECONDS) for each in [*HELD_BACK.values(), *SECOND.values()]]
    assert all(o.verdict != Verdict.VIOLATED for o in outcomes)
    assert sum(o.verdict == Verdict.HOLDS for o in outcomes) >= 0.9 * len(outcomes)


# What each of the rules that came last is needed for.
LAST = {"step_from_1": SECOND, "power_convex": HELD_BACK, "adagrad_power": HELD_BACK, "power_log": HELD_BACK,
        "softplus": SECOND, "sum_linear_weights": SECOND, "sum_shifted_power": SECOND}  # fmt: skip


@pytest.mark.parametrize("label", LAST)
def test_a_line_that_was_held_back_is_proved(label):
    s = LAST[label][label].statement
    outcome = decide_statement(s, SECONDS)
    assert outcome.verdict == Verdict.HOLDS, outcome.note
    assert certificate.check(outcome.certificate, s) == "holds"


@pytest.mark.parametrize("label", SECOND_FALSE)
def test_a_false_neighbour_of_the_second_list_is_refuted(label):
    assert set(SECOND_FALSE) == set(SECOND)
    assert decide_statement(SECOND_FALSE[label].statement, SECONDS).verdict == Verdict.VIOLATED


# Each is true with what stands in the comment behind it.
FALSE = {
    "tangent": "log(1 + x) <= 99/100*x for x > 0",  # x
    "tangent, end": "log(1 + x) <= x for x >= -1",  # x > -1
    "ratio": "x/(1 + x) <= 99/100*log(1 + x) for x > -1/2",  # log(1 + x)
    "power": "log(T) <= T^q/(q*e) - 1/1000 for T > 0, q in (0, 1]",  # T^q/(q*e)
    "power, smaller": "log(T) <= 99/100*T^q/(q*e) for T > 0, q in (0, 1]",
    "power, domain": "log(T) <= T^q/(q*e) for T > 0, q in [-1, 1]",  # q in (0, 1]
    "quarter": "log(T) <= 1471/1000*T^(1/4) for T > 0",  # 4/e = 1.47151...
    "root": "1 + log(T) <= 1212/1000*sqrt(T) for T > 0",  # 2/sqrt(e) = 1.21306...
    "euler": "(1 + 1/t)^t <= 27/10 for t > 0",  # e
    "euler, reversed": "e <= (1 + 1/t)^t for t > 0",
    "euler, end": "(1 - 1/t)^t <= 1/e for t >= 1",  # t > 1: 0^1 has a value, but 0^t has none
    "bernoulli": "1 + 101/100*n*x <= (1 + x)^n for x > -1, integer n >= 1",  # n*x
    "bernoulli, real n": "1 + n*x <= (1 + x)^n for x > -1, n >= 99/100",  # n >= 1
    "bernoulli, end": "1 + n*x <= (1 + x)^n for x >= -1, n >= 1",  # x > -1
    "step": "(t + 1)^p - t^p <= 99/100*p*t^(p - 1) for t > 0, p in (0, 1)",  # p*t^(p - 1)
    "step, domain": "(t + 1)^p - t^p <= p*t^(p - 1) for t > 0, p in (0, 101/100]",  # p in (0, 1)
    "inverse step": "t^(-p) - (t + 1)^(-p) <= 99/100*p*t^(-p - 1) for t, p > 0",
    "contraction": "(1 - 1/kappa)^t <= exp(-101/100*t/kappa) for kappa > 1, t >= 0",  # exp(-t/kappa)
    "contraction, end": "(1 - 1/kappa)^t <= exp(-t/kappa) for kappa >= 1, t >= 0",  # kappa > 1
    "cosh": "(exp(x) + exp(-x))/2 <= exp(49/100*x^2) for x real",  # x^2/2
    "hoeffding": "log(1 + exp(x)) <= log(2) + x/2 + 99/800*x^2 for x real",  # x^2/8
    "young": "a*b <= 99/100*a^p/p + b^q/q for a, b > 0, p, q > 1 given q = p/(p - 1)",  # a^p/p
    "young, other q": "a*b <= a^p/p + b^q/q for a, b > 0, p, q > 1 given q = p/(p - 99/100)",
    "kappa": "(k - 1)/(k + 1) <= exp(-201/100/k) for k >= 1",  # exp(-2/k)
    "adagrad": "a/(b + S + a) <= 99/100*(log(b + S + a) - log(b + S)) for a, S >= 0, b > 0",
    "adagrad, reversed": "log(b + S + a) - log(b + S) <= a/(b + S + a) for a, S >= 0, b > 0",
    "adagrad, end": "a/(b + S + a) <= log(b + S + a) - log(b + S) for a, S, b >= 0",  # b > 0
    "sum": "sum(t^(-p), t, 1, n) <= 99/100*n^(1 - p)/(1 - p) for p in (0, 1), integer n >= 1",
    "sum, one term": "sum(t^(-p), t, 1, n) <= (n - 1/100)^(1 - p)/(1 - p) for p in (0, 1), integer n >= 1",
    "sum, log": "sum(1/(k*log(k)), k, 2, n) <= log(log(n)) + 1 for integer n >= 2",  # 11/10
    "geometric": "sum(rho^k, k, 0, n) <= 99/100/(1 - rho) for rho in (0, 1), integer n >= 1",
    "geometric, weighted": "sum(k*rho^k, k, 1, n) <= 99/100*rho/(1 - rho)^2 for rho in (0, 1), integer n >= 1",
    "geometric, domain": "sum(rho^k, k, 0, n) <= 1/(1 - rho) for rho in (0, 2), integer n >= 1",
    "squares": "sum(1/t^2, t, 1, n) <= 3/2 for integer n >= 1",
    "product": "prod(1 - c/k, k, 1, n) <= (n + 101/100)^(-c) for c in [0, 1], integer n >= 1",  # n + 1
    "product, domain": "prod(1 + c/k, k, 1, n) <= exp(c*(1 + log(n))) for c >= -2, integer n >= 1",  # c >= 0
    "gronwall": "prod(1 + c/k, k, 1, n) <= exp(c*(1/2 + log(n))) for c >= 0, integer n >= 1",  # 1 + log(n)
    "a pole": "1 <= 1/x for x in [-1, 1]",
    "a pole inside": "-1/x <= 1 for x in [-1, 1]",
    "a kink": "abs(x) <= x + 1/100 for x in [-1, 1]",
    "a branch": "0 <= x*if(y >= 0, 1, -1) for x, y in [-1, 1]",
    "a maximum": "max(x, 1 - x) <= 99/100 for x in [0, 1]",
    "a minimum": "1/100 <= min(x, 1 - x) for x in [0, 1]",
    "a root at its end": "sqrt(x) <= 10*x for x >= 0",
    "subadditive, any p": "(1 + y)^p <= y^p + 1 for y > 0, p in (0, 101/100]",  # p in (0, 1]
    "subadditive, smaller": "(1 + y)^p <= y^p + 99/100 for y > 0, p in (0, 1]",
    "a limit of another sign": "1 <= y^p for y > 0, p > 0",  # y^p falls to 0
    "a limit for a negative exponent": "y^(-p) <= 1 for y > 0, p > 0",
    "a limit for an exponent of no sign": "y^p <= 1 + y for y > 0, p in [-1, 1]",
    "convex power": "(1 + y)^p <= 99/100*2^(p - 1)*(1 + y^p) for y > 0, p >= 1",
    "convex power, p below": "(1 + y)^p <= 2^(p - 1)*(1 + y^p) for y > 0, p >= 99/100",
    "smallest of x^p log x": "-99/100/(p*e) <= x^p*log(x) for x, p > 0",
    "hoeffding, any p": "log(1 - p + p*exp(s)) - p*s <= 99/800*s^2 for s real, p in (0, 1)",
    "soft maximum": "log(1 + exp(x)) <= x + 69/100 for x >= 0",  # log(2)
    "a maximum of two": "max(x, y) <= (x + y)/2 + 1 for x, y in [0, 3]",
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_certified(name):
    s = parser.statement(FALSE[name])
    assert decide_statement(s, 0.3).verdict != Verdict.HOLDS


@pytest.mark.long
@pytest.mark.parametrize("name", FALSE)
def test_a_false_neighbour_is_not_certified_by_a_search_that_tries_all_rules(name, monkeypatch):
    """The rules themselves refuse it, not only the points at which a search looks first."""
    s = parser.statement(FALSE[name])
    monkeypatch.setattr(derivatives, "smallest", lambda terms, box: 0.0)
    for part in certificate.parts(s).values() if s["kind"] == "induction" else [s]:
        outcome = analysis.decide(part, 0.4)
        if outcome.verdict == Verdict.HOLDS:
            certificate.prove(part, outcome.certificate, 1.0)
            assert not false_somewhere(part)


def false_somewhere(s):
    points = counterexample.sample(dict(sorted(s["box"].items())), np.random.default_rng(1), 2000)
    return s["box"] and np.max(counterexample.excess(s, points)) > 1e-9


# ------------------------------------------------------------------------------------------------ tamperings

# For every rule a true statement whose proof uses it, and a false one of the same form.
RULES = {
    "monotone": ("log(1 + x) <= x for x >= 0", "log(1 + x) <= 99/100*x for x >= 0"),
    "scaling": ("x/(1 + x) <= log(1 + x) for x > -1", "x/(1 + x) <= log(1 + x) - 1/100 for x > -1"),
    "chain": ("sum(r^k, k, 0, n) <= 1/(1 - r) for r in (0, 1), integer n >= 1",
              "sum(r^k, k, 0, n) <= 99/100/(1 - r) for r in (0, 1), integer n >= 1"),
}  # fmt: skip
# The same with the first step of the proof.
WRITTEN = {
    "limit": ("(1 + x)^p <= x^p + 1 for x > 0, p in (0, 1)", "(1 + x)^p <= x^p + 99/100 for x > 0, p in (0, 1)",
              {"by": "monotone", "variable": "x", "from": "0", "limit": True}),
    "weight": ("p*log(1 + x) <= p*x for x >= 0, p >= 0", "p*log(1 + x) <= 99/100*p*x for x >= 0, p >= 0",
               {"by": "scaling", "multiplier": [], "weight": ["p"],
                "to": [parser.tree("log(1 + x)"), "x"]}),
    "multiple of a tree": ("-1/(p*e) <= x^p*log(x) for x, p > 0", "-99/100/(p*e) <= x^p*log(x) for x, p > 0",
                           {"by": "substitution", "variable": "x", "as": "multiple", "of": parser.tree("exp(-1/p)")}),
    "distance": ("-1/(p*e) <= x*exp(p*x) for x real, p > 0", "-99/100/(p*e) <= x*exp(p*x) for x real, p > 0",
                 {"by": "substitution", "variable": "x", "as": "distance", "of": parser.tree("-1/p")}),
    "exponential of both": ("x <= log(1 + exp(x)) for x real", "x <= log(99/100 + exp(x)) - 1/100 for x real",
                            {"by": "exponential"}),
    "wider": ("log(x) <= x - 1 for x >= 2", "log(x) <= x - 2 for x >= 2", {"by": "wider", "variable": "x"}),
    "extremes": ("max(x, 1 - x) <= 1 for x in [0, 1]", "max(x, 1 - x) <= 99/100 for x in [0, 1]",
                 {"by": "extremes"}),
    "convex": ("1 + log(x) <= x for x > 0", "101/100 + log(x) <= x for x > 0",
               {"by": "convex", "variable": "x", "at": ["q", "1"]}),
    "logarithm": ("(1 - 1/k)^t <= exp(-t/k) for k > 1, t > 0", "(1 - 1/k)^t <= exp(-101/100*t/k) for k > 1, t > 0",
                  {"by": "logarithm"}),
    "inverse": ("log(1 + 1/t) <= 1/t for t > 0", "log(1 + 1/t) <= 99/100/t for t > 0",
                {"by": "substitution", "variable": "t", "as": "inverse"}),
    "exponential": ("log(T) <= T^q/(q*e) for T > 0, q in (0, 1]", "log(T) <= 99/100*T^q/(q*e) for T > 0, q in (0, 1]",
                    {"by": "substitution", "variable": "T", "as": "exponential",
                     "side": ["-oo", "oo", True, True, False]}),
    "shifted": ("a*b <= a^p/p + b^(p/(p - 1))*(p - 1)/p for a, b > 0, p > 1",
                "a*b <= 99/100*a^p/p + b^(p/(p - 1))*(p - 1)/p for a, b > 0, p > 1",
                {"by": "substitution", "variable": "p", "as": "shifted", "by_number": "1"}),
    "power": ("3*x^(2/3) <= 2*x + 1 for x >= 0", "3*x^(2/3) <= 2*x + 99/100 for x >= 0",
              {"by": "substitution", "variable": "x", "as": "power", "power": "3"}),
    "multiple": ("2*x*y <= x^2 + y^2 for x, y > 0", "2*x*y <= x^2 + 99/100*y^2 for x, y > 0",
                 {"by": "substitution", "variable": "x", "as": "multiple", "of": "y"}),
    "general": ("1/(x + 1) <= log(x + 1) - log(x) for x > 0", "1/(x + 1) <= 99/100*(log(x + 1) - log(x)) for x > 0",
                {"by": "general", "variable": "h", "value": "1", "side": ["0", "1"],
                 "to": [parser.tree("h/(x + h)"), parser.tree("log(x + h) - log(x)")]}),
}  # fmt: skip
MADE = {}


def made(name):
    """(true statement, false statement, proof of the true one)"""
    if name not in MADE and name in WRITTEN:
        true, false, proof = WRITTEN[name]
        s = parser.statement(true)
        search = derivatives.Search()
        parts = calculus.RULES[proof["by"]](s, proof)
        MADE[name] = (
            s,
            parser.statement(false),
            {**proof, "parts": {n: search.prove(p, 6) for n, p in parts.items()}},
        )
    elif name not in MADE:
        true, false = map(parser.statement, RULES[name])
        outcome = decide_statement(true, SECONDS) if name == "chain" else analysis.decide(true, SECONDS)
        proof = outcome.certificate["proof"] if name == "chain" else outcome.certificate
        MADE[name] = true, false, proof
    return copy.deepcopy(MADE[name])


def refused(s, proof):
    try:
        certificate.check(certificate.certificate(s, "holds", proof), s, seconds=1.0)
    except Wrong:
        return True
    return False


def uses(proof, name):
    if isinstance(proof, dict):
        return name in (proof.get("by"), proof.get("as")) or any(uses(part, name) for part in proof.values())
    return isinstance(proof, list) and any(uses(part, name) for part in proof)


@pytest.mark.parametrize("name", [*RULES, *WRITTEN])
def test_every_rule_has_a_proof_that_uses_it_and_that_is_told_in_words(name):
    true, _, proof = made(name)
    assert uses(proof, name) or name in WRITTEN
    assert not refused(true, proof)
    steps = words.lines(certificate.certificate(true, "holds", proof))
    assert len(steps) > 1
    assert all(step.strip() and "\n" not in step for step in steps)


def places(value, path=()):
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield from places(part, (*path, key))


def changed(proof, rng):
    """The proof with one part replaced, dropped, or exchanged for another of it."""
    proof = copy.deepcopy(proof)
    paths = [p for p in places(proof) if p]
    path = rng.choice(paths)
    parent = proof
    for key in path[:-1]:
        parent = parent[key]
    old, key = parent[path[-1]], path[-1]
    numbers = [
        *(["0", "1", "-1", "2", "1/2", "99/100", "101/100", "oo", "-oo"]),
        ["q", "0"],
        ["q", "1"],
        ["q", "-1"],
    ]
    other = proof
    for step in rng.choice(paths):
        other = other[step]
    choices = [rng.choice(numbers), copy.deepcopy(other), "x", "t", True, [], {}, *calculus.RULES]
    if isinstance(old, str) and old.lstrip("-").replace("/", "").isdigit():
        q = Fraction(old)
        choices += [str(v) for v in (-q, q + 1, q - 1, q * 2, q / 2)] * 3
    parent[key] = rng.choice(choices)
    return proof


@pytest.mark.parametrize("name", [*RULES, *WRITTEN])
def test_a_proof_of_a_neighbour_proves_no_false_statement_however_it_is_tampered_with(name):
    _, false, proof = made(name)
    assert refused(false, proof)
    rng = random.Random(name)
    for _ in range(100):
        other = changed(proof, rng)
        for _ in range(rng.randrange(3)):
            other = changed(other, rng)
        assert refused(false, other), other


@pytest.mark.parametrize("name", [*RULES, *WRITTEN])
def test_tampering_with_a_proof_is_refused_or_leaves_a_proof(name):
    """At least 20 tamperings of every kind are refused; what passes is about the very same statement, which is true."""
    true, _, proof = made(name)
    rng = random.Random(name)
    count = sum(refused(true, changed(proof, rng)) for _ in range(45))
    assert count >= 20


# ------------------------------------------------------------------------------------------------ forged proofs

ENCLOSED = {"by": "boxes", "form": "difference", "tree": "v"}
EQUAL = {"by": "terms", "multiplier": [], "terms": []}


def monotone(c, /, **parts):
    return {"by": "monotone", "variable": "x", "from": c, "parts": parts}


def substituted(kind, inner=ENCLOSED, **about):
    return {"by": "substitution", "variable": "x", "as": kind, **about, "parts": {"rest": inner}}


FORGED = {
    "a decreasing function": ("x <= 0 for x in [0, 1]", monotone("0", start=ENCLOSED, above=ENCLOSED)),
    "a start that is not there": ("0 <= x - 1 for x in [0, 1]", monotone("1", start=EQUAL, above=ENCLOSED)),
    "half of a path": ("0 <= x for x in [-1, 1]", monotone("0", start=EQUAL, above=ENCLOSED)),
    "a limit of a pole": ("0 <= x^(-p) - 2 for x in (0, 1], p > 0",
                          {**monotone("0", start=EQUAL, above=ENCLOSED), "limit": True}),
    "a limit where the exponent may vanish": ("1 <= 1 - x^p for x in (0, 1], p in [0, 1]",
                                              {**monotone("0", start=EQUAL, above=ENCLOSED), "limit": True}),
    "a limit inside": ("1 <= x^p for x > 0, p > 0", {**monotone("1", start=EQUAL, above=ENCLOSED), "limit": True}),
    "a limit of a decreasing function": ("x^p <= 0 for x > 0, p > 0",
                                         {**monotone("0", start=EQUAL, above=ENCLOSED), "limit": True}),
    "a limit of a logarithm": ("0 <= log(x) for x > 0", {**monotone("0", start=EQUAL, above=ENCLOSED), "limit": True}),
    "a limit that is no answer": ("0 <= x - 1 for x > 0", {**monotone("0", start=EQUAL, above=ENCLOSED), "limit": 1}),
    "a weight that is negative": ("1 <= 0 for x in [1, 2]",
                                  {"by": "scaling", "multiplier": [], "weight": [["q", "-1"]],
                                   "to": [["q", "0"], ["q", "1"]], "parts": {"rest": ENCLOSED}}),
    "a weight without a sign": ("x <= 0 for x in [-1, 1]",
                                {"by": "scaling", "multiplier": [], "weight": ["x"],
                                 "to": [["q", "1"], ["q", "0"]], "parts": {"rest": ENCLOSED}}),
    "a multiple of the variable": ("x <= 1 for x > 0", substituted("multiple", of=["^", "x", "-1"])),
    "a negative multiple": ("x <= 0 for x > 0, y > 0", substituted("multiple", of=["*", ["q", "-1"], "y"])),
    "a multiple without a value": ("0 <= x - 1 for x > 0, y >= 0", substituted("multiple", of=["^", "y", "-1"])),
    "a distance on half of the line": ("0 <= x - 1 for x >= 1, y >= 0", substituted("distance", of="y")),
    "an unknown distance": ("0 <= x for x real, y > 0", substituted("distance", of="z")),
    "a wider side below 0": ("0 <= x + 1 for x >= -1", {"by": "wider", "variable": "x", "parts": {"rest": ENCLOSED}}),
    "a wider side with an end": ("0 <= 2 - x for x in [1, 2]",
                                 {"by": "wider", "variable": "x", "parts": {"rest": ENCLOSED}}),
    "one argument of two": ("max(x, 2) <= 1 for x in [0, 1]", {"by": "extremes", "parts": {"0": ENCLOSED}}),
    "a maximum above": ("1 <= max(x, 0) for x in [0, 1]",
                        {"by": "extremes", "parts": {"0": ENCLOSED, "1": ENCLOSED}}),
    "a minimum below": ("min(x, 2) <= 0 for x in [0, 1]",
                        {"by": "extremes", "parts": {"0": ENCLOSED, "1": ENCLOSED}}),
    "an exponential of more": ("x <= 0 for x in [0, 1]", {"by": "exponential", "parts": {"rest": ENCLOSED}}),
    "a part too many": ("0 <= x for x in [-1, 1]", monotone("-2", start=EQUAL, above=ENCLOSED, below=ENCLOSED)),
    "a pole on the path": ("0 <= 1 - 1/x for x in (0, 1]", monotone("-1", start=ENCLOSED, above=ENCLOSED)),
    "a pole between start and box": ("1 <= -1/x for x >= 2", monotone("-1", start=EQUAL, above=ENCLOSED)),
    "a pole inside": ("-1/x <= 1 for x in [-1, 1]", monotone("-1", start=EQUAL, above=ENCLOSED)),
    "a logarithm of a negative number": ("0 <= log(x) for x in [-2, -1]", monotone("-1", start=EQUAL, below=ENCLOSED)),
    "a jump under the derivative": ("0 <= x*if(x - 1 >= 0, 0, 1) - 1 for x in [1/2, 2]",
                                    monotone("1/2", start=ENCLOSED, above=ENCLOSED)),
    "a kink under the derivative": ("1 <= abs(x) for x in [-1, 1]", monotone("-1", start=EQUAL, above=ENCLOSED)),
    "a maximum under the derivative": ("max(x, -x) <= 0 for x in [-1, 1]",
                                       monotone("0", start=EQUAL, above=ENCLOSED, below=ENCLOSED)),
    "a minimum under the derivative": ("0 <= min(x, -x) for x in [-1, 1]",
                                       monotone("0", start=EQUAL, above=ENCLOSED, below=ENCLOSED)),
    "a root without a derivative": ("sqrt(x) <= x for x >= 0", monotone("0", start=EQUAL, above=ENCLOSED)),
    "a condition that the path leaves": ("x <= 1/2 for x in [0, 1] given x <= 2/3",
                                         {**monotone("0", start=ENCLOSED, above=ENCLOSED), "example": {"x": "0"}}),
    "a start outside of a condition": ("0 <= x - y for x in [0, 1], y in [0, 1] given x >= y",
                                       {**monotone("0", start=ENCLOSED, above=ENCLOSED),
                                        "example": {"x": "1", "y": "0"}}),
    "no number": ("0 <= x for x in [-1, 1]", monotone("oo", start=ENCLOSED, below=ENCLOSED)),
    "another variable": ("0 <= x for x in [-1, 1]", {**monotone("0", start=EQUAL, above=EQUAL), "variable": "y"}),
    "a tangent elsewhere": ("0 <= x^2 - 1 for x in [-2, 2]",
                            {"by": "convex", "variable": "x", "at": ["q", "1"],
                             "parts": {"start": EQUAL, "curve": ENCLOSED}}),
    "a tangent below": ("0 <= x^2 - 1 for x in [-2, 2]",
                        {"by": "convex", "variable": "x", "at": ["q", "0"],
                         "parts": {"start": ENCLOSED, "curve": ENCLOSED}}),
    "a tangent that moves": ("0 <= x^2 - x*y for x, y in [0, 1]",
                             {"by": "convex", "variable": "x", "at": ["*", ["q", "1/2"], "x"],
                              "parts": {"start": ENCLOSED, "curve": ENCLOSED}}),
    "a concave function": ("0 <= -x^2 for x in [-2, 2]",
                           {"by": "convex", "variable": "x", "at": ["q", "0"],
                            "parts": {"start": EQUAL, "curve": ENCLOSED}}),
    "a tangent across a pole": ("0 <= x + 1/x - 2 for x in [-2, -1]",
                                {"by": "convex", "variable": "x", "at": ["q", "1"],
                                 "parts": {"start": EQUAL, "curve": ENCLOSED}}),
    "a jump under two derivatives": ("0 <= if(x - 1 >= 0, -1, 1)*x^2 for x in [0, 2]",
                                     {"by": "convex", "variable": "x", "at": ["q", "0"],
                                      "parts": {"start": EQUAL, "curve": ENCLOSED}}),
    "a negative factor": ("1 <= 0 for x in [1, 2]",
                          {"by": "scaling", "multiplier": [["q", "-1"]], "to": [["q", "0"], ["q", "1"]],
                           "parts": {"rest": ENCLOSED}}),
    "a factor that vanishes": ("1 <= 0 for x in [0, 1]",
                               {"by": "scaling", "multiplier": ["x"], "to": ["x", ["q", "0"]],
                                "parts": {"rest": ENCLOSED}}),
    "a factor 0": ("1 <= 0 for x in [1, 2]",
                   {"by": "scaling", "multiplier": [["q", "0"]], "to": [["q", "0"], ["q", "0"]],
                    "parts": {"rest": EQUAL}}),
    "two factors that vanish together": ("1 <= 0 for x in [0, 1]",
                                         {"by": "scaling", "multiplier": ["x", ["^", "x", "-1"]],
                                          "to": [["q", "1"], ["q", "0"]], "parts": {"rest": ENCLOSED}}),
    "a factor without a value": ("1/1000 <= x for x real",
                                 {"by": "scaling", "multiplier": [["exp", ["^", "x", "-1"]]],
                                  "to": [["q", "0"], ["q", "1"]], "parts": {"rest": ENCLOSED}}),
    "another multiple": ("1 <= 0 for x in [1, 2]",
                         {"by": "scaling", "multiplier": [], "to": [["q", "0"], ["q", "1"]],
                          "parts": {"rest": ENCLOSED}}),
    "a side without a value": ("1/x <= 1/x for x in [0, 1]",
                               {"by": "scaling", "multiplier": [], "to": [["q", "0"], ["q", "0"]],
                                "parts": {"rest": EQUAL}}),
    "logarithms of negative numbers": ("-1 <= -2 for x in [1, 2]",
                                       {"by": "logarithm", "parts": {"rest": ENCLOSED}}),
    "a logarithm of zero": ("x <= 0 for x in [0, 1]", {"by": "logarithm", "parts": {"rest": ENCLOSED}}),
    "the inverse of zero": ("1 <= x for x in [0, 1]", substituted("inverse")),
    "the inverse of a negative number": ("0 <= x for x in [-1, 1]", substituted("inverse")),
    "a power of a negative number": ("0 <= x for x in [-1, 1]", substituted("power", power="2")),
    "a power that is negative": ("1 <= x for x in [1/2, 2]", substituted("power", power="-1")),
    "a power 0": ("1 <= x for x in [1/2, 2]", substituted("power", EQUAL, power="0")),
    "an irrational end": ("2 <= x for x in [1, 2]", substituted("power", power="2")),
    "an exponential that starts late": ("2 <= x for x >= 1",
                                        substituted("exponential", side=["1", "oo", False, True, False])),
    "an exponential without its end": ("x <= 1 for x in [1, 2]",
                                       substituted("exponential", side=["0", "0", True, True, False])),
    "an exponential that ends early": ("x <= 2 for x in [1, 3]",
                                       substituted("exponential", side=["0", "1/2", False, False, False])),
    "an exponential that is open": ("1 <= x - 1/1000 for x in [1, 2]",
                                    substituted("exponential", side=["0", "1", True, False, False])),
    "an exponential of an integer": ("2 <= x for x in [1, 3]",
                                     substituted("exponential", side=["0", "2", False, False, True])),
    "an exponential of nothing": ("x <= 0 for x in [1, 3]",
                                  substituted("exponential", side=["2", "-1", False, False, False])),
    "an exponential that meets zero": ("1/1000 <= x for x >= 0",
                                       substituted("exponential", side=["-oo", "oo", True, True, False])),
    "a shift by a variable": ("0 <= x for x in [-1, 1]", substituted("shifted", by_number="x")),
    "a shift by infinity": ("0 <= x for x in [-1, 1]", substituted("shifted", by_number="oo")),
    "a multiple of itself": ("x <= 1 for x > 0", substituted("multiple", of="x")),
    "a multiple of an expression in itself": ("x <= 1 for x > 0", substituted("multiple", of=["^", "x", "-1"])),
    "a multiple of zero": ("x <= y for x, y >= 0", substituted("multiple", of="y")),
    "a multiple of a negative number": ("0 <= x for x > 0, y < 0", substituted("multiple", of="y")),
    "a multiple on a side that ends": ("1/2 <= x for x in [1/4, oo), y > 0", substituted("multiple", of="y")),
    "an unknown substitution": ("0 <= x for x in [-1, 1]", substituted("square")),
    "a case outside": ("2 <= x for x in [1, 3]",
                       {"by": "general", "variable": "h", "value": "2", "side": ["0", "1"],
                        "to": [["*", ["q", "1"], "h"], "x"], "parts": {"rest": ENCLOSED}}),
    "no case": ("2 <= x for x in [1, 3]",
                {"by": "general", "variable": "h", "value": "1", "side": ["0", "1"], "to": ["h", "x"],
                 "parts": {"rest": ENCLOSED}}),
    "a variable that is there": ("2 <= x for x in [1, 3], h in [0, 2]",
                                 {"by": "general", "variable": "h", "value": "1", "side": ["0", "1"],
                                  "to": [["q", "2"], ["+", "x", "h", ["q", "-1"]]], "parts": {"rest": ENCLOSED}}),
    "a variable called e": ("2 <= x for x in [1, 3]",
                            {"by": "general", "variable": "e", "value": "1", "side": ["0", "1"],
                             "to": [["q", "2"], "x"], "parts": {"rest": ENCLOSED}}),
    "a rule that is none": ("2 <= x for x in [1, 3]", {"by": "nodes", "parts": {}}),
    "a loop in place of parts": ("2 <= x for x in [1, 3]", monotone("1")),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_proof_of_a_false_statement_is_refused(name):
    line, proof = FORGED[name]
    assert refused(parser.statement(line), proof)


def test_the_index_of_a_sum_in_a_condition_is_no_new_variable():
    """The condition is false at h = 1/2 only if the index of its sum is taken for the variable."""
    s = {
        "kind": "inequality",
        "lhs": ["q", "2"],
        "rhs": "x",
        "box": {"x": ["1", "3", False, False, False]},
        "given": [[["+", ["sum", "h", ["q", "1"], ["q", "2"], "h"], ["q", "-3"]], ">="]],
    }
    about = {"variable": "h", "value": "1", "side": ["0", "1"], "to": [["q", "2"], "x"]}
    with pytest.raises(Wrong, match="not new"):
        calculus.general(s, about)


@pytest.mark.parametrize(
    ("bound", "through", "parts"),
    [
        ("n - 1", ["n"], {"first": None, "second": ENCLOSED}),
        ("n - 1", ["+", "n", ["q", "-1"]], {"first": None, "second": EQUAL}),
        ("n - 1", "m", {"first": None, "second": EQUAL}),
    ],
)
def test_a_chain_needs_both_of_its_parts(bound, through, parts):
    s = parser.statement(f"sum(1, k, 1, n) <= {bound} for integer n >= 1")
    steps = {"base": EQUAL, "step": EQUAL}
    inner = {"by": "induction", "parts": steps}
    proof = {"by": "chain", "through": through, "parts": {**parts, "first": inner}}
    assert refused(s, proof)


@pytest.mark.parametrize(
    ("middle", "why"),
    [
        (["^", ["+", "x", ["*", ["q", "-1"], "x"]], "-1"], "without a value"),
        (["log", "x"], "without a value"),
        (["sum", "k", ["q", "1"], "n", "k"], "derivative"),
        (["q", "0"], "zero"),
        ("y", "no domain"),
    ],
)
def test_a_chain_of_identities_needs_a_middle_that_has_a_value_and_equals_both_sides(middle, why):
    s = parser.statement("x = x + 1 for x real, integer n >= 1 by induction on n")
    part = {"by": "induction", "multiplier": ["q", "1"]}
    proof = {
        "by": "chain",
        "through": middle,
        "parts": {"first": part, "second": part},
        "example": {"x": "1", "n": "1"},
    }
    with pytest.raises(Wrong, match=why):
        certificate.check(certificate.certificate(s, "holds", proof), s)


def test_a_very_large_certificate_is_refused_before_it_is_written_out():
    """Nested substitutions of x by y x and of y by x y would double the statement each time."""
    proof = ENCLOSED
    for k in range(60):
        x, y = ("x", "y") if k % 2 else ("y", "x")
        proof = {"by": "substitution", "variable": x, "as": "multiple", "of": y, "parts": {"rest": proof}}
    assert refused(parser.statement("x*y <= x*y + 1 - x for x, y > 0"), proof)


def test_an_open_line_says_what_was_tried():
    outcome = analysis.decide(parser.statement("log(1 + x) <= 999/1000*x for x > 1/1000"), 0.5)
    assert outcome.verdict == Verdict.INCONCLUSIVE
    outcome = analysis.decide(parser.statement("x^x <= 1 + x^3 for x > 0"), 0.5)
    assert outcome.verdict == Verdict.INCONCLUSIVE
    assert "derivative" in outcome.note


# ------------------------------------------------------------------------------------------------ random statements

DOMAINS = ("> 0", ">= 0", "in (0, 1)", "in [0, 1]", "in (-1, 1)", "real", ">= 1", "> 1", "in [-1, 2]", "> -1")


def expression(rng, depth, names):
    if depth == 0:
        return rng.choice(
            [*names, *names, "1", "2", "3", "1/2", "3/2", "2/3", "-1", "-1/2", "99/100", "101/100"]
        )
    shapes = ["({}) + ({})", "({})*({})", "({}) - ({})", "exp({})", "({})^2"]
    ends = ["log({})", "log(1 + {})", "sqrt({})", "sqrt(1 + {})", "1/{}", "1/(1 + {})", "(1 + {})^{}"]
    shape = rng.choice(shapes + ends)
    if shape in ends:
        return shape.format(rng.choice(names), rng.choice(names))
    return shape.format(*(expression(rng, depth - 1, names) for _ in range(2)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_no_random_statement_that_fails_somewhere_is_certified(seed, monkeypatch):
    """Also by a search that tries the rules on everything."""
    rng = random.Random(seed)
    monkeypatch.setattr(derivatives, "smallest", lambda terms, box: 0.0)
    count = 0
    for _ in range(60):
        names = rng.choice([["x"], ["x", "y"]])
        lhs, rhs = (expression(rng, rng.randint(1, 3), names) for _ in range(2))
        s = parser.statement(
            f"{lhs} <= {rhs} for " + ", ".join(f"{name} {rng.choice(DOMAINS)}" for name in names)
        )
        if false_somewhere(s):
            count += 1
            outcome = analysis.decide(s, 0.1)
            assert outcome.verdict != Verdict.HOLDS or refused(s, outcome.certificate), (lhs, rhs)
    assert count > 20
