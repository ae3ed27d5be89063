"""Tables 1 to 3 with measured numbers beside the claimed ones, below the curves that they are read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench import Result
from workbench.claims import Competition, Quantity, as_recorded, at_horizons, calls_of, increments
from workbench.drawing import (
    TEXT_WIDTH,
    Figure,
    Order,
    Results,
    Table,
    facts,
    finite_runs,
    mean_curve,
    text_table,
)

from ..experiments import compared_runs, noisy_label_runs
from ..experiments.claims_tables import D, E
from ..theory.paper import PAPER
from .style import by_method

OCTAVES = 3  # over which a slope is measured
PRODUCTS = ("hessian_vector", "jacobian_vector")
# name: (gradients, products with second derivatives, fully single loop, regret), as claimed in Table 1 (L28-50)
CLAIMED_1 = {
    "sobow": ("T", "T^2", "no", "1 + V_T + H_2,T"),
    "obbo": ("T log T", "T log T", "no", "1 + V_T + H_2,T"),
    "fsobo": ("T", "T", "yes", "1 + V_T + H_2,T + E_2,T"),
    "aobo": ("T log T", "T log T", "no", "1 + V_T"),
    "f2obo": ("T log T", "none", "no", "1 + V_T + H_2,T"),
    "f2obo-sl": ("T", "none", "yes", "T^1/3 (1 + V_T) + T^(2/3) P_T"),
    "af2obo": ("T^2 + T H_2,T", "none", "no", "log T + V_T"),
}
# name: (samples, products, window averaging, regret), Table 2 (L52-57)
CLAIMED_2 = {
    "sobbo": ("w T", "T log w", "yes", "T/w (1 + sigma^2) + V_T + H_2,T"),
    "sogd": ("T", "T", "no", "T^1/3 (sigma^2 + Delta_T) + T^(2/3) Psi_T"),
    "sf2obo": ("T^5/3 log T", "none", "no", "T^(2/3) (1 + sigma^2) + V_T + H_2,T"),
}
# name: (training loss, test accuracy, seconds), Table 3 (L320-331)
PRINTED_3 = {
    "sobbo": ("1.388 ± 0.052", "0.798 ± 0.001", "150.8"),
    "sogd": ("2.091 ± 0.048", "0.761 ± 0.001", "41.3"),
    "sf2obo": ("1.291 ± 0.066", "0.800 ± 0.002", "103.0"),
}


# ------------------------------------------------------------------------------------------ entries of the table


def along(
    result: Result, quantity: Quantity, where: Mapping[str, float] | None = None, last_octave: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """(runs, M) and (M,): a quantity along the runs, or at the end of each horizon where horizons have their own rows.

    last_octave: along the runs, what the last octave adds.
    """
    alone = increments if last_octave else as_recorded
    view = at_horizons if "until" in result.params else alone
    return view(result, quantity, result.rows(**(where or {})))


def early(marks: np.ndarray) -> int:
    """Index of the mark three octaves before the last."""
    return int(np.argmin(np.abs(np.log2(marks[-1] / marks) - OCTAVES)))


def late_slope(marks: np.ndarray, curve: np.ndarray) -> float:
    """Slope of a curve (M,) over the last octaves; NaN where it is not positive."""
    start = early(marks)
    with np.errstate(all="ignore"):
        return float(np.log(curve[-1] / curve[start]) / np.log(marks[-1] / marks[start]))


def count(result: Result, *resources: str, slope: bool = True) -> str:
    """ "1.1e5 (T^1.10)": calls per run, of the run with the most, and their slope over the last octaves, if any."""
    where = D if "case" in result.params else {}
    tables = [along(result, calls_of(name), where) for name in resources]
    calls, marks = np.sum([values.max(axis=0) for values, _ in tables], axis=0), tables[0][1]
    if not calls[-1]:
        return "none"
    late = late_slope(marks, calls) if slope else np.nan
    return facts.scientific(calls[-1]) + (f" (T^{late:.2f})" if np.isfinite(late) else "")


def regret(result: Result, where: Mapping[str, float]) -> str:
    """Exponent of the regret's increments and the regret at T; "bounded" if the last octaves add less than 5 %."""
    curve, marks = along(result, "regret_sum", where)
    at_end, before = facts.end(curve), facts.end(curve[:, : early(marks) + 1])
    if not np.isfinite(at_end):
        return "none"
    values, marks = along(result, "regret_sum", where, last_octave=True)
    slope = late_slope(marks, mean_curve(values))
    growth = "bounded" if at_end < 1.05 * before else f"T^{slope:.2f}" if np.isfinite(slope) else "none"
    return f"{growth}, {facts.scientific(at_end)}"


def samples(name: str, result: Result) -> float:
    """Samples up to T: one for each gradient of f and of g, for SF2OBO the batches of Algorithm 3."""
    if name == "sf2obo":
        return compared_runs.samples(result.steps, result.horizon)
    each = {"sobbo": compared_runs.INNER + 1, "sogd": 2}[name]
    return float(each * result.horizon)


