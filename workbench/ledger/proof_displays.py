"""What a proof's text says is shown of the displayed lines of a paper. No statement depends on it."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from workbench.ledger.proof_items import Fault
from workbench.theory.coverage import Display


class Displays:
    """The displayed lines that a text names, in sections of the paper. key: of the paper."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.sections: list[tuple[tuple[int, int], str]] = []  # (first place in the paper's text, name)
        self.rows: dict[tuple[str, str, str], Display] = {}  # (link, source, says) -> row
        self.places: dict[tuple[str, str, str], tuple[int, int]] = {}  # of the rows
        self.last = 0, 0  # the place of the row before

    def begin_record(self) -> None:
        self.last = self.sections[-1][0] if self.sections else (0, 0)

    def section(self, text: str, at: int) -> None:
        source, name = parts_of(text, at, "section L12 | a name")
        self.last = 0, 0
        self.last = self.place_of(source, at)
        self.sections.append((self.last, name))

    def quotation(self, text: str, at: int) -> None:
        source, says = parts_of(text, at, "quoted SOURCE | what it says")
        self.row("", source, says, quoted=True)

    def gap(self, text: str, at: int) -> None:
        source, says, why = parts_of(text, at, "unchecked SOURCE | what it says | why")
        self.row("", source, says, why=why)

    def shows(self, text: str, link: str, check: str) -> None:
        """A displayed line that the check encodes; with its source alone, a line that the record has already."""
        source, bar, says = (part.strip() for part in text.partition(" | "))
        if not bar:
            same = [key for key in self.rows if key[:2] == (link, source)]
            if len(same) != 1:
                raise Fault(f"expected 'shows {source} | what it says'")
            says = same[0][2]
        key = link, source, says
        if key in self.rows:
            row = self.rows[key]
            if check in row.checks:
                raise Fault(f"expected another line: the check shows {source} already")
            self.rows[key] = dataclasses.replace(row, checks=(*row.checks, check))
        else:
            self.row(link, source, says, checks=(check,))

    def row(self, link: str, source: str, says: str, **more: Any) -> None:
        self.last = self.place_of(source)
        display = Display(self.key, "", source, says, link, **more)
        if (link, source, says) in self.rows:
            raise Fault(f"expected another line: {source} | {says} is there already")
        self.rows[link, source, says] = display
        self.places[link, source, says] = self.last

    def place_of(self, source: str, at: int = 0) -> tuple[int, int]:
        """(first line of the paper's text, number of the equation): of "(31), L740-742" (740, 31).

        Without a number it stands after the row before it, if that is on the same line.
        """
        if not (line := re.search(r"L(\d+)", source)):
            raise Fault(f"expected the lines of the text, as L12 or (3), L12-14, not {source!r}", at)
        number = re.match(r"\((\d+)", source)
        places = [self.last, *(place for place, _ in self.sections[-1:])]
        before = next((n for at_line, n in places if at_line == int(line[1])), 0)
        return int(line[1]), int(number[1]) if number else before

    def in_order(self) -> list[Display]:
        """The rows in the order of the paper, each with the section that its first line is in."""
        sections = [((0, 0), ""), *sorted(self.sections)]
        return [
            dataclasses.replace(
                self.rows[key], section=[n for start, n in sections if start <= self.places[key]][-1]
            )
            for key in sorted(self.rows, key=self.places.__getitem__)
        ]


def parts_of(text: str, at: int, form: str) -> list[str]:
    parts = text.split(" | ")
    if len(parts) != form.count("|") + 1 or not all(part.strip() for part in parts):
        raise Fault(f"expected '{form}'", at)
    return [part.strip() for part in parts]
