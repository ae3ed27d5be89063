"""Forged certificates with a statement, a proof and a hash, of false statements: the re-checker must refuse each."""

import json

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
    path.write_bytes(certificate.sealed(body) if hasattr(certificate, "sealed") else body)
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
