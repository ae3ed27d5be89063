"""What a terminal shows while simulations run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from workbench.cli import answers
from workbench.cli.console import err, plain


class Bars:
    """Progress bars for finished and running simulations; shown only on a terminal.

    Entering returns the two callbacks of `workbench.run.pool.ensure`: (simulation finished, iterations done). A resumed
    simulation is reported on a separate line.
    """

    def __init__(self, sims: list) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
        )
        self._bar = Progress(*columns, console=err, transient=True, disable=not sys.stderr.isatty())
        self._total, self._count = len(sims), 0
        self._running: dict[str, Any] = {}

    def __enter__(self) -> tuple[Callable[[Any, bool], None], Callable[..., None]]:
        self._bar.start()
        self._all = self._bar.add_task("simulations", total=self._total, state=f"0/{self._total}")
        return self._finish, self._at

    def _finish(self, sim: Any, from_store: bool) -> None:
        self._count += 1
        self._bar.update(self._all, advance=1, state=f"{self._count}/{self._total}")
        if sim.key in self._running:
            self._bar.remove_task(self._running.pop(sim.key))

    def _at(self, key: str, t: int, horizon: int, is_resumed: bool = False) -> None:
        if is_resumed:  # reported on a pipe as well, since this command's run time is not the simulation's
            answers.spoil()
            err.print(f"{plain(key)}: resumed at t = {t} of {horizon}", soft_wrap=True)
        if key not in self._running:
            self._running[key] = self._bar.add_task(f"  {key}", total=horizon, state="")
        self._bar.update(self._running[key], completed=t, state=f"T = {t:.3g} of {horizon:.3g}")

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
