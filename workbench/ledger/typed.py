"""Statements that a person typed: one line each, or a file of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workbench.ledger import certificate, parser, syntax_hints
from workbench.ledger.trees import Wrong


class BadLine(ValueError):
    """A line that is no statement. The message says where, and what was expected or why it is refused."""


@dataclass(frozen=True)
class Typed:
    """A statement with its place. label: the text before its first colon, if it has one."""

    label: str
    line: str
    statement: dict[str, Any]


def one(line: str, file: str = "-e", number: int = 1) -> Typed:
    """The statement of a line ``[label:] statement``. Raises BadLine.

    file, number: what is said of the place of a mistake; columns count from 1.
    """
    label, colon, rest = line.rpartition(":")
    try:
        s = parser.statement(rest)
        certificate.well_formed(s)
    except parser.SyntaxFault as error:
        column = len(label) + len(colon) + error.place + 1
        raise BadLine(f"{file}:{number}:{column}: {syntax_hints.with_hint(rest, error)}") from None
    except Wrong as reason:
        raise BadLine(f"{file}:{number}: {reason}") from None
    return Typed(label.strip(), rest.strip(), s)


def every(text: str, file: str) -> tuple[list[Typed], list[str]]:
    """The statements of a text, one a line, and a sentence about each line that is none; ``#`` begins a comment."""
    statements, mistakes = [], []
    for number, line in _lines(text):
        try:
            statements.append(one(line, file, number))
        except BadLine as error:
            mistakes.append(str(error))
    if not statements and not mistakes:
        mistakes.append(f"{file}: no statement in it")
    return statements, mistakes


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if content := line.partition("#")[0].rstrip():
            yield number, content
