"""The proof ledger as figures, for every paper that has one: chain of lemmas, tightness of each line.

Outcomes of exact checks and verdicts on measured lines are in memory, where the drawing command puts them first; the
curves of measured lines come from stored results.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench.homes.keys import Key
from workbench.ledger import status
from workbench.ledger.claims import MeasuredCheck, claims
from workbench.ledger.graph import WORDS, Link, Status
from workbench.ledger.trajectories import Profile, profile
from workbench.report.drawing import facts, waterfall
from workbench.report.drawing._style import BLACK, TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.formulas import mathtext
from workbench.report.drawing.status_colors import LOOKS
from workbench.run import catalog
from workbench.theory.lemma import AlongTrajectory, Lemma

SMALLEST = 1e-4  # a smaller ratio has a mark at the edge of its panel
PIXELS, LEGEND = 96.0, 0.7  # of the layout in an inch; inches below it
GRID = 60  # points in time of the tightness map


def lemmas_of(paper: str) -> dict[str, Lemma]:
    return {k: x for k, x in catalog.lemmas().items() if x.paper.key == paper}


def short(key: str) -> str:
    return Key.of(key).name.removeprefix("lem-")


def measured(paper: str) -> list[MeasuredCheck]:
    checks = claims(lemmas_of(paper).values(), catalog.simulations(), catalog.samplers())
    return [c for c in checks if isinstance(c, MeasuredCheck) and not c.missing]


def links(paper: str) -> dict[str, Link]:
    return status.links(lemmas_of(paper).values(), status.verdicts(), None)


# ------------------------------------------------------------------------------------------------ the chain


def draw_graph(paper: str, results: Results) -> MplFigure:
    """Links in layers, each above the links it uses; as on the page of the proof, with the errata."""
    from workbench.report.proof_graph import layout  # loads igraph and networkx, which no other figure needs

    nodes, theorems = links(paper), catalog.theorems()
    names = {key: LOOKS[x.status][2] + short(key) + _labels(x) for key, x in nodes.items()}
    at = layout({key: x.lemma.uses for key, x in nodes.items()}, names)
    size = max(TEXT_WIDTH, at.width / PIXELS), at.height / PIXELS + LEGEND
    figure, ax = plt.subplots(figsize=size)
    for line in at.edges:
        ax.plot(*zip(*line, strict=True), color="0.72", linewidth=0.6)
    for box in at.boxes:
        fill, ink, _ = LOOKS[nodes[box.key].status]
        frame: dict[str, Any] = {"boxstyle": "round,pad=0.25", "facecolor": fill, "edgecolor": BLACK}
        frame |= {"linewidth": 1.4 if box.key in theorems else 0.5}
        ax.text(box.x, box.y, names[box.key], ha="center", va="center", fontsize=7, color=ink, bbox=frame)
    for state, (fill, _, sign) in LOOKS.items():
        if any(x.status == state for x in nodes.values()):
            look: dict[str, Any] = {"marker": "s", "s": 40, "facecolor": fill, "edgecolor": BLACK}
            ax.scatter([], [], label=f"{sign}{WORDS[state]}", **look)
    ax.set(xlim=(0, max(at.width, 1.0)), ylim=(max(at.height, 1.0), 0))
    ax.axis("off")
    spacing: dict[str, Any] = {"columnspacing": 1.0, "handletextpad": 0.4}
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=3, fontsize=7, frameon=False, **spacing)
    return figure


def _labels(x: Link) -> str:
    """The errata behind a link's status."""
    return f" [{', '.join(x.errata)}]" if x.errata else ""


def seen_graph(paper: str, results: Results) -> str:
    statuses = [x.status for x in links(paper).values()]
    counts = ", ".join(f"{statuses.count(s)} {WORDS[s]}" for s in reversed(Status) if s in statuses)
    return f"{facts.drawn_together(results)} {len(statuses)} links: {counts}."


# ------------------------------------------------------------------------------------------------ tightness


def profiles(paper: str, results: Results) -> list[tuple[str, Profile]]:
    """(line, its profile) for every line measured along runs that should hold."""
    lines = []
    for call in measured(paper):
        item = call.item
        if not isinstance(item, AlongTrajectory) or item.relation == "=" or item.expected == "violated":
            continue
        for name, record in call.records(results).items():
            label = f"{short(call.lemma.key)}: {call.item.name}"
            try:
                lines.append((label, profile(call.item, record, name)))
            except ValueError:
                continue  # the line has no positive right side on this simulation
            break  # a line is drawn once, on its first simulation
    return lines


