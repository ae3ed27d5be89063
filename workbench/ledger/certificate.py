"""Re-checks saved certificates: ``python -m workbench.ledger.certificate FILE...`` (exit status 1 if one is wrong).

A certificate is a JSON object with a `statement` and what proves or refutes it. This module does not search and imports
nothing that does; of the ledger it uses interval arithmetic (`enclosure`), queries to z3 (`query`) and algebra
(`rewriting`). The searches build on it: `boxes` settles its pieces by the rules checked here, `counterexample` and
`smt` check their points with `point_refutes`. Kinds:

* ``witness``: a rational point of the box where the conditions hold and lhs > rhs, by enclosures.
* ``boxes``: a tree that splits the box into pieces; on each an enclosure shows lhs <= rhs or that a condition fails.
* ``smt``: the negation has no model, verified again by z3 (polynomials and radicals; needs z3-solver).
* ``identity``: two expressions whose difference SymPy (or, for polynomials, FLINT) reduces to zero.
* ``program``: an optimal point of a linear program and dual multipliers with the same value.
* ``all``: several of these.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.ledger.enclosure import NEG_INF, Pair, Tape, Tree, Undefined, rational, set_precision

LEVELS = (80, 200, 600)  # precisions in bits, tried in turn when comparing at a point


class Wrong(ValueError):
    """The certificate does not prove its statement. The message gives the reason."""


def check(certificate: dict[str, Any]) -> str:
    """Re-checks a certificate; returns one sentence about it. Raises Wrong."""
    kind = certificate.get("kind")
    if kind not in CHECKERS:
        raise Wrong(f"unknown kind of certificate {kind!r}")
    try:
        return CHECKERS[kind](certificate)
    except Wrong:
        raise
    except (KeyError, IndexError, TypeError, ValueError, ArithmeticError) as error:
        raise Wrong(f"the certificate is malformed: {error}") from error


# ------------------------------------------------------------------------------------------------ points and boxes


def difference(statement: dict[str, Any], form: str = "difference") -> Any:
    """The tree that must be >= 0: rhs - lhs, or log rhs - log lhs (for positive sides)."""
    lhs, rhs = statement["lhs"], statement["rhs"]
    if form == "logarithm":
        lhs, rhs = ["log", lhs], ["log", rhs]
    elif form != "difference":
        raise Wrong(f"unknown form {form!r}")
    return ["+", rhs, ["*", ["q", "-1"], lhs]]


def _within(value: Fraction, side: list[Any]) -> bool:
    low, high, low_open, high_open, integer = side
    if low != "-oo" and (value < Fraction(low) or (low_open and value == Fraction(low))):
        return False
    if high != "oo" and (value > Fraction(high) or (high_open and value == Fraction(high))):
        return False
    return not integer or value.denominator == 1


def point_refutes(statement: dict[str, Any], point: dict[str, str]) -> bool:
    """Do enclosures prove lhs > rhs, and the conditions, at a rational point of the box? Raises Undefined."""
    names = sorted(statement["box"])
    values = {n: Fraction(point[n]) for n in names}
    if not all(_within(values[n], statement["box"][n]) for n in names):
        return False
    exact = [rational(values[n]) for n in names]
    for bits in LEVELS:
        set_precision(bits)
        try:
            if not all(_holds(g, names, exact) for g in statement["given"]):
                continue
            if Tape(difference(statement), names).value(exact)[1] < 0:
                return True
        finally:
            set_precision()
    return False


def _holds(given: list[Any], names: list[str], at: list[Pair]) -> bool:
    low, high = Tape(given[0], names).value(at)
    if given[1] == "=":
        return bool(low == high == 0)
    return bool(low > 0 or (low >= 0 and given[1] == ">="))


def _witness(c: dict[str, Any]) -> str:
    if not point_refutes(c["statement"], c["point"]):
        raise Wrong(f"the point {c['point']} does not refute the statement")
    return f"refuted at {', '.join(f'{n} = {v}' for n, v in c['point'].items())}"


class Pieces:
    """A statement over sub-boxes, shared by searcher and re-checker; ends are Fractions or "oo", "-oo"."""

    def __init__(self, names: list[str], main: Tree, given: list[Any], sides: list[Tree]) -> None:
        self.names, self.tree = names, main
        self.main = Tape(main, names)
        self.given = [(Tape(g[0], names), g[1]) for g in given]
        self.sides = [Tape(side, names) for side in sides]  # must be >= 0 for the form to be equivalent

    @classmethod
    def of(cls, statement: dict[str, Any], form: str, rewritten: list[Tree] | None = None) -> Pieces:
        sides = [statement["lhs"], statement["rhs"]] if form == "logarithm" else []
        main = difference(statement, form)
        return cls(sorted(statement["box"]), main, statement["given"], sides)._as(
            rewritten, statement["given"], sides
        )

    def slope(self, name: str, up: bool, rewritten: list[Tree] | None = None) -> Pieces:
        """The statement that a partial derivative is >= 0 (up) or <= 0; no conditions, since a path may leave them."""
        main = differentiate(self.tree, name)
        main = main if up else ["*", ["q", "-1"], main]
        return Pieces(self.names, main, [], [])._as(rewritten, [], [])

    def bare(self) -> Pieces:
        return Pieces(self.names, self.tree, [], [])

    def _as(self, rewritten: list[Tree] | None, given: list[Any], sides: list[Tree]) -> Pieces:
        """Replaces the tree by the numerator of [numerator, denominator]; the denominator must be >= 0."""
        if not rewritten:
            return self
        top, bottom = rewritten
        return Pieces(self.names, top, given, [*sides, bottom])

    def is_rewritten(self, rewritten: list[Tree], box: list[tuple]) -> bool:
        """Does SymPy confirm that numerator/denominator equals the tree?"""
        from workbench.ledger.rewriting import same  # SymPy is needed for rewritten forms only

        top, bottom = rewritten
        return same(["*", self.tree, bottom], top, positive_names(self.names, box))

    @staticmethod
    def pairs(box: list[tuple]) -> list[Pair]:
        return [(rational(a)[0], rational(b)[1]) for a, b in box]

    def proves(self, box: list[tuple], reason: Any) -> bool:
        """Does the reason settle this piece? "v": by enclosure; "m": by enclosure on the faces that monotonicity
        permits; a number: this condition fails on the whole piece."""
        try:
            if isinstance(reason, int):
                return self._infeasible(self.pairs(box), reason)
            if not self.comparable(box):
                return False
            at = self.pairs(box)
            return bool(self._lower(at, reason == "m") >= 0)
        except Undefined:
            return False

    def comparable(self, box: list[tuple]) -> bool:
        """Are the sides that must be >= 0 nonnegative on the whole piece, so that the form is equivalent there?"""
        at = self.pairs(box)
        return all(side.value(at)[0] >= 0 for side in self.sides)

    def _infeasible(self, at: list[Pair], k: int) -> bool:
        tape, sign = self.given[k]
        low, high = tape.value(at)
        return bool(high < 0 or (sign == ">" and high <= 0) or (sign == "=" and low > 0))

    def _lower(self, at: list[Pair], monotone: bool) -> Any:
        for _ in range(3 if monotone else 0):
            slopes, moved = self.main.slopes(at), False
            for i, (low, high) in enumerate(slopes):
                a, b = at[i]
                if not a < b or not (low >= 0 or high <= 0):
                    continue
                end = a if low >= 0 else b
                if end.is_finite():
                    at[i], moved = (end, end), True
            if not moved:
                break
        return max(self.main.value(at)[0], self._centred(at)) if monotone else self.main.value(at)[0]

    def _centred(self, at: list[Pair]) -> Any:
        """Centred form f(middle) + sum of slope * (x - middle), a sharper enclosure on small boxes."""
        if not all(a.is_finite() and b.is_finite() for a, b in at):
            return NEG_INF
        middle = [(m, m) for m in (((a + b) / 2).mid() for a, b in at)]
        low = self.main.value(middle)[0]
        for (a, b), (m, _), slope in zip(at, middle, self.main.slopes(at), strict=True):
            reach = (max(b - m, m - a)).upper()
            low = (low - max(abs(slope[0]), abs(slope[1])) * reach).lower() if reach > 0 else low
        return low if not low.is_nan() else NEG_INF


def _end(text: str) -> Any:
    return text if text in ("oo", "-oo") else Fraction(text)


def halves(box: list[tuple], i: int) -> tuple[list[tuple], list[tuple]]:
    """The two halves of the box, split along variable i. Raises Wrong if the side is a single point."""
    low, high = box[i]
    if low == high:
        raise Wrong("a side of length 0 cannot be split")
    m = _middle(low, high)
    return [*box[:i], (low, m), *box[i + 1 :]], [*box[:i], (m, high), *box[i + 1 :]]


def _middle(low: Any, high: Any) -> Fraction:
    """The splitting point; on a logarithmic scale for sides that span orders of magnitude."""
    if low == "-oo" or high == "oo":
        if low == "-oo":
            return Fraction(0) if high == "oo" or high > 0 else (Fraction(-1) if high == 0 else high * 4)
        return Fraction(0) if low < 0 else (Fraction(1) if low == 0 else low * 4)
    if low < 0 < high:
        return Fraction(0) if low + high else (low + high) / 2
    if high <= 0:
        return -_middle(-high, -low)
    if low > 0 and high > 16 * low:
        exponent = (_log2(low) + _log2(high)) // 2
        return Fraction(2) ** exponent if low < Fraction(2) ** exponent < high else (low + high) / 2
    return high / 16 if low == 0 and high > 1 else (low + high) / 2


def _log2(x: Fraction) -> int:
    return x.numerator.bit_length() - x.denominator.bit_length()


def face(box: list[tuple], i: int, up: bool) -> list[tuple]:
    """The side of the box where variable i is smallest (where the function rises, `up`) or largest."""
    end = box[i][0] if up else box[i][1]
    return [*box[:i], (end, end), *box[i + 1 :]]


def root_box(statement: dict[str, Any]) -> list[tuple]:
    return [(_end(side[0]), _end(side[1])) for _, side in sorted(statement["box"].items())]


def inverted(statement: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The statement in 1/x for some variables x >= a > 0, whose sides become (0, 1/a]. Raises Wrong for others."""
    box = dict(statement["box"])
    for n in names:
        low, high = box[n][:2]
        if low == "-oo" or Fraction(low) <= 0 or high != "oo":
            raise Wrong(f"{n} cannot be replaced by its inverse")
        box[n] = ["0", str(1 / Fraction(low)), True, False, False]
    over = {n: ["^", n, "-1"] for n in names}
    return {
        "lhs": replace(statement["lhs"], over),
        "rhs": replace(statement["rhs"], over),
        "box": box,
        "given": [[replace(g, over), sign] for g, sign in statement["given"]],
    }


