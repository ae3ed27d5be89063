"""Which near misses of the known theorems are caught, and from which horizon on: one row for each file.

Each file is verified with `--near-misses` in a process of its own. What came out is kept in the folder, so that a
second start goes on where the first one ended. Prints the page `benchmarks/results/near-misses.md`.

    python -m benchmarks.near_misses [--folder build/near-misses] [FILE ...]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ALL = sorted(file for folder in ("", "gallery") for file in (ROOT / "examples" / folder).glob("*.py"))
KINDS = {  # column -> near misses in it
    "exponent 0.1 less": ("exponent -0.1",),
    "exponent 0.1 more": ("exponent +0.1",),
    "a logarithm less": ("one logarithm less", "bounded"),
    "a logarithm more": ("one logarithm more",),
    "constant / 1.5": ("constant / 1.5", "limit / 1.5"),
    "constant x 1.5": ("constant * 1.5", "limit * 1.5"),
    "factor^1.1, ^0.9": ("factor^1.1", "factor^0.9"),
}
HEAD = """# Near misses

Each claim that is to hold, made a little wrong (`workbench verify FILE --near-misses`), and decided alone on the same
results, in the profile `quick`. A cell says how many of these were caught, and the longest of the horizons from which
on they were; *hold*: the wrong claim is true as well, since the method is better than its theorem on the instance;
*open*: it takes a longer horizon or more runs. "-": the file has no such claim. Made by

```console
$ python -m benchmarks.near_misses
```

A factor to the power 0.9 is a slower one than the curve's: it stays open by design, since a slower term with a small
constant may follow. A logarithm less (claimed is less than what is there) takes many decades of T.
"""


def near_misses(file: Path, folder: Path) -> list[dict[str, Any]]:
    """The near misses of a file as `--json` gives them."""
    kept = folder / f"{file.parent.name}-{file.stem}.json"
    if not kept.exists():
        words = ["verify", str(file), "--profile", "quick", "--near-misses", "--jobs", "1"]
        done = subprocess.run(
            [sys.executable, "-m", "workbench", *words, "--json", str(kept), "--store", str(folder / "store")],
            capture_output=True, text=True, check=False, cwd=ROOT,
        )  # fmt: skip
        if done.returncode > 1:
            raise SystemExit(f"{file.name}: {done.stderr}")
    rows: list[dict[str, Any]] = json.loads(kept.read_text())["near_misses"]
    return rows


def cell(rows: list[dict[str, Any]], kinds: tuple[str, ...]) -> str:
    """ "3: 1e3; 1 open": three caught, each from T = 1000 on at the latest."""
    mine = [row for row in rows if row["near_miss"] in kinds]
    if not mine:
        return "-"
    count = Counter(row["verdict"] for row in mine)
    last = max((row["since"] for row in mine if row["since"]), default=0)
    words = [f"{count['caught']}: {last:.3g}".replace("e+0", "e")] if count["caught"] else []
    return "; ".join(
        [*words, *(f"{count[w]} {s}" for w, s in (("holds as well", "hold"), ("open", "open")) if count[w])]
    )


def page(files: list[Path], folder: Path) -> str:
    """The page. Says on stderr what it has reached."""
    every: list[dict[str, Any]] = []
    lines = []
    for file in files:
        print(file.stem, file=sys.stderr, flush=True)
        rows = near_misses(file, folder)
        every += rows
        lines.append(f"| `{file.stem}` | {' | '.join(cell(rows, kinds) for kinds in KINDS.values())} |")
    table = [f"| file | {' | '.join(KINDS)} |", f"|---{len(KINDS) * '|---'}|", *lines]
    count = Counter(row["verdict"] for row in every)
    words = f"{count['caught']} caught, {count['holds as well']} hold as well, {count['open']} open"
    said = f"{len(every)} near misses in {len(lines)} files: {words}."
    return "\n".join([HEAD, *table, f"\n{said}"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build/near-misses")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print(page([f.resolve() for f in given.files] or ALL, given.folder.resolve()))
