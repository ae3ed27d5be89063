"""What an installation downloads: one version of each package, the same in both lists, every file by checksum."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FIGURES, TESTS = ((ROOT / f"requirements{name}.lock").read_text(encoding="utf-8") for name in ("", "-test"))
LOCK = FIGURES + TESTS
ENTRY = re.compile(
    r"^([A-Za-z0-9._-]+)==(\S+)(?: ; [^\\\n]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE
)


def pins(text: str) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, flags=re.MULTILINE)
    assert len({canonicalize_name(name) for name, _ in found}) == len(found)
    return {canonicalize_name(name): version for name, version in found}


def test_every_file_has_a_checksum() -> None:
    assert {canonicalize_name(m[1]) for m in ENTRY.finditer(LOCK)} == set(pins(LOCK))
    rest = ENTRY.sub("", LOCK)
    assert all(line.startswith("#") or not line for line in rest.splitlines()), (
        "nothing else, such as an address"
    )


def test_both_lists_name_the_same_versions() -> None:
    held, wanted = pins(LOCK), pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert {name: held[name] for name in held.keys() & wanted.keys()} == {
        name: wanted[name] for name in held.keys() & wanted.keys()
    }


def test_what_the_project_needs_is_in_the_lists() -> None:
    """And what is used is in the first, which is all that `make figures` installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    used = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for lock, needed in (
        (FIGURES, used),
        (LOCK, [*used, *extras["test"], *extras["lint"]]),
    ):
        held = pins(lock)
        for requirement in map(Requirement, needed):
            assert requirement.specifier.contains(held[canonicalize_name(requirement.name)]), requirement
