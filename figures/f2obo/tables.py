"""Tables 1 to 3 with measured numbers beside the claimed ones, under the curves they are read from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import TEXT_WIDTH
from figures.f2obo.style import METHODS
from figures.figure import Figure
from figures.panels import band, finite_runs, mean_curve, text_table
from workbench.engine.records import Result
from workbench.evidence import rates
from workbench.experiments.f2obo import compared_runs

Results = Mapping[str, Result]
OCTAVES = 3  # over which a stated slope is read
ONE, TWO, THREE = ("f2obo/sim-table-1-", "f2obo/sim-table-2-", "f2obo/sim-table-3-")
# name: (gradients, products with second derivatives, fully single loop, regret), as claimed in Table 1 (L28-50)
CLAIMED_1 = {
    "sobow": ("T", "T^2", "no", "1 + V + H"),
    "obbo": ("T log T", "T log T", "no", "1 + V + H"),
    "fsobo": ("T", "T", "yes", "1 + V + H + E2"),
    "aobo": ("T log T", "T log T", "no", "1 + V"),
    "f2obo": ("T log T", "none", "no", "1 + V + H"),
    "f2obo-sl": ("T", "none", "yes", "T^1/3 (1 + V) + T^2/3 P"),
    "af2obo": ("T^2 + T H", "none", "no", "log T + V"),
}
# name: (samples, products, window averaging, regret), Table 2 (L52-57)
CLAIMED_2 = {
    "sobbo": ("w T", "T log w", "yes", "T/w (1 + s^2) + V + H"),
    "sogd": ("T", "T", "no", "T^1/3 (s^2 + D) + T^2/3 Psi"),
    "sf2obo": ("T^5/3 log T", "none", "no", "T^2/3 (1 + s^2) + V + H"),
}
# name: (training loss, test accuracy, seconds), Table 3 (L320-331)
PRINTED_3 = {
    "sobbo": ("1.388 +- 0.052", "0.798 +- 0.001", "150.8"),
    "sogd": ("2.091 +- 0.048", "0.761 +- 0.001", "41.3"),
    "sf2obo": ("1.291 +- 0.066", "0.800 +- 0.002", "103.0"),
}


def increments(result: Result, where: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """(marks, (runs, M)): R(T) - R(T/2)."""
    values, marks = rates.dyadic_increments(result.curve("regret_sum", **where), result.marks)
    return marks, values


def last_slope(marks: np.ndarray, values: np.ndarray) -> float:
    """Slope of the mean curve over the last octaves; NaN where it is not positive."""
    mean = mean_curve(values)
    start = int(np.argmin(np.abs(np.log2(marks[-1] / marks) - OCTAVES)))
    with np.errstate(all="ignore"):
        return float(np.log(mean[-1] / mean[start]) / np.log(marks[-1] / marks[start]))


def end_of(values: np.ndarray) -> float:
    """Median over the finite runs at the last mark."""
    kept = finite_runs(values)
    return float(np.median(kept[:, -1])) if len(kept) else float("nan")


def calls(result: Result, *resources: str) -> np.ndarray:
    """(M,) calls per run, the largest over the runs."""
    held = [result.calls[name].max(axis=0) for name in resources if name in result.calls]
    return np.sum(held, axis=0) if held else np.zeros(len(result.marks))


def counted(result: Result, *resources: str) -> str:
    """ "110592 (T^1.10)": the count and its slope over the last three octaves."""
    count = calls(result, *resources).astype(float)
    if count[-1] == 0:
        return "none"
    start = result.at(result.horizon // 8)
    slope = np.log(count[-1] / count[start]) / np.log(result.horizon / result.marks[start])
    return f"{facts.scientific(count[-1])} (T^{slope:.2f})"


def regret_slope(result: Result, **where: float) -> str:
    """Exponent of the regret's increments and the regret at T; "bounded" where the last octaves add less than 5 %."""
    regret = result.curve("regret_sum", **where)
    at_end, before = end_of(regret), end_of(regret[:, : result.at(result.horizon // 8) + 1])
    if not np.isfinite(at_end):
        return "none"
    slope = last_slope(*increments(result, where))
    growth = "bounded" if at_end < 1.05 * before else f"T^{slope:.2f}" if np.isfinite(slope) else "none"
    return f"{growth}, {facts.scientific(at_end)}"


def rows_1(results: Results) -> list[list[str]]:
    made = []
    for name, (gradients, products, single, regret) in CLAIMED_1.items():
        result = results[ONE + name]
        measured = [
            counted(result, "gradient"),
            counted(result, "hessian_vector", "jacobian_vector"),
            regret_slope(result, case=0.0),
            regret_slope(result, case=1.0),
        ]
        made.append(
            [name.upper(), gradients, measured[0], products, measured[1], single, regret, *measured[2:]]
        )
    return made


def samples(name: str, result: Result) -> float:
    """Points drawn up to T: one for each gradient of f and of g by itself, by Algorithm 3's batches for SF2OBO."""
    if name != "sf2obo":
        each = {"sobbo": compared_runs.INNER + 1, "sogd": 2}[name]
        return float(each * result.horizon)
    return compared_runs.samples(result.steps, result.horizon)


def rows_2(results: Results) -> list[list[str]]:
    made = []
    for name, (drawn, products, window, regret) in CLAIMED_2.items():
        result = results[TWO + name]
        made.append(
            [
                name.upper(), drawn, facts.scientific(samples(name, result)), products,
                counted(result, "hessian_vector", "jacobian_vector"), window, regret, regret_slope(result),
            ]
        )  # fmt: skip
    return made


def spread(values: np.ndarray) -> str:
    kept = finite_runs(values)[:, -1]
    return f"{kept.mean():.3f} +- {kept.std(ddof=1) if len(kept) > 1 else 0.0:.3f}" if len(kept) else "none"


def rows_3(results: Results) -> list[list[str]]:
    """Counts in place of seconds: these differ from machine to machine, the store keeps them with the result."""
    made = []
    for name, (loss, accuracy, seconds) in PRINTED_3.items():
        result = results[THREE + name]
        made.append(
            [
                name.upper(), spread(result.data["train_loss"]), loss, spread(result.data["test_accuracy"]), accuracy,
                *seconds_of(result), seconds, counted(result, "gradient").split(" ")[0],
                counted(result, "hessian_vector", "jacobian_vector").split(" ")[0],
            ]
        )  # fmt: skip
    return made


def seconds_of(result: Result) -> list[str]:
    """Seconds per thousand rounds of the whole batch, mean and spread over the stretches between later marks."""
    late = result.marks >= result.horizon / 8
    pace = np.diff(result.elapsed[late]) / np.diff(result.marks[late]) * 1000
    return [f"{pace.mean():.2f} +- {pace.std():.2f}" if len(pace) else "none"]


HEAD_1 = ("method", "grad", "measured", "HVP+JVP", "measured", "single loop", "regret", "on D", "on E")
HEAD_2 = ("method", "samples", "measured", "HVP+JVP", "measured", "window", "regret", "measured")
HEAD_3 = ("method", "loss", "paper", "accuracy", "paper", "s/1000 rounds", "paper s", "gradients", "products")
WIDTHS_1 = (0.09, 0.09, 0.14, 0.09, 0.14, 0.09, 0.19, 0.14, 0.14)
WIDTHS_2 = (0.09, 0.11, 0.1, 0.1, 0.15, 0.08, 0.22, 0.18)
WIDTHS_3 = (0.09, 0.13, 0.13, 0.13, 0.13, 0.14, 0.08, 0.1, 0.1)


def layout(columns: int, rows: int) -> tuple[MplFigure, np.ndarray, plt.Axes]:
    """Panels above, the table below, the legend at the top; heights in inches."""
    line, panels = 0.2, 2.9
    height = panels + line * (rows + 2)
    figure = plt.figure(figsize=(TEXT_WIDTH, height))
    figure.set_layout_engine("none")
    bottom = (line * (rows + 2) + 0.55) / height
    grid = figure.add_gridspec(
        1, columns, left=0.09, right=0.98, bottom=bottom, top=1 - 0.5 / height, wspace=0.3
    )
    upper = np.array([figure.add_subplot(grid[0, i]) for i in range(columns)])
    return figure, upper, figure.add_axes((0.01, 0.2 / height, 0.98, line * (rows + 1.4) / height))


def shared_legend(figure: MplFigure, ax: plt.Axes) -> None:
    handles, names = ax.get_legend_handles_labels()
    figure.legend(handles, names, loc="upper center", ncols=len(names), frameon=False, fontsize=6.5)


def draw_regret(
    results: Results, prefix: str, names: Sequence[str], cases: Mapping[str, Mapping[str, float]],
    rows: Callable[[Results], list[list[str]]], head: Sequence[str], widths: Sequence[float],
) -> MplFigure:  # fmt: skip
    cells = rows(results)
    figure, panels, table = layout(len(cases), len(cells))
    for ax, (title, where) in zip(panels, cases.items(), strict=True):
        for name in names:
            result, label = results[prefix + name], name.upper()
            band(ax, result.marks, result.curve("regret_sum", **where), label=label, **METHODS[label])
        ax.set(xlabel="horizon $T$", ylabel="regret $R(T)$")
        ax.set_title(title, fontsize=8)
    shared_legend(figure, panels[0])
    text_table(table, head, cells, widths)
    return figure


def draw_3(results: Results) -> MplFigure:
    figure, panels, table = layout(2, len(PRINTED_3))
    for ax, metric in zip(panels, ("train_loss", "test_accuracy"), strict=True):
        for name in PRINTED_3:
            result, label = results[THREE + name], name.upper()
            band(ax, result.marks, result.data[metric], label=label, scale="linear", **METHODS[label])
        for quarter in (1, 2, 3):
            ax.axvline(quarter * result.horizon / 4, color="black", linewidth=0.4, alpha=0.5)
        ax.set(xlabel="round $t$", ylabel=metric.replace("_", " "))
    shared_legend(figure, panels[0])
    text_table(table, HEAD_3, rows_3(results), WIDTHS_3)
    return figure


def seen(results: Results, rows: Callable[[Results], list[list[str]]], head: Sequence[str]) -> str:
    """The table once more, as text."""
    lines = []
    for row in rows(results):
        cells = (f"{name} {cell}" for name, cell in zip(head[1:], row[1:], strict=True))
        lines.append(f"{row[0]}: {', '.join(cells)}")
    return f"{facts.drawn(next(iter(results.values())))} {'; '.join(lines)}."


SYMBOLS = (
    "V, H, P, E2 are the paper's V_T, H_2,T, P_T, E_2,T; in brackets the slope over the last three octaves. "
)
LABEL_NOISE = (
    " in batches of 64, linear classifier with one L2 weight per feature in [0, 0.1]; 5, 10 and 15 % of the labels are "
    "random from the three thin lines on. A counterpart, no reproduction: "
)
SCALE_3 = (
    "batches of 256 and 10000 rounds. Mean and standard deviation over the runs; training loss on the clean training "
    "part. Seconds are those of this machine for the whole batch of runs, with their spread between marks. Baselines: "
    f"{facts.competitors('sobbo', 'sogd')} {facts.LABELS}."
)

FIGURES = (
    Figure(
        key="f2obo/table-1",
        title="Deterministic methods: queries and regret",
        source="Table 1, L28-50",
        needs=tuple(ONE + name for name in compared_runs.TABLE_1),
        draw=partial(
            draw_regret, prefix=ONE, names=tuple(compared_runs.TABLE_1),
            cases={"D: inner solution oscillates": {"case": 0.0}, "E: tilt jumps": {"case": 1.0}},
            rows=rows_1, head=HEAD_1, widths=WIDTHS_1,
        ),
        caption=(
            f"{SYMBOLS}D: V_T = 0, H_2,T linear in T. E: V_T of order T^1/2, no other drift. Exponents of regret from "
            f"increments, with R(T). {compared_runs.CHOICES}. OGD uses the exact hypergradient. Baselines: "
            f"{facts.competitors('sobow', 'obbo', 'fsobo', 'aobo')} {facts.LABELS}. Which methods are fully "
            "single-loop follows from their listings; the tick marks of the paper's table are not in the text at hand."
        ),
        seen=partial(seen, rows=rows_1, head=HEAD_1),
    ),
    Figure(
        key="f2obo/table-2",
        title="Stochastic methods: samples and regret",
        source="Table 2, L52-57",
        needs=tuple(TWO + name for name in CLAIMED_2),
        draw=partial(
            draw_regret, prefix=TWO, names=tuple(CLAIMED_2), cases={"static sine with additive noise": {}},
            rows=rows_2, head=HEAD_2, widths=WIDTHS_2,
        ),
        caption=(
            f"{SYMBOLS}No drift, additive Gaussian noise; all regrets are those of Eq. (2), without a window. Samples "
            "are points drawn, SF2OBO's by its batches. s is sigma, D and Psi are Delta_T and Psi_T of the paper. "
            f"Window {compared_runs.WINDOW} and {compared_runs.INNER} inner steps for SOBBO. Baselines: "
            f"{facts.competitors('sobbo', 'sogd')} {facts.LABELS}."
        ),
        seen=partial(seen, rows=rows_2, head=HEAD_2),
    ),
    Figure(
        key="f2obo/table-3",
        title="Online hyper-parameter optimization with label noise",
        source="Table 3, section 6.2, L317-331; settings L381",
        needs=tuple(THREE + name for name in compared_runs.STOCHASTIC),
        draw=draw_3,
        caption=f"Digits of scikit-learn{LABEL_NOISE}the paper has 20 Newsgroups, {SCALE_3}",
        seen=partial(seen, rows=rows_3, head=HEAD_3),
        on_real=f"20 Newsgroups, the paper's own set, its 2000 most frequent words{LABEL_NOISE}the paper has {SCALE_3}",
    ),
)  # fmt: skip
