"""Everything but one step of the build stands in pyproject.toml: a wheel holds the shipped papers in
workbench/theorems."""

from pathlib import Path
from shutil import copytree, ignore_patterns

from setuptools import setup
from setuptools.command.build_py import build_py


class WithPapers(build_py):
    """In a checkout, and so where it is installed as editable, they stay beside the package."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            to = Path(self.build_lib, "workbench", "theorems")
            copytree("theorems", to, ignore=ignore_patterns("__pycache__"), dirs_exist_ok=True)


setup(cmdclass={"build_py": WithPapers})
