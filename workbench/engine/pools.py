"""The memory of one kernel: one column per run, on the host or on a device.

A mark reads the recorded rows, whether each run is still finite, and the state from which another kernel measures, all
in the kernel's memory. The state is not copied to the host: from a device that takes longer than many iterations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.engine.program import Program, start_of
from workbench.engine.records import Problem


class Pools:
    """The pools of ``program`` in the memory of ``kernel``, before the first iteration.

    ``arrays`` are those that a launch updates: floats "F" and integers "I", as (rows, runs), and the resident stacks
    "K" as (runs, width), if there are any. Runs may be padded.
    """

    def __init__(self, program: Program, kernel: Any, problem: Problem, state: Any) -> None:
        self.program, self.kernel, self.runs = program, kernel, problem.size
        parameters, floats, integers = program.pools(state, self.runs)
        self._constant = kernel.pool(problem.run_ids[None, :])[0], kernel.pool(parameters)
        self.arrays = {"F": kernel.pool(floats), "I": kernel.pool(integers)}
        if program.stacks.spots:
            self.arrays["K"] = kernel.stack_pool(program.stack_pool(state, self.runs))
        self._places = program.places()

    def launch(self, first: int, last: int, key: tuple[int, int]) -> None:
        self.kernel.launch(first, last, key, (*self._constant, *self.arrays.values()))

    def value(self, number: int) -> Any:
        """A view of a carried value in the kernel's memory: (runs, m, d), runs padded."""
        phi, pool, row = self._places[number]
        if pool == "K":
            return self.program.stacks.view(self.arrays[pool], number)
        rows = self.arrays[pool][row : row + phi.leaf.size]  # none of a field without entries
        return rows.reshape(*phi.leaf.shape, rows.shape[1]).transpose(2, 0, 1)

    def record(self, number: int) -> np.ndarray:
        """A carried number of every run, on the host."""
        return backends.to_host(self.value(number)[: self.runs, 0, 0])

    def begin_peaks(self) -> None:
        """At a mark: the largest value since it has not been seen yet."""
        for name, number in self.program.records.items():
            if name.endswith("_peak"):
                self.value(number)[:] = start_of(name)

    def fields(self) -> list[Any]:
        """Views of the state, (runs, m, d) each."""
        return [self.value(number)[: self.runs] for number in range(self.program.fields)]

    def state(self, like: Any) -> Any:
        """The state on the host, with the shapes and types of ``like``."""
        pairs = zip(map(backends.to_host, self.fields()), map(np.asarray, like), strict=True)
        arrays = (np.ascontiguousarray(a).reshape(v.shape).astype(v.dtype) for a, v in pairs)
        return type(like)(*arrays)

    def take_state(self, other: Pools) -> None:
        """Copies the state from another kernel's pools of the same runs in the same memory."""
        for number, values in enumerate(other.fields()):
            mine = self.value(number)
            mine[: self.runs] = values
            if len(mine) > self.runs:  # padding, a copy of the last run
                mine[self.runs :] = values[-1:]

    def position(self) -> dict[str, np.ndarray]:
        """The carried values without padding, as plain arrays."""
        floats, integers = (backends.to_host(self.arrays[p])[:, : self.runs] for p in "FI")
        stacks = {"kept": backends.to_host(self.arrays["K"])[: self.runs]} if "K" in self.arrays else {}
        return {**stacks, "floats": floats, "integers": integers}

    def resume(self, checkpoint: dict[str, np.ndarray]) -> None:
        """Goes on from a `position`."""
        self.arrays |= {
            "F": self.kernel.pool(checkpoint["floats"]),
            "I": self.kernel.pool(checkpoint["integers"]),
        }
        if "kept" in checkpoint:
            self.arrays["K"] = self.kernel.stack_pool(checkpoint["kept"])