def positive_names(names: list[str], box: list[tuple]) -> frozenset[str]:
    """Variables that SymPy may assume positive, since identities of analytic expressions extend to the closure."""
    return frozenset(n for n, (low, _) in zip(names, box, strict=True) if low != "-oo" and low >= 0)


def _boxes(c: dict[str, Any]) -> str:
    statement, form, rewritten = (
        inverted(c["statement"], c.get("inverted", [])),
        c["form"],
        c.get("rewritten"),
    )
    root = root_box(statement)
    if rewritten and not Pieces.of(statement, form).is_rewritten(rewritten, root):
        raise Wrong("the rewritten form is not the statement")
    return f"{_settled(Pieces.of(statement, form, rewritten), root, c['tree'])} boxes"


def _settled(pieces: Pieces, root: list[tuple], tree: Any) -> int:
    """The number of leaves of a tree that proves main >= 0 on the box. Raises Wrong."""
    leaves, todo = 0, [(root, tree)]
    while todo:
        box, node = todo.pop()
        if isinstance(node, list):
            i, left, right = node
            a, b = halves(box, pieces.names.index(i))
            todo += [(a, left), (b, right)]
        elif isinstance(node, dict):
            leaves += _grows(pieces, box, node)
        elif pieces.proves(box, node):
            leaves += 1
        else:
            raise Wrong(f"the piece {_show(pieces.names, box)} is not settled by {node!r}")
    return leaves


