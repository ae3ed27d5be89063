"""One figure per theorem of paper `biadam`: where its rate is attained, what loses it, and the bound above its runs."""

from __future__ import annotations

from workbench import Figure, Theorem
from workbench.claims import Reading, Readings
from workbench.drawing import Bounds, Slopes, mathtext, panel_row, readings

from ..experiments import claims, claims_wrong
from ..experiments.study import CASES
from ..theory.paper import PAPER

NAMES = {  # simulation -> what distinguishes it
    "trig": "TRIG",
    "noisy": "multiplicative noise",
    "bent": "BENT",
    "coupled": "COUPLED",
    "adaptive": "A_t, b_t of (4), (5)",
    "boxed": "active box",
    "heavy": "constant momentum",
    "power": "eta_t ~ t^-q",
    "short": "K = 1, L_g = 3 h",
    "beta": "beta_t ~ eta_t",
    "schedule": "BiAdam's schedule",
    "uncorrected": "no correction",
    "fresh": "fresh samples",
    "fresh-k": "fresh k",
}
METRICS = {
    "metric_mean": "calG_t",
    "grad_norm_mean": "|grad F(x_t)|",
    "error_w_mean": "|w_t - grad_bar f|",
    "dist_y_mean": "|y_t - y*|",
}
RISING: dict[str, dict[str, float]] = {"$b_0 = 10^{-6}$": {}}
POINTS = {name: {"theta": case["theta"]} for name, case in CASES.items()}


def labels(curves: Readings) -> list[str]:
    """The simulation of each, and the metric where there are several."""
    several = len({str(r.metric) for r in curves}) > 1
    return [f"{name(r)}, {METRICS[str(r.metric)]}" if several else name(r) for r in curves]


def name(r: Reading) -> str:
    """What distinguishes the simulation."""
    plain = NAMES[r.sim.key.split("/sim-")[1].removesuffix("-vr")]
    q = r.where.get("exponent")
    if q is None:
        return plain
    return plain.replace("q", f"{q:.2g}") if q else "eta_t constant"


def figure(theorem: Theorem, title: str, shown: Readings, caption: str) -> Figure:
    attained, wrong = (
        Readings(r for r in some if r.key == theorem.key) for some in (shown, claims_wrong.OWN)
    )
    # b_1 = b_u in these runs: the restated form coincides with the printed one.
    bounds = [b for b in claims.BOUNDS[theorem.key] if "adaptive" not in b.sim.key and b.form != "restated"]
    number = theorem.key.split("thm-")[1]
    words, wrong_words = labels(attained), labels(wrong)
    rising = [b for b in claims.RISING if b.key == theorem.key]
    return panel_row(
        PAPER.entry(f"fig-thm-{number}"),
        f"Theorem {number}: {title}",
        f"{caption} Median and 10-90 % of the runs, dotted: claimed slopes. First: the theorem's schedule with "
        "chosen constants; second: nearby wrong methods on TRIG, with the exponents that theory gives for them; third: "
        "all parameters at the limits of the conditions, convex and nonconvex upper problem, each T taken as the "
        f"horizon.{' Last: a deterministic problem on which b_t of (5) rises (O-2).' if rising else ''}",
        Slopes(
            f"attained, $T^{{{readings.power(attained[0].claimed.value)}}}$",
            attained,
            list(map(mathtext, words)),
            "mean over $(T/2, T]$",
            words,
        ),
        Slopes(
            "wrong on purpose, their exponents",
            wrong,
            list(map(mathtext, wrong_words)),
            words=wrong_words,
            of="predicted",
        ),
        Bounds("under the bounds", bounds, POINTS, "mean over $(0, T]$"),
        *(
            [Bounds("above the bound: $b_t$ of (5) rises", rising, RISING, "mean over $(0, T]$")]
            if rising
            else []
        ),
        columns=2 if rising else 0,
        height=7.6 if rising else 3.9,
    )


FIGURES = (
    figure(
        claims.THEOREM_1,
        "BiAdam, calG_t",
        claims.FIRST + claims.FIRST_WIDE,
        "The stationarity measure calG_t of BiAdam.",
    ),
    figure(
        claims.THEOREM_2,
        "VR-BiAdam, calG_t and the error of w",
        claims.SECOND + claims.SECOND_WIDE,
        "VR-BiAdam: calG_t, which comes from steeper slopes, and its largest part, the error of w.",
    ),
    figure(
        claims.THEOREM_3,
        "BiAdam, grad F",
        claims.THIRD + claims.THIRD_WIDE,
        "The gradient norm of BiAdam, X = R^d.",
    ),
    figure(
        claims.THEOREM_4,
        "VR-BiAdam, grad F",
        claims.FOURTH + claims.FOURTH_WIDE,
        "The gradient norm of VR-BiAdam, X = R^d.",
    ),
)
