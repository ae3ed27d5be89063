"""`workbench check`: the contracts of a paper."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer

from workbench.cli.console import say, warn
from workbench.cli.options import Jobs, StoreDir


def check(
    keys: Annotated[list[str], typer.Argument(help="Papers, by path or key.")],
    store: StoreDir = None,
    jobs: Jobs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Runs every contract on a paper: steps, constants, schedules, claims, figures; says what to do about a finding."""
    from workbench.cli.contracts import check as contracts
    from workbench.cli.contracts import outcome
    from workbench.run.options import Options
    from workbench.run.store.results import Store, store_folder

    options, results = Options("quick", jobs=jobs), Store(store_folder(store))
    outcomes = []
    for each in contracts.check(keys, options, results, warn):
        outcomes.append(each)
        if not as_json:
            say(outcome.line(each))
    if as_json:
        print(json.dumps([dataclasses.asdict(each) for each in outcomes], indent=1))
    else:
        say(outcome.summary(outcomes))
    if any(each.status == "broken" for each in outcomes):
        raise typer.Exit(1)
