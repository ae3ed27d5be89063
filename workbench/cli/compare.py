"""`workbench compare`: the step of a simulation against an optimizer of a library, on the same noise."""

from __future__ import annotations

import ast
import contextlib
from typing import Annotated, Any

import typer

from workbench.cli.console import plain, stdout

RUNS = 4  # per grid point; as many rows are compared


def compare(
    listing: Annotated[str, typer.Argument(help="Key of a simulation, as my_paper.py/sim-main.")],
    optimizer: Annotated[
        str, typer.Argument(help="optax.adagrad, torch.optim.Adam, ..., or a simulation with wb.method.")
    ],
    hyperparameters: Annotated[
        list[str] | None, typer.Argument(help="Of the optimizer, as learning_rate=0.1.", metavar="NAME=VALUE")
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, help="How many are compared.")] = 30,
    tol: Annotated[float, typer.Option(min=0.0, help="Relative differences this small are rounding.")] = 1e-9,
    seed: Annotated[int, typer.Option(help="Seed of the noise and of the starts.")] = 0,
    most: Annotated[
        int, typer.Option(min=0, help="How many changed steps are run in search of what differs.")
    ] = 6000,
) -> None:
    """Compares the iterates of a paper's step with those of an optimizer that is in use.

    Says the first iteration and coordinate in which they differ, and the smallest changes of the step that explain it.
    Exit status 0: same iterates, 1: others, 2: one of both cannot be run.
    """
    from workbench.claims.optimizers.comparison import compare as compare_problems
    from workbench.run.options import Options, UsageError

    simulations = [listing, *([optimizer] if "/sim-" in optimizer else [])]
    ours, *others = _problems(simulations, Options(profile="quick", runs=RUNS, horizon=iterations, seed=seed))
    try:
        theirs = others[0] if others else _of_library(ours, optimizer, hyperparameters or [])
        outcome = compare_problems(ours, theirs, iterations, seed, tol, most)
    except ValueError as error:
        raise UsageError(str(error)) from None
    stdout().print(plain(str(outcome)), soft_wrap=True)
    raise typer.Exit(0 if outcome.same else 1)


def _problems(keys: list[str], options: Any) -> list[Any]:
    """The problems of some simulations, of which a few rows are left."""
    from workbench.engine.rows import cut_problem
    from workbench.run import catalog, jobs
    from workbench.run.options import UsageError

    entries = catalog.entries_for(keys)
    if other := next((entry for entry in entries if entry.kind != "experiment"), None):
        raise UsageError(
            f"{other.key} is of kind {other.kind}; compare takes experiments, as my_paper.py/sim-main"
        )
    problems = [jobs.problem_of(jobs.prepare(catalog.simulations()[entry.key], options)) for entry in entries]
    return [cut_problem(problem, slice(0, RUNS)) for problem in problems]


def _of_library(ours: Any, name: str, hyperparameters: list[str]) -> Any:
    """The problem of a simulation, with an optimizer of a library in place of its step."""
    from dataclasses import replace

    from workbench.claims.optimizers.libraries import lookup
    from workbench.claims.optimizers.method import method

    if wrong := next((text for text in hyperparameters if "=" not in text), None):
        raise ValueError(f"{wrong!r} is no hyperparameter; write NAME=VALUE, as learning_rate=0.1")
    given: dict[str, Any] = {}
    for of, _, text in (h.partition("=") for h in hyperparameters):
        if of in given:
            raise ValueError(f"{of} is given twice")
        given[of] = _value(text)
    optimizer = method(lookup(name), **given)
    return replace(ours, algorithm=optimizer, steps=optimizer.Steps())


def _value(text: str) -> Any:
    for parse in (ast.literal_eval, float):  # float: nan and inf
        with contextlib.suppress(ValueError, SyntaxError):
            return parse(text)
    return text
