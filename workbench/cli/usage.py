"""A user's mistakes, each said in one sentence: those of usage, which Typer finds, and those that a command meets."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup

from workbench.cli import guard
from workbench.cli.console import fail
from workbench.homes import papers

_UsageError: type[Exception] = typer.BadParameter.__mro__[
    1
]  # Click's; newer versions of Typer have their own copy


class Commands(TyperGroup):
    """Commands whose mistakes of usage (an unknown option, a missing argument) are one sentence, as all others are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            print(ctx.get_help())
            raise typer.Exit(2)
        return _in_a_sentence(super().parse_args, ctx, args)

    def invoke(self, ctx: Any) -> Any:
        return _in_a_sentence(super().invoke, ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """With whole sentences, which Click would cut off."""
        commands = [(name, self.commands[name].help or "") for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, text.partition("\n\n")[0]) for name, text in commands])


def _in_a_sentence(call: Callable[..., Any], *args: Any) -> Any:
    try:
        return call(*args)
    except _UsageError as error:
        sentence = " ".join(error.format_message().split())  # type: ignore[attr-defined]
        raise fail(f"{sentence[:1].lower()}{sentence[1:].rstrip('.')}; see --help") from None


# The errors that a user causes. A module that is not loaded has raised none.
MISTAKES = {
    "workbench.arrays.backends": "BackendError",
    "workbench.claims.families": "BadFound",
    "workbench.claims.plan": "BadPlan",
    "workbench.homes.papers": "NoPaper",
    "workbench.run.catalog": "UnknownKey",
    "workbench.homes.usage": "UsageError",
    "workbench.run.store.results": "StoreError",
}


def _is_mistake(error: Exception) -> bool:
    modules = ((sys.modules.get(module), name) for module, name in MISTAKES.items())
    return isinstance(
        error, tuple(getattr(module, name) for module, name in modules if hasattr(module, name))
    )


def in_sentences(function: Callable) -> Callable:
    """The command, with a user's mistake turned into one sentence and exit status 2, and an interrupt into 130."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            with papers.temporary_view():
                if function.__name__ != "list_":  # which keeps a listing of all
                    papers.narrow([*(kwargs.get("keys") or ()), *filter(None, [kwargs.get("key")])])
                function(*args, **kwargs)
        except MemoryError as error:
            raise fail(f"not enough memory; try fewer runs or processes: {error}") from None
        except KeyboardInterrupt:
            guard.Interrupt.is_heard = True
            from workbench.run import processes

            processes.stop_server()
            advice = "finished simulations are stored, and a long unfinished one resumes from its checkpoint"
            raise fail(f"interrupted; {advice}", 130) from None
        except Exception as error:
            if _is_mistake(error):
                raise fail(str(error)) from None
            raise

    return run
