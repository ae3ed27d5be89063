"""Certificates of worst cases, re-checked without a solver: those beside the examples, and what is made of them."""

from __future__ import annotations

import copy
import json
import math
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.ledger import balls, certificate, quadratics, worst_cases
from workbench.ledger.balls import Ball
from workbench.ledger.trees import Wrong

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/worst_case/certificates"
FILES = sorted(FOLDER.glob("*.json"))
SMALL = [p for p in FILES if p.stat().st_size < 12_000]
TAMPERINGS = 1000


def read(path: Path) -> dict[str, Any]:
    return json.loads(certificate.unseal(path.read_bytes()))


def resealed(document: dict[str, Any]) -> dict[str, Any]:
    """With the hash that its own parts have: whoever changes a certificate can compute it."""
    return certificate.certificate(document["statement"], document["verdict"], document["proof"])


def refused(document: dict[str, Any], statement: dict[str, Any] | None = None) -> bool:
    try:
        certificate.check(document, statement)
    except Wrong:
        return True
    return False


def test_kept_certificates_are_right_without_a_solver() -> None:
    """In a process that cannot import what solves or computes with arrays."""
    code = (
        "import sys\n"
        "for name in ('clarabel', 'cvxpy', 'numpy', 'scipy', 'sympy', 'flint'): sys.modules[name] = None\n"
        "from workbench.ledger import certificate\n"
        "sys.exit(certificate.main(sys.argv[1:]))\n"
    )
    assert len(SMALL) >= 40
    paths = [str(p) for p in SMALL]
    done = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.count(": right, holds: for ") == len(paths)


@pytest.mark.long
def test_all_kept_certificates_are_right() -> None:
    assert all(certificate.check(read(p)) == "holds" for p in FILES)


def test_both_sides_are_kept_and_meet() -> None:
    """By what a statement says besides its claim; the upper number is not below the lower one."""
    sides: dict[str, dict[str, Fraction]] = {}
    for path in FILES:
        s = read(path)["statement"]
        rest = certificate.digest({k: v for k, v in s.items() if k not in ("sense", "claimed")})
        sides.setdefault(rest, {})[s["sense"]] = Fraction(s["claimed"])
    assert len(sides) >= 33
    for numbers in sides.values():
        assert set(numbers) == {"at most", "at least"}
        assert numbers["at least"] <= numbers["at most"]


# ------------------------------------------------------------------------------------------------ tampering


def stronger(document: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], Any]:
    """A sharper number, with everything else as it was."""
    s = document["statement"]
    share = Fraction(1, 10 ** rng.choice((1, 2, 3)))
    sign = -1 if s["sense"] == "at most" else 1
    claimed = Fraction(s["claimed"])
    s["claimed"] = str(claimed + sign * abs(claimed) * share)
    return document, None


def other_class(document: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], Any]:
    """A class or a constant of another statement, with the statement that was asked for."""
    asked = copy.deepcopy(document["statement"])
    part = rng.choice(document["statement"]["parts"])
    if part["constants"] and rng.random() < 0.5:
        name = rng.choice(sorted(part["constants"]))
        part["constants"][name] = str(Fraction(part["constants"][name]) * rng.choice((2, Fraction(1, 2))))
    else:
        part["class"] = rng.choice([c for c in worst_cases.CLASSES if c != part["class"]])
    return document, asked


def other_step(document: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], Any]:
    """Another coefficient of a point, with the statement that was asked for."""
    asked = copy.deepcopy(document["statement"])
    points = [p for part in document["statement"]["parts"] for p in part["points"] if p["x"]]
    x = rng.choice(points)["x"]
    name = rng.choice(sorted(x))
    x[name] = str(Fraction(1, rng.randint(2, 99)))
    return document, asked


