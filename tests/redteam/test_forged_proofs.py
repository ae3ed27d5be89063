"""Forged certificates with a statement, a proof and a hash, of false statements: the re-checker must refuse each."""

import json
import time

import pytest

from workbench.ledger import certificate

ONE, ZERO, MINUS_ONE = ["q", "1"], ["q", "0"], ["q", "-1"]
UNIT = ["0", "1", False, False, False]
BY_Z3 = {"by": "solver", "names": ["z3"]}
V = {"by": "boxes", "form": "difference", "tree": "v"}


def minus(tree):
    return ["*", MINUS_ONE, tree]


def claim(lhs, rhs, box, given=()):
    return {"kind": "inequality", "lhs": lhs, "rhs": rhs, "box": box, "given": list(given)}


def boxes(tree="v", **more):
    return {"by": "boxes", "form": "difference", "tree": tree, **more}


def rewritten(top, bottom):
    return boxes(rewritten=[top, bottom])


def up_to_n(term, bound, **more):
    made = {"kind": "induction", "op": "sum", "index": "k", "low": 1, "term": term, "bound": bound}
    return {**made, "n": "n", "start": 1, "box": {}, "given": [], **more}


def both(base, step):
    return {"by": "induction", "parts": {"base": base, "step": step}}


def between(low, high):
    return [low, high, False, False, False]


FALSE = claim(ONE, ZERO, {"x": UNIT})
AT_0, AT_HALF, NEGATIVE = between("0", "0"), between("1/2", "1/2"), between("-2", "-1")
SHIFTED = ["+", "x", ["q", "-1/2"]]
DOUBLE = ["*", ["q", "2"], "x"]
POWERS = ["+", ["pow", "b", DOUBLE], ["pow", "c", DOUBLE]]  # -2 at b = c = -1, x = 1/2
INTEGERS = ["1", "oo", False, True, True]
FROM_1 = ["1", "oo", False, True, False]
FORGED = {
    "0/0": (FALSE, rewritten(ZERO, ZERO)),
    "0/(x - x)": (FALSE, rewritten(ZERO, ["+", "x", minus("x")])),
    "a vanishing denominator": (claim(ONE, ZERO, {"x": AT_0, "y": UNIT}), rewritten(minus("x"), "x")),
    "a vanishing square": (
        claim(ONE, ZERO, {"x": AT_HALF, "y": UNIT}),
        rewritten(minus(["^", SHIFTED, "2"]), ["^", SHIFTED, "2"]),
    ),
    "a slope as 0/0": (
        claim("x", ["q", "1/2"], {"x": UNIT}),
        boxes({"along": "x", "up": True, "rewritten": [ZERO, ZERO], "slope": "v", "face": "v"}),
    ),
    "a case distinction at 0": (
        claim(ZERO, ["if", minus("x"), MINUS_ONE, ONE], {"x": UNIT}), rewritten(ONE, ONE),
    ),
    "a jump at a face": (
        claim(["if", ["+", "x", MINUS_ONE], ONE, ZERO], ZERO, {"x": UNIT}),
        boxes({"along": "x", "up": True, "slope": "v", "face": "v"}),
    ),
    "a jump inside, monotone": (
        claim(["if", SHIFTED, ONE, ZERO], ["q", "1/2"], {"x": UNIT}), boxes("m"),
    ),
    "a face at infinity": (
        claim(["*", "x", ["^", "x", "-1"]], ["q", "1/2"], {"x": FROM_1}),
        boxes({"along": "x", "up": False, "rewritten": [ZERO, ONE], "slope": "v", "face": "v"}),
    ),
    "a logarithm at 0": (claim(["log", "x"], ZERO, {"x": UNIT}), V),
    "a quotient by 0": (claim(minus(["^", "x", "-1"]), ZERO, {"x": UNIT}), V),
    "0^0": (claim(minus(["pow", "x", "y"]), ZERO, {"x": UNIT, "y": UNIT}), V),
    "an even power of a symbolic power": (
        claim(["^", ["^", POWERS, "-2"], "1/2"], ["^", POWERS, "-1"], {"b": NEGATIVE, "c": NEGATIVE, "x": AT_HALF}),
        rewritten(ZERO, ONE),
    ),
    "a root of a square": (
        claim(["^", ["^", "x", "2"], "1/2"], "x", {"x": between("-1", "1")}), rewritten(ZERO, ONE),
    ),
    "a bound name": (claim(["sum", "k", ONE, ["q", "100"], "k"], ["q", "200"], {"k": UNIT}), V),
    "half-integer limits": (
        claim(minus(["sum", "k", ["q", "1/2"], ["q", "3/2"], "k"]), ["q", "-2"], {}), BY_Z3,
    ),
    "an empty side": (claim(ONE, ZERO, {"x": between("1", "0")}), BY_Z3),
    "no integer": (claim(ONE, ZERO, {"x": ["1/3", "2/3", False, False, True]}), BY_Z3),
    "no cases": (
        claim(ONE, ZERO, {"x": ["1", "2", True, True, True]}), {"by": "cases", "over": ["x"], "parts": {}},
    ),
    "contradictory conditions": (
        claim(ONE, ZERO, {"x": UNIT}, [[MINUS_ONE, ">="]]), {**boxes(0), "example": {"x": "1"}},
    ),
    "a factor that may vanish": (
        claim("x", ["q", "1/2"], {"x": UNIT, "y": UNIT}, [[["*", "x", "y"], "="]]),
        {"by": "solving", "condition": 0, "variable": "x", "value": ZERO, "slope": "y", "proof": V,
         "example": {"x": "0", "y": "0"}},
    ),
    "an inequality solved as an equation": (
        claim("x", ["q", "1/2"], {"x": UNIT}, [["x", ">="]]),
        {"by": "solving", "condition": 0, "variable": "x", "value": ZERO, "slope": ONE, "proof": V,
         "example": {"x": "0"}},
    ),
    "a solver's name that is none": (FALSE, {"by": "solver", "names": []}),
    "start 1/2": (
        up_to_n(["if", ["+", ONE, minus("k")], ONE, ZERO], ["if", ["+", "n", MINUS_ONE], ZERO, ONE], start=0.5),
        both(BY_Z3, BY_Z3),
    ),
    "an index named like n": (
        up_to_n(["sum", "n", ONE, ["q", "3"], ["*", "k", "n"]], ["*", ["q", "20"], "n"]), both(V, BY_Z3),
    ),
    "a step only": (up_to_n(ONE, ["*", ["q", "1/2"], "n"]), {"by": "induction", "parts": {"step": V}}),
    "a summand with n": (up_to_n("n", ["*", "n", "n"]), both(V, V)),
    "an identity by nothing": (
        {"kind": "identity", "lhs": ONE, "rhs": ["q", "2"], "box": {}, "n": None, "start": None, "rules": []},
        {"by": "algebra"},
    ),
    "an identity with a rule for a number": (
        {"kind": "identity", "lhs": ["at", "A", ONE], "rhs": ["q", "2"], "box": {"n": INTEGERS},
         "n": "n", "start": 1,
         "rules": [["A", None, ["at", "A", ["+", "n", ONE]]], ["A", 1, ["q", "2"]], ["A", 1, ONE]]},
        {"by": "induction", "multiplier": ONE},
    ),
}  # fmt: skip


