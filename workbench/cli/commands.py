"""The command line: parses, calls, prints.

Exit status 0: as expected, 1: not as expected, 2: usage error, 3: a fault of the workbench, 4: as expected, but
results could not be stored.
"""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from workbench.cli.usage import Commands, in_sentences

# In the order in which --help shows them; each is a function of its name in a module of its name.
COMMANDS = (
    "list",
    "verify",
    "judge",
    "compare",
    "plan",
    "check",
    "figures",
    "report",
    "ledger",
    "worst-case",
    "replay",
    "new",
    "calibrate",
    "doctor",
)

HELP = """Checks convergence theorems of stochastic minimax and bilevel optimization against runs of their algorithms.

Exit status 0: as expected, 1: not as expected, 2: usage error, 3: a fault of the workbench, 4: as expected, but
results could not be stored.
"""


def _version(is_wanted: bool) -> None:
    if is_wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"workbench {version('theorem-workbench')}")
        except PackageNotFoundError:  # run from a checkout that is not installed
            print("workbench (not installed)")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
) -> None:
    pass


def application(only: str = "") -> typer.Typer:
    """The commands. only: the one that is called, if that is known; all of them take longer to load than it may run."""
    app = typer.Typer(
        cls=Commands,
        add_completion=False,
        pretty_exceptions_enable=False,
        help=_paragraphs(HELP),
        rich_markup_mode=None,
    )
    app.callback()(_options)
    for name in [only] if only in COMMANDS else COMMANDS:
        stem = name.replace("-", "_")
        module = importlib.import_module(f"workbench.cli.{stem}")
        function = getattr(module, "list_" if name == "list" else stem)
        app.command(name, help=_paragraphs(function.__doc__))(in_sentences(function))
    return app


def _paragraphs(text: str) -> str:
    """A docstring for a terminal of any width: Typer keeps the ends of lines."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
