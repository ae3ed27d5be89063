"""The entries of the catalog, cached between commands: gathering them imports every paper that is not as shipped.

One JSON file in the user's cache folder holds the entries of the tree that was listed last. It is used as long as no
Python file of the papers' packages has another name, size or time than when it was written. Where it cannot be read or
written, the entries are gathered anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from workbench.cli import shipped_listing
from workbench.cli.shipped_listing import Rows
from workbench.homes import disk, papers

UNJUDGED = "(judged by no runs in profile default)"


def rows(everything: bool, warn: Callable[[str], None] = lambda sentence: None) -> Rows:
    """The entries of the catalog, or papers and theorems only, as dictionaries with the keys `shipped_listing.FIELDS`.

    They are kept if nothing was left out. warn: called with one sentence for each thing that could not be listed.
    """
    folder = disk.cache_folder()
    name = f"{_stamp()}-{'all' if everything else 'first'}.json"
    place = folder / "listing" / name if folder else None
    if place is not None and (previous := _read(place)) is not None:
        return previous
    entries, complaints = _gather(everything)
    for sentence in complaints:
        warn(sentence)
    if complaints or place is None:
        return entries
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(place, entries)
    return entries


def _gather(everything: bool) -> tuple[Rows, list[str]]:
    """The entries, and a sentence for each thing that could not be listed.

    Of papers and theorems alone those are imported whose rows are not in the file of `shipped_listing`.
    """
    of_file = {} if everything or papers.view().opened else shipped_listing.rows()
    others = [home.key for home in papers.homes() if home.key not in of_file]
    entries = [row for home in papers.homes() for row in of_file.get(home.key, ())]
    complaints = papers.view().complaints
    if others:
        from workbench.run import catalog

        with papers.temporary_view():
            if of_file:
                papers.narrow(others)
            listing = catalog.entries() if everything else catalog.papers_and_theorems()
            entries += with_silent([vars(e) for e in listing])
            failures = catalog.import_failures().values()
        complaints = [*complaints, *(s for sentences in failures for s in sentences)]
    if of_file:
        entries.sort(key=lambda e: (e["kind"] != "paper", e["key"]))
    return entries, complaints


def with_silent(entries: Rows) -> Rows:
    """The entries; the title of a theorem of which runs decide nothing by default says so."""
    from workbench.verdicts import omissions

    theorems = [e["key"] for e in entries if e["kind"] == "theorem"]
    silent_ones = omissions.silent(theorems, "default") if theorems else {}
    return [{**e, "title": f"{e['title']} {UNJUDGED}"} if e["key"] in silent_ones else e for e in entries]


def _stamp() -> str:
    """A hash of the name, size and time of every Python file of the papers; none of them is imported."""
    digest = hashlib.sha256()
    for home in papers.standing().values():
        for path in (*home.files(), *filter(Path.is_file, (home.beside("plan.json"),))):
            about = path.stat()
            digest.update(f"{home.key} {path} {about.st_size} {about.st_mtime_ns}\n".encode())
    for path in sorted(papers.LIBRARY.rglob("*.py")):
        about = path.lstat()  # an editor's lock file may be a link to nothing
        digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:24]


def _read(place: Path) -> Rows | None:
    """What a file holds; None if it is missing, unreadable or not a list of entries."""
    try:
        content = disk.read_json(place)
    except (OSError, ValueError):
        return None
    return content if shipped_listing.are_rows(content) else None


def _write(place: Path, entries: Rows) -> None:
    """Written under another name and renamed, so that no reader sees a part; listings of earlier trees are deleted."""
    stamp = place.name.partition("-")[0]
    for old in place.parent.glob("*.json"):
        if not old.name.startswith(stamp):
            old.unlink(missing_ok=True)
    disk.replace(place, json.dumps(entries).encode())


def write_shipped() -> None:
    """Gathers the rows of all shipped papers, and writes them where they are shipped."""
    from workbench.run import catalog

    shipped_listing.write(with_silent([vars(e) for e in catalog.papers_and_theorems()]))


if __name__ == "__main__":
    write_shipped()
