"""Forged certificates in the format without proof and hash: each claims a false statement, or none."""

import json

import pytest

from workbench.ledger import certificate

ONE, ZERO = ["q", "1"], ["q", "0"]
UNIT = ["0", "1", False, False, False]
FROM_1 = ["1", "oo", False, False, False]
AROUND_0 = ["-1", "1", False, False, False]
QUARTER = ["0", "1/4", False, False, False]


def minus(tree):
    return ["*", ["q", "-1"], tree]


def claim(lhs, rhs, box, given=()):
    return {"lhs": lhs, "rhs": rhs, "box": box, "given": list(given)}


def boxes(statement, tree="v", **more):
    return {"kind": "boxes", "statement": statement, "form": "difference", "tree": tree, **more}


ONE_BELOW_ZERO = claim(ONE, ZERO, {"x": UNIT})
SHIFTED = ["+", "x", ["q", "-1/2"]]

FORGED = {
    "a rewriting as 0/0": boxes(ONE_BELOW_ZERO, rewritten=[ZERO, ZERO]),
    "a rewriting as 0/(x - x)": boxes(ONE_BELOW_ZERO, rewritten=[ZERO, ["+", "x", minus("x")]]),
    "a slope rewritten as 0/0": boxes(
        claim("x", ["q", "1/2"], {"x": UNIT}),
        {"along": "x", "up": True, "rewritten": [ZERO, ZERO], "slope": "v", "face": "v"},
    ),
    "a denominator that vanishes on the box": boxes(
        claim(ONE, ZERO, {"x": ["0", "0", False, False, False], "y": UNIT}), rewritten=[minus("x"), "x"]
    ),
    "a denominator that vanishes on the box, squared": boxes(
        claim(ONE, ZERO, {"x": ["1/2", "1/2", False, False, False], "y": UNIT}),
        rewritten=[minus(["^", SHIFTED, "2"]), ["^", SHIFTED, "2"]],
    ),
    "a case distinction decided for positive x at 0": boxes(
        claim(ZERO, ["if", minus("x"), ["q", "-1"], ONE], {"x": UNIT}), rewritten=[ONE, ONE]
    ),
    "a face at infinity": boxes(
        claim(["*", "x", ["^", "x", "-1"]], ["q", "1/2"], {"x": FROM_1}),
        {"along": "x", "up": False, "rewritten": [ZERO, ONE], "slope": "v", "face": "v"},
    ),
    "a name bound by a sum": boxes(claim(["sum", "k", "1", "100", "k"], ["q", "200"], {"k": UNIT})),
    "a logarithm at 0": boxes(claim(["log", "x"], ZERO, {"x": UNIT})),
    "a quotient by 0": boxes(claim(minus(["^", "x", "-1"]), ZERO, {"x": UNIT})),
    "logarithms of negative numbers": boxes(
        claim(["+", ["log", ["*", ["q", "2"], "x"]], minus(["log", "x"])], ONE, {"x": AROUND_0}),
        rewritten=[["+", ONE, minus(["log", ["q", "2"]])], ONE],
    ),
    "a side with reversed ends": {
        "kind": "smt", "statement": claim(ONE, ZERO, {"x": ["1", "0", False, False, False]}), "seconds": 1,
    },
    "a variable named as by z3": {
        "kind": "smt",
        "statement": claim(
            ["^", "x", "1/2"], ["q", "1/2"], {"x": UNIT, **{f"root!{i}": QUARTER for i in range(99)}}
        ),
        "seconds": 1,
    },
    "nothing": {"kind": "all", "parts": {}},
    "no difference": {"kind": "identity", "statement": "1 = 2", "differences": {}},
    "another difference": {
        "kind": "identity", "statement": "1 = 2", "differences": {"difference": {"tree": ZERO, "positive": []}},
    },
    "signs of its own": {
        "kind": "identity",
        "statement": "|x| = x for real x",
        "differences": {"difference": {"tree": ["+", ["abs", "x"], minus("x")], "positive": ["x"]}},
    },
    "a verdict without a certificate": {"verdict": "holds", "certificate": None},
    "the opposite verdict": {
        "verdict": "holds", "certificate": {"kind": "witness", "statement": ONE_BELOW_ZERO, "point": {"x": "0"}},
    },
}  # fmt: skip
MALFORMED = {
    "a list": [1],
    "a kind that is a list": {"kind": []},
    "a certificate that is a list": {"certificate": [1]},
    "no piece": boxes(ONE_BELOW_ZERO, None),
    "an open point": boxes(claim(ONE, ZERO, {"x": ["0", "0", True, True, False]})),
    "an infinite point": boxes(claim(ONE, ZERO, {"x": ["oo", "oo", False, False, False]})),
    "an unknown variable": boxes(claim("y", ZERO, {"x": UNIT})),
    "a condition by its truth value": boxes(claim(ONE, ZERO, {"x": UNIT}, [["x", ">="]]), True),
}


@pytest.mark.parametrize("name", {**FORGED, **MALFORMED})
def test_it_is_not_accepted(name, tmp_path, capsys):
    path = tmp_path / "forged.json"
    path.write_text(json.dumps({**FORGED, **MALFORMED}[name]))
    status = certificate.main([str(path)])
    said = capsys.readouterr().out
    assert status != 0, said
    assert said.count("\n") <= 1, "one sentence, one line"


def test_deep_nesting_is_refused(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text('{"kind":"all","parts":{"a":' * 3000 + '{"kind":"all","parts":{}}' + "}}" * 3000)
    assert certificate.main([str(path)]) == 1