def other_proof(document: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], Any]:
    """A number of the proof that matters, changed by more than its margin."""
    proof = document["proof"]
    if proof["by"] == "multipliers":
        most = max(Fraction(x) for _, x in proof["multipliers"])  # one as small as the margin may be left out
        pair = rng.choice([pair for pair in proof["multipliers"] if 1000 * Fraction(pair[1]) >= most])
        kind = rng.randrange(4)
        if kind == 0:
            pair[1] = "-" + pair[1]
        elif kind == 1:
            proof["multipliers"].remove(pair)
        elif kind == 2:
            pair[0] = 10**6 + pair[0]
        else:
            proof["multipliers"].append(list(pair))
    elif proof["by"] == "halvings":
        tree = proof["tree"]
        at = rng.choice([k for k, step in enumerate(tree) if step == "1"] or [0])
        proof["tree"] = rng.choice(
            [tree[:-1], tree + "0", tree[:at] + tree[at + 1 :], "", tree.replace("0", "1")]
        )
    elif proof["by"] == "vectors":
        name = rng.choice(sorted(proof["vectors"]))
        if rng.random() < 0.5:
            del proof["vectors"][name]
        else:
            proof["vectors"][name][0] = str(Fraction(proof["vectors"][name][0]) + rng.choice((-3, 3)))
    else:
        i = rng.randrange(len(proof["matrix"]))
        proof["matrix"][i][i] = str(rng.choice((-2, 2)))
    return document, None


def malformed(document: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], Any]:
    """A part that is no number, or no part."""
    key = rng.choice(sorted(document["proof"]))
    empty = () if key == "null" else ([],)  # without its null vectors a proof may hold in fractions
    document["proof"][key] = rng.choice((None, "nan", *empty, {"x": ["1e9"]}, -1))
    return document, None


