"""The numbers that the theorems of paper `f2obo` leave free, as its experiments choose them, and how Steps are made.

Compliant runs take the largest gamma that the theorem allows, about 1e-3 (3.1) to 1e-5 (3.2, 5.1). The transient then
lasts 1/(gamma F'') rounds, and only the bound can be tested. Practical runs keep every schedule and exponent, and
choose gamma = `GAMMA_PART` / L_F, which for GAMMA_PART = 1/2 is the limit that smoothness alone sets in every theorem.

Exponents are read off increments R(T) - R(T/2) over six octaves. Drift exponents v, h, e, g of a law that a reading
does not name belong to terms that must be absent: the corresponding drift sums of the result are then 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from workbench import Batch, Grid, Result, Study, Theorem, always, increments
from workbench.claims import Simulation, random_start

from ..methods import af2obo, f2obo, sf2obo
from ..theory.paper import PAPER
from ..theory.theorem_3_1 import THEOREM as THEOREM_3_1
from ..theory.theorem_3_2 import THEOREM as THEOREM_3_2
from ..theory.theorem_4_1 import THEOREM as THEOREM_4_1
from ..theory.theorem_5_1 import THEOREM as THEOREM_5_1

FREE: dict[str, Any] = {"c": 1.0, "r_alpha": 1.0, "r_beta": 0.5, "r_gamma": 1.0}
LAM_OVER_LEAST = 1.05  # ratio of lambda_1 to its infimum 2 L_f1/mu_g
GAMMA_PART = 0.5
# gamma L_F where transients must be short. The curvature of F_t on A is L_F/9, and L_F/20 for kappa_g = 1.25.
FAST = 2.0
STARTS = (0.3, 0.9)  # range of x_1 = y_1 = z_1, drawn uniformly: noiseless runs differ in nothing else
DRAWN = f"starts drawn from [{STARTS[0]:g}, {STARTS[1]:g}]"
EXPONENTS = ("tau", "a", "b", "B_1", "B_2")  # grid parameters that are also parameters of the theorems
FORMS = ("printed", "repaired")
# Runs that differ in their starts alone. A far start costs up to four times the mean, and of fewer runs one may have a
# quarter of the sum: then no mean is decided.
RUNS = always(64)
K_MAX = 2000  # largest number of inner steps of AF2OBO per loop; the longest loops take about 200
# Theorem -> the Steps of the algorithm whose schedule it is.
STEPS: dict[str, Callable[..., Any]] = {
    THEOREM_3_1.key: f2obo.Steps,
    THEOREM_3_2.key: f2obo.Steps,
    THEOREM_4_1.key: partial(af2obo.Steps, K_max=K_MAX),
    THEOREM_5_1.key: sf2obo.Steps,
}

Start = Mapping[str, np.ndarray]
Points = Sequence[Mapping[str, float]]


def least(times: float) -> str:
    return f"lambda_1 = {times:g} times its least value"


def known_values(result: Result) -> dict[str, Any]:
    """What bounds and levels need besides the instance's constants: the free ones, lambda_1, the grid's exponents."""
    exponents = {n: result.params[n][:, None] for n in EXPONENTS if n in result.params}
    return {**FREE, "lam_1": result.steps["lam"], **exponents}


STUDY = Study(
    PAPER,
    chosen=f"gamma = 1/(2 L_F), {least(LAM_OVER_LEAST)}, {DRAWN}",
    metric="regret_sum",
    view=increments,
    tol=0.04,
    known=known_values,
    vanishing={
        "bias": "tilt",
        "value drift": "V_T",
        "inner drift": "H_2T",
        "upper gradient drift": "E_fT",
        "lower gradient drift": "E_gT",
    },
)

simulation = STUDY.simulation_from
compliant = partial(simulation, kind="compliant")
falsifier = partial(simulation, kind="falsifier")


def columns(family: Callable[..., Any], names: str, **fixed: Any) -> Callable[[Grid], Any]:
    """Grid -> instance of a family, with the fields named (as in "p h") taken from the grid."""
    return lambda grid: family(**{name: grid[name] for name in names.split()}, **fixed)


def beginning(grid: Grid, low: float = STARTS[0], high: float = STARTS[1], d: int = 1) -> Start:
    """x_1 = y_1 = z_1, each of the d coordinates drawn from [low, high]."""
    x = random_start(grid, low, high, d)
    return {"x": x, "y": x, "z": x}


def constants(instance: Any, start: Start, over_least: float = LAM_OVER_LEAST) -> dict[str, Any]:
    """The instance's constants, the free ones, and lambda_1 as a multiple of its infimum 2 L_f1/mu_g."""
    known_constants = instance.constants(start)
    return {
        **FREE,
        **known_constants,
        "lam_1": over_least * 2 * known_constants["L_f1"] / known_constants["mu_g"],
    }


