"""Are the instances' constants right? Sampled quotients never exceed them, and come close to those attained."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from theorems.f2obo.theorem_5_1 import THEOREMS
from workbench import evidence
from workbench.arrays.random import Draws
from workbench.evidence import Finding
from workbench.experiments.claims import Claim, Custom
from workbench.experiments.f2obo.stochastic_runs import FAR, SIGMA
from workbench.experiments.f2obo.study import THEOREM_3_1, THEOREM_3_2, THEOREM_4_1
from workbench.instances.f2obo.example import Example
from workbench.instances.f2obo.sine import Bias, Drift, Jumps, Oscillation, Ripple

SAMPLES, STEP, WIDE = 20_000, 1e-4, 7.0
ROUNDS = (1.0, 2.0, 3.0, 50.0)
ATTAINED = ("L_f0", "L_f1", "L_g1", "mu_g", "sigma")  # M bounds a sum of two suprema and is not


def quotients(instance: Any) -> dict[str, float]:
    """Constant -> largest sampled / declared (mu_g: declared / sampled) over points of X x R and several rounds."""
    rng = np.random.default_rng(0)
    R = 1.0 if isinstance(instance, Example) else min(float(instance.R), WIDE)
    x, y = rng.uniform(-R, R, (SAMPLES, 1)), rng.uniform(-WIDE, WIDE, (SAMPLES, 1))
    turn = rng.uniform(0, 2 * np.pi, (SAMPLES, 1))
    x2, y2 = x + STEP * np.cos(turn), y + STEP * np.sin(turn)
    declared = {name: float(np.max(v)) for name, v in instance.constants({"x": x[:1]}).items()}
    found = dict.fromkeys(("L_f0", "L_f1", "L_g1", "mu_g", "M"), 0.0)
    for t in map(np.asarray, ROUNDS):
        f, f2 = (_gradient(instance, "f", t, *p) for p in ((x, y), (x2, y2)))
        g, g2 = (_gradient(instance, "g", t, *p) for p in ((x, y), (x2, y2)))
        bend = instance.hess_yy_g(t, x, y, np.ones_like(y), xp=np)
        value = instance.f(t, x, instance.y_star(t, x, np), np)
        here = {
            "L_f0": _norm(f) / declared["L_f0"],
            "L_f1": _norm(f - f2) / STEP / declared["L_f1"],
            "L_g1": _norm(g - g2) / STEP / declared["L_g1"],
            "mu_g": declared["mu_g"] / bend,
            "M": np.abs(value) / declared["M"],
        }
        found = {name: max(found[name], float(np.max(v))) for name, v in here.items()}
    if declared["sigma"] > 0:
        found["sigma"] = _noise(instance, x, y) / declared["sigma"]
    return found


def _gradient(instance: Any, name: str, t: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.hstack([getattr(instance, f"grad_{part}_{name}")(t, x, y, xp=np) for part in ("x", "y")])


def _norm(v: np.ndarray) -> np.ndarray:
    return np.linalg.norm(v, axis=1)


def _noise(instance: Any, x: np.ndarray, y: np.ndarray) -> float:
    """Lower 1 % limit of the standard deviation of a full gradient's noise, the larger of f's and g's."""
    draws, t = Draws(3, np.arange(len(x)), np).at(1), np.asarray(1.0)
    largest = 0.0
    for name in ("f", "g"):
        parts = (getattr(instance, f"grad_{p}_{name}") for p in ("x", "y"))
        square = sum((m(t, x, y, draws(0), xp=np) - m(t, x, y, xp=np)) ** 2 for m in parts)
        low = np.mean(square) - 2.33 * np.std(square) / np.sqrt(len(square))
        largest = max(largest, float(np.sqrt(low)))
    return largest


def constants_claim(key: str, label: str, make: Callable[[], Any]) -> Claim:
    """Violated if any quotient exceeds its constant; the line shows the constant nearest to trouble."""

    def check(_: Any) -> Finding:
        found = quotients(make())
        exceeded = {name: v for name, v in found.items() if not v <= 1 + 1e-6}
        attained = {name: v for name, v in found.items() if name in ATTAINED}
        name = (
            max(exceeded, key=exceeded.__getitem__) if exceeded else min(attained, key=attained.__getitem__)
        )
        finding = evidence.assumptions([found[name]], rtol=1e-6)  # differences over 1e-4 are good to 1e-8
        return dataclasses.replace(
            finding, note=f"{name} is furthest from its sampled quotient; {finding.note}"
        )

    return Custom(key, "assumptions", f"constants of {label}", check)


INSTANCES: tuple[tuple[str, str, Callable[[], Any]], ...] = (
    (THEOREM_3_1.key, "A", Bias),
    (THEOREM_3_1.key, "B", Ripple),
    (THEOREM_3_2.key, "C", Drift),
    (THEOREM_3_2.key, "E", Jumps),
    (THEOREM_4_1.key, "D", Oscillation),
    (THEOREM_4_1.key, "the example of section 4.2", Example),
    *((t.key, "A with noise", lambda: Bias(sigma=SIGMA, omega=FAR)) for t in THEOREMS),
)

CLAIMS = tuple(constants_claim(*row) for row in INSTANCES)