@pytest.mark.parametrize("tampering", [stronger, other_class, other_step, other_proof, malformed])
def test_tampered_certificates_are_refused(tampering: Any) -> None:
    """A thousand in all, each with a hash of its own; before, each certificate is right."""
    rng = random.Random(tampering.__name__)
    documents = [read(p) for p in SMALL[:40]]
    assert not any(map(refused, documents))
    for n in range(TAMPERINGS // 5):
        document = documents[n % len(documents)]
        changed, asked = tampering(copy.deepcopy(document), rng)
        assert certificate.digest(changed["proof"]) + certificate.digest(changed["statement"]) != (
            certificate.digest(document["proof"]) + certificate.digest(document["statement"])
        )
        assert refused(resealed(changed), asked), (tampering.__name__, n, changed["proof"]["by"])


def test_a_changed_byte_is_refused() -> None:
    content = SMALL[0].read_bytes()
    for at in random.Random(0).sample(range(len(content)), 40):
        changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        with pytest.raises(Wrong):
            certificate.unseal(changed)


def on_quadratics(change: str = "", claimed: str = "2/27", tree: str = "") -> dict[str, Any]:
    """One gradient step 1/L on a quadratic: f(x_1) - f* <= 2/27 if |x_0 - x*| <= 1, by h (1 - h)^2 / 2 at h = 1/3."""
    statement = a_step(claimed=claimed)
    statement["values"] = []
    statement["parts"][0]["class"] = "convex quadratic"
    for point in statement["parts"][0]["points"]:
        point["f"] = {}
    then = {"x": "1", "g": "-1"}
    statement["metric"] = [{"constant": "0", "values": {}, "products": [["1/2", then, {"h": "1"}]]}]
    if change:
        statement["parts"][0]["points"][1]["x"] = {"h": "1"}
    return certificate.certificate(statement, "holds", {"by": "halvings", "tree": tree})


def test_a_bound_over_quadratics_by_hand() -> None:
    """2/27 - h (1 - h)^2 / 2 has a double zero at 1/3, where no halving ends; above it one needs few."""
    more = [
        on_quadratics(claimed="1/13", tree=tree) for tree in ("0", "100", "11000", "110100100", "1110000")
    ]
    assert sum(not refused(one) for one in more) >= 1
    assert all(refused(on_quadratics(claimed="73/1000", tree=d["proof"]["tree"])) for d in more)
    for tree in ("", "1", "10", "1000", "2", "0 0"):
        assert refused(on_quadratics(claimed="1", tree=tree))
    assert not refused(on_quadratics(claimed="1", tree="0"))
    with pytest.raises(Wrong, match="later answer"):
        certificate.check(on_quadratics("later", claimed="1", tree="0"))


@pytest.mark.parametrize("by", ["multipliers", "vectors"])
def test_other_proofs_of_quadratics_are_refused(by: str) -> None:
    """Their answers satisfy more than is written down, so that vectors are no example."""
    document = on_quadratics(claimed="1", tree="0")
    document["statement"]["sense"] = "at most" if by == "multipliers" else "at least"
    document["proof"] = {
        "by": by,
        "shares": ["1"],
        "multipliers": [],
        "vectors": {"x": ["1"], "g": ["1"], "h": ["5"]},
        "values": {},
    }
    assert refused(resealed(document))


@pytest.mark.parametrize(
    ("matrix", "why"),
    [
        ([["1/3", "1"], ["0", "1/3"]], "symmetric"),
        ([["-1/10"]], "outside"),
        ([["11/10"]], "outside"),
        ([["1", "1/10"], ["1/10", "1"]], "outside"),
        ([["1/2"]], "metric is smaller"),
    ],
)
def test_an_example_of_quadratics_is_one(matrix: list[list[str]], why: str) -> None:
    document = on_quadratics(claimed="2/27")
    document["statement"]["sense"] = "at least"
    start = ["1"] + ["0"] * (len(matrix) - 1)
    proof = {
        "by": "matrix",
        "matrix": matrix,
        "shift": ["0"] * len(matrix),
        "vectors": {"x": start},
        "values": {},
    }
    with pytest.raises(Wrong, match=why):
        certificate.check(resealed({**document, "proof": proof}))
    proof |= {"matrix": [["1/3"]], "shift": ["0"], "vectors": {"x": ["1"]}}
    assert certificate.check(resealed({**document, "proof": proof})) == "holds"


def test_bernstein_coefficients_bound_a_polynomial() -> None:
    """Random polynomials on random intervals: values between the coefficients, at every depth of halving."""
    rng = random.Random(9)
    for _ in range(60):
        p = [Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(rng.randint(1, 9))]
        low = Fraction(rng.randint(-9, 9), 7)
        high = low + Fraction(rng.randint(1, 9), 5)
        exact = quadratics.bernstein(p, low, high, Fraction)
        scale = next(
            (Fraction(b) / v for b, v in [(exact[0], value(p, low)), (exact[-1], value(p, high))] if v), None
        )
        for u in (Fraction(k, 16) for k in range(17)):
            n = len(exact) - 1
            by_coefficients = sum(
                math.comb(n, i) * u**i * (1 - u) ** (n - i) * b for i, b in enumerate(exact)
            )
            if scale:
                assert by_coefficients == scale * value(p, low + (high - low) * u)
        left, right = quadratics.halves(exact)
        assert left[-1] == right[0]
        assert [left[0], right[-1]] == [x << (len(exact) - 1) for x in (exact[0], exact[-1])]
        near = quadratics.bernstein([Ball.of(c) for c in p], low, high, Ball.of)
        if scale:
            share = Fraction(1, 1 << balls.BITS)
            assert all(b * share <= e / scale for b, e in zip(near, exact, strict=True))


def value(p: list[Fraction], x: Fraction) -> Fraction:
    return sum((c * x**k for k, c in enumerate(p)), Fraction(0))


# ----------------------------------------------------------------------------------------------- statements


def a_step(L: str = "1", sense: str = "at most", claimed: str = "1/6") -> dict[str, Any]:
    """One gradient step 1/L on a smooth convex function: f(x_1) - f* <= 1/6 for |x_0 - x*| <= 1."""
    point = {"x": {"x": "1"}, "g": {"g": "1"}, "f": {"f": "1"}}
    then = {"x": {"x": "1", "g": "-1"}, "g": {"h": "1"}, "f": {"e": "1"}}
    reference = {"x": {}, "g": {}, "f": {}}
    start = {"constant": "1", "values": {}, "products": [["-1", {"x": "1"}, {"x": "1"}]]}
    metric = {"constant": "0", "values": {"e": "1"}, "products": []}
    return {
        "kind": "worst case",
        "numbers": [],
        "basis": ["x", "g", "h"],
        "values": ["f", "e"],
        "parts": [{"class": "smooth convex", "constants": {"L": L}, "points": [reference, point, then]}],
        "start": [start],
        "metric": [metric],
        "sense": sense,
        "claimed": claimed,
    }


def huber(width: Fraction) -> dict[str, Any]:
    """The function of Huber on which one step has the metric 1/6, at width 1/3."""
    x, w = Fraction(1), width
    g = w
    after = x - g
    h = min(after, w)
    value = {p: str(w * p - w * w / 2 if p > w else p * p / 2) for p in (x, after)}
    return {
        "by": "vectors",
        "vectors": {"x": [str(x)], "g": [str(g)], "h": [str(h)]},
        "values": {"f": value[x], "e": value[after]},
    }


def test_an_example_by_hand() -> None:
    third = huber(Fraction(1, 3))
    made = certificate.certificate(a_step(sense="at least"), "holds", third)
    assert certificate.check(made) == "holds"
    more = a_step(sense="at least", claimed="167/1000")
    with pytest.raises(Wrong, match="the metric is smaller"):
        certificate.check(certificate.certificate(more, "holds", third))


@pytest.mark.parametrize("change", ["g", "h", "f", "e"])
def test_an_example_outside_the_class(change: str) -> None:
    proof = huber(Fraction(1, 3))
    where = proof["vectors"] if change in "gh" else proof["values"]
    where[change] = (
        [str(Fraction(where[change][0]) * 2)] if change in "gh" else str(Fraction(where[change]) * 2)
    )
    made = certificate.certificate(a_step(sense="at least"), "holds", proof)
    with pytest.raises(Wrong, match="a condition is broken"):
        certificate.check(made)


def test_a_proof_by_hand() -> None:
    """Drori's and Teboulle's multipliers of one step: 1/2 for each of f* >= f, f >= e and f* >= e."""
    setting = worst_cases.Setting(a_step(), exact=True)
    by_values = {tuple(sorted(f.values.items())): k for k, f in enumerate(setting.conditions)}
    weights = [[by_values[key], "1/2"] for key in [((0, -1),), ((0, 1), (1, -1)), ((1, -1),)]]  # f = 0, e = 1
    start = [0, "1/6"]
    proof = {"by": "multipliers", "shares": ["1"], "multipliers": [start, *weights]}
    assert certificate.check(certificate.certificate(a_step(), "holds", proof)) == "holds"
    with pytest.raises(Wrong, match="larger bound"):
        certificate.check(certificate.certificate(a_step(claimed="33/200"), "holds", proof))
    start[1] = "33/200"  # the bound that is claimed, but then the matrix is indefinite
    with pytest.raises(Wrong, match="semidefinite"):
        certificate.check(certificate.certificate(a_step(claimed="33/200"), "holds", proof))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"sense": "about"}, "unknown sense"),
        ({"basis": ["x", "x", "h"]}, "two of one name"),
        ({"metric": []}, "without a metric"),
        ({"numbers": [["log", "1", "2"]]}, "cannot be made"),
        ({"numbers": [["^", "-1", "1/2"]]}, "a root"),
        ({"numbers": [["^", "0", "-1"]]}, "what may be zero"),
        ({"numbers": [["+", "n0", "1"]]}, "is no number"),
        ({"claimed": "0.1667"}, "is no number"),
    ],
)
def test_statements_without_meaning(change: dict[str, Any], why: str) -> None:
    proof = {"by": "multipliers", "shares": ["1"], "multipliers": []}
    with pytest.raises(Wrong, match=why):
        certificate.check(certificate.certificate({**a_step(), **change}, "holds", proof))