def schedule(
    theorem: Theorem,
    form: str,
    instance: Any,
    start: Start,
    part: float | None = None,
    *,
    tau: Any,
    T: Any,
    **given: Any,
) -> dict[str, Any]:
    """The theorem's Steps for this instance; with ``part`` gamma is part / L_F instead of the theorem's.

    given: values that replace those of `constants`. The exponent b of Theorem 5.1 is tau, its least value, unless
    given. Raises ValueError, naming the condition, for parameters outside the theorem's range, for a drift that the
    instance does not cover, and for a start outside X.
    """
    instance.check()
    if np.any(instance.project(start["x"], np) != start["x"]):
        raise ValueError(
            f"x_1 must lie in X; the farthest start has |x_1| = {np.max(np.abs(start['x'])):.4g}"
        )
    values = {**constants(instance, start), "tau": tau, "T": T, "b": tau, **given}
    steps = theorem.steps(form, **values)
    if part is not None:
        still = {name: 0.0 for name in ("V_T", "H_2T", "E_fT", "E_gT") if name not in values}
        steps["gamma"] = part / theorem.constants(form, **{**values, **still})["L_F"]
    return steps


@dataclass(frozen=True)
class Scheduled:
    """(horizon, runs) -> Batch: an instance under the schedule of a theorem, or under a wrong one made from it.

    points: of the grid, or horizon -> points; their parameters in `EXPONENTS`, and ``until`` (the horizon of a row),
    are passed to the schedule. instance: a record, or grid -> record. part: as in `schedule`. begin: grid -> x_1, y_1,
    z_1. over_least: ratio of lambda_1 to its infimum. given: values for the schedule, which replace those of the grid.
    wrong: field of Steps -> wrong value, or a function from the right Steps to such a mapping.
    """

    theorem: Theorem
    form: str
    points: Points | Callable[[int], Points]
    instance: Any
    part: float | None = GAMMA_PART
    begin: Callable[[Grid], Start] = beginning
    over_least: float = LAM_OVER_LEAST
    given: Mapping[str, Any] = field(default_factory=dict)
    wrong: Mapping[str, Any] | Callable[[Mapping[str, Any]], Mapping[str, Any]] = field(default_factory=dict)

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid(self.points(horizon) if callable(self.points) else self.points, runs)
        instance = self.instance(grid) if callable(self.instance) else self.instance
        start = self.begin(grid)
        lam_1 = constants(instance, start, self.over_least)["lam_1"]
        exponents = {name: grid[name] for name in EXPONENTS if name in grid.params}
        T = grid["until"] if "until" in grid.params else horizon
        given = {"lam_1": lam_1, "T": T, **exponents, **self.given}
        steps = schedule(self.theorem, self.form, instance, start, self.part, **given)
        steps |= self.wrong(steps) if callable(self.wrong) else self.wrong
        # The regret uses the gamma_t of the method.
        measured = replace(instance, gamma=steps["gamma"], gamma_p=steps.get("p", 0.0))
        return Batch(measured, STEPS[self.theorem.key](**steps), start, grid)


def under_bound(
    theorem: Theorem,
    name: str,
    title: str,
    algorithm: str,
    points: Points,
    instance: Callable[[Grid], Any],
    horizon: Mapping[str, int],
    runs: Mapping[str, int],
    chosen: str,
    **more: Any,
) -> tuple[Simulation, ...]:
    """A compliant simulation for each of `FORMS`. more: of `Scheduled`."""
    return tuple(
        compliant(
            f"{name}-{form}",
            f"{title}, all of Theorem {theorem.key[-3:]} ({form})",
            algorithm,
            Scheduled(theorem, form, points, instance, part=None, **more),
            horizon,
            runs,
            chosen=chosen,
        )
        for form in FORMS
    )
