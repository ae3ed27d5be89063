"""Drawing of readings and bounds as claimed: curve, band, claimed slope, bound, and sentences for the caption.

Simulation, grid point, view, exponent and window all come from the same `Reading` or `Bound` as the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from workbench.claims.claims import Bound, Caught
from workbench.claims.readings import Level, Rate, Reading, Tight
from workbench.engine.records import Result
from workbench.evidence.budget import LEVEL
from workbench.report.drawing import facts
from workbench.report.drawing.figure import Results
from workbench.report.drawing.panels import band, finite_runs, mean_curve, reference_slope
from workbench.run import catalog
from workbench.theory import notation
from workbench.theory.notation import MINUS

COLOURS = ("C0", "C1", "C2", "C3", "C4", "C5", "C9", "black")
GREEK = frozenset(
    ("alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lambda", "mu", "omega", "sigma", "tau")
)
# Two forms may coincide: the printed one is broad and pale, repaired and own ones are thin and dashed.
PRINTED_BOUND: dict[str, Any] = {"linewidth": 2.5, "alpha": 0.3}
OTHER_BOUND: dict[str, Any] = {"linestyle": "--", "linewidth": 1.0}
# Mark at the end of a curve: a circle for an exact exponent, a triangle for "at most"; hollow where it is undecided.
EXACT, AT_MOST = "o", "v"
LEGEND = (
    "Legends give the measured slope, and in brackets what is claimed. The mark at the end is a circle for an exact "
    "exponent and a triangle for an upper bound, hollow where this horizon decides nothing."
)
Points = Mapping[str, Mapping[str, float]]  # label -> grid point


def symbol(name: str) -> str:
    r""" "sigma_x" as \sigma_{x}; further underscores are shown."""
    head, _, index = name.partition("_")
    index = index.replace("_", r"\_")
    return (f"\\{head}" if head in GREEK else head) + (f"_{{{index}}}" if index else "")


def point_label(where: Mapping[str, float]) -> str:
    r""" "$\tau = 0.5$, $b = 0.3$", without ``until``, which only marks where rows end."""
    return ", ".join(f"${symbol(n)} = {float(f'{v:.3g}'):g}$" for n, v in where.items() if n != "until")


def plain(label: str) -> str:
    """A label without math markup, for captions."""
    return (
        label.replace("\\sim", "of order")
        .replace("$", "")
        .replace("\\", "")
        .replace("{", "")
        .replace("}", "")
    )


def labels_of(readings: Sequence[Reading], labels: Sequence[str] | str | None) -> list[str]:
    """One label per reading: the given ones, or the grid points, with a common prefix if ``labels`` is a string."""
    if labels is None or isinstance(labels, str):
        begin = f"{labels}, " if labels else ""
        return [f"{begin}{point_label(r.where)}".removesuffix(", ") for r in readings]
    return list(labels)


def panel(
    ax: Axes,
    results: Results,
    readings: Sequence[Reading],
    labels: Sequence[str] | str | None = None,
    colours: Sequence[str] = COLOURS,
    first: float = 0.0,
    verdict_curves: Sequence[Reading] = (),
    **look: Any,
) -> None:
    """Each reading with its 10-90 % band, and its claimed slope dotted beside the end of the mean curve.

    The legend has the measured slope, with the claim in brackets; the mark at the end says whether it is decided; both
    as of ``verdict_curves``, where verdicts read another view of these curves.
    first: where to begin, if the first iterates are of another order. look: of `band`; ``middle="mean"`` draws the mean
    over the runs, which is what verdicts read, where it is far from the median.
    """
    verdict_curves = verdict_curves or readings
    for colour, label, r, verdict in zip(
        colours, labels_of(readings, labels), readings, verdict_curves, strict=False
    ):
        values, marks = r.curve(results)
        values, marks = values[:, marks >= first], marks[marks >= first]
        band(
            ax,
            marks,
            positive(values),
            label=f"{label}{': ' * bool(label)}{slope_and_claim(results, verdict)}",
            color=colour,
            **look,
        )
        if np.isfinite(values).all() and mean_curve(values)[-1] > 0:
            reference_slope(ax, marks, values, r.claimed.value, "", color=colour)
            fill = colour if outcome(results, verdict) else "white"
            mark = EXACT if is_exact(verdict) else AT_MOST
            ax.plot(
                marks[-1:], mean_curve(values)[-1:], mark, color=colour, markerfacecolor=fill, markersize=4.5
            )
    ax.set(xlabel="horizon $T$")


def positive(values: np.ndarray) -> np.ndarray:
    """Values for a logarithmic axis: gaps where no value is positive, a small value where single ones are not."""
    if not np.isfinite(values).all():
        return values
    return np.where(values > 0, values, np.nan) if np.all(values <= 0) else np.maximum(values, 1e-30)


def bound_panel(
    ax: Axes, results: Results, bounds: Sequence[Bound], points: Points, colours: Sequence[str] = COLOURS
) -> None:
    """Measured curves at some grid points under every form of their bound, each T taken as the horizon."""
    for colour, (label, where) in zip(colours, points.items(), strict=False):
        marks, measured, _ = under(results, bounds[-1], where)
        band(ax, marks, measured, label=label, color=colour)
        for b in bounds:
            at, _, right = under(results, b, where)
            if np.isfinite(right).all():
                ax.loglog(at, right, color=colour, label=f"{b.form}, {label}", **bound_look(b))
    ax.set(xlabel="horizon $T$")


def bound_look(bound: Bound) -> dict[str, Any]:
    """How the line of a bound looks, by its form alone."""
    return PRINTED_BOUND if bound.form == "printed" else OTHER_BOUND


def power(value: float) -> str:
    """An exponent, as a fraction where it is one with a small denominator: "-1/4", "-0.83"."""
    return notation.power(value).replace("-", MINUS)


def slope_and_claim(results: Results, reading: Reading) -> str:
    """ "-0.25 (-1/4)" of an exact exponent, "-0.31 (at most -1/4)" of one that is claimed as an upper bound."""
    of = "" if is_exact(reading) else "at most "
    if reading.sim.kind == "falsifier":
        of = "theory: " if is_exact(reading) else "not "
    return f"{slope_text(results, reading)} ({of}{power(reading.claimed.value)})"


def is_exact(reading: Reading) -> bool:
    """Whether a claim says that the exponent is attained on this curve, and not only that it is no slower."""
    tight = (c.reading for c in catalog.claims() if isinstance(c, Tight))
    return any(
        (other.sim.key, other.where, other.metric, other.claimed)
        == (reading.sim.key, reading.where, reading.metric, reading.claimed)
        for other in tight
    )


def under(
    results: Mapping[str, Result], bound: Bound, where: Mapping[str, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Marks (M,), measured (runs, M) and the median over the runs of the bound (M,), at one grid point."""
    result = results[bound.sim.key]
    mask = result.rows(**where)
    measured, marks = bound.view(result, bound.metric, mask)
    right, _ = bound.view(result, bound.curves, mask)
    return marks, measured, np.median(right, axis=0)


