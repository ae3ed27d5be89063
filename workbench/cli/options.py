"""The options that several commands have."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer


def folder_named(name: str) -> Path:
    """An empty name, as of an unset shell variable, would mean the current folder."""
    if not name:
        raise ValueError("an empty name is no folder")
    return Path(name)


Keys = Annotated[
    list[str] | None,
    typer.Argument(
        help="Keys or prefixes (see `workbench list`), or papers by path: ./my_paper, ./my_claim.py."
    ),
]
StoreDir = Annotated[
    Path | None,
    typer.Option("--store", parser=folder_named, metavar="PATH", help="Result folder (default: .workbench)."),
]
Jobs = Annotated[
    int | None, typer.Option(help="Processes (default: one per core that this process may use).")
]
# The options of every command that simulates: field of `Options` -> annotation and default.
RUN_OPTIONS: dict[str, tuple[Any, Any]] = {
    "profile": (Annotated[str, typer.Option(help="quick, default or full.")], "default"),
    "backend": (Annotated[str, typer.Option(help="auto, numpy or cupy.")], "auto"),
    "engine": (Annotated[str, typer.Option(help="auto, eager or fused.")], "auto"),
    "fast": (
        Annotated[
            bool,
            typer.Option(
                "--fast",
                help="Let compiled kernels fuse a * b + c; changes the last bits, stored separately.",
            ),
        ],
        False,
    ),
    "seed": (
        Annotated[int, typer.Option(help="Seed of the noise and of the starts.")],
        0,
    ),
    "runs": (
        Annotated[int | None, typer.Option(help="Runs per parameter point (default: the profile's).")],
        None,
    ),
    "horizon": (Annotated[int | None, typer.Option(help="Iterations (default: the profile's).")], None),
    "jobs": (Jobs, None),
    "cluster": (
        Annotated[
            str | None,
            typer.Option(help="Compute on a Dask cluster: local:N, an address, or a .toml file."),
        ],
        None,
    ),
}
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Also write the outcome to this file; - is standard output.")
]


def simulates(function: Callable) -> Callable:
    """Replaces a command's `Options` parameter by the command-line options in `RUN_OPTIONS`."""
    signature = inspect.signature(function, eval_str=True)
    own = [p for name, p in signature.parameters.items() if name != "options"]

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        from workbench.run.options import Options

        given = {name: kwargs.pop(name) for name in RUN_OPTIONS}
        function(*args, options=Options(**given), **kwargs)

    own_options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in RUN_OPTIONS.items()
    ]
    run.__signature__ = signature.replace(parameters=[*own, *own_options])  # type: ignore[attr-defined]
    return run