def spread(result: Result, metric: str) -> str:
    ends = finite_runs(result.data[metric])[:, -1]
    return f"{ends.mean():.3f} ± {ends.std(ddof=1) if len(ends) > 1 else 0.0:.3f}" if len(ends) else "none"


def pace(result: Result) -> str:
    """Seconds per 1000 rounds of all runs together: mean and standard deviation over the gaps between later marks."""
    late = result.marks >= result.horizon / 8
    seconds = np.diff(result.elapsed[late]) / np.diff(result.marks[late]) * 1000
    return f"{seconds.mean():.2f} ± {seconds.std():.2f}" if len(seconds) else "none"


# --------------------------------------------------------------------------------- table and curves above it


@dataclass(frozen=True)
class MeasuredTable:
    """A table of the paper with columns of measured numbers, below the curves that they are read from.

    competition: the methods whose curves are drawn. printed: name of a method -> its entries in the paper. columns:
    head, width, and the index of a printed entry or (name, result) -> what was measured. panels: curve, label of the
    vertical axis, title. phases: of a run, separated by lines. timing: heads
    of columns of wall-clock times.
    """

    competition: Competition
    printed: Mapping[str, Sequence[str]]
    columns: Sequence[tuple[str, float, int | Callable[[str, Result], str]]]
    panels: Sequence[tuple[Callable[[Result], tuple[np.ndarray, np.ndarray]], str, str]]
    xlabel: str = "horizon $T$"
    scale: Literal["log", "linear"] = "log"
    phases: int = 1
    ordering: Callable[[Results], Order] | None = None
    timing: tuple[str, ...] = ()

    def rows(self, results: Results) -> list[list[str]]:
        rows = []
        for method, result in self.competition.results(results):
            if printed := self.printed.get(method.name):
                cells = [
                    printed[c] if isinstance(c, int) else c(method.name, result) for _, _, c in self.columns
                ]
                rows.append([method.title, *cells])
        return rows

    def draw(self, results: Results) -> MplFigure:
        """The legend at the top, panels, the table below; heights in inches."""
        line, panels = 0.2, 2.9
        rows = line * len(self.printed)
        height = panels + rows + 2 * line
        figure = plt.figure(figsize=(TEXT_WIDTH, height))
        figure.set_layout_engine("none")
        grid = figure.add_gridspec(
            1, len(self.panels), left=0.12, right=0.98, bottom=(rows + 2 * line + 0.55) / height,
            top=1 - 0.5 / height, wspace=0.3,
        )  # fmt: skip
        by_title = {method.title: result for method, result in self.competition.results(results)}
        for i, (curve, ylabel, title) in enumerate(self.panels):
            ax = figure.add_subplot(grid[0, i])
            by_method(ax, by_title, curve, self.scale, self.phases)
            ax.set(xlabel=self.xlabel, ylabel=ylabel)
            ax.set_title(title, fontsize=8)
        handles, names = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="upper center", ncols=len(names), frameon=False, fontsize=6.5)
        below = figure.add_axes((0.01, 0.2 / height, 0.98, (rows + 1.4 * line) / height))
        table = self.table(results)
        text_table(below, table.head, table.rows, [0.09, *(width for _, width, _ in self.columns)])
        return figure

    def table(self, results: Results) -> Table:
        heads = ("method", *(head for head, _, _ in self.columns))
        return Table(heads, tuple(map(tuple, self.rows(results))), self.timing)

    def observation(self, results: Results) -> str:
        return facts.extent(next(iter(results.values())))

    def figure(self, **texts: Any) -> Figure:
        """texts: title, source and captions."""
        key, needs = PAPER.entry(f"{self.competition.figure}"), self.competition.keys
        return Figure(
            key=key,
            needs=needs,
            draw=self.draw,
            summary=self.observation,
            ordering=self.ordering,
            table=self.table,
            **texts,
        )


TABLE_1 = MeasuredTable(
    compared_runs.TABLE_1, CLAIMED_1,
    (
        ("gradients", 0.115, 0), ("measured", 0.135, lambda _, r: count(r, "gradient")),
        ("HVP+JVP", 0.09, 1), ("measured", 0.135, lambda _, r: count(r, *PRODUCTS)),
        ("single loop", 0.11, 2),
        ("regret, O(.)", 0.19, 3), ("on D", 0.135, lambda _, r: regret(r, D)), ("on E", 0.1, lambda _, r: regret(r, E)),
    ),
    (
        (lambda r: along(r, "regret_sum", D), "regret $R(T)$", "D: inner solution oscillates"),
        (lambda r: along(r, "regret_sum", E), "regret $R(T)$", "E: tilt jumps"),
    ),
)  # fmt: skip
TABLE_2 = MeasuredTable(
    compared_runs.TABLE_2, CLAIMED_2,
    (
        ("samples", 0.11, 0), ("measured", 0.1, lambda name, r: facts.scientific(samples(name, r))),
        ("HVP+JVP", 0.1, 1), ("measured", 0.15, lambda _, r: count(r, *PRODUCTS)),
        ("window", 0.08, 2),
        ("regret, O(.)", 0.22, 3), ("measured", 0.18, lambda _, r: regret(r, {})),
    ),
    ((lambda r: along(r, "regret_sum"), "regret $R(T)$", "static sine with additive noise"),),
)  # fmt: skip


