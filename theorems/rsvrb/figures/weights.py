"""Figures 1 and 2 of the paper: weights for training rows, with one lower problem and with 200 and 500."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import LogLocator, NullFormatter

from workbench.claims import PILOT_RUNS
from workbench.drawing import BLUE, GREEN, ORANGE, PURPLE, RED, Comparison, Figure, Panel, Results, Row, facts

from ..experiments.compared import M_0, STAGE, row_products, samples
from ..experiments.reweighting_runs import COMPETITIONS, FEW, ORDERINGS, SETTINGS, SHOWN, SOLVED, SOME
from ..theory.paper import PAPER

DASHES, DOTS, MIXED = (0, (4, 1.5)), (0, (1, 1)), (0, (4, 1, 1, 1))
LOOKS: dict[str, dict] = {
    "svrb": {"color": RED, "linestyle": "-", "linewidth": 1.8},
    "re-rsvrb": {"color": RED, "linestyle": "-", "linewidth": 1.8},
    "stable": {"color": PURPLE, "linestyle": DASHES},
    "ttsa": {"color": BLUE, "linestyle": DASHES},
    "ttsa-own": {"color": BLUE, "linestyle": DOTS},
    "stocbio": {"color": GREEN, "linestyle": MIXED},
    "bsa": {"color": ORANGE, "linestyle": MIXED},
}
AXES = {"samples": samples, "products with rows": row_products}
ROWS = (
    Row(SHOWN, r"validation loss, $y_t$", "samples", falls=True),
    Row(SHOWN, r"validation loss, $y_t$", "products with rows", falls=True),
    Row(SOLVED, r"$F(x_t)$", "samples", falls=True),
)


@dataclass(frozen=True)
class Weights(Comparison):
    """The second axis is logarithmic; losses above the first one are cut off."""

    def draw(self, results: Results) -> MplFigure:
        figure = super().draw(results)
        axes = [ax for ax in figure.axes if ax.get_xlabel()]
        for i, ax in enumerate(axes):
            row, panel = self.rows[i // len(self.panels)], self.panels[i % len(self.panels)]
            curves = [v for _, _, v in panel.values(results, row.metric)]
            low = min(float(v[v > 0.0].min()) for v in curves)
            high = max(float(v[:, 0].max()) for v in curves)
            ax.set_ylim(low * 0.99, high * (high / low) ** 0.08)
            if row.axis != self.budget:
                first = min(float(self.axes[row.axis](r)[1]) for _, r, _ in panel.values(results, row.metric))
                ax.set_xscale("log", nonpositive="mask")  # nothing is spent before the first mark
                ax.set_xlim(left=first)
                ax.xaxis.set_major_locator(LogLocator(numticks=4))
                ax.xaxis.set_minor_formatter(NullFormatter())
                for line in ax.lines:
                    if np.count_nonzero(np.asarray(line.get_xdata(), float) > 0.0) == 1:
                        line.set(marker="o", markersize=3, clip_on=False)  # one mark is no line
            else:
                ax.ticklabel_format(axis="x", style="sci", scilimits=(0, 0))
        return figure


def shown(figure: str, why: str = "") -> Weights:
    panels = [Panel(name, competition, {}) for name, competition in COMPETITIONS[figure].items()]
    return Weights(
        panels, ROWS, ORDERINGS[figure], AXES, "samples", LOOKS, height=6.2, show_times=False, why=why
    )


ONE, MANY = SETTINGS["fig-1"], SETTINGS["fig-2"]
COMMON = (
    "First two rows: loss on the validation part at the current lower variables, as the paper draws it. Last row: F "
    "with the lower problems solved exactly, where only the learned weights count; not in the paper. Samples: "
    "rows of data drawn, each task on its own, first estimates included; every method gets the same number. The "
    "paper's second axis is running time; here it is counted, in products of a vector with a row of data, because "
    "seconds would contain the recording of F. A method is called ahead or behind only where Welch's 99 % interval for "
    "the difference of the mean logarithms at the end (of the shortest curve) excludes 0. Median and 10-90 % of the "
    "runs; losses above the first one are cut off. The legends of the paper are not in its text: drawn are the methods "
    "of its Table 1. As printed (L795): t^-1/2 for x and t^-1 for y of BSA, TTSA and stocBiO, t^-1/2 for both of "
    f"STABLE. c_0 = {M_0:g} for all. That gives y the faster decay, the opposite of TTSA's two time scales: dotted, "
    "TTSA with its own exponents. Every method has a step of x and one of y, and those with memory a weight, chosen by "
    "one rule, the least mean validation loss over the budget on grids with three steps per decade, on "
    f"{PILOT_RUNS} pilot runs that are not drawn ({{pilots}}). Not printed and chosen here: "
    f"lambda = {ONE.lam:g}, weights p = 1/(1 + exp(-x)), so that none is negative, and all lengths and batches. V and "
    "H are kept by rows of data (their projections are replaced, see the code). Rules of the competitors: "
    f"{facts.competitors('bsa', 'ttsa', 'stocbio', 'stable')} {facts.LABELS}."
)
WORK = (
    "Likely reasons: {few}the first row shows above all how fast y settles, which STABLE speeds up by correcting y for "
    "the step of x; "
    "{more}and on the second axis V has as many rows as the training part, all of which every step of {ours} and "
    "STABLE uses, {Q} times more often in conjugate gradients, while the others use minibatches. With a dense H of few "
    "features conjugate gradients would cost less, the product with V would not."
)
RARELY = (
    f"RE-RSVRB reads a task once in m/{MANY.tasks_at_a_time} iterations and with the weight "
    f"m/{MANY.tasks_at_a_time}, so that only short steps of y are stable; "
)
SIZES_1 = f"Minibatches of {ONE.batch}; stocBiO with {ONE.N} inner steps, Neumann sums of {ONE.K} terms."
SIZES_2 = (
    f"Minibatches of {MANY.batch}; stocBiO with {MANY.N} inner steps, Neumann sums of {MANY.K} terms. RE-RSVRB draws "
    f"{MANY.tasks_at_a_time} tasks at a time (L826), every other method steps in all tasks; its first stage has "
    f"{STAGE} iterations, and a stage hands on its last state. Temperatures uniform on [1, 11], 100 rows for "
    "validation (L826); the sum of the losses is divided by m. The competitors make few iterations in this "
    "budget: the full profile, with all training rows, says more about them."
)
# The steps were chosen once, on generated sets.
PILOTS = "a1a and w1a; with more tasks a1a-200"
PILOTS_OF_REAL = (
    "of the generated sets with the shapes of a1a and w1a, not of these; with more tasks of a1a-200"
)
NO_SHIFT = "; no shift between training and validation"
GENERATED = "Generated sets with the shapes of {} (123 and 300 sparse binary features)"
OWN = "LIBSVM's {}, the paper's own sets"


def figure(number: int, title: str, source: str, names: str, settings: str, why: str) -> Figure:
    weights = shown(f"fig-{number}", why)
    return Figure(
        key=PAPER.entry(f"fig-{number}"),
        title=title,
        source=source,
        needs=tuple(key for panel in weights.panels for key in panel.competition.keys),
        draw=weights.draw,
        ordering=weights.ordering,
        caption=f"{GENERATED.format(names)}{settings.format(shift=NO_SHIFT)} {COMMON.format(pilots=PILOTS)}",
        summary=weights.summary,
        on_real=f"{OWN.format(names)}{settings.format(shift='')} {COMMON.format(pilots=PILOTS_OF_REAL)}",
    )


FIGURES = (
    figure(
        1,
        "Weights for training data, one lower problem",
        "Figure 1, section E.1, L786-811",
        "a1a, a8a, w1a and w8a",
        f", all rows ({FEW} in the quick profile){{shift}}. {SIZES_1}",
        WORK.format(few="", more="", ours="SVRB", Q=ONE.Q),
    ),
    figure(
        2,
        "Weights for training data, 200 and 500 lower problems",
        "Figure 2, section E.2, L815-840",
        "a1a and w1a",
        f", the first {SOME} training rows ({FEW} in the quick profile, all in the full one). {SIZES_2}",
        WORK.format(
            few="a 99 % interval from so few runs leaves small differences open; ",
            more=RARELY,
            ours="RE-RSVRB",
            Q=MANY.Q,
        ),
    ),
)