def _grows(pieces: Pieces, box: list[tuple], node: dict[str, Any]) -> int:
    """Checks that the function is >= 0 on a face and grows away from it; returns the number of leaves."""
    name, up, rewritten = node["along"], node["up"], node.get("rewritten")
    if rewritten and not pieces.slope(name, up).is_rewritten(rewritten, box):
        raise Wrong(f"the rewritten derivative along {name} is not the derivative")
    if not pieces.comparable(box):
        raise Wrong("a form that needs positive sides cannot be followed along a path")
    leaves = _settled(pieces.slope(name, up, rewritten), box, node["slope"])
    return leaves + _settled(pieces.bare(), face(box, pieces.names.index(name), up), node["face"])


def differentiate(tree: Tree, x: str) -> Tree:
    """The partial derivative, with zeros dropped. Raises Wrong for a function with kinks."""
    if isinstance(tree, str):
        return ["q", "1" if tree == x else "0"]
    head, *args = tree
    if head in ("q", "pi", "e"):
        return ["q", "0"]
    if head == "sum":
        return ["sum", *args[:3], differentiate(args[3], x)]
    inner = [differentiate(a, x) for a in (args[:1] if head == "^" else args)]
    if all(d == ["q", "0"] for d in inner):
        return ["q", "0"]
    if head == "+":
        return plus(inner)
    if head == "*":
        return plus([times([d, *args[:i], *args[i + 1 :]]) for i, d in enumerate(inner)])
    if head == "^":
        p = Fraction(args[1])
        lower = args[0] if p == 2 else ["^", args[0], str(p - 1)]
        return times([["q", str(p)], lower, inner[0]])
    if head == "exp":
        return times([tree, inner[0]])
    if head == "log":
        return times([["^", args[0], "-1"], inner[0]])
    if head in ("sin", "cos"):
        outer = ["cos", args[0]] if head == "sin" else ["*", ["q", "-1"], ["sin", args[0]]]
        return times([outer, inner[0]])
    if head == "tanh":
        return times([["+", ["q", "1"], ["*", ["q", "-1"], ["^", tree, "2"]]], inner[0]])
    raise Wrong(f"{head} has kinks and no derivative")


