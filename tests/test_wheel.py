"""The wheel holds every file of the packages: templates of papers, pages of the report."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("workbench", "theorems", "figures")
NOT_SHIPPED = {"figures/readme.png"}  # of the README


def data_files() -> set[str]:
    """Everything below the packages that is not Python, relative to the root."""
    return {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
        if not path.is_relative_to(ROOT / "figures" / "out")
    } - NOT_SHIPPED


def test_every_data_file_is_declared() -> None:
    """By the patterns that the build reads; they need no build."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    found = {
        path.relative_to(ROOT).as_posix()
        for package, patterns in declared.items()
        for pattern in patterns
        for path in ROOT.joinpath(*package.split(".")).glob(pattern)
    }
    assert data_files() <= found
    assert any(name.startswith("workbench/cli/scaffold/templates/") for name in found)


def test_a_built_wheel_holds_them(tmp_path: Path) -> None:
    if int(metadata.version("setuptools").split(".")[0]) < 77:
        pytest.skip("a build needs setuptools 77 or newer")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "out"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('.'))"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    with zipfile.ZipFile(tmp_path / done.stdout.split()[-1]) as wheel:
        held = set(wheel.namelist())
    python = {p.relative_to(ROOT).as_posix() for n in PACKAGES for p in (ROOT / n).rglob("*.py")}
    assert data_files() | python <= held
