"""Coverage of a proof: every displayed line of the paper's text, and what the ledger shows of it.

A paper has it in a file ``coverage.txt``, a row for each line in the order of the text::

    # A comment.
    [section]
    (9), L399 | Lemma A.4: sum |g_t|^2/G_t^2 <= C_1 | lem-A.4: on a fixed function; one term
    L390 | definition of G_t | quoted
    L404 | the two sums together | not checked: standard

A row goes on in indented lines. `workbench.ledger.coverage` says how each line is shown, from the checks it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.homes import mistakes
from workbench.homes.usage import UsageError

QUOTED, OPEN = "quoted", "not checked"
FORM = f'"lines | what they say | link: check; check", with "{QUOTED}" or "{OPEN}: why" for the last part'


@dataclass(frozen=True)
class Display:
    """One displayed line (or a chain of relations that is displayed as one) of a proof.

    paper, section: its key, and the heading above the row. source: its lines in the paper's text, and its number if it
    has one: "(26), L610-612". says: what it says, in a few words or symbols. link: name of the ledger's link, without
    the paper's prefix. checks: names of that link's checks that encode this line, all of it. quoted: the paper quotes
    it without proof, or it is a definition or an assumption. why: for a line that is not checked, the reason in a few
    words.
    """

    paper: str
    section: str
    source: str
    says: str
    link: str = ""
    checks: tuple[str, ...] = ()
    quoted: bool = False
    why: str = ""


def read(paper: str, path: Path) -> tuple[Display, ...]:
    """The rows of a paper's file, none if there is no file. Raises UsageError for a row of another form."""
    if not path.is_file():
        return ()
    section, displays = "", []
    for number, row in _rows(path):
        if row.startswith("[") and row.endswith("]"):
            section = row[1:-1]
        else:
            try:
                displays.append(_display(paper, section, row))
            except ValueError:
                why = f"{row!r} is no row of the form {FORM}"
                raise UsageError(why, where=mistakes.place(path, number)) from None
    return tuple(displays)


def _rows(path: Path) -> Iterator[tuple[int, str]]:
    """(number of its first line, row), without comments and with the lines that go on."""
    start, row = 0, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith(" ") and row:
            row += f" {line.strip()}"
            continue
        if row:
            yield start, row
        start, row = number, "" if line.startswith("#") else line.strip()
    if row:
        yield start, row


def _display(paper: str, section: str, row: str) -> Display:
    """Raises ValueError for a row that has not three parts, or whose last part is of another form."""
    source, says, how = row.split(" | ")
    link, _, rest = how.partition(": ")
    if how == QUOTED:
        return Display(paper, section, source, says, quoted=True)
    if not (link and rest):
        raise ValueError
    if link == OPEN:
        return Display(paper, section, source, says, why=rest)
    return Display(paper, section, source, says, link, tuple(rest.split("; ")))
