"""The curves behind the lines of a theorem, as the page's script draws them: what was read, and the bounds above it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from workbench.claims.claims import Bound, Caught, Claim
from workbench.claims.of_reading import OfReading
from workbench.claims.readings import Reading
from workbench.claims.sizes import AlongSizes
from workbench.claims.views import name_of
from workbench.engine.records import Result
from workbench.evidence.verdicts import Verdict
from workbench.report.drawing import _style
from workbench.report.drawing.panels import FEW, QUANTILES, finite_runs, mean_curve
from workbench.report.drawing.readings import plain, under
from workbench.report.quantities import display_name, for_readers
from workbench.theory.notation import power
from workbench.verdicts.verify import Line

DIGITS = 4
PALETTE = tuple(
    zip(_style.PALETTE, ("#56b4e9", "#e8a33d", "#3cc79b", "#ff8a4c", "#e08fcd", "#c99b6b"), strict=False)
)
Curve = dict[str, Any]


def curves(lines: Iterable[Line], results: Mapping[str, Result]) -> list[Curve]:
    """One record for each curve that these lines read, in their order; what two lines read is one curve.

    name: in words. y, x: what it is, and along what. lines: anchors, and what the line says. runs, failed: how many.
    at: (M,). mean: over the runs, (M,); low, high: of the runs, quantiles, or of fewer than `FEW` runs the smallest and
    the largest. claimed, power: the exponent or None, and in words. bounds: form -> (M,). wrong: only claims that are
    wrong on purpose are about it; such curves come last. None is what is not finite. A line with an error, and one
    whose curve cannot be made of these results, has none.
    """
    by_identity: dict[tuple[Any, ...], Curve] = {}
    for line in sorted(lines, key=lambda x: isinstance(x.claim, Caught)):
        if line.error is not None:
            continue
        try:  # too few marks, or a term that is not absent
            for identity, curve in _of(line.claim, results):
                mine = by_identity.setdefault(identity, {**curve, "bounds": {}, "lines": []})
                mine["bounds"] |= curve["bounds"]
                if mine["claimed"] is None and mine["wrong"] == curve["wrong"]:
                    mine |= {name: curve[name] for name in ("claimed", "power")}
                mine["lines"].append((anchor(line), _words(line)))
        except (ValueError, KeyError, IndexError, ArithmeticError):
            continue
    return list(by_identity.values())


def _words(line: Line) -> str:
    """ "rate holds"; "bound (printed) holds"; "wrong on purpose, caught" """
    if isinstance(line.claim, Caught):
        return f"wrong on purpose, {'' if line.decision.verdict == Verdict.HOLDS else 'not '}caught"
    form = f" ({bound.form})" if (bound := line.claim.bound) else ""
    return f"{line.claim.evidence}{form} {line.word}"


def anchor(line: Line) -> str:
    """The anchor of a line in its page: its id, which is the same in every dossier."""
    return "line-" + re.sub(r"[^\w.,=/+-]", "_", line.claim.id)


def _of(claim: Claim, results: Mapping[str, Result]) -> Iterator[tuple[tuple[Any, ...], Curve]]:
    """(what identifies it, curve) of one claim."""
    wrong = claim.wrong if isinstance(claim, Caught) else claim
    if isinstance(wrong, OfReading):
        r = wrong.reading
        values, marks = r.curve(results)
        curve = _curve(display_name(claim), _label(r, claim), values, marks)
        curve["wrong"] = wrong is not claim
        curve["claimed"] = _numbers(getattr(r.claimed, "value", None))
        if curve["claimed"] is not None:
            curve["power"] = power(curve["claimed"])
        if isinstance(r, AlongSizes):
            curve["x"] = r.size
        yield (r.needs, tuple(sorted(r.where.items())), r.metric, str(r.view)), curve
    elif (bound := wrong.bound or (wrong if isinstance(wrong, Bound) else None)) is not None:
        yield from _under(bound, results)


def _under(bound: Bound, results: Mapping[str, Result]) -> Iterator[tuple[tuple[Any, ...], Curve]]:
    """The measured curve at each grid point of a bound, with the bound."""
    for where in bound.points if any(bound.points) else grid_points(results[bound.sim.key]):
        marks, measured, right = under(results, bound, where)
        point = ", ".join(f"{n} = {v:.3g}" for n, v in where.items() if n != "until")
        name = for_readers("; ".join(filter(None, (bound.sim.title, point))), bound.paper)
        curve = _curve(name, _label(bound, bound), measured, marks)
        curve["bounds"] = {bound.form if bound.over == 1 else f"{bound.form}, wrong": _numbers(right)}
        yield ((bound.sim.key,), tuple(sorted(where.items())), bound.metric, str(bound.view)), curve


def _label(shows: Reading | Bound, claim: Claim) -> str:
    """What a curve is, in words: "mean of |grad f| over (T/2, T]"."""
    name = name_of(shows.metric)
    readable = for_readers(name, claim.paper)
    return plain(shows.view.label.format(name.replace("_", " ") if readable == name else readable))


def grid_points(result: Result) -> list[dict[str, float]]:
    """The grid points of a result, in the order of its rows."""
    rows = zip(*(values.tolist() for values in result.params.values()), strict=True)
    return [dict(zip(result.params, row, strict=True)) for row in dict.fromkeys(rows)] or [{}]


def _curve(name: str, y: str, values: np.ndarray, marks: np.ndarray) -> Curve:
    runs = finite_runs(values)
    low, high = (
        np.quantile(runs, QUANTILES if len(runs) >= FEW else (0, 1), axis=0) if len(runs) else (None,) * 2
    )
    return {
        "name": name,
        "y": y,
        "runs": len(runs),
        "failed": len(values) - len(runs),
        "band": "10 to 90 %" if len(runs) >= FEW else "smallest to largest",
        "x": "T",
        "at": _numbers(marks),
        "mean": _numbers(mean_curve(values)),
        "low": _numbers(low),
        "high": _numbers(high),
        "claimed": None,
        "power": "",
        "wrong": False,
        "bounds": {},
    }


def _numbers(values: Any) -> Any:
    """For strict JSON, with `DIGITS` digits."""
    if values is None or np.ndim(values):
        return [] if values is None else [_numbers(x) for x in values]
    return float(f"{values:.{DIGITS}g}") if np.isfinite(values) else None
