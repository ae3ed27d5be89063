"""Errata of this paper. (The contract of theorems finds the records by itself.)"""

from __future__ import annotations

import re
from pathlib import Path

from workbench.theorems.rsvrb.theory import ERRATA


def test_every_erratum_has_a_test() -> None:
    text = (Path(__file__).parent / "test_errata.py").read_text()
    assert {e.label.lower() for e in ERRATA} == set(re.findall(r"def test_(e\d+)_", text))
