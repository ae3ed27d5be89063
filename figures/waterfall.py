"""Where a bound is lost: a bar per line of the proof, from the measured value to the bound, for any paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from figures import facts
from figures._style import BLACK, BLUE, GREEN, ORANGE, TEXT_WIDTH
from figures.figure import Figure, Results
from figures.panels import FAILED
from theorems.sentences import head
from workbench.engine.records import Status
from workbench.experiments.waterfalls import Waterfall
from workbench.ledger.waterfall import Fall, fall

ROW, HEAD = 0.235, 0.75  # inches: of a line, and of a panel's title and axis
LARGE = 0.2  # share of the slack from which a line is set off
SMALL = 6.5  # points
FEW = 100.0  # slack below which decades alone leave the axis without numbers


def figure(key: str, title: str, waterfalls: Iterable[Waterfall], caption: str) -> Figure:
    """The figure of some waterfalls of one paper, a panel for each."""
    shown = tuple(waterfalls)
    return Figure(
        key=key,
        title=title,
        source=f"workbench; {', '.join(dict.fromkeys(w.theorem.source for w in shown))}",
        needs=tuple(dict.fromkeys(w.sim.key for w in shown)),
        draw=partial(draw, shown),
        caption=f"{caption} Each bar is one line of the proof and runs from the right-hand side before it to the one "
        "after it, evaluated on recorded quantities; the number is the factor that the line loses. The factors "
        "multiply to the slack. Green: the line is wrong as printed, and makes the right-hand side smaller. Orange: "
        f"at least {100 * LARGE:.0f} % of the slack, on the logarithmic axis.",
        seen=partial(seen, shown),
    )


def fallen(waterfall: Waterfall, results: Results) -> Fall | None:
    """The waterfall of the runs that did not fail; None if all of them did."""
    result = results[waterfall.sim.key]
    if (result.status[result.rows(**waterfall.where)] != Status.OK).all():
        return None
    return fall(waterfall, result, without_failed=True)


def nothing_left(waterfalls: tuple[Waterfall, ...], results: Results) -> MplFigure:
    """A panel that says so."""
    drawn, ax = plt.subplots(figsize=(TEXT_WIDTH, 2 * HEAD))
    size = sum(results[w.sim.key].size for w in waterfalls[:1])
    ax.plot([], [], label=f"measured ({size} of {size} {FAILED})")
    ax.set(xlabel="right-hand side", ylabel="line of the proof")
    return drawn


def draw(waterfalls: tuple[Waterfall, ...], results: Results) -> MplFigure:
    falls = [f for w in waterfalls if (f := fallen(w, results))]
    if not falls:
        return nothing_left(waterfalls, results)
    heights = [HEAD + ROW * (len(f.bars) + 2) for f in falls]
    drawn, axes = plt.subplots(
        len(falls), 1, figsize=(TEXT_WIDTH, sum(heights)), height_ratios=heights, squeeze=False
    )
    for ax, found in zip(axes[:, 0], falls, strict=True):
        panel(ax, found)
    return drawn


def panel(ax: Axes, found: Fall) -> None:
    """One waterfall, the measured value on top and the bound at the bottom."""
    labels = ["measured"]
    failed = f"measured ({found.failed} of {found.runs + found.failed} {FAILED})" if found.failed else ""
    ax.plot(found.measured, 0, "o", color=BLACK, markersize=4, label=failed)
    for row, bar in enumerate(found.bars, start=1):
        low, high = sorted((bar.before, bar.after))
        colour = GREEN if bar.after < bar.before else ORANGE if found.share(bar) >= LARGE else BLUE
        ax.barh(row, high - low, left=low, height=0.62, color=colour, zorder=2)
        ax.plot([bar.after] * 2, [row - 0.31, row + 1.31], color=BLACK, linewidth=0.6, zorder=3)
        ax.annotate(
            f"× {bar.factor:.3g}",
            (high, row),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
        )
        labels.append(f"{bar.step.name}\n{bar.step.source}")
    last = len(found.bars) + 1
    ax.plot(found.bound, last, "s", color=BLACK, markersize=4)
    labels.append(f"bound ({found.waterfall.form})")
    ax.set_xscale("log")
    ax.xaxis.set_minor_formatter(NullFormatter())
    if found.slack < FEW:
        ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    span = found.slack if found.slack > 1 else 10.0
    ax.set_xlim(found.measured / span**0.04, found.bound * span**0.16)
    ax.set_ylim(last + 0.7, -0.7)
    ax.set_yticks(range(last + 1), labels, fontsize=SMALL - 1)
    ax.grid(visible=False, axis="y")
    name = found.waterfall.name or found.waterfall.sim.title
    ax.set_title(
        f"{found.waterfall.key}: {name}; T = {facts.scientific(found.T)}, slack {facts.scientific(found.slack)}",
        fontsize=SMALL + 1.5,
    )
    ax.set_xlabel(label(found.waterfall.theorem.metric) or "right-hand side", fontsize=SMALL + 0.5)
    ax.set_ylabel("line of the proof", fontsize=SMALL + 0.5)


def label(metric: str) -> str:
    """What is bounded, as Matplotlib typesets it: its mathematics lacks two of TeX's short names."""
    return re.sub(r"\\(le|ge)\b", r"\\\1q", head(metric))


def seen(waterfalls: tuple[Waterfall, ...], results: Results) -> str:
    """What was measured: the slack of each bound and the line that loses most."""
    said = [facts.drawn(results[waterfalls[0].sim.key])]
    for w in waterfalls:
        if (found := fallen(w, results)) is None:
            said.append(f"{w.theorem.title}, {w.name}: no run is left.")
            continue
        said.append(
            f"{w.theorem.title}, {w.name}: slack {facts.scientific(found.slack)}; the line that loses most is "
            f"'{found.worst.step.name}' ({found.worst.step.source}), a factor "
            f"{facts.scientific(found.worst.factor)}."
        )
    return " ".join(said)
