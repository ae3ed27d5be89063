"""The text of a paper's proofs, ``proof.txt``: records, checks, and what is shown of each displayed line.

The form is in `docs/statements.md`. Of a check's statement the parser makes the tree that is checked.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.homes import mistakes
from workbench.homes.usage import UsageError
from workbench.ledger import certificate, indicators, parser, syntax_hints, trees
from workbench.ledger.from_sympy import tree as tree_of
from workbench.ledger.lines_about_runs import BEGIN, about_runs, names_in_list
from workbench.ledger.parser import SyntaxFault
from workbench.ledger.proof_displays import Displays
from workbench.ledger.proof_items import Fault, Item, items
from workbench.ledger.statements import parts, with_values
from workbench.theory.coverage import Display
from workbench.theory.lemma import Check, Exact, Lemma
from workbench.theory.record import Paper

HEADING = re.compile(r"\[([A-Za-z][A-Za-z0-9.-]*)\] +(.+) \| +(.+)")
OF_FILE = ("section", "quoted", "unchecked", "for")
OF_RECORD = ("uses", "says", "errata", "note", "quoted", "for")
OF_CHECK = ("constant", "witness", "budget", "note", "shows")
LARGER = ", stronger if larger"
TAGS = "states, arithmetic, refuted LABEL, repaired LABEL, own, own LABEL or erratum LABEL"


@dataclass(frozen=True)
class Proof:
    """What a text holds. lemmas: its records. displays: the displayed lines of the paper, in its order."""

    lemmas: tuple[Lemma, ...] = ()
    displays: tuple[Display, ...] = ()


@dataclass
class _Check:
    """A check as far as it is read. fields: of the record to be made."""

    name: str
    tags: dict[str, Any]
    statement: Item
    clauses: dict[str, list[Item]] = field(default_factory=dict)


def read(
    path: Path, paper: Paper, formulas: Mapping[str, Any] | None = None, errata: Collection[str] | None = None
) -> Proof:
    """The proofs in a file. Raises UsageError, with file, line and column, for a text outside the form.

    formulas: SymPy expressions by name, from the paper's Python modules; each must be used. errata: the labels that
    checks may name; None: any.
    """
    reader = _Reader(path, paper, formulas or {}, errata)
    text = path.read_text(encoding="utf-8")
    for item in items(text, reader.error):
        reader.take(item)
    return reader.proof()


class _Reader:
    """Takes the items of a text one by one."""

    def __init__(
        self, path: Path, paper: Paper, formulas: Mapping[str, Any], errata: Collection[str] | None
    ) -> None:
        self.path, self.paper, self.errata = path, paper, errata
        self.formulas = formulas
        self.symbols = {s.name: s for f in formulas.values() for s in f.free_symbols}
        self.formulas_left = set(formulas)
        self.displays = Displays(paper.key)
        self.sides: dict[str, Any] = {}  # of the file
        self.own_sides: dict[str, Any] = {}  # of the record
        self.lemmas: dict[str, Lemma] = {}
        self.record: dict[str, Any] | None = None
        self.check: _Check | None = None
        self.item = Item(0, "", [(0, 1, 1)])

    def error(self, why: str, number: int, column: int) -> UsageError:
        return UsageError(why, where=f"{mistakes.place(self.path, number)}:{column}")

    def take(self, item: Item) -> None:
        try:
            if item.indent == 4 and self.record is not None and self.check is not None:
                self.clause(item)
            elif item.indent == 2 and self.record is not None:
                self.finish_check()
                self.item = item
                self.of_record(item, self.record)
            elif item.indent == 0:
                self.finish_record()
                self.item = item
                self.of_file(item)
            else:
                self.item = item
                raise Fault("expected an indent of 0 (records), 2 (checks) or 4 (their clauses) spaces")
        except Fault as fault:
            raise self.error(str(fault), *self.item.place(fault.at)) from None

    def proof(self) -> Proof:
        try:
            self.finish_record()
        except Fault as fault:
            raise self.error(str(fault), *self.item.place(fault.at)) from None
        if self.formulas_left:
            name = min(self.formulas_left)
            raise UsageError(
                f"no check of {mistakes.place(self.path)} has the formula {name}, which FORMULAS defines"
            )
        return Proof(tuple(self.lemmas.values()), tuple(self.displays.in_order()))

    # ------------------------------------------------------------------------------------------------ of the file

    def of_file(self, item: Item) -> None:
        if heading := HEADING.fullmatch(item.text):
            name, title, source = heading.groups()
            if name in self.lemmas:
                raise Fault(f"expected another name: there is a record {name} already")
            self.record = {"name": name, "title": title, "source": source, "checks": {}, "item": item}
            self.own_sides = {}
            self.displays.begin_record()
            return
        if item.text.startswith("["):
            raise Fault("expected '[lem-1] a title | where it stands'")
        word, rest, at = item.word(OF_FILE)
        if word == "for":
            self.sides |= self.domains(rest, at)
        else:
            row = {
                "section": self.displays.section,
                "quoted": self.displays.quotation,
                "unchecked": self.displays.gap,
            }
            row[word](rest, at)

    def domains(self, text: str, at: int) -> dict[str, Any]:
        try:
            return parser.domains(text)
        except SyntaxFault as fault:
            raise Fault(str(fault), at + fault.place) from None

    # ------------------------------------------------------------------------------------------------ of a record

    def of_record(self, item: Item, record: dict[str, Any]) -> None:
        if item.text.startswith("- "):
            self.check = self.heading(item, record)
            return
        if record["checks"]:
            raise Fault(f"expected '- name of a check' or another record, not {item.text[:30]!r}")
        word, rest, at = item.word(OF_RECORD)
        if word == "for":
            self.own_sides |= self.domains(rest, at)
            return
        if word in record:
            raise Fault(f"expected one {word!r} of the record")
        if (word == "quoted") == bool(rest):
            raise Fault("expected nothing after 'quoted'" if rest else f"expected words after {word!r}", at)
        record[word] = rest or True

    def heading(self, item: Item, record: dict[str, Any]) -> _Check:
        """A check's name and, after a bar, its tags."""
        name, bar, tags = item.text[2:].strip().rpartition(" | ")
        name = (name if bar else tags).strip()
        if name in record["checks"]:
            raise Fault(f"expected another name: the record has a check {name!r} already", 2)
        record["checks"][name] = None
        at = len(item.text) - len(tags)
        return _Check(name, self.tags(tags, at) if bar else {}, item)

    def tags(self, text: str, at: int) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for tag in text.split(", "):
            word, _, label = tag.strip().partition(" ")
            if word in ("states", "arithmetic") and not label:
                more: dict[str, Any] = {"shows": "statement" if word == "states" else word}
            elif word == "refuted":
                more = {"expected": "violated", "erratum": label}
            elif word == "erratum" and label:
                more = {"erratum": label}
            elif word in ("repaired", "own"):
                more = {"form": word} | ({"erratum": label} if label else {})
            else:
                raise Fault(f"expected tags as {TAGS}, not {tag.strip()!r}", at)
            if more.keys() & fields.keys() and fields.get("erratum") != label:
                raise Fault(f"expected tags that do not contradict each other, not {text!r}", at)
            if "erratum" in more and self.errata is not None and label not in self.errata:
                raise Fault(f"expected the label of an erratum of the paper, not {label!r}", at)
            fields |= more
            at += len(tag) + 2
        return fields

    def finish_record(self) -> None:
        self.finish_check()
        record, self.record = self.record, None
        if record is None:
            return
        item: Item = record["item"]
        if "says" not in record:
            self.item = item
            raise Fault("expected 'says' in the record")
        name, key = record["name"], self.paper.key
        try:
            lemma = Lemma(
                f"{key}/{name}",
                self.paper,
                record["title"],
                record["source"],
                record["says"],
                tuple(f"{key}/{use}" for use in names_in_list(record.get("uses", ""), ";")),
                tuple(record["checks"].values()),
                tuple(names_in_list(record.get("errata", ""))),
                record.get("note", ""),
                record.get("quoted", False),
            )
        except ValueError as error:
            self.item = item
            raise Fault(str(error)) from None
        if self.errata is not None and (foreign := set(lemma.errata) - set(self.errata)):
            self.item = item
            raise Fault(f"expected labels of errata of the paper, not {min(foreign)!r}")
        object.__setattr__(lemma, "origin", (str(self.path), item.starts[0][1]))
        self.lemmas[name] = lemma

    # ------------------------------------------------------------------------------------------------ of a check

    def clause(self, item: Item) -> None:
        check = self.check
        assert check is not None
        if check.statement.text.startswith("- "):  # the heading: this is the statement
            check.statement = self.item = item
            return
        self.item = item
        word, rest, at = item.word(OF_CHECK)
        if not rest:
            raise Fault(f"expected something after {word!r}", at)
        if word in check.clauses and word not in ("shows", "constant"):
            raise Fault(f"expected one {word!r} of the check")
        starts = [(max(0, begin - at), n, c + max(0, at - begin)) for begin, n, c in item.starts]
        check.clauses.setdefault(word, []).append(Item(4, rest, starts))

    def finish_check(self) -> None:
        check, self.check = self.check, None
        if check is None:
            return
        assert self.record is not None
        self.item = check.statement
        if check.statement.text.startswith("- "):
            raise Fault(f"expected the statement of {check.name!r}, indented by 4 spaces")
        common = {**check.tags, "name": check.name}
        for word in ("note", "budget"):
            if word in check.clauses:
                self.item = check.clauses[word][0]
                common[word] = self.item.text if word == "note" else self.seconds(self.item.text)
        self.item = check.statement
        reader = self.about_runs if BEGIN.match(check.statement.text) else self.exact
        self.record["checks"][check.name] = reader(check, common)
        for clause in check.clauses.get("shows", []):
            self.item = clause
            self.displays.shows(clause.text, self.record["name"], check.name)

    @staticmethod
    def seconds(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or not int(text):
            raise Fault(f"expected a number of seconds, not {text!r}")
        return int(text)

    def parse(self, item: Item, parse: Any, *more: Any) -> Any:
        self.item = item
        try:
            return parse(item.text, *more)
        except SyntaxFault as fault:
            raise Fault(syntax_hints.with_hint(item.text, fault), fault.place) from None

    def named_formulas(self, *parts: Any) -> dict[str, Any]:
        """SymPy expressions of the formulas that are named in trees."""
        used_formulas = {
            name: self.formulas[name]
            for part in parts
            for name in trees.names_in(part) & self.formulas.keys()
        }
        self.formulas_left -= used_formulas.keys()
        return used_formulas

    def exact(self, check: _Check, common: dict[str, Any]) -> Exact:
        constants, stronger = self.constants(check)
        sides = {**self.sides, **self.own_sides}
        s = self.parse(check.statement, parser.statement, sides, {*constants, *self.formulas})
        if both := sorted(self.formulas.keys() & {*s.get("box", {}), *constants}):
            raise Fault(f"expected another name than {both[0]}, which is a formula of the paper")
        formulas = self.named_formulas(*parts(s))
        terms = {name: tree_of(e, True) for name, e in formulas.items()}
        if terms:
            if s["kind"] != "identity" and "call" in set[str]().union(*map(trees.heads, terms.values())):
                raise Fault("expected formulas in elementary functions, or an identity")
            s = with_values(s, terms)
            inner = set[str]().union(*map(trees.names_in, terms.values())) - set(constants)
            s["box"] = {**s["box"], **{n: sides[n] for n in inner if n in sides and n not in s["box"]}}
        witness = {}
        for item in check.clauses.get("witness", []):
            witness = self.parse(item, parser.values)
            if witness.keys() != s.get("box", {}).keys():
                raise Fault("expected a value of every variable of the statement, and of nothing else")
        self.item = check.statement
        try:
            certificate.well_formed(with_values(s, constants))
            indicators.require_values(formulas.values(), s)
        except trees.Wrong as reason:
            raise Fault(str(reason)) from None
        return Exact(**common, statement=s, constants=constants, stronger=stronger, witness=witness)

    def constants(self, check: _Check) -> tuple[dict[str, Any], dict[str, str]]:
        constants: dict[str, Any] = {}
        stronger: dict[str, str] = {}
        for item in check.clauses.get("constant", []):
            line = item.text.removesuffix(LARGER)
            values = self.parse(dataclasses.replace(item, text=line), parser.values)
            constants |= {name: ["q", value] for name, value in values.items()}
            stronger |= dict.fromkeys(values, "smaller" if line == item.text else "larger")
        return constants, stronger

    def about_runs(self, check: _Check, common: dict[str, Any]) -> Check:
        for word in ("constant", "witness", "budget"):
            if word in check.clauses:
                self.item = check.clauses[word][0]
                raise Fault(f"expected no {word!r} with a line that is measured")
        return about_runs(check.statement.text, self.paper.key, common, self.symbols, self.named_formulas)
