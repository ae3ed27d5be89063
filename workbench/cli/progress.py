"""What a terminal shows while a command works: what is being done, and how far its simulations are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any, Self

from workbench.cli import answers
from workbench.cli.console import err, plain
from workbench.run.timings import TIMINGS

AT_FIRST = "loading the papers"


class Bars:
    """A line that names the phase of the command, and bars for finished and running simulations; on a terminal only.

    The phase is shown from the first moment, with the time it has taken so far, so that nothing is silent. A resumed
    simulation is reported on a separate line.
    """

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
        )
        self._bar = Progress(*columns, console=err(), transient=True, disable=not sys.stderr.isatty())
        self._total = self._count = 0
        self._running: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._bar.start()
        self._phase = self._bar.add_task(AT_FIRST, total=None, state="")
        self._simulations = self._bar.add_task("simulations", total=None, state="", visible=False)
        if not self._bar.disable:
            TIMINGS.on_phase = self.phase
        return self

    def phase(self, name: str) -> None:
        """Says what the command does now, and counts its seconds from now on."""
        if name != self._bar.tasks[self._phase].description:
            self._bar.reset(self._phase, total=None, description=name)

    def of(self, simulations: Collection[Any]) -> tuple[Callable[[Any, bool], None], Callable[..., None]]:
        """The two callbacks of `workbench.run.pool.ensure`: (simulation finished, iterations done)."""
        self._total = len(simulations)
        self._bar.reset(
            self._simulations, total=self._total, state=f"0/{self._total}", visible=bool(self._total)
        )
        return self._finish, self._at

    def _finish(self, sim: Any, from_store: bool) -> None:
        self._count += 1
        self._bar.update(self._simulations, advance=1, state=f"{self._count}/{self._total}")
        if sim.key in self._running:
            self._bar.remove_task(self._running.pop(sim.key))

    def _at(self, key: str, t: int, horizon: int, is_resumed: bool = False) -> None:
        if is_resumed:  # reported on a pipe as well, since this command's run time is not the simulation's
            answers.spoil()
            err().print(f"{plain(key)}: resumed at t = {t} of {horizon}", soft_wrap=True)
        if key not in self._running:
            self._running[key] = self._bar.add_task(f"  {key}", total=horizon, state="")
        self._bar.update(self._running[key], completed=t, state=f"T = {t:.3g} of {horizon:.3g}")

    def __exit__(self, *_: object) -> None:
        TIMINGS.on_phase = None
        self._bar.stop()
