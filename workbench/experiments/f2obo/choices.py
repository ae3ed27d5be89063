"""What the experiments of paper `f2obo` choose where its theorems leave a number free, and how Steps are made.

Compliant runs take gamma from the theorem, as large as it allows: then gamma is about 1e-3 (3.1) to 1e-5 (3.2, 5.1),
the transient lasts 1/(gamma F'') rounds, and only the bound can be tested. Practical runs keep every schedule and
exponent, and choose gamma = `GAMMA_PART` / L_F; with GAMMA_PART = 1/2 that is the smoothness part of every cap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from sympy import Max

from theorems.f2obo.theorem_3_1 import THEOREM as THEOREM_3_1
from theorems.f2obo.theorem_3_2 import THEOREM as THEOREM_3_2
from theorems.f2obo.theorem_4_1 import THEOREM as THEOREM_4_1
from theorems.f2obo.theorem_5_1 import THEOREM as THEOREM_5_1
from workbench.engine.records import Grid
from workbench.experiments.records import Batch, Mutation, Simulation

FREE: dict[str, Any] = {"c": 1.0, "r_alpha": 1.0, "r_beta": 0.5, "r_gamma": 1.0}
LAM_OVER_LEAST = 1.05  # lambda_1 over its least admissible value 2 L_f1/mu_g
GAMMA_PART = 0.5
STARTS = (0.3, 0.9)  # x_1 = y_1 = z_1, drawn uniformly: noiseless runs differ in nothing else
REGRET = "regret_sum"
ABSENT = -100  # exponent of a drift that does not happen
DRIFTS = ("v", "h", "e", "g")
TOL = 0.04
LONG = ("default", "full")


def constants(instance: Any, start: Mapping[str, np.ndarray]) -> dict[str, Any]:
    return completed(instance.constants(start))


def completed(found: Mapping[str, Any]) -> dict[str, Any]:
    """An instance's constants with what the theorems leave free, lambda_1 a little above 2 L_f1/mu_g."""
    return {**FREE, **found, "lam_1": LAM_OVER_LEAST * 2 * found["L_f1"] / found["mu_g"]}


def schedule(
    theorem: Any,
    form: str,
    instance: Any,
    start: Mapping[str, np.ndarray],
    part: float | None = None,
    **free: Any,
) -> dict[str, Any]:
    """The theorem's Steps for this instance; with ``part`` gamma is part / L_F instead of the theorem's.

    Raises ValueError, naming the condition, for parameters outside the theorem's range, for a drift that the
    instance does not cover, and for a start outside X.
    """
    if hasattr(instance, "check"):
        instance.check()
    if np.any(instance.project(start["x"], np) != start["x"]):
        raise ValueError(
            f"x_1 must lie in X; the farthest start has |x_1| = {np.max(np.abs(start['x'])):.4g}"
        )
    values = {**constants(instance, start), **free}
    steps = theorem.steps(form, **values)
    if part is not None:
        steps["gamma"] = part / theorem.constants(form, **{**values, **still(values)})["L_F"]
    return steps


def still(values: Mapping[str, Any]) -> dict[str, float]:
    """No drift, where nothing is said of it."""
    return {name: 0.0 for name in ("V_T", "H_2T", "E_fT", "E_gT") if name not in values}


def beginning(grid: Grid, low: float = STARTS[0], high: float = STARTS[1]) -> dict[str, np.ndarray]:
    """x_1 = y_1 = z_1 drawn from [low, high]."""
    x = grid.random_start(low, high)
    return {"x": x, "y": x, "z": x}


@cache
def _law(theorem: Any, name: str) -> Any:
    (found,) = (law for law in theorem.laws if law.name == name)
    return found


def claimed(theorem: Any, law: str = "regret", term: str = "", **exponents: float) -> float:
    """The exponent that a law claims, or that of its largest term with the symbol ``term``.

    Drift exponents v, h, e, g that are not given belong to terms that are absent. Raises KeyError for an exponent that
    the law does not know, or a parameter of it that is not given.
    """
    form = _law(theorem, law).claimed
    terms = (
        form.args if isinstance(form, Max) else (form,)
    )  # one by one: Max drops what cannot win for v, h >= 0
    names = {symbol.name for symbol in form.free_symbols}
    if wrong := (set(exponents) - names) | (names - set(exponents) - set(DRIFTS)):
        raise KeyError(f"the law {law!r} of {theorem.key} is in {sorted(names)}; check {sorted(wrong)}")
    kept = [t for t in terms if not term or term in {x.name for x in t.free_symbols}]
    return max(float(t.subs({x: exponents.get(x.name, ABSENT) for x in t.free_symbols})) for t in kept)


def simulation(
    name: str,
    title: str,
    algorithm: str,
    make: Callable[[int, int], Batch],
    horizon: Mapping[str, int],
    runs: Mapping[str, int],
    kind: str = "practical",
    chosen: str = "gamma = 1/(2 L_F), lambda_1 = 1.05 times its least value, starts drawn from [0.3, 0.9]",
    mutation: Mutation | None = None,
) -> Simulation:
    return Simulation(
        key=f"f2obo/sim-{name}",
        title=title,
        algorithm=algorithm if "." in algorithm else f"f2obo.{algorithm}",
        make=make,
        horizon=horizon,
        runs=runs,
        kind="falsifier" if mutation else kind,  # type: ignore[arg-type]
        chosen=chosen,
        mutation=mutation,
    )


def powers(quick: int, default: int, full: int) -> dict[str, int]:
    """Horizons 2^quick, 2^default, 2^full: dyadic increments are exact there."""
    return {"quick": 2**quick, "default": 2**default, "full": 2**full}


__all__ = [
    "FREE", "GAMMA_PART", "LONG", "REGRET", "STARTS", "THEOREM_3_1", "THEOREM_3_2", "THEOREM_4_1", "THEOREM_5_1", "TOL",
    "beginning", "claimed", "completed", "constants", "powers", "schedule", "simulation",
]  # fmt: skip
