"""Optimizers that are called run by run: functions of one run's vectors, and objects of which little is known."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.claims.optimizers import trees
from workbench.claims.optimizers.hyperparameters import Hyperparameters
from workbench.engine.validate import ProblemError

# (parameters (d,), gradient (d,), state, t, hyperparameters) -> (new parameters, new state); the first state is None.
One = Callable[[np.ndarray, np.ndarray, Any, int, dict[str, float]], tuple[Any, Any]]


class SingleRule:
    """one: the update of one run. output: (state, parameters) -> point, the path of an entry of the state, or None.

    What the state looks like is seen at a first update with a gradient of ones, whose numbers are thrown away.
    """

    def __init__(self, what: str, one: One, output: Callable[..., Any] | str | None) -> None:
        self.what, self._one, self._output = what, one, output
        self._template: dict[int, Any] = {}  # by the number of coordinates
        self._calls, self._seconds = 0, 0.0

    @property
    def cost(self) -> str:
        each = 1e6 * self._seconds / max(1, self._calls)
        return f"{self.what} is called once per run and iteration, {each:.0f} microseconds each time"

    def begin(self, x: np.ndarray, hyper: Hyperparameters) -> np.ndarray:
        if x.shape[1] not in self._template:
            first = next(_by_row(hyper, 1))
            self._template[x.shape[1]] = self._one_update(x[0], np.ones_like(x[0]), None, 1, first)[1]
        return np.zeros((len(x), len(trees.flat(self._template[x.shape[1]], self.what))))

    def update(
        self, x: np.ndarray, gradient: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters
    ) -> tuple[np.ndarray, np.ndarray]:
        new_x, new_memory = np.empty_like(x), np.empty_like(memory)
        began = time.perf_counter()
        for row, values in enumerate(_by_row(hyper, len(x))):
            state = self._state(x, memory, row) if t > 1 else None
            new_x[row], state = self._one_update(x[row], gradient[row], state, t, values)
            numbers = trees.flat(state, self.what)
            if len(numbers) != memory.shape[1]:
                raise ProblemError(
                    f"{self.what}: its state changes its size at iteration {t}, from {memory.shape[1]} numbers to"
                    f" {len(numbers)}",
                    "step",
                )
            new_memory[row] = numbers
        self._calls, self._seconds = self._calls + len(x), self._seconds + time.perf_counter() - began
        return new_x, new_memory

    def output(self, x: np.ndarray, memory: np.ndarray, t: int, hyper: Hyperparameters) -> np.ndarray:
        if t < 1:  # before the first update there is no state
            return x
        return np.stack([self._output_of(self._state(x, memory, row), x[row]) for row in range(len(x))])

    def _output_of(self, state: Any, x: np.ndarray) -> np.ndarray:
        if callable(self._output):
            return np.asarray(self._output(state, x), float)
        entries = {leaf.path: array for leaf, array in trees.leaves(state, self.what)}
        ending = [path for path in entries if path.split(".")[-1] == self._output]
        if len(ending) != 1 or entries[ending[0]].shape != x.shape:
            raise ProblemError(
                f"{self.what}: the output {self._output!r} is no vector of its state, which has {', '.join(entries)}",
                "step",
            )
        return entries[ending[0]]

    def _state(self, x: np.ndarray, memory: np.ndarray, row: int) -> Any:
        return trees.rebuilt(self._template[x.shape[1]], memory[row], self.what)

    def _one_update(
        self, x: np.ndarray, gradient: np.ndarray, state: Any, t: int, values: dict[str, float]
    ) -> tuple[np.ndarray, Any]:
        """Raises ProblemError unless the function returns parameters of the same shape, and a state."""
        x, gradient = x.view(), gradient.view()
        x.flags.writeable = gradient.flags.writeable = False
        answer = self._answer(x, gradient, state, t, values)
        if hasattr(answer, "init") and hasattr(answer, "update"):
            raise ProblemError(
                f"{self.what} makes an optimizer and lacks an argument: write wb.method({self.what}, name=number)",
                "step",
            )
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise ProblemError(
                f"{self.what} returns {type(answer).__name__}; wanted (new parameters, new state), each a new value",
                "step",
            )
        point = np.asarray(answer[0].detach() if hasattr(answer[0], "detach") else answer[0])
        if point.shape != x.shape or point.dtype.kind not in "iuf":
            raise ProblemError(
                f"{self.what} returns parameters of shape {point.shape} and type {point.dtype}; wanted {x.shape}, real"
                " numbers",
                "step",
            )
        return point, answer[1]

    def _answer(
        self, x: np.ndarray, gradient: np.ndarray, state: Any, t: int, values: dict[str, float]
    ) -> Any:
        """Raises ProblemError with one sentence for whatever the function raises."""
        try:
            return self._one(x, gradient, state, t, values)
        except ProblemError:
            raise
        except Exception as error:  # of a user's function or a library, which may raise anything
            text = " ".join(str(error).split())
            if isinstance(error, ValueError) and text.endswith("read-only"):
                why = "writes into the parameters or the gradient that it is given; let it return new ones"
            else:
                why = f"fails at iteration {t} ({type(error).__name__}: {text})"
            raise ProblemError(f"{self.what} {why}", "step") from None


def _by_row(hyper: Hyperparameters, rows: int) -> Any:
    for row in range(rows):
        yield {**hyper.common, **{name: float(column[row]) for name, column in hyper.columns.items()}}
