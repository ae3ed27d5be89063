"""Listing against implementation: what differs is seen, and each known kind of change is found."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import workbench as wb
from workbench.claims.optimizers.changes import Variant, neighbours
from workbench.cli.app import app


class Adam:
    """The listing of the paper."""

    State = wb.state("x", "m", "v")
    Steps = wb.steps(eta=0.1, b1=0.9, b2=0.99, eps=1e-2)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Adam.State(start["x"], xp.zeros_like(start["x"]), xp.zeros_like(start["x"]))

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        m = c.b1 * s.m + (1 - c.b1) * g
        v = c.b2 * s.v + (1 - c.b2) * g * g
        x = s.x - c.eta * (m / (1 - c.b1**t)) / (xp.sqrt(v / (1 - c.b2**t)) + c.eps)
        return Adam.State(x, m, v)


def adam(update: Any, begin: tuple[Any, Any] = (0.0, 0.0)) -> Any:
    """An implementation: update(m, v, g, t) -> the step; begin: the first m and v."""

    def rule(x, g, state):
        t, m, v = (0, *begin) if state is None else state
        m, v = 0.9 * m + (1 - 0.9) * g, 0.99 * v + (1 - 0.99) * g * g
        return x - 0.1 * update(m, v, g, t + 1), (t + 1, m + 0 * x, v + 0 * x)

    return wb.method(rule)


def first(m: Any, t: int) -> Any:
    return m / (1 - 0.9**t)


def second(v: Any, t: int) -> Any:
    return v / (1 - 0.99**t)


IMPLEMENTATIONS = {
    "eps inside the root": adam(lambda m, v, g, t: first(m, t) / np.sqrt(second(v, t) + 0.01)),
    "no eps": adam(lambda m, v, g, t: first(m, t) / np.sqrt(second(v, t))),
    "eps before the bias correction": adam(
        lambda m, v, g, t: first(m, t) * np.sqrt(1 - 0.99**t) / (np.sqrt(v) + 0.01)
    ),
    "no bias correction at all": adam(lambda m, v, g, t: m / (np.sqrt(v) + 0.01)),
    "no bias correction": adam(lambda m, v, g, t: m / (np.sqrt(second(v, t)) + 0.01)),
    "counted from 2 everywhere": adam(
        lambda m, v, g, t: first(m, t + 1) / (np.sqrt(second(v, t + 1)) + 0.01)
    ),
    "Nesterov's look-ahead": adam(
        lambda m, v, g, t: first(0.9 * m + 0.1 * g, t) / (np.sqrt(second(v, t)) + 0.01)
    ),
    "Nadam's look-ahead": adam(
        lambda m, v, g, t: (0.9 * first(m, t + 1) + 0.1 * first(g, t)) / (np.sqrt(second(v, t)) + 0.01)
    ),
    "not counted": adam(lambda m, v, g, t: first(m, 1) / (np.sqrt(second(v, 1)) + 0.01)),
    "another rate": adam(lambda m, v, g, t: 3 * first(m, t) / (np.sqrt(second(v, t)) + 0.01)),
    "initial state": adam(lambda m, v, g, t: first(m, t) / (np.sqrt(second(v, t)) + 0.01), (0.0, 0.1)),
}


@pytest.mark.parametrize("kind", IMPLEMENTATIONS)
def test_one_change_of_adam_is_found_and_no_other(kind: str) -> None:
    outcome = wb.same_iterates(Adam, IMPLEMENTATIONS[kind], iterations=12)
    assert not outcome.same
    assert [change[0] for e in outcome.explanations for change in e.changes] == [kind]
    assert outcome.explanations[0].difference < 1e-12


def test_the_listing_itself_has_the_same_iterates() -> None:
    outcome = wb.same_iterates(Adam, adam(lambda m, v, g, t: first(m, t) / (np.sqrt(second(v, t)) + 0.01)))
    assert outcome.same
    assert "same iterates up to 30" in str(outcome)


def test_two_changes_are_found_together() -> None:
    both = adam(lambda m, v, g, t: m / np.sqrt(second(v, t) + 0.01))
    (found,) = wb.same_iterates(Adam, both, iterations=8).explanations
    assert sorted(change[0] for change in found.changes) == ["eps inside the root", "no bias correction"]


def test_what_no_known_change_explains_is_said_with_its_place() -> None:
    outcome = wb.same_iterates(Adam, wb.method(lambda x, g, s: (x + 7 * g, None)), iterations=3)
    assert (outcome.iteration, outcome.run, outcome.coordinate) == (1, 0, 0)
    assert outcome.listing == pytest.approx(0.3, abs=0.11)
    assert "none of" in str(outcome)
    assert outcome.attempts > 50
    assert wb.same_iterates(Adam, Adam).same
    later = wb.method(lambda x, g, s: (x - 0.1 * g if (s or 0) < 3 else x, (s or 0) + 1))
    plain = SimpleNamespace(
        State=wb.state("x"),
        step=lambda s, t, c, oracle, draw, xp: s._replace(x=s.x - 0.1 * oracle.grad(s.x, draw(0))),
    )
    assert wb.same_iterates(plain, later, explain=False).iteration == 4


def moments(square: Any, root: Any = np.sqrt) -> Any:
    """Adam with something else in place of g * g."""

    def rule(x, g, state):
        t, m, v = (1, 0 * x, 0 * x) if state is None else state
        m, v = 0.9 * m + (1 - 0.9) * g, 0.99 * v + (1 - 0.99) * square(g)
        return x - 0.1 * first(m, t) / (root(second(v, t)) + 0.01), (t + 1, m, v)

    return wb.method(rule)


SQUARES = {
    "mean over the coordinates": moments(lambda g: np.mean(g * g)),
    "sum over the coordinates": moments(lambda g: np.sum(g * g)),
    "sizes in place of squares": moments(np.abs),
    "no root": moments(lambda g: g * g, lambda v: v),
}


@pytest.mark.parametrize("kind", SQUARES)
def test_what_stands_in_place_of_squares_is_found(kind: str) -> None:
    assert kinds_of(Adam, SQUARES[kind], iterations=10) == [[kind]]


def test_sizes_without_a_root_are_two_changes() -> None:
    (found,) = kinds_of(Adam, moments(np.abs, lambda v: v), iterations=10)
    assert sorted(found) == ["no root", "sizes in place of squares"]


class OneRate:
    """AdaGrad with one accumulator for all coordinates, as a listing."""

    State = wb.state("x", "v")
    Steps = wb.steps(eta=0.1, b=0.0)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return OneRate.State(start["x"], xp.zeros_like(start["x"]))

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        v = s.v + wb.ops.sq(g, xp)
        return OneRate.State(s.x - c.eta * g / xp.sqrt(v), v)


def test_a_rate_for_each_coordinate_is_found_and_an_eps_of_the_implementation() -> None:
    def adagrad(x, g, v, rate=0.1, eps=0.0):
        v = g * g if v is None else v + g * g
        return x - rate * g / (np.sqrt(v) + eps), v

    assert kinds_of(OneRate, wb.method(adagrad)) == [["each coordinate"]]
    assert kinds_of(OneRate, wb.method(adagrad, eps=0.05)) == [["each coordinate", "eps added"]]


class Adamax:
    State = wb.state("x", "u")
    Steps = wb.steps(eta=0.1, b=0.9, eps=0.05)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Adamax.State(start["x"], xp.zeros_like(start["x"]))

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        u = xp.maximum(c.b * s.u, xp.abs(g))
        return Adamax.State(s.x - c.eta * g / (u + c.eps), u)


class AdamaxWithout(Adamax):
    Steps = wb.steps(eta=0.1, b=0.9)

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        u = xp.maximum(c.b * s.u, xp.abs(g))
        return Adamax.State(s.x - c.eta * g / u, u)


class AdamaxInside(Adamax):
    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        u = xp.maximum(c.b * s.u, xp.abs(g) + c.eps)
        return Adamax.State(s.x - c.eta * g / u, u)


def test_the_place_of_eps_at_a_maximum_is_found() -> None:
    def inside(x, g, u, eps=0.05):
        u = np.maximum(0.0 if u is None else 0.9 * u, np.abs(g) + eps)
        return x - 0.1 * g / u, u

    def outside(x, g, u, eps=0.05):
        u = np.maximum(0.0 if u is None else 0.9 * u, np.abs(g))
        return x - 0.1 * g / (u + eps), u

    for listing in (Adamax, AdamaxWithout):
        assert kinds_of(listing, wb.method(inside)) == [["eps inside the maximum"]]
    assert wb.same_iterates(AdamaxInside, wb.method(inside)).same
    assert kinds_of(AdamaxInside, wb.method(outside)) == [["eps outside the maximum"]]
    assert kinds_of(AdamaxWithout, wb.method(outside)) == [["eps added"]]


def test_weight_decay_that_only_the_implementation_has_is_found() -> None:
    def rule(x, g, state, decay=0.02, apart=0.0):
        t, m, v = (1, 0 * x, 0 * x) if state is None else state
        g = g + decay * x
        m, v = 0.9 * m + (1 - 0.9) * g, 0.99 * v + (1 - 0.99) * g * g
        new = x - 0.1 * first(m, t) / (np.sqrt(second(v, t)) + 0.01) - 0.1 * apart * x
        return new, (t + 1, m, v)

    assert kinds_of(Adam, wb.method(rule)) == [["weight decay added"]]
    assert kinds_of(Adam, wb.method(rule, decay=0.0, apart=0.04)) == [["decoupled weight decay added"]]


def test_the_penalty_of_a_regressor_is_found() -> None:
    from sklearn.linear_model import SGDRegressor

    class Plain:
        State, Steps = wb.state("x"), wb.steps(eta=0.1)

        @staticmethod
        def step(s, t, c, oracle, draw, xp):
            return Plain.State(s.x - c.eta * oracle.grad(s.x, draw(0)))

    method = wb.method(SGDRegressor, learning_rate="constant", eta0=0.1)  # its alpha is 1e-4 by default
    (found,) = wb.same_iterates(Plain, method).explanations
    assert found.changes == (
        ("weight decay added", "oracle.grad(s.x, draw(0))", "oracle.grad(s.x, draw(0)) + 0.0001 * s.x"),
    )


def test_the_search_ends_with_its_budget_and_says_what_it_left_out() -> None:
    cubic = wb.method(lambda x, g, s: (x - 0.01 * g**3, None))
    whole = wb.same_iterates(Adam, cubic, iterations=6)
    assert whole.left_out == ()
    for most in (10, 500):
        part = wb.same_iterates(Adam, cubic, iterations=6, most=most)
        assert part.explanations == ()
        assert part.attempts <= most + 2 < whole.attempts
        assert f"not tried after {part.attempts} attempts: " in str(part)
    assert any(text.startswith("pairs among ") for text in part.left_out)
    nothing = wb.same_iterates(Adam, cubic, iterations=6, most=0)
    assert (nothing.attempts, nothing.left_out, "none of" in str(nothing)) == (0, (), False)


class Momentum:
    """With every place for weight decay, a decreasing rate and an average."""

    State = wb.state("x", "m", "z")
    Steps = wb.steps(eta=0.1, b=0.9, lam=0.3)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Momentum.State(start["x"], xp.zeros_like(start["x"]), start["x"])

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0)) + c.lam * s.x
        m = c.b * s.m + g
        x = s.x - c.eta / xp.sqrt(t) * m
        z = s.z + (x - s.z) / (t + 1)
        return Momentum.State(x, m, z)


def momentum(update: Any) -> Any:
    """update(x, m, g, rate) -> (x, m); its gradient is without the decay."""

    def rule(x, g, state):
        t, m, z = (1, np.zeros_like(x), x) if state is None else state
        x, m = update(x, m, g, 0.1 / np.sqrt(t))
        return x, (t + 1, m, z + (x - z) / (t + 1))

    return wb.method(rule)


def rate_first(x: Any, m: Any, g: Any, rate: float) -> Any:
    m = 0.9 * m + rate * (g + 0.3 * x)
    return x - m, m


def decoupled(x: Any, m: Any, g: Any, rate: float) -> Any:
    m = 0.9 * m + g
    return x - rate * m - rate * 0.3 * x, m


def decoupled_without_rate(x: Any, m: Any, g: Any, rate: float) -> Any:
    m = 0.9 * m + g
    return x - rate * m - 0.3 * x, m


def averaged(x: Any, m: Any, g: Any, rate: float) -> Any:
    m = 0.9 * m + (1 - 0.9) * (g + 0.3 * x)
    return x - rate * m, m


MOMENTA = {
    "the rate before the momentum": rate_first,
    "decoupled weight decay": decoupled,
    "decoupled weight decay without the rate": decoupled_without_rate,
    "average in place of sum": averaged,
}


@pytest.mark.parametrize("kind", MOMENTA)
def test_the_places_of_rate_decay_and_momentum_are_found(kind: str) -> None:
    outcome = wb.same_iterates(Momentum, momentum(MOMENTA[kind]), iterations=10)
    assert [change[0] for e in outcome.explanations for change in e.changes] == [kind]


def kinds_of(listing: Any, implementation: Any, **more: Any) -> list[list[str]]:
    """The kinds of the changes of each explanation."""
    outcome = wb.same_iterates(listing, implementation, **more)
    assert not outcome.same
    return [[change[0] for change in e.changes] for e in outcome.explanations]


class Lion:
    """With decoupled decay after the step, and two averages of the same memory."""

    State = wb.state("x", "m")
    Steps = wb.steps(eta=0.1, b1=0.9, b2=0.7, lam=0.3)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Lion.State(start["x"], xp.zeros_like(start["x"]))

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        d = c.eta * (c.b1 * s.m + (1 - c.b1) * g)
        m = c.b2 * s.m + (1 - c.b2) * g
        return Lion.State(s.x - d - c.lam * s.x, m)


def lion(b1: float = 0.9, b2: float = 0.7, sign: float = 1.0, lam: float = 0.0, decay: Any = None) -> Any:
    """decay: (x, d) -> what else is subtracted. lam: in the gradient."""

    def rule(x, g, m):
        m, g = 0 * x if m is None else m, g + lam * x
        d = 0.1 * (b1 * m + sign * (1 - b1) * g)
        return x - d - (0.3 * x if decay is None else decay(x, d)), b2 * m + (1 - b2) * g

    return wb.method(rule)


LIONS = {
    "another parameter": lion(b1=0.7),
    "exchanged parameters": lion(b1=0.7, b2=0.9),
    "the other sign": lion(sign=-1.0),
    "weight decay in the gradient": lion(lam=0.3, decay=lambda x, d: 0.0),
    "weight decay times the rate": lion(decay=lambda x, d: 0.1 * 0.3 * x),
    "weight decay after the step": lion(decay=lambda x, d: 0.3 * (x - d)),
    "weight decay after the step, times the rate": lion(decay=lambda x, d: 0.1 * 0.3 * (x - d)),
}


@pytest.mark.parametrize("kind", LIONS)
def test_parameters_signs_and_the_place_of_the_decay_are_found(kind: str) -> None:
    # 0.7 in place of b1 is b2, and stands in the implementation, too: two names of one change
    also = [["another number"]] if kind == "another parameter" else []
    assert kinds_of(Lion, LIONS[kind], iterations=10) == [[kind], *also]


def test_numbers_of_the_implementation_are_tried_in_place_of_the_listings() -> None:
    def rule(x, g, m, b1=0.95, b2=0.7, rate=0.1):
        m = 0 * x if m is None else m
        return x - rate * (b1 * m + (1 - b1) * g) - 0.3 * x, b2 * m + (1 - b2) * g

    (found,) = wb.same_iterates(Lion, wb.method(rule), iterations=10).explanations
    assert found.changes == (("another number", "c.b1", "0.95"),)
    (found,) = wb.same_iterates(Lion, wb.method(rule, b1=0.9, rate=0.2), iterations=10).explanations
    assert found.changes == (("another number", "c.eta", "0.2"),)

    def closed_over(b2):
        return lambda x, g, m: rule(x, g, m, b1=0.9, b2=b2)

    (found,) = wb.same_iterates(Lion, wb.method(closed_over(0.8)), iterations=10).explanations
    assert found.changes == (("another number", "c.b2", "0.8"),)


class Nesterov:
    State = wb.state("x", "y")
    Steps = wb.steps(eta=0.1, beta=0.9)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Nesterov.State(start["x"], start["x"])

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        x = s.y - c.eta * oracle.grad(s.y, draw(0))
        return Nesterov.State(x, x + c.beta * (x - s.x))


def test_a_growing_momentum_is_found_also_in_another_sequence() -> None:
    def rule(y, g, state):
        x, t = (y, 1) if state is None else state
        new = y - 0.1 * g
        return new + (t - 1) / (t + 2) * (new - x), (new, t + 1)

    assert kinds_of(Nesterov, wb.method(rule)) == [["a momentum that grows", "another sequence"]]


class Clipped:
    """The gradient is clipped, and what comes of it is averaged."""

    State = wb.state("x", "m")
    Steps = wb.steps(eta=0.5, beta=0.9, radius=0.4)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return Clipped.State(start["x"], xp.zeros_like(start["x"]))

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = wb.ops.into_ball(oracle.grad(s.x, draw(0)), c.radius, xp)
        m = c.beta * s.m + g
        return Clipped.State(s.x - c.eta * m, m)


class ClippedByHand(Clipped):
    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        m = c.beta * s.m + g * wb.ops.minimum(1.0, c.radius / wb.ops.norm(g, xp), xp)
        return Clipped.State(s.x - c.eta * m, m)


def ball(v: Any) -> Any:
    return v * min(1.0, 0.4 / float(np.linalg.norm(v)))


def clipping(of_gradient: Any, of_direction: Any, of_step: Any) -> Any:
    def rule(x, g, m):
        m = 0.9 * (0 * x if m is None else m) + of_gradient(g)
        return x - of_step(0.5 * of_direction(m)), m

    return wb.method(rule)


def same(v: Any) -> Any:
    return v


@pytest.mark.parametrize("listing", [Clipped, ClippedByHand])
def test_what_is_clipped_is_found(listing: Any) -> None:
    assert wb.same_iterates(listing, clipping(ball, same, same)).same
    for kind, implementation in {
        "no clipping": clipping(same, same, same),
        "clipping elsewhere": clipping(same, ball, same),
    }.items():
        assert kinds_of(listing, implementation) == [[kind]]
    (found,) = wb.same_iterates(listing, clipping(same, same, ball)).explanations
    assert [change[0] for change in found.changes] == ["clipping elsewhere"]


def test_coordinates_or_rows_are_clipped() -> None:
    by_coordinates = clipping(lambda g: np.clip(g, -0.4, 0.4), same, same)
    assert kinds_of(Clipped, by_coordinates) == [["clipping by coordinates"]]
    assert kinds_of(
        Lion, wb.method(lambda x, g, m: clipped_lion(x, g, 0 * x if m is None else m)), iterations=10
    ) == [["gradient clipped to norm 1"]]


def clipped_lion(x: Any, g: Any, m: Any) -> Any:
    g = g * min(1.0, 1.0 / float(np.linalg.norm(g)))
    return x - 0.1 * (0.9 * m + (1 - 0.9) * g) - 0.3 * x, 0.7 * m + (1 - 0.7) * g


def test_another_sequence_of_the_listing_is_an_explanation() -> None:
    class Swapped(Momentum):
        State = wb.state("x", "y")

        @staticmethod
        def init(start, c, oracle, draw, xp):
            return Swapped.State(start["x"], start["x"])

        @staticmethod
        def step(s, t, c, oracle, draw, xp):
            y = s.y - c.eta * oracle.grad(s.y, draw(0))
            return Swapped.State(y + 1.0, y)

    outcome = wb.same_iterates(Swapped, wb.method(lambda x, g, s: (x - 0.1 * g, None)), iterations=5)
    assert ("another sequence", "x", "y") in [change for e in outcome.explanations for change in e.changes]


def test_which_iterates_are_averaged_is_found() -> None:
    def rule(x, g, state):
        t, m, z = (0, np.zeros_like(x), x) if state is None else state
        m = 0.9 * m + g + 0.3 * x
        return x - 0.1 / np.sqrt(t + 1) * m, (t + 1, m, z + (x - z) / (t + 2))

    outcome = wb.same_iterates(Momentum, wb.method(rule, output=lambda state, x: state[2]))
    assert (outcome.iteration, outcome.vector, outcome.coordinate) == (1, "z", 0)
    assert "first z_2 of run 0, coordinate 0" in str(outcome)
    assert [change for e in outcome.explanations for change in e.changes] == [
        ("the value before this step", "x", "s.x")
    ]


def test_a_change_is_found_behind_the_rounding_of_32_bit_floats() -> None:
    def rule(x, g, state):
        t, m, z = (0, np.zeros_like(x), x) if state is None else state
        m = 0.9 * m + (1 - 0.9) * (g + 0.3 * x)
        return x - float(np.float32(0.1 / np.sqrt(t + 1))) * m, (t + 1, m, z)

    outcome = wb.same_iterates(Momentum, wb.method(rule))
    assert [change[0] for e in outcome.explanations for change in e.changes] == ["average in place of sum"]
    assert 1e-9 < outcome.explanations[0].difference < 1e-6
    assert "size of rounding in 32-bit floats" in str(outcome)


BOX = wb.Box(-0.5, 0.5)


class Projected:
    State = wb.state("x")
    Steps = wb.steps(eta=0.3)

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        return Projected.State(BOX.project(s.x - c.eta * oracle.grad(s.x, draw(0)), xp))


def test_the_order_of_projection_and_step_is_found() -> None:
    outcome = wb.same_iterates(Projected, wb.method(lambda x, g, s: (np.clip(x, -0.5, 0.5) - 0.3 * g, None)))
    kinds = [change[0] for e in outcome.explanations for change in e.changes]
    assert kinds == ["projection before the step"]


class AMSGrad:
    State = wb.state("x", "v", "u")
    Steps = wb.steps(eta=0.1, b=0.9, eps=1e-3)

    @staticmethod
    def init(start, c, oracle, draw, xp):
        return AMSGrad.State(start["x"], xp.zeros_like(start["x"]), xp.zeros_like(start["x"]))

    @staticmethod
    def step(s, t, c, oracle, draw, xp):
        g = oracle.grad(s.x, draw(0))
        v = c.b * s.v + (1 - c.b) * g * g
        u = xp.maximum(s.u, v / (1 - c.b**t))
        return AMSGrad.State(s.x - c.eta * g / (xp.sqrt(u) + c.eps), v, u)


def test_the_bias_correction_of_a_maximum_is_found() -> None:
    def rule(x, g, state):
        t, v, u = (1, 0.0, 0.0) if state is None else state
        v = 0.9 * v + (1 - 0.9) * g * g
        u = np.maximum(u, v)
        return x - 0.1 * g / (np.sqrt(u / (1 - 0.9**t)) + 1e-3), (t + 1, v, u)

    outcome = wb.same_iterates(AMSGrad, wb.method(rule))
    assert [change[0] for e in outcome.explanations for change in e.changes] == [
        "bias correction after the maximum"
    ]


def test_changes_are_all_different_and_leave_the_listing_as_it_is() -> None:
    tree = ast.parse(Path(__file__).read_text())
    (step,) = [n for c in tree.body if isinstance(c, ast.ClassDef) and c.name == "Adam" for n in c.body
               if isinstance(n, ast.FunctionDef) and n.name == "step"]  # fmt: skip
    before = ast.unparse(step)
    texts = [variant.text for variant in neighbours(Variant(step), ("m", "v"))]
    assert len(set(texts)) == len(texts) > 20
    assert ast.unparse(step) == before


def test_what_cannot_be_compared_is_said() -> None:
    with pytest.raises(ValueError, match="a float is no method"):
        wb.same_iterates(1.0, adam)
    with pytest.raises(ValueError, match="the listing is an optimizer of a library"):
        wb.same_iterates(wb.method(lambda x, g, s: (x, s)), Adam)
    names: dict[str, Any] = {"wb": wb}
    exec("State = wb.state('x')\ndef step(s, t, c, oracle, draw, xp):\n    return State(s.x * 2)", names)
    hidden = SimpleNamespace(**names)
    with pytest.raises(ValueError, match="source of the listing's step is not at hand"):
        wb.same_iterates(hidden, Adam)


PAPER = """
import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


