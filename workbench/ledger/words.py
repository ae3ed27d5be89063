"""A proof by rules of calculus in words: one line for each statement that it passes through.

The statements are steps by the rules themselves (`calculus`), so that what is printed is what is checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.ledger import calculus, certificate, printer
from workbench.ledger.calculus import Statement
from workbench.ledger.trees import ONE, Tree, operation

Proof = dict[str, Any]
LONGEST = 300  # characters of a statement


def lines(document: dict[str, Any] | None) -> list[str]:
    """The steps of a certificate, indented; none for a proof without rules of calculus."""
    if document is None or not _uses_rules(document["proof"]):
        return []
    s, proof = document["statement"], document["proof"]
    while proof["by"] == "solving":
        x = proof["variable"]
        s, proof = certificate.with_value(s, proof["condition"], x, proof["value"]), proof["proof"]
    if s["kind"] == "identity":
        return [f"both sides are equal to {_text(proof['through'])}"]
    if s["kind"] != "induction":
        return _of("to show", s, proof)
    if proof["by"] == "induction":
        steps = certificate.parts(s)
        return [line for name in steps for line in _of(f"the {name}", steps[name], proof["parts"][name])]
    smaller, comparison = {**s, "bound": proof["through"]}, certificate.comparison(s, proof["through"])
    first = lines({"statement": smaller, "proof": proof["parts"]["first"]}) or ["base and step"]
    return [
        f"by induction, {s['op']} <= {_text(proof['through'])}",
        *("  " + line for line in first),
        *_of("and that is enough", comparison, proof["parts"]["second"]),
    ]


def _uses_rules(proof: Proof) -> bool:
    inner = [
        part for part in [*proof.get("parts", {}).values(), proof.get("proof")] if isinstance(part, dict)
    ]
    return proof.get("by") in {*calculus.RULES, "chain"} or any(map(_uses_rules, inner))


def _of(label: str, s: Statement, proof: Proof) -> list[str]:
    return (
        list(_steps(label, s, proof, 0)) if proof["by"] in calculus.RULES else [f"{label}: {_reason(proof)}"]
    )


def _steps(label: str, s: Statement, proof: Proof, depth: int) -> Iterator[str]:
    while proof["by"] == "scaling":
        for word, factors in (("times", proof["multiplier"]), ("over", proof.get("weight"))):
            label += f", {word} {_text(operation('*', [_tidy(m) for m in factors]))}" if factors else ""
        s, proof = calculus.scaling(s, proof)["rest"], proof["parts"]["rest"]
    line = f"{'  ' * depth}{label}: {_statement(s)}"
    if proof["by"] not in calculus.RULES:
        yield f"{line}; {_reason(proof)}"
        return
    yield line
    for name, part in calculus.RULES[proof["by"]](s, proof).items():
        yield from _steps(_label(name, s, proof), part, proof["parts"][name], depth + 1)


def _label(name: str, s: Statement, proof: Proof) -> str:
    x = proof.get("variable")
    if proof["by"] == "monotone":
        c = proof["from"]
        slope = f"the derivative in {x}"
        return {
            "start": f"as {x} falls to {c}" if proof.get("limit") else f"at {x} = {c}",
            "above": f"for {x} > {c}, {slope}",
            "below": f"for {x} < {c}, {slope}",
        }[name]
    if proof["by"] == "convex":
        v = _text(proof["at"])
        return (
            f"at {x} = {v}, where the derivative vanishes"
            if name == "start"
            else f"the second derivative in {x}"
        )
    if proof["by"] == "wider":
        return f"for every {x} > 0"
    if proof["by"] == "extremes":
        return f"argument {int(name) + 1}"
    if proof["by"] in ("logarithm", "exponential"):
        return f"{proof['by']}s of both sides"
    if proof["by"] == "general":
        return f"for all {x}, of which {x} = {proof['value']} is a case"
    value = {
        "inverse": f"1/{x}",
        "exponential": f"exp({x})",
        "shifted": f"{x} + {proof.get('by_number')}",
        "power": f"{x}^{proof.get('power')}",
    }
    if proof["as"] in ("multiple", "distance"):
        value = {proof["as"]: _text(["*" if proof["as"] == "multiple" else "+", proof["of"], x])}
    return f"with {value[proof['as']]} for {x}"


def _reason(proof: Proof) -> str:
    by = proof["by"]
    if by == "terms":
        return "a sum of terms that are not negative" if proof["terms"] else "both sides are equal"
    if by == "boxes":
        return "by the signs of its parts" if proof["tree"] == "v" else "on each of some pieces"
    return {"solver": f"by {' and '.join(proof.get('names', []))}"}.get(by, f"by {by}")


def _statement(s: Statement) -> str:
    return _short(printer.statement({**s, "lhs": _tidy(s["lhs"]), "rhs": _tidy(s["rhs"])}))


def _text(tree: Tree) -> str:
    return _short(printer.text(_tidy(tree)))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def _tidy(tree: Tree) -> Tree:
    """The tree without sums and products of one part and without factors 1."""
    if not isinstance(tree, list):
        return tree
    head, *parts = tree[0], *map(_tidy, tree[1:])
    if head == "*":
        parts = [part for part in parts if part != ONE]
    return operation(head, parts) if head in ("+", "*") else [head, *parts]
