"""`workbench list`: what there is (`entries`), the errata, or the instances (`instance_list`)."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Annotated

import typer

from workbench.cli.console import fail, left_out, plain, say, stdout, warn
from workbench.cli.options import Keys
from workbench.homes.keys import Key

TITLE = 80  # columns to which titles are padded
LEAST = 24  # columns for titles and sources; with fewer, titles alone are shown


def list_(
    keys: Keys = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show lemmas, errata, experiments, figures, ... as well.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array of everything.")] = False,
    errata: Annotated[bool, typer.Option("--errata", help="List the errata and their checks.")] = False,
    instances: Annotated[
        bool,
        typer.Option(
            "--instances", help="Show the ready instances, or those of the keys, with their constants."
        ),
    ] = False,
) -> None:
    """Lists papers and theorems; with --all, or of the papers named, lemmas, errata, experiments and figures too."""
    if instances:
        from workbench.cli import instance_list

        instances_listed = instance_list.rows(keys or [])
        if not instances_listed:
            raise fail(f"{', '.join(keys or [])}: there is no instance")
        say(instance_list.as_json(instances_listed) if as_json else instance_list.text(instances_listed))
        return
    if errata:
        _list_errata(keys or [], as_json)
        return
    rows = _rows(keys or [], everything or as_json)
    if as_json:
        print(json.dumps(rows, indent=1, allow_nan=False))
        return
    _print_table(rows, shutil.get_terminal_size().columns if sys.stdout.isatty() else None)
    if keys and (in_full := _details(keys)):
        say(in_full)
    if not keys and not everything:
        say("Lemmas, errata, algorithms, instances, experiments and figures: --all shows them.")


def _print_table(rows: list[dict[str, str]], width: int | None) -> None:
    """Kind and key in full, and what there is room for of title and source; all of it where no width is given."""
    sizes = {
        name: max(len(name), *(len(e[name]) for e in rows)) for name in ("kind", "key", "title", "source")
    }
    sizes["title"] = min(sizes["title"], TITLE)
    if width is not None:
        rest = max(0, width - sizes["kind"] - sizes["key"] - 4)
        both = rest >= LEAST
        sizes["title"] = min(sizes["title"], rest * 3 // 5 if both else rest)
        sizes["source"] = rest - sizes["title"] - 2 if both else 0
    columns = [name for name, size in sizes.items() if size > 0]
    for number, e in enumerate([{name: name for name in sizes}, *rows]):
        cells = [e[name] if width is None else _cut(e[name], sizes[name]) for name in columns]
        text = "  ".join(cell.ljust(sizes[name]) for name, cell in zip(columns, cells, strict=True)).rstrip()
        if number == 0 and sys.stdout.isatty():
            stdout().print(f"[bold]{plain(text)}[/]", soft_wrap=True)
        else:
            say(text)


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: max(0, size - 1)]}…"


def _rows(keys: list[str], everything: bool) -> list[dict[str, str]]:
    """The lines of the listing: all, papers and theorems, or those of the named papers and entries."""
    from workbench.cli import entry_cache

    if not keys:
        return entry_cache.rows(everything, warn)
    from workbench.run import catalog

    entries = catalog.entries_for(keys)
    keys_shown = {e.key for e in entries} | {e.paper for e in entries if e.kind == "paper"}
    for sentence in left_out({e.paper for e in entries}):
        warn(sentence)
    rows = [vars(e) for e in catalog.entries() if e.key in keys_shown or e.paper in keys_shown]
    return entry_cache.with_silent(rows)


def _list_errata(keys: list[str], as_json: bool) -> None:
    """Prints the printed and corrected form of each erratum, and the ledger's checks that document it."""
    from workbench.cli import details
    from workbench.run import catalog

    entries = catalog.entries_for(keys)
    own = {e.key for e in entries if e.kind == "erratum"}
    papers = {e.paper for e in entries if e.key not in own}
    rows = [
        row
        for row in catalog.errata_rows()
        if not keys or row["key"] in own or Key.of(row["key"]).paper in papers
    ]
    if as_json:
        print(json.dumps(rows, indent=1, allow_nan=False))
        return
    for row in rows:
        stdout().print(f"[bold]{row['key']}[/]  {plain(row['title'])}  [dim]{plain(row['source'])}[/]")
        say(details.of_erratum(row))


def _details(keys: list[str]) -> str:
    """What is to be said of an erratum or an experiment that is the only one named; else nothing."""
    from workbench.cli import details
    from workbench.run import catalog

    entries = catalog.entries_for(keys)
    return details.text(entries[0]) if len(entries) == 1 else ""
