"""The wheel has one top-level name, and within it the library, its templates, and the papers with all their files."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLACES = {"workbench": "workbench", "theorems": "workbench/theorems"}  # in the checkout -> in the wheel
UNWANTED = shutil.ignore_patterns("__pycache__")


def shipped() -> set[str]:
    """Every file of the library and of the papers, as it is named in the wheel."""
    return {
        f"{inside}/{path.relative_to(ROOT / top).as_posix()}"
        for top, inside in PLACES.items()
        for path in (ROOT / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_a_built_wheel_holds_the_library_and_the_papers_and_nothing_else(tmp_path: Path) -> None:
    if int(metadata.version("setuptools").split(".")[0]) < 77:
        pytest.skip("a build needs setuptools 77 or newer")
    for name in (*PLACES, "tests", "benchmarks", "examples", "figures"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=UNWANTED)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('.'))"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    with zipfile.ZipFile(tmp_path / done.stdout.split()[-1]) as wheel:
        names = set(wheel.namelist())
    assert {name for name in names if ".dist-info/" not in name} == shipped()
    assert any(name.startswith("workbench/cli/scaffold/templates/") for name in names)
    assert len([name for name in names if name.endswith("/plan.json")]) == 5
