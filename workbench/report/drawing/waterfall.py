"""Where a bound is lost: a bar per line of the proof, from the measured value to the bound, for any paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from workbench.claims.waterfalls import Waterfall
from workbench.engine.records import Status
from workbench.homes.keys import Key
from workbench.ledger.waterfall import Bar, Fall
from workbench.ledger.waterfall import fall as fall_of
from workbench.report.drawing import facts
from workbench.report.drawing._style import BLACK, BLUE, GREEN, ORANGE, TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.formulas import mathtext, tex
from workbench.report.drawing.panels import FAILED, legend_outside
from workbench.theory.sentences import head

ROW, HEAD = 0.26, 0.75  # inches: of a line, and of a panel's title and axis
LARGE = 0.2  # share of the slack from which a line is set off
SMALL = 7.0  # points
FEW = 100.0  # slack below which decades alone leave the axis without numbers
THIN = 0.008  # share of the axis that the narrowest bar takes: a factor of 0.93 would be no more than a line
KEY = {  # colour of a bar -> what it says of the line
    BLUE: f"loses less than {100 * LARGE:.0f} % of the slack",
    ORANGE: f"loses at least {100 * LARGE:.0f} % of the slack",
    GREEN: "wrong as printed: makes the right-hand side smaller",
}


def per_paper(waterfalls: Iterable[Waterfall]) -> tuple[Figure, ...]:
    """The figure ``fig-slack`` of every paper that has waterfalls."""
    panels: dict[str, list[Waterfall]] = {}
    for w in waterfalls:
        panels.setdefault(w.theorem.paper.key, []).append(w)
    return tuple(figure(paper, tuple(some)) for paper, some in panels.items())


def figure(paper: str, panels: tuple[Waterfall, ...]) -> Figure:
    """The waterfalls of one paper, a panel for each."""
    names = list(dict.fromkeys(statement_name(w.key) for w in panels))
    subject = f"bounds of {' and '.join(names)} are" if len(names) > 1 else f"bound of {names[0]} is"
    settings = "; ".join(dict.fromkeys(f"{w.sim.title}; {w.sim.chosen}" for w in panels))
    return Figure(
        key=f"{paper}/fig-slack",
        title=f"Where the {subject} lost",
        source=f"workbench; {', '.join(dict.fromkeys(w.theorem.source for w in panels))}",
        needs=tuple(dict.fromkeys(w.sim.key for w in panels)),
        draw=partial(draw, panels),
        caption=f"{settings}. Each bar is one line of the proof and runs from the right-hand side before it to the one "
        "after it, evaluated on recorded quantities; the number is the factor that the line loses. The factors "
        "multiply to the slack. Shares of the slack are on the logarithmic axis; a factor that "
        f"would be narrower than {100 * THIN:.1g} % of the axis is drawn that wide.",
        summary=partial(summary, panels),
        outcome=partial(outcome, panels),
    )


def fall_of_runs(waterfall: Waterfall, results: Results) -> Fall | None:
    """The waterfall of the runs that did not fail; None if all of them did."""
    result = results[waterfall.sim.key]
    if (result.status[result.rows(**waterfall.where)] != Status.OK).all():
        return None
    return fall_of(waterfall, result, without_failed=True)


def nothing_left(waterfalls: tuple[Waterfall, ...], results: Results) -> MplFigure:
    """A panel that says so."""
    figure, ax = plt.subplots(figsize=(TEXT_WIDTH, 2 * HEAD))
    size = sum(results[w.sim.key].size for w in waterfalls[:1])
    ax.plot([], [], label=f"measured ({size} of {size} {FAILED})")
    ax.set(xlabel="right-hand side", ylabel="line of the proof")
    return figure


def draw(waterfalls: tuple[Waterfall, ...], results: Results) -> MplFigure:
    falls = [f for w in waterfalls if (f := fall_of_runs(w, results))]
    if not falls:
        return nothing_left(waterfalls, results)
    heights = [HEAD + ROW * (len(f.bars) + 2) for f in falls]
    figure, axes = plt.subplots(
        len(falls), 1, figsize=(TEXT_WIDTH, sum(heights)), height_ratios=heights, squeeze=False
    )
    for ax, fall in zip(axes[:, 0], falls, strict=True):
        panel(ax, fall)
    key(figure, falls)
    return figure


def colour(fall: Fall, bar: Bar) -> str:
    if bar.after < bar.before:
        return GREEN
    return ORANGE if fall.share(bar) >= LARGE else BLUE


def key(figure: MplFigure, falls: list[Fall]) -> None:
    """The colours that occur, below all panels."""
    colours = {colour(fall, bar) for fall in falls for bar in fall.bars}
    handles = [Patch(color=c, label=meaning) for c, meaning in KEY.items() if c in colours]
    legend_outside(figure, handles, "lower", ncols=3, fontsize=SMALL)


def panel(ax: Axes, fall: Fall) -> None:
    """One waterfall, the measured value on top and the bound at the bottom."""
    labels = ["measured"]
    failed = f"measured ({fall.failed} of {fall.runs + fall.failed} {FAILED})" if fall.failed else ""
    ax.plot(fall.measured, 0, "o", color=BLACK, markersize=4, label=failed)
    span = fall.slack if fall.slack > 1 else 10.0
    low_end, high_end = fall.measured / span**0.04, fall.bound * span**0.16
    width = (high_end / low_end) ** THIN
    for row, bar in enumerate(fall.bars, start=1):
        low, high, factor = min(bar.before, bar.after), max(bar.before, bar.after), f"{bar.factor:.3g}"
        if factor != "1":
            low, high = visible(low, high, width)
        ax.barh(row, high - low, left=low, height=0.62, color=colour(fall, bar), linewidth=0, zorder=2)
        ax.plot([bar.after] * 2, [row - 0.31, row + 1.31], color=BLACK, linewidth=0.6, zorder=3)
        where = (high, row), (4, 0)
        ax.annotate(f"× {factor}", *where, textcoords="offset points", va="center", fontsize=SMALL)
        labels.append(f"{mathtext(bar.step.name)}\n{bar.step.source}")
    last = len(fall.bars) + 1
    ax.plot(fall.bound, last, "s", color=BLACK, markersize=4)
    labels.append(f"bound ({fall.waterfall.form})")
    ax.set_xscale("log")
    ax.xaxis.set_minor_formatter(NullFormatter())
    if fall.slack < FEW:
        ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.set_xlim(low_end, high_end)
    ax.set_ylim(last + 0.7, -0.7)
    ax.set_yticks(range(last + 1), labels, fontsize=SMALL)
    ax.grid(visible=False, axis="y")
    name = mathtext(fall.waterfall.name or fall.waterfall.sim.title)
    T, slack = (mathtext(facts.scientific(number)) for number in (fall.T, fall.slack))
    ax.set_title(
        f"{statement_name(fall.waterfall.key)}: {name}; $T$ = {T}, slack {slack}", fontsize=SMALL + 1
    )
    ax.set_xlabel(tex(head(fall.waterfall.theorem.metric)) or "right-hand side", fontsize=SMALL)
    ax.set_ylabel("line of the proof", fontsize=SMALL)


def visible(low: float, high: float, width: float) -> tuple[float, float]:
    """The ends of a bar on a logarithmic axis, at least a factor ``width`` apart."""
    middle = (low * high) ** 0.5
    return min(low, middle / width**0.5), max(high, middle * width**0.5)


def statement_name(key: str) -> str:
    """ "Theorem 1, inner" for the key thm-1-inner of a paper; another key without its paper."""
    name = Key.of(key).name
    match = re.fullmatch(r"(thm|cor|prop)-([\w.]+)(?:-(.+))?", name)
    if match is None:
        return name
    kind = {"thm": "Theorem", "cor": "Corollary", "prop": "Proposition"}[match[1]]
    return f"{kind} {match[2]}" + (f", {match[3]}" if match[3] else "")


def outcome(waterfalls: tuple[Waterfall, ...], results: Results) -> str:
    """The line at which most is lost, of the bound that is farthest away."""
    falls = [f for w in waterfalls if (f := fall_of_runs(w, results))]
    if not falls:
        return ""
    f = max(falls, key=lambda one: one.slack)
    of = f"most is lost in '{f.worst.step.name}' ({f.worst.step.source}), a factor {facts.scientific(f.worst.factor)}"
    return f"{of} of a slack of {facts.scientific(f.slack)}"


def summary(waterfalls: tuple[Waterfall, ...], results: Results) -> str:
    """What was measured: the slack of each bound and the line that loses most."""
    sentences = [facts.drawn_together({w.sim.key: results[w.sim.key] for w in waterfalls})]
    for w in waterfalls:
        if (fall := fall_of_runs(w, results)) is None:
            sentences.append(f"{statement_name(w.key)}, {w.name}: no run is left.")
            continue
        sentences.append(
            f"{statement_name(w.key)}, {w.name}: slack {facts.scientific(fall.slack)}; the line that loses most is "
            f"'{fall.worst.step.name}' ({fall.worst.step.source}), a factor "
            f"{facts.scientific(fall.worst.factor)}."
        )
    return " ".join(sentences)
