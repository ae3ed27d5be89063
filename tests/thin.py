"""Exhaustive tests in short: `make test` takes some of their cases, `make test-long` the others.

For guarantees that hold by one mechanism for every entry of the catalog, so that a fault of the mechanism shows at once
and a fault of a single entry at the latest before a release.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(n: int, cases: Iterable[Any], unpack: bool = False) -> list[Any]:
    """The first case and every n-th after it as they are, the others marked ``long``.

    ``unpack``: a case is a tuple of the values of several arguments.
    """
    return [
        case if number % n == 0 else pytest.param(*(case if unpack else [case]), marks=pytest.mark.long)
        for number, case in enumerate(cases)
    ]