def said_slopes(
    results: Results,
    readings: Sequence[Reading],
    labels: Sequence[str] | str | None = None,
    of: str = "claimed",
) -> str:
    """ "-0.50 at tau = 0.75 (claimed -0.5); ...": the slopes that the verdicts use, and whether they decide anything.

    of: "predicted" where the exponent is this project's, of a method that is wrong on purpose.
    """
    parts = []
    for label, r in zip(labels_of(readings, labels), readings, strict=True):
        at = f" at {plain(label)}" if label else ""
        more = {"": ", undecided at this horizon", "slower": ", slower"}.get(outcome(results, r), "")
        more = "" if more == ", slower" and r.sim.kind == "falsifier" else more  # as it must be
        parts.append(f"{slope_text(results, r)}{at} ({of} {power(r.claimed.value)}{more})")
    return "; ".join(parts)


def outcome(results: Results, reading: Reading) -> str:
    """ "as claimed", or "slower" of a method or statement that is said to be wrong; "" where the curve does not decide.

    It is tested by itself: a verdict also accounts for the other claims. A right method whose curve has not settled is
    not said to be slower.
    """
    if id(reading) not in results.outcomes:
        results.outcomes[id(reading)] = reading, _outcome(results, reading)
    return results.outcomes[id(reading)][1]


def _outcome(results: Results, reading: Reading) -> str:
    try:
        finding = reading.rate().finding(results, results.plan)
    except (ValueError, IndexError):  # as in `slope_text`
        return ""
    if finding.p_if_wrong < LEVEL:
        return "as claimed"
    is_wrong = reading.sim.kind == "falsifier" or _is_refuted(reading)
    return "slower" if is_wrong and finding.p_if_right < LEVEL else ""


def _is_refuted(reading: Reading) -> bool:
    """Whether this rate is that of a published statement which is said to be false."""
    return any(isinstance(c, Rate) and c.refutes and c.reading == reading for c in catalog.claims())