# ---------------------------------------------------------------------------------------------------- balls


def test_balls_hold_what_they_stand_for() -> None:
    """Random expressions in balls and in fractions; roots by their squares."""
    rng = random.Random(5)
    for _ in range(300):
        exact = [Fraction(rng.randint(-99, 99), rng.randint(1, 99)) for _ in range(4)]
        near = [Ball.of(x) for x in exact]
        for _ in range(12):
            i, j = rng.randrange(len(exact)), rng.randrange(len(exact))
            head = rng.choice("+-*/")
            if head == "/" and exact[j] == 0:
                continue
            a, b, x, y = exact[i], exact[j], near[i], near[j]
            exact.append({"+": a + b, "-": a - b, "*": a * b, "/": a}[head] if head != "/" else a / b)
            near.append({"+": x + y, "-": x - y, "*": x * y}[head] if head != "/" else x * y.inverse())
        for a, x in zip(exact, near, strict=True):
            assert Fraction(x.low, 1 << balls.BITS) <= a <= Fraction(x.high, 1 << balls.BITS)
            if a > 0:
                root = x.root()
                assert (
                    Fraction(root.low, 1 << balls.BITS) ** 2 <= a <= Fraction(root.high, 1 << balls.BITS) ** 2
                )


def test_definite_and_semidefinite() -> None:
    def rows(*lines: str) -> list[list[Fraction]]:
        return [[Fraction(x) for x in line.split()] for line in lines]

    def definite(matrix: list[list[Fraction]]) -> bool:
        return balls.is_definite([[Ball.of(x) for x in row] for row in matrix])

    singular = rows("1 1", "1 1")
    assert balls.is_semidefinite(singular)
    assert not definite(singular)
    assert definite(rows("2 1", "1 2"))
    for bad in (
        rows("1 2", "2 1"),
        rows("0 1", "1 5"),
        rows("1 0 0", "0 0 0", "0 0 -1"),
        rows("-1 0", "0 1"),
    ):
        assert not balls.is_semidefinite(bad)
        assert not definite(bad)
    tiny = rows("1 1", "1 1000000000000000000000001/1000000000000000000000000")
    assert definite(tiny)
    assert balls.is_semidefinite(tiny)


