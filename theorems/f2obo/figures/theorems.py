"""One figure per theorem of paper `f2obo`: every term of the bound by itself, and the bound above its runs."""

from __future__ import annotations

from collections.abc import Sequence

from workbench import Figure
from workbench.claims import Bound, Readings
from workbench.drawing import Bounds, Slopes, panel_row, readings

from ..experiments import claims_3_1, claims_3_2, claims_5_1, sine_runs, stochastic_runs
from ..theory.paper import PAPER

INCREMENTS = "$R(T) - R(T/2)$"


def figure(
    number: str,
    title: str,
    caption: str,
    *panels: Slopes,
    bounds: Sequence[Bound],
    points: readings.Points,
) -> Figure:
    """panels: terms of the bound. bounds: its forms, on compliant runs, drawn at ``points``."""
    return panel_row(
        PAPER.entry(f"fig-thm-{number}"),
        f"Theorem {number}: {title}",
        f"{caption} Median and 10-90 % of the runs, dotted: claimed slopes. Increments R(T) - R(T/2), in "
        "which additive transients cancel. Bounds: each T taken as the horizon, with the drift measured up to it.",
        *panels,
        Bounds("under the bounds", bounds, points, "regret and bound"),
    )


def tau(value: float) -> str:
    return rf"$\tau = {value:.3g}$"


def bias_panel(curves: Readings) -> Slopes:
    return Slopes("A: bias", curves, [tau(r.where["tau"]) for r in curves], INCREMENTS)


def drift_panel(*parts: tuple[str, str, str, Readings]) -> Slopes:
    """parts: instance, drift sum, the grid parameter that is its exponent, readings."""
    curves = Readings(r for *_, some in parts for r in some)
    labels = [rf"{name}, ${what} \sim T^{{{r.where[of]:g}}}$" for name, what, of, some in parts for r in some]
    return Slopes(f"{', '.join(name for name, *_ in parts)}: drift", curves, labels, INCREMENTS)


def cases(value: float) -> readings.Points:
    """The grid points of the compliant runs at one tau, by the name of the instance."""
    return {f"{name}, {tau(value)}": {**case, "tau": value} for name, case in sine_runs.BOUND_CASES.items()}


FEWER = tuple(t for t in sine_runs.TAUS if t != 0.4)  # curves that can be distinguished
SLOW, _, QUICK = sine_runs.CRITICAL
SL_DRIFTS = claims_3_2.LAG + claims_3_2.JUMPS
NOISE = claims_5_1.UPPER + claims_5_1.ADDITIVE + claims_5_1.INNER + claims_5_1.AT_COROLLARY

FIGURES = (
    figure(
        "3.1",
        "F2OBO, K of order log t",
        "Left: bias of the penalty on A. Middle: drift of the values (B, E) and of the inner solutions (C, with the "
        "least K_t that suffices).",
        bias_panel(claims_3_1.BIAS.where(tau=FEWER)),
        drift_panel(
            ("B", "V_T", "a", claims_3_1.RIPPLE),
            ("E", "V_T", "a", claims_3_1.JUMPS.where(a=sine_runs.JUMPS[0])),
            ("C", "H_{2,T}", "b", claims_3_1.CRITICAL.where(b=(SLOW, QUICK))),
        ),
        bounds=claims_3_1.BOUNDS,
        points=cases(sine_runs.BOUND_TAUS[1]),
    ),
    figure(
        "3.2",
        "F2OBO with a single loop",
        "Left: bias on A. Middle: inner drift on C (claimed 2 tau + b) and jumps on E (claimed: tau + a, or the bias "
        "where that is larger).",
        bias_panel(claims_3_2.BIAS + claims_3_2.STEEP_BIAS),
        Slopes(
            "C, E: drift",
            SL_DRIFTS,
            [f"{'C' if 'b' in r.where else 'E'}, {readings.point_label(r.where)}" for r in SL_DRIFTS],
            INCREMENTS,
        ),
        bounds=claims_3_2.BOUNDS,
        points=cases(sine_runs.SL_BOUND_TAUS[1]),
    ),
    figure(
        "5.1",
        "SF2OBO",
        "Left: no noise, bias on A. Middle: each noise term with batches for which it dominates; additive noise "
        "cancels in line 10, so the upper term loses its factor lambda_t^2.",
        bias_panel(claims_5_1.BIAS),
        Slopes(
            "noise", NOISE, ["upper step", "upper step, additive", "inner steps", "Corollary 5.2"], INCREMENTS
        ),
        bounds=claims_5_1.BOUNDS,
        points={
            rf"$\sigma = {s:g}$": {"sigma": s, "omega": stochastic_runs.FAR}
            for s in stochastic_runs.BOUND_SIGMAS
        },
    ),
)
