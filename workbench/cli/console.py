"""What the commands say: warnings and errors as sentences on standard error, tables on standard output.

Rich is imported by the first of them that is styled: it takes as long to load as a short command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import typer

from workbench.cli import answers
from workbench.cli.guard import UNSTORED
from workbench.homes.visible_text import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


@cache
def err() -> Console:
    """Standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def fail(sentence: str, status: int = 2) -> typer.Exit:
    """Prints an error; to be raised."""
    err().print(f"[bold red]error:[/] {plain(sentence)}", soft_wrap=True)
    return typer.Exit(status)


def plain(text: str) -> str:
    """Text in which Rich sees no markup, and the terminal no command."""
    return visible(text).replace("[", r"\[")


def say(text: str) -> None:
    """Prints lines as they are, but for what would steer a terminal."""
    print(visible(text), flush=True)


class _Shown:
    """Standard output; of what Rich writes there only its own styles steer a terminal."""

    def __init__(self) -> None:
        self._stream = sys.stdout

    def write(self, text: str) -> int:
        return self._stream.write(visible(text, styles=self._stream.isatty()))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def warn(sentence: str) -> None:
    answers.spoil()
    err().print(f"[yellow]warning:[/] {plain(sentence)}", soft_wrap=True)


def check_stored(store: Any) -> None:
    """Raises an exit, with the reason, where results of this command are not in its store."""
    if store.failures_to_save:
        loss = f"{len(store.failures_to_save)} results could not be stored in {store.folder}, for the reasons above"
        raise fail(
            f"{loss}; what was said of them stands, and the next command computes them again", UNSTORED
        )


def left_out(keys: Iterable[str]) -> list[str]:
    """What is wrong with modules of these papers that could not be imported."""
    from workbench.run import catalog

    return [sentence for key in sorted(keys) for sentence in catalog.import_failures().get(key, ())]


def stdout() -> Console:
    """Standard output; if it is not a terminal, wide enough that little is folded."""
    from rich.console import Console

    return Console(file=_Shown(), highlight=False, width=None if sys.stdout.isatty() else 200)  # type: ignore[arg-type]


def empty_table(*columns: str, **options: Any) -> Table:
    """A table without lines around its cells."""
    from rich.table import Table

    return Table(*columns, box=None, header_style="bold", **options)


def table_console(wide: bool) -> Console:
    """Standard output for a table that fits any width: of the terminal, or of COLUMNS where it is set."""
    from rich.console import Console

    has_width = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console(file=_Shown(), highlight=False, width=200 if wide or not has_width else None)  # type: ignore[arg-type]
