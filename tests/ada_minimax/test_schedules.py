"""Algorithm and theorem meet: the steps an algorithm takes are those of the SymPy schedules of Eqs. (3)-(5)."""

from itertools import pairwise

import numpy as np
import pytest
from discover import trajectory
from sympy import Symbol, lambdify
from workbench.theorems.ada_minimax.methods import ada_bio, ada_minimax, ada_nsgdm
from workbench.theorems.ada_minimax.theory import schedules as eq

from workbench.arrays.noise import Sphere
from workbench.problems.saddle import QuadraticSaddle
from workbench.problems.scalar_bilevel import ScalarBilevel
from workbench.problems.single_level import Quadratic
from workbench.theory.record import Schedule
from workbench.theory.vocabulary import alpha, eta, eta_x, eta_y, gamma

RUNS, ITERATIONS = 8, 40
ARGUMENTS = (alpha, gamma, eta, eta_x, eta_y, eq.t, eq.S_x, eq.S_y)
CONSTANTS = {"alpha": 0.7, "gamma": 1.3, "eta_x": 0.9, "eta_y": 0.4}
NOISE = Sphere(0.5)


def run(algorithm, instance, steps, start):
    """(t, state before, state after) of every iteration."""
    states = trajectory(algorithm, instance, steps, start, np.arange(RUNS), ITERATIONS, seed=3)
    return [(t, *pair) for t, pair in enumerate(pairwise(states), start=1)]


def value(formula, t, S_x, S_y=0.0):
    chosen = (CONSTANTS[n] for n in ("alpha", "gamma", "eta_x", "eta_x", "eta_y"))
    values = (*chosen, t, S_x, S_y)
    return lambdify(ARGUMENTS, formula, "numpy")(*values)


def test_single_level_step_is_equation_5() -> None:
    steps = ada_nsgdm.Steps(eta=CONSTANTS["eta_x"], alpha=CONSTANTS["alpha"])
    for t, old, new in run(ada_nsgdm, Quadratic(noise=NOISE), steps, {"x": np.full((RUNS, 3), 1.2345)}):
        length = np.linalg.norm(new.x - old.x, axis=1, keepdims=True)
        np.testing.assert_allclose(length, value(eq.ETA_T, t, new.S), rtol=1e-12)


@pytest.mark.parametrize("name", ["minimax", "bilevel"])
def test_hierarchical_steps_are_equations_3_and_4(name: str) -> None:
    start = {"x": np.full((RUNS, 1), 1.2345), "y": np.full((RUNS, 1), 0.5)}
    if name == "minimax":
        algorithm, instance = ada_minimax, QuadraticSaddle(noise_x=NOISE, noise_y=NOISE)
        steps = ada_minimax.Steps(**CONSTANTS)
    else:
        algorithm, instance = ada_bio, ScalarBilevel(noise_f=NOISE, noise_g=NOISE)
        steps = ada_bio.Steps(**CONSTANTS, N=5, l_g1=2.0)
    for t, old, new in run(algorithm, instance, steps, start):
        np.testing.assert_allclose(np.abs(new.x - old.x), value(eq.ETA_X_T, t, new.S_x, new.S_y), rtol=1e-12)
        g_y = np.sqrt(new.S_y - old.S_y)  # |g_y| of this iteration
        np.testing.assert_allclose(
            np.abs(new.y - old.y), value(eq.ETA_Y_T, t, new.S_x, new.S_y) * g_y, rtol=1e-9
        )


def test_the_wrong_sum_is_told_apart() -> None:
    """Negative twin: alpha_t in place of alpha'_t (trap T3) does not give the steps taken."""
    steps = ada_minimax.Steps(**CONSTANTS)
    instance = QuadraticSaddle(noise_x=NOISE, noise_y=NOISE)
    start = {"x": np.full((RUNS, 1), 1.2345), "y": np.full((RUNS, 1), 0.5)}
    *_, (t, old, new) = run(ada_minimax, instance, steps, start)
    wrong = CONSTANTS["eta_x"] * np.sqrt(value(eq.ALPHA_T, t, new.S_x)) / np.sqrt(t)
    assert (np.abs(np.abs(new.x - old.x) - wrong) > 1e-3 * wrong).all()


def test_a_length_that_is_no_whole_number_is_refused() -> None:
    """Not cut off in silence."""
    q = Symbol("q", positive=True)
    rule = Schedule({"q": q / 2, "rate": 1 / q}, integer=("q",))
    assert rule.steps(q=6) == {"q": 3, "rate": pytest.approx(1 / 6)}
    with pytest.raises(ValueError, match=r"^q must be an integer, not 2\.5$"):
        rule.steps(q=5)
