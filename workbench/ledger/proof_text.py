"""The text of a paper's proofs, ``proof.txt``: records, checks, and what is shown of each displayed line.

The form is in `docs/statements.md`. Of a check's statement the parser makes the tree that is checked.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.homes import mistakes
from workbench.homes.usage import UsageError
from workbench.ledger import certificate, indicators, parser, rewriting, trees
from workbench.ledger.from_sympy import tree as tree_of
from workbench.ledger.parser import SyntaxFault
from workbench.ledger.statements import parts, with_values
from workbench.theory.coverage import Display
from workbench.theory.lemma import (
    AlongTrajectory,
    Check,
    Exact,
    InExpectation,
    Lemma,
    WithProbability,
)
from workbench.theory.record import Paper

HEADING = re.compile(r"\[([A-Za-z][A-Za-z0-9.-]*)\] +(.+) \| +(.+)")
OF_FILE = ("section", "quoted", "unchecked", "for")
OF_RECORD = ("uses", "says", "errata", "note", "quoted", "for")
OF_CHECK = ("constant", "witness", "budget", "note", "shows")
MEASURED = re.compile(r"(in every run|on average|with probability ([0-9/]+)( at each time)?): *")
LARGER = ", stronger if larger"
TAGS = "states, arithmetic, refuted LABEL, repaired LABEL, own, own LABEL or erratum LABEL"


@dataclass(frozen=True)
class Proof:
    """What a text holds. lemmas: its records. displays: the displayed lines of the paper, in its order."""

    lemmas: tuple[Lemma, ...] = ()
    displays: tuple[Display, ...] = ()


class _Fault(Exception):
    """Something that does not fit. at: the character of the item; `_Reader` knows where that is."""

    def __init__(self, why: str, at: int = 0) -> None:
        super().__init__(why)
        self.at = at


@dataclass
class _Item:
    """An item with the lines that go on. starts: (character of the text, number and column of the line it is from)."""

    indent: int
    text: str
    starts: list[tuple[int, int, int]]

    def place(self, at: int) -> tuple[int, int]:
        begin, number, column = max(start for start in self.starts if start[0] <= at)
        return number, column + at - begin

    def word(self, names: Collection[str]) -> tuple[str, str, int]:
        """(keyword, the rest, where that begins). Raises _Fault for another word."""
        word, _, rest = self.text.partition(" ")
        if word not in names:
            raise _Fault(f"expected {', '.join(names)}, not {word[:30]!r}")
        return word, rest.strip(), len(self.text) - len(rest.lstrip())


@dataclass
class _Check:
    """A check as far as it is read. fields: of the record to be made."""

    name: str
    tags: dict[str, Any]
    statement: _Item
    clauses: dict[str, list[_Item]] = field(default_factory=dict)


def read(
    path: Path, paper: Paper, formulas: Mapping[str, Any] | None = None, errata: Collection[str] | None = None
) -> Proof:
    """The proofs in a file. Raises UsageError, with file, line and column, for a text outside the form.

    formulas: SymPy expressions by name, from the paper's Python modules; each must be used. errata: the labels that
    checks may name; None: any.
    """
    reader = _Reader(path, paper, formulas or {}, errata)
    text = path.read_text(encoding="utf-8")
    for item in _items(text, reader):
        reader.take(item)
    return reader.proof()


def _items(text: str, reader: _Reader) -> Iterator[_Item]:
    """The items of a text: a line, and those that go on since they are indented more than a clause may be."""
    item: _Item | None = None
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if line[indent] == "\t":
            raise reader.error("expected spaces, not a tab", number, indent + 1)
        if item and indent > item.indent and _may_go_on(item, indent):
            item.starts.append((len(item.text) + 1, number, indent + 1))
            item.text += f" {content}"
            continue
        if item:
            yield item
        item = _Item(indent, content, [(0, number, indent + 1)])
    if item:
        yield item


def _may_go_on(item: _Item, indent: int) -> bool:
    """Does a line that is indented further belong to the item? Headings of records and of checks are one line each."""
    return not item.text.startswith("[" if item.indent == 0 else "- " if item.indent == 2 else "\n")


class _Reader:
    """Takes the items of a text one by one."""

    def __init__(
        self, path: Path, paper: Paper, formulas: Mapping[str, Any], errata: Collection[str] | None
    ) -> None:
        self.path, self.paper, self.errata = path, paper, errata
        self.formulas = formulas
        self.symbols = {s.name: s for f in formulas.values() for s in f.free_symbols}
        self.formulas_left = set(formulas)
        self.sections: list[tuple[tuple[int, int], str]] = []  # (first place in the paper's text, name)
        self.places: dict[tuple[str, str, str], tuple[int, int]] = {}  # of the rows
        self.last = 0, 0  # the place of the row before
        self.sides: dict[str, Any] = {}  # of the file
        self.own_sides: dict[str, Any] = {}  # of the record
        self.lemmas: dict[str, Lemma] = {}
        self.rows: dict[tuple[str, str, str], Display] = {}  # (link, source, says) -> row
        self.record: dict[str, Any] | None = None
        self.check: _Check | None = None
        self.item = _Item(0, "", [(0, 1, 1)])

    def error(self, why: str, number: int, column: int) -> UsageError:
        return UsageError(why, where=f"{mistakes.place(self.path, number)}:{column}")

    def take(self, item: _Item) -> None:
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
                raise _Fault("expected an indent of 0 (records), 2 (checks) or 4 (their clauses) spaces")
        except _Fault as fault:
            raise self.error(str(fault), *self.item.place(fault.at)) from None

    def proof(self) -> Proof:
        try:
            self.finish_record()
        except _Fault as fault:
            raise self.error(str(fault), *self.item.place(fault.at)) from None
        if self.formulas_left:
            name = min(self.formulas_left)
            raise UsageError(
                f"no check of {mistakes.place(self.path)} has the formula {name}, which FORMULAS defines"
            )
        return Proof(tuple(self.lemmas.values()), tuple(self.displays()))

    def displays(self) -> list[Display]:
        """The rows in the order of the paper, each with the section that its first line is in."""
        sections = [((0, 0), ""), *sorted(self.sections)]
        return [
            dataclasses.replace(
                self.rows[key], section=[n for start, n in sections if start <= self.places[key]][-1]
            )
            for key in sorted(self.rows, key=self.places.__getitem__)
        ]

    # ------------------------------------------------------------------------------------------------ of the file

    def of_file(self, item: _Item) -> None:
        if heading := HEADING.fullmatch(item.text):
            name, title, source = heading.groups()
            if name in self.lemmas:
                raise _Fault(f"expected another name: there is a record {name} already")
            self.record = {"name": name, "title": title, "source": source, "checks": {}, "item": item}
            self.own_sides = {}
            self.last = self.sections[-1][0] if self.sections else (0, 0)
            return
        if item.text.startswith("["):
            raise _Fault("expected '[lem-1] a title | where it stands'")
        word, rest, at = item.word(OF_FILE)
        if word == "section":
            source, name = self.split(rest, at, "section L12 | a name")
            self.last = 0, 0
            self.last = self.place_of(source, at)
            self.sections.append((self.last, name))
        elif word == "for":
            self.sides |= self.domains(rest, at)
        elif word == "quoted":
            self.row(item, "", *self.split(rest, at, "quoted SOURCE | what it says"), quoted=True)
        else:
            form = "unchecked SOURCE | what it says | why"
            source, says, why = self.split(rest, at, form)
            self.row(item, "", source, says, why=why)

    @staticmethod
    def split(text: str, at: int, form: str) -> list[str]:
        parts = text.split(" | ")
        if len(parts) != form.count("|") + 1 or not all(part.strip() for part in parts):
            raise _Fault(f"expected '{form}'", at)
        return [part.strip() for part in parts]

    def row(self, item: _Item, link: str, source: str, says: str, **more: Any) -> None:
        self.last = self.place_of(source)
        display = Display(self.paper.key, "", source, says, link, **more)
        if (link, source, says) in self.rows:
            raise _Fault(f"expected another line: {source} | {says} is there already")
        self.rows[link, source, says] = display
        self.places[link, source, says] = self.last

    def place_of(self, source: str, at: int = 0) -> tuple[int, int]:
        """(first line of the paper's text, number of the equation): of "(31), L740-742" (740, 31).

        Without a number it stands after the row before it, if that is on the same line.
        """
        if not (line := re.search(r"L(\d+)", source)):
            raise _Fault(f"expected the lines of the text, as L12 or (3), L12-14, not {source!r}", at)
        number = re.match(r"\((\d+)", source)
        places = [self.last, *(place for place, _ in self.sections[-1:])]
        before = next((n for at_line, n in places if at_line == int(line[1])), 0)
        return int(line[1]), int(number[1]) if number else before

    def domains(self, text: str, at: int) -> dict[str, Any]:
        try:
            return parser.domains(text)
        except SyntaxFault as fault:
            raise _Fault(str(fault), at + fault.place) from None

    # ------------------------------------------------------------------------------------------------ of a record

    def of_record(self, item: _Item, record: dict[str, Any]) -> None:
        if item.text.startswith("- "):
            self.check = self.heading(item, record)
            return
        if record["checks"]:
            raise _Fault(f"expected '- name of a check' or another record, not {item.text[:30]!r}")
        word, rest, at = item.word(OF_RECORD)
        if word == "for":
            self.own_sides |= self.domains(rest, at)
            return
        if word in record:
            raise _Fault(f"expected one {word!r} of the record")
        if (word == "quoted") == bool(rest):
            raise _Fault("expected nothing after 'quoted'" if rest else f"expected words after {word!r}", at)
        record[word] = rest or True

    def heading(self, item: _Item, record: dict[str, Any]) -> _Check:
        """A check's name and, after a bar, its tags."""
        name, bar, tags = item.text[2:].strip().rpartition(" | ")
        name = (name if bar else tags).strip()
        if name in record["checks"]:
            raise _Fault(f"expected another name: the record has a check {name!r} already", 2)
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
                raise _Fault(f"expected tags as {TAGS}, not {tag.strip()!r}", at)
            if more.keys() & fields.keys() and fields.get("erratum") != label:
                raise _Fault(f"expected tags that do not contradict each other, not {text!r}", at)
            if "erratum" in more and self.errata is not None and label not in self.errata:
                raise _Fault(f"expected the label of an erratum of the paper, not {label!r}", at)
            fields |= more
            at += len(tag) + 2
        return fields

    def finish_record(self) -> None:
        self.finish_check()
        record, self.record = self.record, None
        if record is None:
            return
        item: _Item = record["item"]
        if "says" not in record:
            self.item = item
            raise _Fault("expected 'says' in the record")
        name, key = record["name"], self.paper.key
        try:
            lemma = Lemma(
                f"{key}/{name}",
                self.paper,
                record["title"],
                record["source"],
                record["says"],
                tuple(f"{key}/{use}" for use in _names(record.get("uses", ""), ";")),
                tuple(record["checks"].values()),
                tuple(_names(record.get("errata", ""))),
                record.get("note", ""),
                record.get("quoted", False),
            )
        except ValueError as error:
            self.item = item
            raise _Fault(str(error)) from None
        if self.errata is not None and (foreign := set(lemma.errata) - set(self.errata)):
            self.item = item
            raise _Fault(f"expected labels of errata of the paper, not {min(foreign)!r}")
        object.__setattr__(lemma, "origin", (str(self.path), item.starts[0][1]))
        self.lemmas[name] = lemma

    # ------------------------------------------------------------------------------------------------ of a check

    def clause(self, item: _Item) -> None:
        check = self.check
        assert check is not None
        if check.statement.text.startswith("- "):  # the heading: this is the statement
            check.statement = self.item = item
            return
        self.item = item
        word, rest, at = item.word(OF_CHECK)
        if not rest:
            raise _Fault(f"expected something after {word!r}", at)
        if word in check.clauses and word not in ("shows", "constant"):
            raise _Fault(f"expected one {word!r} of the check")
        starts = [(max(0, begin - at), n, c + max(0, at - begin)) for begin, n, c in item.starts]
        check.clauses.setdefault(word, []).append(_Item(4, rest, starts))

    def finish_check(self) -> None:
        check, self.check = self.check, None
        if check is None:
            return
        assert self.record is not None
        self.item = check.statement
        if check.statement.text.startswith("- "):
            raise _Fault(f"expected the statement of {check.name!r}, indented by 4 spaces")
        common = {**check.tags, "name": check.name}
        for word in ("note", "budget"):
            if word in check.clauses:
                self.item = check.clauses[word][0]
                common[word] = self.item.text if word == "note" else self.seconds(self.item.text)
        self.item = check.statement
        begin = MEASURED.match(check.statement.text)
        check_record = self.measured(check, begin, common) if begin else self.exact(check, common)
        self.record["checks"][check.name] = check_record
        for clause in check.clauses.get("shows", []):
            self.item = clause
            self.shows(clause.text, check.name)

    @staticmethod
    def seconds(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or not int(text):
            raise _Fault(f"expected a number of seconds, not {text!r}")
        return int(text)

    def shows(self, text: str, check: str) -> None:
        """A displayed line that the check encodes; with its source alone, a line that the record has already."""
        assert self.record is not None
        link = self.record["name"]
        source, bar, says = (part.strip() for part in text.partition(" | "))
        if not bar:
            same = [key for key in self.rows if key[:2] == (link, source)]
            if len(same) != 1:
                raise _Fault(f"expected 'shows {source} | what it says'")
            says = same[0][2]
        key = link, source, says
        if key in self.rows:
            row = self.rows[key]
            if check in row.checks:
                raise _Fault(f"expected another line: the check shows {source} already")
            self.rows[key] = dataclasses.replace(row, checks=(*row.checks, check))
        else:
            self.row(self.item, link, source, says, checks=(check,))

    def parse(self, item: _Item, parse: Any, *more: Any) -> Any:
        self.item = item
        try:
            return parse(item.text, *more)
        except SyntaxFault as fault:
            raise _Fault(str(fault), fault.place) from None

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
            raise _Fault(f"expected another name than {both[0]}, which is a formula of the paper")
        formulas = self.named_formulas(*parts(s))
        terms = {name: tree_of(e, True) for name, e in formulas.items()}
        if terms:
            if s["kind"] != "identity" and "call" in set[str]().union(*map(trees.heads, terms.values())):
                raise _Fault("expected formulas in elementary functions, or an identity")
            s = with_values(s, terms)
            inner = set[str]().union(*map(trees.names_in, terms.values())) - set(constants)
            s["box"] = {**s["box"], **{n: sides[n] for n in inner if n in sides and n not in s["box"]}}
        witness = {}
        for item in check.clauses.get("witness", []):
            witness = self.parse(item, parser.values)
            if witness.keys() != s.get("box", {}).keys():
                raise _Fault("expected a value of every variable of the statement, and of nothing else")
        self.item = check.statement
        try:
            certificate.well_formed(with_values(s, constants))
            indicators.require_values(formulas.values(), s)
        except trees.Wrong as reason:
            raise _Fault(str(reason)) from None
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

    def measured(self, check: _Check, begin: re.Match[str], common: dict[str, Any]) -> Check:
        """A line about runs: in SymPy, with which it is evaluated."""
        for word in ("constant", "witness", "budget"):
            if word in check.clauses:
                self.item = check.clauses[word][0]
                raise _Fault(f"expected no {word!r} with a line that is measured")
        words, on, names = check.statement.text.rpartition(" on ")
        if not on or not _names(names):
            raise _Fault("expected 'on' and the simulations or samplers on which the line is measured")
        rest = dataclasses.replace(
            check.statement,
            text=words[begin.end() :],
            starts=[
                (max(0, b - begin.end()), n, c + max(0, begin.end() - b))
                for b, n, c in check.statement.starts
            ],
        )
        left, relation, right = self.parse(rest, parser.comparison)
        formulas = self.named_formulas(left, right)
        self.item = check.statement
        try:
            lhs, rhs = (
                rewriting.expression(t, frozenset(), {**self.symbols, **formulas}) for t in (left, right)
            )
        except (KeyError, ValueError) as error:
            raise _Fault(f"expected an expression that can be evaluated along runs ({error})") from None
        key = self.paper.key
        where = tuple(n if "/" in n else f"{key}/{n}" for n in _names(names))
        fields = {**common, "lhs": lhs, "rhs": rhs, "on": where}
        if begin[1] == "in every run":
            return AlongTrajectory(**fields, relation=relation)
        if relation == "=":
            raise _Fault("expected <= or >= in a line on average or with a probability")
        if begin[1] == "on average":
            return InExpectation(**fields)
        probability = rewriting.expression(parser.tree(begin[2]), frozenset())
        return WithProbability(**fields, probability=probability, uniform=not begin[3])


def _names(text: str, between: str = ",") -> list[str]:
    return [name.strip() for name in text.split(between) if name.strip()]
