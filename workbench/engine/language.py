"""The language-specific part of code generation, which `NumbaText` and `CudaText` implement for `Emitter`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from workbench.engine.graph import Node


class Language(ABC):
    """Methods that return a context write the text around its body; the others write or return text."""

    # ------------------------------------------------------------------------------- the frame of a kernel
    @abstractmethod
    def prelude(self) -> list[str]:
        """The text before the kernel: primitives and the functions in use."""

    @abstractmethod
    def header(self) -> None: ...

    @abstractmethod
    def footer(self) -> None: ...

    # ------------------------------------------------------------------------------------------- contexts
    @abstractmethod
    def over_time(self) -> Any:
        """The loop over iterations first .. last."""

    @abstractmethod
    def loop(self, variable: str, count: int | str) -> Any:
        """``for variable in 0 .. count-1``."""

    @abstractmethod
    def each_run(self) -> Any:
        """The loop over the lanes of a block of runs, if the language has one."""

    @abstractmethod
    def while_going(self, variable: str, limit: str | None, alive: int | None) -> Any:
        """An inner loop that ends after ``limit`` iterations or when no run continues (buffer ``alive``)."""

    @abstractmethod
    def when(self, condition: str) -> Any: ...

    # ----------------------------------------------------------------------------------------- statements
    @abstractmethod
    def assign(self, name: str, value: str, dtype: str) -> None: ...

    @abstractmethod
    def store(self, place: str, value: str, dtype: str) -> None: ...

    @abstractmethod
    def words(self, names: list[str], args: list[str]) -> None:
        """Assigns the four words of a Philox call."""

    @abstractmethod
    def product(self, A: Node, x: int, out: int) -> None:
        """out = A x for the runs of a block: from buffer to buffer, A a table (n, d).

        Every sum starts with -0.0 and runs from left to right, like other sums, but each product and addition is
        rounded once, by a fused multiply-add.
        """

    def look_up(self) -> None:  # noqa: B027
        """Loads the values computed ahead for this iteration, if the language computes any."""

    def statement(self, text: str) -> str:
        return text

    # ---------------------------------------------------------------------------------------- expressions
    @abstractmethod
    def time(self) -> str: ...

    @abstractmethod
    def run_id(self) -> str: ...

    @abstractmethod
    def refresh(self) -> str:
        """The condition for recomputing cached words: every 32nd iteration, and the start of a launch."""

    @abstractmethod
    def literal(self, value: Any, dtype: str) -> str: ...

    @abstractmethod
    def load(self, place: str, dtype: str) -> str: ...

    @abstractmethod
    def element(self, buffer: int, index: str) -> str:
        """An entry of a buffer; ``index`` counts entries of one run."""

    @abstractmethod
    def memory(self, pool: str, row: str) -> str:
        """An entry of a pool of columns in memory: P parameters, F floats, I integers and booleans."""

    @abstractmethod
    def stack_entry(self, index: str) -> str:
        """An entry of the pool of resident stacks, in the row of this run."""

    @abstractmethod
    def first_run(self, row: int) -> str:
        """Index of a column's first entry in the pool of parameters."""

    @abstractmethod
    def operation(self, node: Node, args: list[str]) -> str: ...

    @abstractmethod
    def function(self, name: str, arguments: int) -> str:
        """A function of `workbench.arrays.maths` as text."""

    @abstractmethod
    def pick_if(self, condition: str, a: str, b: str) -> str: ...

    @abstractmethod
    def as_integer(self, text: str) -> str: ...
