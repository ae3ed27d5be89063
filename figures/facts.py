"""What captions state, computed from the results that are drawn: nothing measured is typed by hand."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from figures.panels import finite_runs
from workbench import catalog
from workbench.records import Result


def drawn(result: Result, per_epoch: int = 0, left_out: int = 0) -> str:
    """ "Drawn: 20 runs, T = 1e5." or, with iterations per epoch given, "Drawn: 5 runs, 50 epochs." """
    runs = len(np.unique(result.run_ids)) - left_out
    length = f"{result.horizon / per_epoch:g} epochs" if per_epoch else f"T = {scientific(result.horizon)}"
    return f"Drawn: {runs} run{'s' if runs > 1 else ''}, {length}."


def scientific(number: float) -> str:
    """Two significant digits, more for a whole number of three or four: 0.17, 16, 256, 1e5, 2.4e15."""
    if 0.01 <= number < 1e4:
        return f"{number:.2g}" if number < 100 else f"{number:.0f}"
    digits, power = f"{number:.1e}".split("e")
    return f"{digits.removesuffix('.0')}e{int(power)}"


def end(values: np.ndarray) -> float:
    """Median over the runs (runs, M) that stayed finite, at the last mark; NaN where none did."""
    kept = finite_runs(values)
    return float(np.median(kept[:, -1])) if len(kept) else float("nan")


def listed(numbers: Mapping[str, float], form: str = "{:.3f}") -> str:
    """ "number name, ...", the largest first; a number that does not exist is "none" and last."""
    known = {name: x for name, x in numbers.items() if np.isfinite(x)}
    order = sorted(known, key=lambda name: -known[name]) + [name for name in numbers if name not in known]
    return ", ".join(f"{form.format(known[name]) if name in known else 'none'} {name}" for name in order)


def competitors(*names: str) -> str:
    """ "TiAda [C], SGDA [GK]": how sure the update rules of the baselines are, from the modules themselves."""
    modules = [catalog.algorithms()[f"baselines.{name}"] for name in names]
    return ", ".join(f"{m.TITLE} [{m.LABEL}]" for m in modules)


LABELS = "([C] rule confirmed from public source, [P] partly, [GK] general knowledge)"
