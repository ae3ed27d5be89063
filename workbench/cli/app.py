"""The command line: parses, calls, prints.

Exit status 0: as expected, 1: not as expected, 2: usage error, 3: a fault of the workbench, 4: as expected, but
results could not be stored.
"""

from __future__ import annotations

from typing import Annotated

import typer

from workbench.cli import guard
from workbench.cli.calibrate import calibrate
from workbench.cli.check import check
from workbench.cli.compare import compare
from workbench.cli.doctor import doctor
from workbench.cli.figures import figures
from workbench.cli.judge import judge
from workbench.cli.ledger import ledger
from workbench.cli.list import list_
from workbench.cli.new import new
from workbench.cli.plan import plan
from workbench.cli.replay import replay
from workbench.cli.report import report
from workbench.cli.usage import Commands, in_sentences
from workbench.cli.verify import verify
from workbench.cli.worst_case import worst_case

# In the order in which --help shows them.
COMMANDS = (
    list_,
    verify,
    judge,
    compare,
    plan,
    check,
    figures,
    report,
    ledger,
    worst_case,
    replay,
    new,
    calibrate,
    doctor,
)

HELP = """Checks convergence theorems of stochastic minimax and bilevel optimization against runs of their algorithms.

Exit status 0: as expected, 1: not as expected, 2: usage error, 3: a fault of the workbench, 4: as expected, but
results could not be stored.
"""

app = typer.Typer(cls=Commands, add_completion=False, pretty_exceptions_enable=False, help=HELP)
for _each in COMMANDS:
    app.command(_each.__name__.rstrip("_").replace("_", "-"))(in_sentences(_each))


def _version(is_wanted: bool) -> None:
    if is_wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"workbench {version('theorem-workbench')}")
        except PackageNotFoundError:  # run from a checkout that is not installed
            print("workbench (not installed)")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Runs the command line in this process; the entry point is `workbench.__main__`."""
    guard.run(lambda: app)
