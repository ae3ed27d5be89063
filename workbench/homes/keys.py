"""Keys: the names of papers and of what they hold, "ir_cg" and "ir_cg/thm-1"."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """The two parts of a key. name: "" for a paper itself, else "<kind>-<rest>", as "thm-1" or "sim-sgd"."""

    paper: str
    name: str = ""

    @classmethod
    def of(cls, text: str) -> Key:
        paper, _, name = text.partition("/")
        return cls(paper, name)

    @property
    def rest(self) -> str:
        """The name without its kind."""
        return self.name.partition("-")[2]

    def within(self, text: str) -> bool:
        """Whether it is another key, or that of something in the paper which the other key names."""
        return text in (self.paper, str(self))

    def __str__(self) -> str:
        return f"{self.paper}/{self.name}" if self.name else self.paper
