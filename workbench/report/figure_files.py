"""The files of one figure, and what is said of a mistake in a paper's own code that draws it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from workbench.claims import plan
from workbench.engine.records import Result
from workbench.homes import mistakes
from workbench.homes.keys import Key
from workbench.report.drawing import draw
from workbench.report.drawing.figure import Figure
from workbench.run.options import Options, UsageError
from workbench.verdicts import omissions
from workbench.verdicts.verify import read_by


def files_of(
    figure: Figure,
    results: Mapping[str, Result],
    options: Options,
    folder: Path,
    endings: tuple[str, ...],
) -> list[Path]:
    """Draws one figure and returns the paths of its files. Raises UsageError for a mistake in a paper's own code."""
    paper = Key.of(figure.key).paper
    of_figure = figure.own_results(results, read_by(plan.of(paper), options), not_judged(figure, options))
    with _hint_at_runs(options), mistakes.blame(figure.key, figure.draw):
        return list(draw.draw_all([figure], of_figure, folder, endings))


def not_judged(figure: Figure, options: Options) -> str:
    """What a figure's caption says of curves that nothing judges; "" for none."""
    return omissions.in_caption(omissions.of_figure(Key.of(figure.key).paper, figure.needs, options))


@contextlib.contextmanager
def _hint_at_runs(options: Options) -> Iterator[None]:
    """A figure may need more runs or iterations than a user asks for; those of a profile must do."""
    try:
        yield
    except UsageError as error:
        if not options.has_own_size or not isinstance(
            error.__cause__, ArithmeticError | IndexError | ValueError
        ):
            raise
        hint = "if runs or iterations are too few, leave out --runs and --horizon, or choose larger ones"
        raise UsageError(f"{error.why}; {hint}", error.what, error.where) from error.__cause__
