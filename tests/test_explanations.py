"""Explanations of a listing against an implementation that need more than one changed expression, or one of its own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import workbench as wb


def listing(step: Any, fields: str, **steps: float) -> Any:
    """A method whose memory begins with zeros, but for a point z, which begins where x does."""
    State = wb.state(*fields.split())

    def init(start, c, oracle, draw, xp):
        x = start["x"]
        return State(*(x if name in "xz" else xp.zeros_like(x) for name in fields.split()))

    return SimpleNamespace(State=State, Steps=wb.steps(**steps), init=init, step=step)


def kinds(outcome: Any) -> list[list[str]]:
    return [sorted(change[0] for change in e.changes) for e in outcome.explanations]


def heavy_ball(s, t, c, oracle, draw, xp):
    old = xp.where(t > 1.0, s.old, s.x)
    x = s.x - c.eta / t * oracle.grad(s.x, draw(0)) + c.beta * (s.x - old)
    return s._replace(x=x, old=s.x)


def gradients_first(x, g, state):
    t, m = (1, 0 * g) if state is None else state
    m = 0.9 * m + g
    return x - 0.1 / t * m, (t + 1, m)


def test_a_falling_rate_tells_displacements_from_momentum_of_gradients() -> None:
    ours = listing(heavy_ball, "x old", eta=0.1, beta=0.9)
    outcome = wb.same_iterates(ours, wb.method(gradients_first), iterations=10)
    assert kinds(outcome) == [["the rate after the momentum"]]
    assert outcome.iteration == 2


def averaging(s, t, c, oracle, draw, xp):
    x = s.x - c.eta * oracle.grad(s.x, draw(0))
    z = s.z + (x - s.z) / t
    return s._replace(x=x, z=z)


def test_an_average_that_is_none_is_seen() -> None:
    never = wb.method(lambda x, g, state: (x - 0.1 * g, None), output=lambda state, x: x)
    outcome = wb.same_iterates(listing(averaging, "x z", eta=0.1), never, iterations=8)
    assert kinds(outcome) == [
        ["no average"],
        ["not counted"],
    ]  # with t = 1 throughout the average is the last one


def rectified(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    v = c.b * s.v + (1 - c.b) * g * g
    x = s.x - c.eta * xp.where(t - 1 > 3, 1 / (xp.sqrt(v / (1 - c.b**t)) + c.eps), 1.0) * g
    return s._replace(x=x, v=v)


def later_and_idle_before(x, g, state):
    """No step up to the fifth, one threshold later, and eps before the correction."""
    t, v = (1, 0 * g) if state is None else state
    v = 0.9 * v + (1 - 0.9) * g * g
    move = g / ((np.sqrt(v) + 0.01) / np.sqrt(1 - 0.9**t)) if t - 1 > 4 else 0 * g
    return x - 0.1 * move, (t + 1, v)


def test_three_changes_are_found_one_after_the_other() -> None:
    ours = listing(rectified, "x v", eta=0.1, b=0.9, eps=0.01)
    outcome = wb.same_iterates(ours, wb.method(later_and_idle_before), iterations=12)
    wanted = ["counted from 0", "eps before the bias correction", "no step below the threshold"]
    assert wanted in kinds(outcome)
    assert all(e.difference < 1e-9 for e in outcome.explanations)


def signs(s, t, c, oracle, draw, xp):
    g = oracle.grad(s.x, draw(0))
    old = xp.where(s.old * g < 0, 0.0 * g, g)
    return s._replace(x=s.x - c.eta * wb.ops.sign(old, xp), old=old)


def delayed(x, g, state):
    old = 0 * g if state is None else state
    new = np.where(old * g < 0, 0.0, g)
    return x - 0.1 * np.where(old * g < 0, 0.0, np.sign(old)), new


def test_a_step_that_comes_an_iteration_late_is_seen() -> None:
    outcome = wb.same_iterates(listing(signs, "x old", eta=0.1), wb.method(delayed), iterations=10)
    assert ["no step if", "the value before this step"] in kinds(outcome)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_differs_in_another_way_is_not_explained(seed: int) -> None:
    ours = listing(rectified, "x v", eta=0.1, b=0.9, eps=0.01)
    cubic = wb.method(lambda x, g, state: (x - 0.01 * g**3, None))
    assert wb.same_iterates(ours, cubic, iterations=6, seed=seed).explanations == ()