# --------------------------------------------------------------------------------- conditions and functions

Sample = list[tuple[list[float], list[float], float]]  # points, answers, values


def of_line(f: Any, g: Any, rng: random.Random) -> Sample:
    return [([x], [g(x)], f(x)) for x in (rng.uniform(-4, 4) for _ in range(6))]


def of_plane(matrix: list[list[float]], rng: random.Random) -> Sample:
    points = [[rng.uniform(-3, 3), rng.uniform(-3, 3)] for _ in range(6)]
    answers = [[sum(c * t for c, t in zip(row, x, strict=True)) for row in matrix] for x in points]
    return [
        (x, y, sum(s * t for s, t in zip(x, y, strict=True)) / 2)
        for x, y in zip(points, answers, strict=True)
    ]


def of_ball(rng: random.Random) -> Sample:
    """Points of the unit ball with outward normals on its boundary."""
    out: Sample = []
    for _ in range(6):
        angle, size = rng.uniform(0, 6.3), rng.uniform(0, 2)
        x = [math.cos(angle), math.sin(angle)]
        out.append((x, [size * t for t in x], 0.0))
    return out


MEMBERS: dict[str, tuple[dict[str, str], Any]] = {
    "convex": ({}, lambda r: of_line(abs, lambda x: math.copysign(1, x), r)),
    "smooth convex": ({"L": "1"}, lambda r: of_line(lambda x: math.log(math.cosh(x)), math.tanh, r)),
    "smooth strongly convex": ({"L": "2", "mu": "1/2"}, lambda r: of_plane([[2.0, 0.0], [0.0, 0.5]], r)),
    "strongly convex": (
        {"mu": "1"},
        lambda r: of_line(lambda x: abs(x) + x * x / 2, lambda x: math.copysign(1, x) + x, r),
    ),
    "smooth": ({"L": "1"}, lambda r: of_line(math.cos, lambda x: -math.sin(x), r)),
    "smooth bounded below": (
        {"L": "1"},
        lambda r: of_line(lambda x: 1 + math.cos(x), lambda x: -math.sin(x), r),
    ),
    "Lipschitz convex": ({"G": "1"}, lambda r: of_line(abs, lambda x: math.copysign(1, x), r)),
    "linear losses": ({"G": "1"}, lambda r: of_line(lambda x: 0.0, math.sin, r)),
    "convex set": ({}, of_ball),
    "bounded convex set": ({"D": "2"}, of_ball),
    "monotone": ({}, lambda r: of_plane([[0.0, 3.0], [-3.0, 0.0]], r)),
    "strongly monotone": ({"mu": "1/2"}, lambda r: of_plane([[0.5, 3.0], [-3.0, 0.5]], r)),
    "cocoercive": ({"L": "2"}, lambda r: of_plane([[1.0, 1.0], [-1.0, 1.0]], r)),
    "nonexpansive": ({}, lambda r: of_plane([[0.6, 0.8], [-0.8, 0.6]], r)),
    "Lipschitz monotone": ({"L": "1"}, lambda r: of_plane([[0.6, 0.8], [-0.8, 0.6]], r)),
    "Lipschitz strongly monotone": (
        {"L": "1", "mu": "3/5"},
        lambda r: of_plane([[0.6, 0.8], [-0.8, 0.6]], r),
    ),
}


