"""`workbench new`: a paper of the user's own from a template."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli.options import folder_named


def new(
    path: Annotated[
        Path, typer.Argument(parser=folder_named, metavar="PATH", help="The folder to make, or a .py file.")
    ],
    shape: Annotated[
        str, typer.Option("--from", help="The nearest shape (a wrong one lists what there is).")
    ] = "sgd",
    single_file: Annotated[bool, typer.Option("--single-file", help="One file with all of it.")] = False,
) -> None:
    """Makes a paper of your own that verifies as it stands; its comments say what to change."""
    from workbench.cli import scaffold

    files = scaffold.new(path, shape, single_file or path.suffix == ".py")
    for file in files:
        print(file)
    print(f"Next: workbench verify {files[0] if len(files) == 1 else _relative(path)} --profile quick")


def _relative(path: Path) -> str:
    """A path that no command takes for a key."""
    return str(path) if path.is_absolute() or str(path).startswith((".", "~")) else f"./{path}"
