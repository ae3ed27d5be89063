"""`workbench list`: what there is (`entries`), the errata, or the instances (`instance_list`)."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table

from workbench.commands.console import fail, left_out, plain, stdout, warn
from workbench.commands.options import Keys


def list_(
    keys: Keys = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
    errata: Annotated[bool, typer.Option("--errata", help="List the errata and their checks.")] = False,
    instances: Annotated[
        bool,
        typer.Option(
            "--instances", help="Show the ready instances, or those of the keys, with their constants."
        ),
    ] = False,
) -> None:
    """Lists papers, theorems, lemmas, errata, algorithms, instances, experiments and figures."""
    if instances:
        from workbench.commands import instance_list

        found = instance_list.rows(keys or [])
        if not found:
            raise fail(f"{', '.join(keys or [])}: there is no instance")
        print(instance_list.as_json(found) if as_json else instance_list.text(found))
        return
    if errata:
        _list_errata(keys or [], as_json)
        return
    rows = _rows(keys or [])
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("kind", "key"):
        table.add_column(name, no_wrap=True, min_width=max(len(e[name]) for e in rows))
    table.add_column("title", no_wrap=True, overflow="ellipsis", max_width=80)
    table.add_column("source", no_wrap=True, overflow="ellipsis")
    for e in rows:
        table.add_row(e["kind"], e["key"], plain(e["title"]), plain(e["source"]))
    stdout().print(table)


def _rows(keys: list[str]) -> list[dict[str, str]]:
    """The lines of the listing: all, or those of the named papers and entries."""
    from workbench.commands import entries

    if not keys:
        return entries.rows(warn)
    from workbench import catalog

    chosen = catalog.chosen(keys)
    wanted = {e.key for e in chosen} | {e.paper for e in chosen if e.kind == "paper"}
    for sentence in left_out({e.paper for e in chosen}):
        warn(sentence)
    return [vars(e) for e in catalog.entries() if e.key in wanted or e.paper in wanted]


def _list_errata(keys: list[str], as_json: bool) -> None:
    """Prints the printed and corrected form of each erratum, and the ledger's checks that document it."""
    from workbench import catalog

    wanted = {e.paper for e in catalog.chosen(keys)}
    rows = [row for row in catalog.errata_rows() if not keys or row["key"].split("/")[0] in wanted]
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    for row in rows:
        stdout().print(f"[bold]{row['key']}[/]  {plain(row['title'])}  [dim]{plain(row['source'])}[/]")
        stdout().print(f"  printed  {plain(row['printed'])}")
        stdout().print(f"  right    {plain(row['right'])}")
        for check in row["checks"]:
            stdout().print(f"  [dim]{check['expected']:9}[/]{plain(check['lemma'])}: {plain(check['check'])}")