def draw_profile(paper: str, results: Results) -> MplFigure:
    """Proof line against time; colour: median of lhs/rhs. The right panel gives the largest ratio of any run."""
    lines = profiles(paper, results)
    figure, (ax, side) = plt.subplots(
        1, 2, sharey=True, figsize=(TEXT_WIDTH, 0.17 * max(len(lines), 6) + 1.2), width_ratios=(4, 1)
    )
    end = max((p.t[-1] for _, p in lines), default=10.0)
    grid = np.geomspace(1, end, GRID)
    rows = np.full((len(lines), GRID), np.nan)
    for k, (_, p) in enumerate(lines):
        inside = (grid >= p.t[0]) & (grid <= p.t[-1])
        with np.errstate(divide="ignore"):
            rows[k, inside] = np.interp(
                np.log(grid[inside]), np.log(p.t), np.log10(np.maximum(p.median, 1e-12))
            )
    mesh = ax.pcolormesh(
        grid, np.arange(len(lines)), rows, cmap="cividis", vmin=-4, vmax=0, shading="nearest"
    )
    ax.set(xscale="log", xlabel="iteration $t$", ylabel="line of the proof")
    if bad := facts.failures(results):
        for label in bad:
            ax.plot([], [], " ", label=label)
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=7, frameon=False)
    ax.set_yticks(np.arange(len(lines)), [mathtext(name[:62]) for name, _ in lines], fontsize=7)
    ax.invert_yaxis()
    ax.grid(False)
    largest, row = np.array([float(p.largest.max()) for _, p in lines]), np.arange(len(lines))
    inside = largest >= SMALLEST
    side.plot(largest[inside], row[inside], "o", ms=3, color="C1")
    if not inside.all():
        side.plot(np.full((~inside).sum(), SMALLEST), row[~inside], "<", ms=3.5, color="C1", clip_on=False)
    side.axvline(1.0, color=BLACK, linewidth=0.8, linestyle="--")
    side.set(xscale="log", xlabel="largest\nlhs/rhs", xlim=(SMALLEST, 2))
    figure.colorbar(mesh, ax=[ax, side], location="bottom", label=r"$\log_{10}$ of the median of lhs/rhs (0: tight)",
                    shrink=0.5, aspect=40, extend="min")  # fmt: skip
    return figure


def seen_profile(paper: str, results: Results) -> str:
    lines = profiles(paper, results)
    tight = [name for name, p in lines if p.largest.max() > 0.99]
    loose = [name for name, p in lines if p.median.max() < 0.01]
    extent = facts.drawn_together(results)
    return (
        f"{extent} {len(lines)} lines; {len(tight)} come within 1 % of equality, "
        f"{len(loose)} stay below 1 % in the median."
    )


def _figures(paper: str) -> tuple[Figure, ...]:
    needs = tuple(dict.fromkeys(n for call in measured(paper) for n in call.needs))
    figures = [
        Figure(
            f"{paper}/fig-proof-chain", "Chain of lemmas", "workbench", needs, partial(draw_graph, paper),
            "Each link stands above those it uses; theorems have a heavy frame. The worst check gives a link's status.",
            partial(seen_graph, paper), "graph", of_proof=True,
        ),
    ]  # fmt: skip
    if any(isinstance(c.item, AlongTrajectory) and c.item.relation == "<=" for c in measured(paper)):
        figures.append(
            Figure(
                f"{paper}/fig-proof-profile", "Where the proof is tight", "workbench", needs,
                partial(draw_profile, paper),
                "Every deterministic line of the proof, evaluated along all runs of its first simulation. An arrow at "
                f"the edge of the right panel: no ratio of any run reaches {facts.scientific(SMALLEST)}.",
                partial(seen_profile, paper), "map", of_proof=True,
            )
        )  # fmt: skip
    return tuple(figures)


def per_paper() -> tuple[Figure, ...]:
    """The figures of every paper in view that has a ledger, and of every one that has waterfalls."""
    of = dict.fromkeys(x.paper.key for x in catalog.lemmas().values())
    slack = waterfall.per_paper(catalog.waterfalls())
    return (*(figure for paper in of for figure in _figures(paper)), *slack)
