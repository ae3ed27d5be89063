"""The parts of identifiers: a claim or a reading is known within its paper by declared names, joined by "/".

In `thm-3.1/tight/bias/regret_sum/tau=0.1` these are the theorem, the kind of evidence, the simulation, the metric and
the grid point. Titles, labels and other words for readers are no part of it: to reword them makes no other claim.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from workbench.claims.views import Quantity

_ELSE = re.compile(r"[^\w.+*^<>=]+")  # between the words of a name
_TAG = re.compile(r"\w[\w.+=-]*")


def join(*parts: str) -> str:
    """The identifier of these parts, of which some may be empty."""
    return "/".join(filter(None, parts))


def part(name: str) -> str:
    """A declared name, as "tau = 1/2, noiseless", in one word: "tau=1-2-noiseless"."""
    return _ELSE.sub("-", name.replace(" = ", "=")).strip("-")


def statement(key: str) -> str:
    """A theorem's key without that of its paper."""
    return key.partition("/")[2] or key


def simulation(key: str) -> str:
    """The name of a simulation: "bias" of "<paper>/sim-bias"."""
    return statement(key).removeprefix("sim-")


def metric(quantity: Quantity) -> str:
    """The name of what is recorded, or of the function that computes it; "" for one without a name."""
    name = quantity if isinstance(quantity, str) else getattr(quantity, "__name__", "")
    return "" if name == "<lambda>" else part(name)


def point(where: Mapping[str, float]) -> str:
    """ "b=0.5,tau=0.1" """
    return ",".join(f"{name}={value:g}" for name, value in sorted(where.items()))


def check_tag(tag: str, what: str) -> None:
    """Raises ValueError for a tag that is no single word."""
    if not _TAG.fullmatch(tag):
        raise ValueError(f"{what}: the tag {tag!r} is no single word of letters, digits and . + = - _")