def rule(x, g, state, eta):
    return x - eta * g, None


STUDY = wb.Study(__name__, "SGD", metric="gap")
PARTS = {"problem": wb.problems.Quadratic(wb.Sphere(0.5)), "start": {"x": [1.0, 2.0]}, "horizon": 100, "runs": 8}
LISTED = STUDY.simulation(step, Steps(0.1), **PARTS)
SAME = STUDY.simulation(wb.method(rule, eta=0.1), name="same", **PARTS)
OTHER = STUDY.simulation(wb.method(rule, eta=0.2), name="other", **PARTS)
"""


def test_the_command_compares_simulations_and_names_of_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_sgd.py").write_text(PAPER)
    library = tmp_path / "library"
    library.mkdir()
    (library / "own_rules.py").write_text("def sgd(x, g, state, rate=0.1):\n    return x - rate * g, None\n")
    monkeypatch.syspath_prepend(library)

    def ran(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["compare", "my_sgd.py/sim-main", *words])
        return done.exit_code, done.output

    assert ran("my_sgd.py/sim-same")[0] == 0
    status, text = ran("my_sgd.py/sim-other", "--iterations", "5")
    assert (status, "rule(eta=0.2): other iterates, first x_2 of run 0" in text) == (1, True)
    assert ran("own_rules.sgd")[0] == 0
    assert ran("own_rules.sgd", "rate=0.3")[0] == 1
    assert ran("own_rules.sgd", "rate")[1].strip().endswith("write NAME=VALUE, as learning_rate=0.1")
    assert "rate is given twice" in ran("own_rules.sgd", "rate=0.3", "rate=0.1")[1]
    assert "nan by the implementation" in ran("own_rules.sgd", "rate=nan")[1]
    assert "own_rules has no 'adam'" in ran("own_rules.adam")[1]
    assert "is of kind paper" in CliRunner().invoke(app, ["compare", "my_sgd.py", "own_rules.sgd"]).output