def outcomes(results: Results, readings: Sequence[Reading]) -> str:
    """ "as claimed on 3 of 4 curves, 1 undecided", and how many methods that are wrong on purpose are slower.

    Slower than what is claimed for the right ones, also where a wrong one is read with the exponent of its own theory.
    """
    of_right, of_wrong = ([r for r in readings if (r.sim.kind == "falsifier") is k] for k in (False, True))
    slowest = max((r.claimed.value for r in of_right), default=None)
    if slowest is not None:
        of_wrong = [r.rate(claimed=slowest).reading if is_exact(r) else r for r in of_wrong]
    right, wrong = ([outcome(results, r) for r in some] for some in (of_right, of_wrong))
    parts = []
    if right:
        parts.append(_of_curves(right))
    if wrong:
        parts.append(f"{wrong.count('slower')} of {len(wrong)} methods that are wrong on purpose are slower")
        same = [r for r, which in zip(of_wrong, wrong, strict=True) if which == "as claimed"]
        if same:
            kinds = sorted({kind for r in same for kind in caught_by(r)})
            by = f" (caught by: {', '.join(kinds)})" if kinds else ""
            parts[-1] += f", {len(same)} keep{'s' * (len(same) == 1)} the rate{by}"
    return "; ".join(parts)


def _of_curves(outcomes_of_right: Sequence[str]) -> str:
    """ "rate as claimed on 3 of 4 curves, 1 undecided" """
    words = {"as claimed": "as claimed", "slower": "slower than claimed", "": "undecided"}
    numbers = {words[which]: outcomes_of_right.count(which) for which in words if which in outcomes_of_right}
    every = len(outcomes_of_right)
    (first, number), *others = numbers.items()
    if others:
        return ", ".join(
            [f"rate {first} on {number} of {every} curves", *(f"{n} {which}" for which, n in others)]
        )
    curves = f"all {every} curves" if every > 1 else "the curve"
    return f"rate {first} on {curves}" + " at this horizon" * (first == "undecided")


def outcome_of_levels(results: Results, levels: Sequence[Level]) -> str:
    """ "level attained", or "1 of 3 levels attained, 1 missed"; "" where none is decided."""
    words = [_of_level(results, level) for level in levels]
    parts = [f"{words.count(word)} {word}" for word in ("attained", "missed") if word in words]
    if parts and len(levels) > 1:
        number, word = parts[0].split()
        parts[0] = f"{number} of {len(levels)} levels {word}"
    elif parts:
        parts = [f"level {words[0]}"]
    return ", ".join(parts)


def _of_level(results: Results, level: Level) -> str:
    try:
        finding = level.finding(results, results.plan)
    except (ValueError, IndexError):  # as in `slope_text`
        return ""
    return "attained" if finding.p_if_wrong < LEVEL else "missed" if finding.p_if_right < LEVEL else ""


def caught_by(reading: Reading) -> set[str]:
    """Kinds of evidence, besides the rate, by which the method of this reading is to be caught."""
    negative = (c.claim for c in catalog.claims() if isinstance(c, Caught) and reading.sim.key in c.needs)
    return {"level" if isinstance(c, Level) else c.evidence for c in negative if not isinstance(c, Rate)}


def slope_text(results: Results, reading: Reading) -> str:
    """Two digits, or "none" if the curve has no slope."""
    try:
        slope = reading.slope(results, results.plan).value
    except (ValueError, IndexError):  # no finite run, or too few marks (a short horizon set by the user)
        return "none"
    return f"{slope:.2f}".replace("-", MINUS) if np.isfinite(slope) else "none"


def said_slack(results: Results, bounds: Iterable[Bound], points: Points) -> list[str]:
    """ "At T, printed bound: 2 to 30 times the measured median." for each form that covers the points."""
    sentences = []
    for b in bounds:
        slack = []
        for where in points.values():
            _, measured, right = under(results, b, where)
            slack.append(float(right[-1]) / facts.end(finite_runs(measured)))
        if finite := [x for x in slack if np.isfinite(x)]:
            ends = dict.fromkeys(map(facts.scientific, (min(finite), max(finite))))
            sentences.append(f"At T, {b.form} bound: {' to '.join(ends)} times the measured median.")
    return sentences


def said_exceeded(results: Results, bounds: Iterable[Bound], points: Points) -> str:
    """ "printed and repaired bound never exceeded, own bound exceeded by a factor of 1.7": by means, at any mark."""
    largest: dict[str, float] = {}
    for b in bounds:
        for where in points.values():
            _, measured, right = under(results, b, where)
            with np.errstate(all="ignore"):
                ratio = mean_curve(measured) / right
            if np.isfinite(ratio).any():
                largest[b.form] = max(largest.get(b.form, 0.0), float(np.nanmax(ratio)))
    forms: dict[str, list[str]] = {}
    for form, ratio in largest.items():
        words = f"exceeded by a factor of {ratio:.3g}" if ratio > 1 else "never exceeded"
        forms.setdefault(words, []).append(form)
    return ", ".join(f"{' and '.join(some)} bound {words}" for words, some in forms.items())
