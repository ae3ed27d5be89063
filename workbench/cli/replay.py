"""`workbench replay`: one run again, alone, beside the stored one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workbench.cli.console import empty_table, say, stdout, warn
from workbench.cli.options import StoreDir, simulates
from workbench.cli.progress import Bars


@simulates
def replay(
    options: Any,
    key: Annotated[str, typer.Argument(help="An experiment, as in `workbench list`: <paper>/sim-<name>.")],
    run: Annotated[int, typer.Option(help="Row of the batch.")],
    store: StoreDir = None,
) -> None:
    """Recomputes one run of a batch on its own and compares it with the stored one."""
    from workbench.arrays import backends
    from workbench.run import catalog, jobs, pool, replay
    from workbench.run.options import UsageError
    from workbench.run.store.results import Store, store_folder

    (entry,) = catalog.entries_for([key])
    if entry.kind != "experiment":
        raise UsageError(f"{entry.key} is of kind {entry.kind}; replay takes an experiment")
    sim = catalog.simulations()[entry.key]
    job = jobs.prepare(sim, options)
    replay.check_run(job, run)
    with Bars() as bars:
        finish, at = bars.of([sim])
        results = Store(store_folder(store))
        result = pool.ensure([sim], options, results, finish, warn, at, begin=replay.looks_with(job, run))[
            sim.key
        ]
    # Bits are comparable only on the same backend.
    alone = replay.replay(job, run, backends.resolve(result.meta["backend"]), options)
    table = empty_table("quantity", "stored", "alone", "largest difference")
    row_of = replay.position(job, result, run)
    for row in replay.comparison(result, row_of, alone):
        table.add_row(row.quantity, f"{row.original:.17g}", f"{row.alone:.17g}", f"{row.gap:.3g}")
    stdout().print(table)
    point = ", ".join(f"{n} = {v[row_of]:g}" for n, v in result.params.items())
    outcome = replay.outcome(job, result, row_of, alone)
    say(f"run {run} of {sim.key} ({point}), at every mark: {outcome.sentence}.")
    if not outcome.same:
        raise typer.Exit(1)
