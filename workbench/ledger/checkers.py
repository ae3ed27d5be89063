"""Which checkers decided something: a hash of their code. What was stored by others is decided again."""

from __future__ import annotations

import contextlib
import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path

# Modules beside these that decide nothing by themselves; any other, and a new one, counts as a checker.
OTHERS = (
    "__init__", "answers", "brackets", "checkers", "claims", "corpus", "coverage", "graph", "mutants", "outcomes",
    "lines_about_runs", "parser", "printer", "proof_displays", "proof_items", "proof_text", "status", "study",
    "syntax_hints", "trajectories", "typed", "unicode_text", "waterfall", "words",
)  # fmt: skip
LIBRARIES = ("sympy", "z3-solver", "cvc5", "python-flint")


@cache
def checkers_hash(*more: str) -> str:
    """Hash of the checkers' source files, of further modules of this package, and of the libraries that they ask."""
    folder = Path(__file__).parent
    names = sorted({path.stem for path in folder.glob("*.py")} - set(OTHERS) | set(more))
    files = [*(folder / f"{name}.py" for name in names), folder.parent / "theory" / "simplex.py"]
    code = b"".join(file.read_bytes() for file in files)
    return hashlib.sha256(" ".join(map(_release, LIBRARIES)).encode() + code).hexdigest()


def _release(library: str) -> str:
    """Its version, "" where it is missing: what is open without a solver may be decided with it."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(library)
    return ""