def refused(document, tmp_path, capsys):
    path = tmp_path / "forged.json"
    body = json.dumps(document).encode()
    path.write_bytes(certificate.seal(body) if hasattr(certificate, "seal") else body)
    status = certificate.main([str(path)])
    said = capsys.readouterr().out
    assert said.count("\n") == 1, "one sentence, one line"
    return status != 0


@pytest.mark.parametrize("name", FORGED)
def test_it_is_not_accepted(name, tmp_path, capsys):
    statement, proof = FORGED[name]
    assert refused(certificate.certificate(statement, "holds", proof), tmp_path, capsys)


MALFORMED = {
    "a list": [1],
    "a certificate that is a list": {"certificate": [1]},
    "a statement that is a list": {"statement": [1], "verdict": "holds", "proof": {}, "hash": ""},
    "no proof": certificate.certificate(FALSE, "holds", {}),
    "a proof that is a list": certificate.certificate(FALSE, "holds", []),
    "no kind": certificate.certificate({}, "holds", {"by": "boxes"}),
    "another hash": {**certificate.certificate(claim(ZERO, ONE, {"x": UNIT}), "holds", V), "hash": "0" * 64},
    "another verdict": certificate.certificate(claim(ZERO, ONE, {"x": UNIT}), "violated", V),
    "another verdict around it": {
        "certificate": certificate.certificate(claim(ZERO, ONE, {"x": UNIT}), "holds", V), "verdict": "violated",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_certificate_is_refused_with_a_sentence(name, tmp_path, capsys):
    assert refused(MALFORMED[name], tmp_path, capsys)


def test_a_right_one_is_accepted(tmp_path, capsys):
    """Otherwise the refusals above would say nothing."""
    right = certificate.certificate(claim(ZERO, ONE, {"x": UNIT}), "holds", V)
    assert not refused(right, tmp_path, capsys)


def test_deep_nesting_is_refused(tmp_path, capsys):
    tree = "x"
    for _ in range(400):
        tree = ["abs", tree]
    assert refused(certificate.certificate(claim(tree, ZERO, {"x": UNIT}), "holds", V), tmp_path, capsys)
    path = tmp_path / "deep.json"
    path.write_text("[" * 10**5 + "]" * 10**5)
    assert certificate.main([str(path)]) == 1


# -------------------------------------------------------------------- case distinctions, names, numbers, resources

FLIPS = ["if", minus("y"), MINUS_ONE, ONE]  # -1 for y <= 0, and 1 for y > 0
SQUARE = {"x": UNIT, "y": UNIT}
GROWS = {"along": "x", "up": True, "slope": "v", "face": "v"}
X_TIMES = ["*", "x", FLIPS]
JUMPS = {
    "a slope that jumps at a face": (claim(ZERO, X_TIMES, SQUARE), boxes(GROWS)),
    "a slope that jumps at a face, monotone": (claim(ZERO, X_TIMES, SQUARE), boxes("m")),
    "a slope that jumps at the other face": (
        claim(ZERO, ["*", "x", ["if", ["+", "y", MINUS_ONE], MINUS_ONE, ONE]], SQUARE), boxes(GROWS),
    ),
    "a slope that jumps inside a sum": (
        claim(ZERO, ["+", ["*", "x", "x"], ["max", X_TIMES, MINUS_ONE]], SQUARE), boxes(GROWS),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", JUMPS)
def test_a_case_distinction_is_decided_on_the_closed_piece(name):
    statement, proof = JUMPS[name]
    with pytest.raises(certificate.Wrong):
        certificate.check(certificate.certificate(statement, "holds", proof))


def test_a_continuous_slope_may_have_no_value_at_a_face():
    """sqrt(x y) grows along x: its slope has no value at y = 0."""
    statement = claim(ZERO, ["^", ["*", "x", "y"], "1/2"], SQUARE)
    assert certificate.check(certificate.certificate(statement, "holds", boxes(GROWS))) == "holds"


@pytest.mark.parametrize(
    "name", ["#0+", "A[1]", "2", "x^2", "x\n", "\x1b[31mx", "", "x y", "\u0445", "x'", "1/2", "\u0663"]
)
def test_names_are_letters_digits_and_underscores(name):
    for statement in (
        claim(ZERO, ONE, {name: UNIT}),
        claim(["sum", name, ONE, ["q", "2"], ZERO], ONE, {}),
        up_to_n(ZERO, ONE, index=name),
        up_to_n(ZERO, ONE, n=name),
        {"kind": "identity", "lhs": ["at", name, ONE], "rhs": ["at", name, ONE], "box": {}, "n": None,
         "start": None, "rules": []},
    ):  # fmt: skip
        with pytest.raises(certificate.Wrong, match="is no name"):
            certificate.well_formed(statement)


@pytest.mark.parametrize("name", ["e", "pi"])
def test_a_variable_is_not_named_as_a_number_beside_it(name):
    certificate.well_formed(claim(name, ["q", "3"], {name: UNIT}))
    for statement in (claim(name, [name], {name: UNIT}), claim(["sum", name, ONE, ONE, ONE], ONE, {})):
        with pytest.raises(certificate.Wrong, match="number"):
            certificate.well_formed(statement)


@pytest.mark.parametrize(
    "number", ["1.5", "1e9", "1E999999999", "\u0661", " 1", "1 ", "1_0", "+1", "1/", "9" * 1001]
)
def test_numbers_are_integers_and_fractions(number):
    for statement in (
        claim(["q", number], ONE, {}),
        claim(["^", "x", number], ONE, {"x": UNIT}),
        claim(ZERO, ONE, {"x": between(number, "oo")}),
    ):
        with pytest.raises(certificate.Wrong):
            certificate.well_formed(statement)


TOWER = ["q", "3"]
for _ in range(4):
    TOWER = ["^", TOWER, "1000"]
MANY = ["1", "100000", False, False, True]
HUGE = {
    "an exponent": (claim(["^", ["q", "2"], "1000000000"], ZERO, {}), V),
    "a root": (claim(["^", ["q", "2"], "1000000001/1000000000"], ZERO, {}), V),
    "powers of powers": (claim(TOWER, ZERO, {}), {"by": "terms", "multiplier": [], "terms": []}),
    "sums of sums": (
        claim(["sum", "i", ONE, ["q", "100000"], ["sum", "j", ONE, ["q", "100000"], ONE]], ZERO, {}), V,
    ),
    "a thousand million cases": (
        claim(ZERO, ONE, {"i": MANY, "j": MANY}), {"by": "cases", "over": ["i", "j"], "parts": {}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HUGE)
def test_what_is_huge_is_refused_before_it_is_built(name):
    statement, proof = HUGE[name]
    began = time.process_time()
    with pytest.raises(certificate.Wrong):
        certificate.check(certificate.certificate(statement, "holds", proof))
    assert time.process_time() - began < 5.0


def test_a_verdict_without_a_certificate_is_wrong(tmp_path, capsys):
    assert refused({"verdict": "holds", "method": "z3", "certificate": None}, tmp_path, capsys)
    assert not refused({"verdict": "inconclusive", "method": "z3", "certificate": None}, tmp_path, capsys)
