"""The items of a text by lines and indents: what is indented further goes on the line above it.

Faults carry the character at which something does not fit; an item knows the line and column of its characters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass


class Fault(Exception):
    """Something that does not fit. at: the character of the item."""

    def __init__(self, why: str, at: int = 0) -> None:
        super().__init__(why)
        self.at = at


@dataclass
class Item:
    """An item with the lines that go on. starts: (character of the text, number and column of the line it is from)."""

    indent: int
    text: str
    starts: list[tuple[int, int, int]]

    def place(self, at: int) -> tuple[int, int]:
        begin, number, column = max(start for start in self.starts if start[0] <= at)
        return number, column + at - begin

    def word(self, names: Collection[str]) -> tuple[str, str, int]:
        """(keyword, the rest, where that begins). Raises Fault for another word."""
        word, _, rest = self.text.partition(" ")
        if word not in names:
            raise Fault(f"expected {', '.join(names)}, not {word[:30]!r}")
        return word, rest.strip(), len(self.text) - len(rest.lstrip())


def items(text: str, error: Callable[[str, int, int], Exception]) -> Iterator[Item]:
    """The items of a text: a line, and those that go on since they are indented more than a clause may be.

    error: of a sentence about a line and column, which is raised for a tab.
    """
    item: Item | None = None
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if line[indent] == "\t":
            raise error("expected spaces, not a tab", number, indent + 1)
        if item and indent > item.indent and _may_go_on(item, indent):
            item.starts.append((len(item.text) + 1, number, indent + 1))
            item.text += f" {content}"
            continue
        if item:
            yield item
        item = Item(indent, content, [(0, number, indent + 1)])
    if item:
        yield item


def _may_go_on(item: Item, indent: int) -> bool:
    """Does a line that is indented further belong to the item? Headings of records and of checks are one line each."""
    return not item.text.startswith("[" if item.indent == 0 else "- " if item.indent == 2 else "\n")
