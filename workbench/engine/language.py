"""The language-specific part of code generation, which `LlvmText` and `CudaText` implement for `Emitter`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from workbench.engine.graph import Node


class Language(ABC):
    """Methods that return a context write the text around its body; the others write a statement or return a value.

    What a value, a place or an index is called is the language's own, but an index may also be the name of a loop's
    variable ("i", "j", "e") or a numeral.
    """

    # ------------------------------------------------------------------------------- the frame of a kernel
    @abstractmethod
    def header(self) -> None: ...

    @abstractmethod
    def footer(self) -> None: ...

    # ------------------------------------------------------------------------------------------- contexts
    @abstractmethod
    def over_time(self) -> Any:
        """The loop over iterations first .. last."""

    @abstractmethod
    def loop(self, variable: str, count: int) -> Any:
        """``for variable in 0 .. count-1``."""

    @abstractmethod
    def each_run(self) -> Any:
        """The loop over the lanes of a block of runs, if the language has one."""

    @abstractmethod
    def while_going(self, variable: str, limit: Any, alive: int | None) -> Any:
        """An inner loop that ends after ``limit`` iterations or when no run continues (buffer ``alive``)."""

    @abstractmethod
    def when(self, condition: Any) -> Any:
        """Statements under a condition that all runs share."""

    # ----------------------------------------------------------------------------------------- statements
    @abstractmethod
    def assign(self, name: str, value: Any, dtype: str) -> Any:
        """Names a value; returns what it is called from now on."""

    @abstractmethod
    def store(self, place: Any, value: Any, dtype: str) -> None: ...

    @abstractmethod
    def store_if(self, condition: Any, place: Any, value: Any, dtype: str) -> None:
        """Stores in the runs for which the condition holds."""

    @abstractmethod
    def words(self, stem: str, args: list[Any]) -> list[Any]:
        """The four words of a Philox call; ``stem``: how their names begin."""

    @abstractmethod
    def product(self, A: Node, x: int, out: int) -> None:
        """out = A x for the runs of a block: from buffer to buffer, A a table (n, d).

        Every sum starts with -0.0 and runs from left to right, like other sums, but each product and addition is
        rounded once, by a fused multiply-add.
        """

    def look_up(self) -> None:  # noqa: B027
        """Loads the values computed ahead for this iteration, if the language computes any."""

    # ------------------------------------------------------------------------------------------- places
    @abstractmethod
    def load(self, place: Any, dtype: str) -> Any: ...

    @abstractmethod
    def element(self, buffer: int, index: Any) -> Any:
        """An entry of a buffer; ``index`` counts entries of one run."""

    @abstractmethod
    def memory(self, pool: str, first: int, entry: str) -> Any:
        """Row first + entry of a pool of columns: P parameters, F floats, I integers and booleans."""

    @abstractmethod
    def stack_entry(self, first: int, i: Any, stride: int, j: Any) -> Any:
        """Entry first + i * stride + j of the pool of resident stacks, in the row of this run."""

    @abstractmethod
    def offset(self, i: Any, d: int, j: Any) -> Any:
        """The index i * d + j."""

    # ------------------------------------------------------------------------------------------- values
    @abstractmethod
    def time(self) -> Any: ...

    @abstractmethod
    def run_id(self) -> Any: ...

    @abstractmethod
    def refresh(self) -> Any:
        """The condition for recomputing cached words: every 32nd iteration, and the start of a launch."""

    @abstractmethod
    def literal(self, value: Any, dtype: str) -> Any: ...

    @abstractmethod
    def table(self, node: Node, i: Any, j: Any) -> Any:
        """An entry of a constant array."""

    @abstractmethod
    def parameter(self, row: int) -> Any:
        """A parameter that all runs share."""

    @abstractmethod
    def operation(self, node: Node, args: list[Any]) -> Any: ...

    @abstractmethod
    def binary(self, op: str, a: Any, b: Any) -> Any:
        """An operation on two values, as Python writes it."""

    @abstractmethod
    def pick_if(self, condition: Any, a: Any, b: Any) -> Any: ...

    @abstractmethod
    def as_integer(self, index: Any) -> Any: ...
