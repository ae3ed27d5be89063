"""Exact lines as theorems of Lean 4 with Mathlib's names, to be proved there; each with its words and a tactic to try.

What the ledger calls a value is a condition here: in Lean x / 0 = 0, √x = 0 for x < 0, log 0 = 0. An inequality of the
ledger has values on both sides wherever its conditions hold, so its hypotheses suffice. An identity holds wherever both
sides have a value, and where that is not everywhere its theorem has a hypothesis for every divisor, root and logarithm.
A refuted line is stated as its negation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from workbench.ledger.export.lean_statement import Statement, fresh
from workbench.ledger.export.lean_tactics import BY_HAND, MADE_FOR, lemmas, suggestion
from workbench.ledger.export.lean_terms import identifier
from workbench.ledger.export.lines import Line

WIDTH = 100


def file(lines: Iterable[Line]) -> str:
    """A file of Lean: every line as a theorem, and a table of the tactics that these are made for."""
    names: set[str] = set()
    blocks, kinds = [], Counter[str]()
    for line in lines:
        block, kind = theorem(line, names)
        blocks.append(block)
        kinds[kind] += 1
    table = [f"| {kind} | {kinds[kind]} | {text} |" for kind, text in MADE_FOR.items() if kinds[kind]]
    head = ["| made for | lines | which are |", "|---|---|---|"]
    about = (
        "Written by `workbench ledger --lean`. Each tactic is a guess; `sorry` marks what is left to prove."
    )
    return (
        "\n\n".join(
            [
                "import Mathlib",
                f"/-! {about} -/",
                "namespace Ledger",
                *blocks,
                "end Ledger",
                "\n".join(["/-!", *head, *table, "-/"]),
            ]
        )
        + "\n"
    )


def theorem(line: Line, names: set[str]) -> tuple[str, str]:
    """(the theorem with its comments, the tactic that it is made for).

    names: those in use, to which its own is added.
    """
    s = line.statement
    writer = Statement(s)
    binders, claim = writer.binders(), writer.claim()
    kind, tactic = suggestion(line, writer.terms.real)
    name = fresh(identifier("_".join(filter(None, (_word(line.key), _word(line.name)))) or "line"), names)
    words = f"{line.words}\n\n{line.text}\n\n{line.verdict}, {line.method}".strip()
    comment = f"/-- {words.replace('-/', '- /')} -/"
    if line.verdict == "violated":
        point = ", ".join(f"{x} = {v}" for x, v in sorted(line.proof.get("point", {}).items()))
        goal = f"{_rows(['    ¬ ∀', *binders])},\n    {claim}" if binders else f"    ¬ ({claim})"
        proof = [f"-- it fails at {point}" if point else "", "sorry"]
        return "\n".join([comment, f"theorem {name} :", f"{goal} := by", *_with_indent(proof)]), kind
    hints = f"-- see {', '.join(lemmas(line))}" if kind == BY_HAND and lemmas(line) else ""
    attempt = f"first | {tactic} | sorry" if tactic else _long_attempt(s, writer)
    head = _rows([f"theorem {name}", *binders])
    return "\n".join([comment, f"{head} :", f"    {claim} := by", *_with_indent([hints, attempt])]), kind


def _rows(parts: list[str]) -> str:
    """Parts side by side, in rows of at most `WIDTH` characters."""
    rows = [parts[0]]
    for part in parts[1:]:
        if len(rows[-1]) + len(part) < WIDTH:
            rows[-1] += f" {part}"
        else:
            rows.append(f"    {part}")
    return "\n".join(rows)


def _with_indent(proof: list[str]) -> list[str]:
    return [f"  {row}" for part in proof for row in part.split("\n") if row]


def _long_attempt(s: dict[str, Any], writer: Statement) -> str:
    """An induction with its step taken apart; else what is left to prove."""
    if s["kind"] != "induction" or writer.terms.types[s["n"]] != "ℕ" or s["low"] < 0:
        return "sorry"
    n, h = identifier(s["n"]), writer.hypothesis_of[s["n"]]
    name = "Finset.sum_Icc_succ_top" if s["op"] == "sum" else "Finset.prod_Icc_succ_top"
    return (
        f"induction {n}, {h} using Nat.le_induction with\n| base => first | norm_num | sorry\n"
        f"| succ m hm ih =>\n  rw [{name} (by omega)]\n  sorry"
    )


def _word(text: str) -> str:
    word = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    return f"n{word}" if word[:1].isdigit() else word
