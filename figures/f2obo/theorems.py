"""One figure per theorem of paper `f2obo`: every term of the bound by itself, and the bound above its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import TEXT_WIDTH
from figures.f2obo.curves import COLOURS, Line, below, end_of, increment_lines, said_slopes
from figures.figure import Figure
from figures.panels import legend_below
from workbench.engine.records import Result
from workbench.experiments.f2obo import sine_runs, stochastic_runs
from workbench.experiments.f2obo.checks import bound_values
from workbench.experiments.f2obo.choices import THEOREM_3_1, THEOREM_3_2, THEOREM_5_1, claimed
from workbench.experiments.f2obo.claims_5_1 import terms

Results = Mapping[str, Result]


def bound_panel(
    ax: Axes,
    results: Results,
    theorem: Any,
    keys: Mapping[str, str],
    points: Mapping[str, Mapping[str, float]],
) -> None:
    """Compliant runs under both forms of the bound. keys: form -> simulation; points: label -> grid point."""
    for colour, (label, where) in zip(COLOURS, points.items(), strict=False):
        result = results[keys["repaired"]]
        bounds = {}
        for form, key in keys.items():
            of = results[key]
            table = bound_values(theorem, form, of)[of.rows(**where)]
            bounds[f"{form}, {label}"] = np.median(table, axis=0)
        below(ax, result.marks, result.curve("regret_sum", **where), bounds, label=label, color=colour)
    ax.set(xlabel="horizon $T$", ylabel="regret and bound")


def draw(
    results: Results, theorem: Any, panels: Sequence[tuple[str, Sequence[Line]]], keys: Mapping[str, str],
    points: Mapping[str, Mapping[str, float]],
) -> MplFigure:  # fmt: skip
    figure, axes = plt.subplots(1, len(panels) + 1, figsize=(TEXT_WIDTH, 3.6))
    for ax, (title, lines) in zip(axes, panels, strict=False):
        increment_lines(ax, results, lines)
        ax.set_title(title)
        legend_below(ax, ncols=1)
    bound_panel(axes[-1], results, theorem, keys, points)
    axes[-1].set_title("under the bounds")
    legend_below(axes[-1], ncols=1)
    return figure


def seen(
    results: Results, theorem: Any, panels: Sequence[tuple[str, Sequence[Line]]], keys: Mapping[str, str],
    points: Mapping[str, Mapping[str, float]],
) -> str:  # fmt: skip
    first = results[panels[0][1][0][0]]
    said = [
        facts.drawn(first),
        f"Slopes of the increments: {'; '.join(said_slopes(results, lines) for _, lines in panels)}.",
    ]
    for form, key in keys.items():
        result = results[key]
        table = bound_values(theorem, form, result)
        slack = []
        for where in points.values():
            rows = result.rows(**where)
            slack.append(float(np.median(table[rows][:, -1])) / end_of(result.curve("regret_sum", **where)))
        kept = [x for x in slack if np.isfinite(x)]
        if kept:
            said.append(
                f"At T, {form} bound: {facts.scientific(min(kept))} to {facts.scientific(max(kept))} times the regret."
            )
    return " ".join(said)


def tau(value: float) -> str:
    return rf"$\tau = {value:.3g}$"


BIAS: list[Line] = [
    ("f2obo/sim-bias", tau(t), {"tau": t}, claimed(THEOREM_3_1, tau=t))
    for t in (0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
]
DRIFTS: list[Line] = [
    *(
        ("f2obo/sim-ripple", rf"B, $V_T \sim T^{{{a:g}}}$", {"a": a}, claimed(THEOREM_3_1, tau=0.75, v=a))
        for a in (0.4, 0.6, 0.8)
    ),
    ("f2obo/sim-jumps", r"E, $V_T \sim T^{0.5}$", {"a": 0.5}, claimed(THEOREM_3_1, tau=0.75, v=0.5)),
    *(
        (
            "f2obo/sim-critical",
            rf"C, $H_{{2,T}} \sim T^{{{b:g}}}$",
            {"b": b},
            claimed(THEOREM_3_1, tau=0.75, h=b),
        )
        for b in (0.3, 0.9)
    ),
]
SL_BIAS: list[Line] = [
    ("f2obo/sim-sl-bias", tau(t), {"tau": t}, claimed(THEOREM_3_2, tau=t)) for t in sine_runs.SL_TAUS
]
SL_DRIFTS: list[Line] = [
    *(
        (
            "f2obo/sim-sl-drift",
            rf"C, {tau(t)}, $b = {b:g}$",
            {"tau": t, "b": b},
            claimed(THEOREM_3_2, term="h", tau=t, h=b),
        )
        for t, b in sine_runs.SL_DRIFTS
    ),
    *(
        (
            "f2obo/sim-sl-jumps",
            rf"E, {tau(t)}, $a = {a:g}$",
            {"tau": t, "a": a},
            claimed(THEOREM_3_2, term="v", tau=t, v=a),
        )
        for t, a in sine_runs.SL_JUMPS
    ),
]
SF_BIAS: list[Line] = [
    ("f2obo/sim-sf-noiseless", tau(t), {"tau": t}, claimed(THEOREM_5_1, "regret, noiseless", tau=t))
    for t in stochastic_runs.NOISELESS_TAUS
]
SF_NOISE: list[Line] = [
    ("f2obo/sim-sf-upper", "upper step", dict(stochastic_runs.UPPER), terms(stochastic_runs.UPPER)),
    (
        "f2obo/sim-sf-upper", "upper step, additive", dict(stochastic_runs.ADDITIVE),
        terms(stochastic_runs.ADDITIVE) - 2 * stochastic_runs.ADDITIVE["tau"],
    ),
    ("f2obo/sim-sf-inner", "inner steps", dict(stochastic_runs.INNER), terms(stochastic_runs.INNER)),
    ("f2obo/sim-sf-corollary", "Corollary 5.2", {}, terms(stochastic_runs.COROLLARY)),
]  # fmt: skip
CASES = sine_runs.BOUND_CASES


def _case(name: str, **more: float) -> dict[str, float]:
    p, h, a = CASES[name]
    return {"p": p, "h": h, "a": a, **more}


def _figure(key: str, title: str, caption: str, needs: Sequence[str], **shown: Any) -> Figure:
    return Figure(
        key=f"f2obo/{key}",
        title=title,
        source="workbench",
        needs=tuple(dict.fromkeys([*needs, *shown["keys"].values()])),
        draw=partial(draw, **shown),
        caption=f"{caption} Median and 10-90 % of the runs, dotted: claimed slopes. Increments R(T) - R(T/2), from "
        "which additive transients drop out. Bounds: each T taken as the horizon, with the drift measured up to it.",
        seen=partial(seen, **shown),
    )


def _keys(lines: Sequence[Line]) -> list[str]:
    return [line[0] for line in lines]


FIGURES = (
    _figure(
        "fig-thm-3.1",
        "Theorem 3.1: F2OBO, K of order log t",
        "Left: bias of the penalty on A. Middle: values that move (B, E) and inner solutions that move (C, with K_t as "
        "small as the algebra allows).",
        _keys([*BIAS, *DRIFTS]),
        theorem=THEOREM_3_1,
        panels=(("A: bias", BIAS), ("B, E, C: drift", DRIFTS)),
        keys={form: f"f2obo/sim-bound-3.1-{form}" for form in ("printed", "repaired")},
        points={f"{name}, {tau(0.5)}": _case(name, tau=0.5) for name in CASES},
    ),
    _figure(
        "fig-thm-3.2",
        "Theorem 3.2: F2OBO with a single loop",
        "Left: bias on A. Middle: inner drift on C (claimed 2 tau + b) and jumps on E (claimed tau + a).",
        _keys([*SL_BIAS, *SL_DRIFTS]),
        theorem=THEOREM_3_2,
        panels=(("A: bias", SL_BIAS), ("C, E: drift", SL_DRIFTS)),
        keys={form: f"f2obo/sim-bound-3.2-{form}" for form in ("printed", "repaired")},
        points={f"{name}, {tau(0.4)}": _case(name, tau=0.4) for name in CASES},
    ),
    _figure(
        "fig-thm-5.1",
        "Theorem 5.1: SF2OBO",
        "Left: no noise, bias on A. Middle: each noise term with the batches that let it dominate; additive noise "
        "cancels in line 10, which costs the upper term its factor lambda_t^2.",
        _keys([*SF_BIAS, *SF_NOISE]),
        theorem=THEOREM_5_1,
        panels=(("A: bias", SF_BIAS), ("noise", SF_NOISE)),
        keys={form: f"f2obo/sim-sf-bound-{form}" for form in ("printed", "repaired")},
        points={rf"$\sigma = {s:g}$": {"sigma": s, "omega": stochastic_runs.FAR} for s in (0.0, 1.0)},
    ),
)
