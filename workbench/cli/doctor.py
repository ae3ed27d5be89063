"""`workbench doctor`: the table of what is installed."""

from __future__ import annotations

from workbench.cli.console import empty_table, plain, stdout
from workbench.cli.options import StoreDir


def doctor(store: StoreDir = None) -> None:
    """Shows versions, backends, devices, the store and missing optional tools."""
    from workbench.report import tex
    from workbench.run.installation import diagnose

    table = empty_table("what", "state", "remedy")
    for line in diagnose(store, tex.problem()):
        table.add_row(
            line.what, f"[{'green' if line.good else 'yellow'}]{plain(line.state)}[/]", plain(line.remedy)
        )
    stdout().print(table)