def plus(terms: list[Tree]) -> Tree:
    kept = [t for t in terms if t != ["q", "0"]]
    return ["+", *kept] if len(kept) > 1 else (kept[0] if kept else ["q", "0"])


def times(factors: list[Tree]) -> Tree:
    if ["q", "0"] in factors:
        return ["q", "0"]
    kept = [f for f in factors if f != ["q", "1"]]
    return ["*", *kept] if len(kept) > 1 else (kept[0] if kept else ["q", "1"])


def _show(names: list[str], box: list[tuple]) -> str:
    return ", ".join(f"{n} in [{a}, {b}]" for n, (a, b) in zip(names, box, strict=True))


# ------------------------------------------------------------------------------------------------ other kinds


def replace(tree: Tree, over: dict[str, Tree]) -> Tree:
    """The tree with other trees in place of variables."""
    if isinstance(tree, str):
        return over.get(tree, tree)
    if tree[0] in ("q", "pi", "e"):
        return tree
    if tree[0] == "^":
        return ["^", replace(tree[1], over), tree[2]]
    if tree[0] == "sum":
        return [*tree[:4], replace(tree[4], {n: t for n, t in over.items() if n != tree[1]})]
    return [tree[0], *(replace(a, over) for a in tree[1:])]


def _all(c: dict[str, Any]) -> str:
    return "; ".join(f"{name}: {check(part)}" for name, part in sorted(c["parts"].items()))


def _smt(c: dict[str, Any]) -> str:
    from workbench.ledger.query import unsatisfiable  # z3 is needed for this kind only

    if unsatisfiable(c["statement"], int(c.get("seconds", 5)) + 5) is not True:
        raise Wrong("z3 does not confirm that there is no counter-example")
    return "z3 finds no counter-example"


def _identity(c: dict[str, Any]) -> str:
    from workbench.ledger.rewriting import expression, is_zero  # SymPy is needed for this kind only

    for name, left in c["differences"].items():
        if not is_zero(expression(left["tree"], frozenset(left["positive"]))):
            raise Wrong(f"the {name} does not reduce to zero")
    return f"{len(c['differences'])} differences reduce to zero"


def _program(c: dict[str, Any]) -> str:
    """Weak duality in rationals: maximise objective.x subject to rows.x <= right; equalities have free multipliers."""
    objective, x = _vector(c["objective"]), _vector(c["point"])
    rows, right, y = [_vector(r) for r in c["rows"]], _vector(c["right"]), _vector(c["dual"])
    for row, b, equal, multiplier in zip(rows, right, c["equal"], y, strict=True):
        value = _dot(row, x)
        if value > b or (equal and value != b):
            raise Wrong("the point breaks a constraint")
        if multiplier < 0 and not equal:
            raise Wrong("a dual multiplier is negative")
    for j, target in enumerate(objective):
        if sum((m * row[j] for m, row in zip(y, rows, strict=True)), Fraction(0)) != target:
            raise Wrong("the dual multipliers do not reproduce the objective")
    value = _dot(objective, x)
    if value != _dot(right, y):
        raise Wrong("primal and dual values differ")
    claimed, relation = Fraction(c["claimed"]), c["relation"]
    if not {"=": value == claimed, "<=": value <= claimed, ">=": value >= claimed}[relation]:
        raise Wrong(f"the optimum {value} is not {relation} {claimed}")
    return f"optimum {value} with its dual"


def _vector(texts: list[str]) -> list[Fraction]:
    return [Fraction(t) for t in texts]


def _dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


CHECKERS = {
    "witness": _witness,
    "boxes": _boxes,
    "all": _all,
    "smt": _smt,
    "identity": _identity,
    "program": _program,
}


def main(paths: list[str]) -> int:
    """Prints one line per file; returns 0 if all certificates are right."""
    if not paths:
        print("usage: python -m workbench.ledger.certificate FILE...", file=sys.stderr)
        return 2
    wrong = 0
    for path in paths:
        try:
            document = json.loads(Path(path).read_text())
            certificate = document.get(
                "certificate", document
            )  # stored files wrap it together with the verdict
            if certificate is None:
                print(f"{path}: nothing to check, the verdict {document.get('verdict')} has no certificate")
                continue
            print(f"{path}: right, {check(certificate)}")
        except (OSError, json.JSONDecodeError, Wrong) as error:
            wrong += 1
            print(f"{path}: WRONG, {error}")
    return 1 if wrong else 0


if __name__ == "__main__":
    set_precision()
    sys.exit(main(sys.argv[1:]))
