"""Papers of one's own, on their way to workers that do not share a disk with the command.

What is sent are the files of the folders and single files that the command has opened. A worker writes them into a
temporary folder and opens them there; a paper's results do not depend on where it lies.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workbench.homes import papers
from workbench.homes.usage import UsageError

LARGEST = 8 << 20  # bytes of the files of all papers: they travel with each piece of a simulation


@dataclass(frozen=True)
class Parcel:
    """What the catalog of a worker is to see (`workbench.homes.papers.View`).

    files: (relative path, content) of the papers named in ``opened``.
    """

    standing: bool
    opened: tuple[str, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    only: frozenset[str] | None = None

    @property
    def digest(self) -> str:
        text = b"".join(f"{name} {len(body)} ".encode() + body for name, body in self.files)
        view = f"{self.standing} {self.opened} {self.only and sorted(self.only)} "
        return hashlib.sha256(view.encode() + text).hexdigest()[:32]


def pack() -> Parcel:
    """The current view. Raises UsageError if the files are too large to be sent."""
    view = papers.view()
    files = []
    for paper in view.opened:
        for path in papers.home_at(paper).contents():
            files.append((PurePosixPath(path.relative_to(paper.parent)).as_posix(), path))
    if (size := sum(path.stat().st_size for _, path in files)) > LARGEST:
        raise UsageError(
            f"the files of {', '.join(p.name for p in view.opened)} have {size / 2**20:.0f} MiB, more than the "
            f"{LARGEST >> 20} MiB that are sent to a cluster: move large data out of the folder"
        )
    contents = tuple(
        (name, papers.text(path) if path.suffix == ".py" else path.read_bytes()) for name, path in files
    )
    return Parcel(view.standing, tuple(p.name for p in view.opened), contents, view.only)


def unpack(parcel: Parcel, folder: Path) -> list[Path]:
    """Writes the files into a folder of this process; the papers' places there."""
    for name, body in parcel.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return [folder / name for name in parcel.opened]