def order_of_table_3(results: Results) -> Order:
    """Do the methods end in the printed order of training loss and of accuracy? With the reason if not."""
    of = {m.name: (m.title, result) for m, result in noisy_label_runs.COMPETITION.results(results)}

    sentences = []
    for metric, column, descending in (("train_loss", 0, False), ("test_accuracy", 1, True)):
        paper = {name: float(entries[column].split()[0]) for name, entries in PRINTED_3.items()}
        here = {name: facts.end(result.data[metric]) for name, (_, result) in of.items()}
        theirs, ours = (
            ", ".join(of[name][0] for name in sorted(numbers, key=lambda n: numbers[n], reverse=descending))
            for numbers in (paper, here)
        )
        if theirs != ours:
            sentences.append(f"{metric.replace('_', ' ')}: {ours} (paper: {theirs})")
    if not sentences:
        return Order(
            True, "The paper's order of the methods is reproduced, in training loss and in accuracy."
        )
    rounds = next(iter(results.values())).horizon
    shorter = (
        f" and {rounds} rounds in place of 10000, the horizon of the profile full" if rounds < 10_000 else ""
    )
    return Order(
        False,
        f"Not reproduced: from best to worst, {'; '.join(sentences)}.",
        f"Likely reasons: digits in place of 20 Newsgroups, with 64 features instead of thousands{shorter}.",
    )


# Counts beside seconds, which depend on the machine; the store keeps them with the result.
TABLE_3 = MeasuredTable(
    noisy_label_runs.COMPETITION, PRINTED_3,
    (
        ("loss", 0.13, lambda _, r: spread(r, "train_loss")), ("paper", 0.13, 0),
        ("accuracy", 0.13, lambda _, r: spread(r, "test_accuracy")), ("paper", 0.13, 1),
        ("s/1000 rounds", 0.14, lambda _, r: pace(r)), ("paper s", 0.08, 2),
        ("gradients", 0.1, lambda _, r: count(r, "gradient", slope=False)),
        ("products", 0.1, lambda _, r: count(r, *PRODUCTS, slope=False)),
    ),
    (
        (lambda r: along(r, "train_loss"), "train loss", ""),
        (lambda r: along(r, "test_accuracy"), "test accuracy", ""),
    ),
    xlabel="round $t$", scale="linear", phases=4, ordering=order_of_table_3, timing=("s/1000 rounds",),
)  # fmt: skip

SLOPES = "Claimed counts and regrets are orders, O(.). In brackets: slope over the last three octaves. "
FROM_HORIZON = "OBBO, AOBO and AF2OBO take parameters from the horizon; each horizon is a run of its own. "
LABEL_NOISE = (
    " in batches of 64, linear classifier with one L2 weight per feature in [0, 0.1]; 5, 10 and 15 % of the labels are "
    "random from the three thin lines on. A substitute, not a reproduction: "
)
SCALE_3 = (
    "batches of 256 and 10000 rounds. Mean and standard deviation over the runs; training loss on clean labels. "
    "Seconds are those of this machine for all runs together, with their standard deviation between marks. Baselines: "
    f"{facts.competitors('sobbo', 'sogd')} {facts.LABELS}."
)

FIGURES = (
    TABLE_1.figure(
        title="Deterministic methods: queries and regret",
        source="Table 1, L28-50",
        caption=(
            f"{SLOPES}{FROM_HORIZON}"
            "D: V_T = 0, H_2,T linear in T. E: V_T of order T^1/2, no other drift. Exponents of regret from "
            f"increments, with R(T). {compared_runs.CHOICES}. OGD uses the exact hypergradient. Baselines: "
            f"{facts.competitors('sobow', 'obbo', 'fsobo', 'aobo')} {facts.LABELS}. Which methods are fully "
            "single-loop follows from their listings; the tick marks of the paper's table are not in the text at hand."
        ),
    ),
    TABLE_2.figure(
        title="Stochastic methods: samples and regret",
        source="Table 2, L52-57",
        caption=(
            f"{SLOPES}No drift, additive Gaussian noise; all regrets are those of Eq. (2), without a window. Samples "
            "are points drawn, SF2OBO's by its batches. "
            f"Window {compared_runs.WINDOW} and {compared_runs.INNER} inner steps for SOBBO. Baselines: "
            f"{facts.competitors('sobbo', 'sogd')} {facts.LABELS}."
        ),
    ),
    TABLE_3.figure(
        title="Online hyper-parameter optimization with label noise",
        source="Table 3, section 6.2, L317-331; settings L381",
        caption=f"Digits of scikit-learn{LABEL_NOISE}the paper has 20 Newsgroups, {SCALE_3}",
        on_real=f"20 Newsgroups, the paper's own set, its 2000 most frequent words{LABEL_NOISE}the paper has {SCALE_3}",
    ),
)
