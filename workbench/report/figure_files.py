"""The files of one figure, and what is said of a mistake in a paper's own code that draws it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from workbench.claims import plan
from workbench.engine.records import Result
from workbench.homes import mistakes
from workbench.report.drawing import draw
from workbench.report.drawing.figure import Figure
from workbench.run.options import Options, UsageError


def files_of(
    figure: Figure,
    results: Mapping[str, Result],
    options: Options,
    folder: Path,
    endings: tuple[str, ...],
) -> list[Path]:
    """Draws one figure and returns the paths of its files. Raises UsageError for a mistake in a paper's own code."""
    mistake_told = mistakes.told(figure.key, paper_of(figure), lambda: mistakes.defined_at(figure.draw))
    plan_context = (
        plan.as_given() if options.adjusted else contextlib.nullcontext()
    )  # as in `verify.evaluated`
    with plan_context, _few_runs_told(figure, options), mistake_told:
        return list(draw.draw_all([figure], results, folder, endings))


@contextlib.contextmanager
def _few_runs_told(figure: Figure, options: Options) -> Iterator[None]:
    """A figure may need more runs or iterations than a user asks for; those of a profile must do."""
    try:
        yield
    except UsageError:
        raise
    except (ArithmeticError, IndexError, ValueError) as error:
        if not options.adjusted:
            raise
        reason = " ".join(str(error).split())
        raise UsageError(
            f"{figure.key} cannot be drawn from so few runs or iterations ({reason}); "
            "leave out --runs and --horizon, or choose larger ones"
        ) from None


def paper_of(figure: Figure) -> str:
    return figure.key.split("/")[0]
