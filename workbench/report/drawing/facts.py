"""Facts stated in captions, computed from the drawn results; no measured number is typed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

import numpy as np

from workbench.engine.records import Result, Status
from workbench.homes import papers
from workbench.report.drawing.panels import FAILED, Curve, finite_runs


def extent(result: Result, per_epoch: int = 0, left_out: int = 0) -> str:
    """ "Drawn: 20 runs, T = 1e5." or, with iterations per epoch given, "Drawn: 5 runs, 50 epochs." """
    runs = result.runs - left_out
    length = f"{result.horizon / per_epoch:g} epochs" if per_epoch else f"T = {scientific(result.horizon)}"
    return f"Drawn: {runs} run{'s' if runs > 1 else ''}, {length}."


def drawn_together(results: Mapping[str, Result]) -> str:
    """ "Drawn: 2 to 20 runs, T = 1e3 to 1e5." for a figure of many simulations; then those with failed runs."""
    runs = sorted({r.runs for r in results.values()})
    ends = sorted({r.horizon for r in results.values()})
    many = f"{runs[0]} to {runs[-1]}" if len(runs) > 1 else f"{runs[0]}"
    length = " to ".join(scientific(end) for end in dict.fromkeys((ends[0], ends[-1])))
    text = f"Drawn: {many} run{'s' if runs[-1] > 1 else ''}, T = {length}."
    bad = failures(results)
    return f"{text} Not finished: {', '.join(bad)}." if bad else text


def failures(results: Mapping[str, Result]) -> list[str]:
    """ "name (2 of 20 runs failed)" for each simulation with a noise identity that failed somewhere on its grid."""
    counts = {key: (len(np.unique(r.run_ids[r.status != Status.OK])), r.runs) for key, r in results.items()}
    return [f"{key.split('/', 1)[-1]} ({bad} of {n} {FAILED})" for key, (bad, n) in counts.items() if bad]


def scientific(number: float) -> str:
    """Two significant digits; whole numbers of three or four digits in full: 0.17, 16, 256, 1e5, 2.4e15."""
    if 0.01 <= number < 1e4:
        return f"{number:.2g}" if number < 100 else f"{number:.0f}"
    digits, power = f"{number:.1e}".split("e")
    return f"{digits.removesuffix('.0')}e{int(power)}"


def end(values: np.ndarray) -> float:
    """Median at the last mark over the finite runs of (runs, M); NaN if there are none."""
    finite = finite_runs(values)
    return float(np.median(finite[:, -1])) if len(finite) else float("nan")


def listing(numbers: Mapping[str, float], form: str = "{:.3f}") -> str:
    """ "number name, ...", largest first; missing numbers are "none" and come last."""
    finite = {name: x for name, x in numbers.items() if np.isfinite(x)}
    order = sorted(finite, key=lambda name: -finite[name]) + [name for name in numbers if name not in finite]
    return ", ".join(f"{form.format(finite[name]) if name in finite else 'none'} {name}" for name in order)


def ends(curves: Iterable[Curve]) -> dict[str, float]:
    """name -> median at the end."""
    return {c.name or c.label: end(c.values) for c in curves}


def median_ends(what: str, where: str, curves: Iterable[Curve]) -> str:
    """ "Median test AUC at the end, tuned steps: 0.990 PDSM, 0.981 SGDA." """
    return f"Median {what} at the end, {where}: {listing(ends(curves))}."


def competitors(*names: str) -> str:
    """ "TiAda [C], SGDA [GK]": confidence in the update rules of the baselines, as declared by their modules."""
    modules = [import_module(papers.module_name("methods", f"{papers.COMPETITORS}.{name}")) for name in names]
    return ", ".join(f"{m.TITLE} [{m.LABEL}]" for m in modules)


LABELS = "([C] rule confirmed from public source, [P] partly, [GK] general knowledge)"