def smallest(name: str, constants: dict[str, str], sample: Sample) -> float:
    """The smallest of the conditions of a class at the points of a sample."""
    keeps_values = name not in worst_cases.WITHOUT_VALUES
    points = [
        {"x": {f"x{k}": "1"}, "g": {f"g{k}": "1"}, "f": {f"f{k}": "1"} if keeps_values else {}}
        for k in range(len(sample))
    ]
    statement = {
        "numbers": [],
        "basis": [f"{letter}{k}" for letter in "xg" for k in range(len(sample))],
        "values": [f"f{k}" for k in range(len(sample))],
        "parts": [{"class": name, "constants": constants, "points": points}],
        "start": [],
        "metric": [{"constant": "0", "values": {}, "products": []}],
    }
    setting = worst_cases.Setting(statement, exact=True)
    rows = [x for x, _, _ in sample] + [g for _, g, _ in sample]
    basis = {k: [Fraction(t) for t in row] for k, row in enumerate(rows)}
    values = {k: Fraction(f) for k, (_, _, f) in enumerate(sample)}
    inner = worst_cases.inner_products(setting, basis, Fraction)
    assert setting.conditions
    return min(float(worst_cases.value_of(c, values, inner, Fraction)) for c in setting.conditions)


@pytest.mark.parametrize("name", sorted(worst_cases.CLASSES.keys() - set(quadratics.QUADRATICS)))
def test_members_of_a_class_satisfy_its_conditions(name: str) -> None:
    """Functions and operators of the class, some at its edge, at random points: a condition is a true inequality."""
    constants, make = MEMBERS[name]
    rng = random.Random(name)
    assert min(smallest(name, constants, make(rng)) for _ in range(40)) >= -1e-9


@pytest.mark.parametrize("name", [n for n, (constants, _) in MEMBERS.items() if constants])
def test_others_break_them(name: str) -> None:
    """With a constant that is too sharp by a tenth: L, G and D smaller, mu larger."""
    constants, make = MEMBERS[name]
    change = {"L": Fraction(9, 10), "G": Fraction(9, 10), "D": Fraction(9, 10), "mu": Fraction(11, 10)}
    sharper = {n: str(Fraction(c) * change[n]) for n, c in constants.items()}
    rng = random.Random(name)
    assert min(smallest(name, sharper, make(rng)) for _ in range(40)) < -1e-6
