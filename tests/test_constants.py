"""The checker of constants: what it must see, and that every instance of the tree says what is sampled of it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from declared_constants import check, mistakes, planted, record, verdict
from discover import modules, short

import workbench.claims
import workbench.problems
from workbench.arrays.noise import Gaussian, Sphere
from workbench.arrays.ops import norm, sq
from workbench.claims.constants import Constants, extreme, ratios
from workbench.cli.instance_list import start_of
from workbench.evidence.verdicts import Verdict
from workbench.problems.samples import (
    Deviation,
    Diameter,
    Distance,
    Gap,
    Lipschitz,
    Noise,
    Norm,
    Space,
    StronglyMonotone,
    Supremum,
)
from workbench.run import catalog

RNG = np.random.default_rng(0)


# --------------------------------------------------------------------------------- every instance there is


def claimed() -> list[Constants]:
    """The records of all papers; those that differ in their theorem alone once."""
    found = {}
    for made in catalog.claims():
        if isinstance(made, Constants):
            found.setdefault((made.key.split("/")[0], made.label), made)
    return list(found.values())


@cache
def simulated() -> dict[type, tuple[Any, Mapping[str, np.ndarray]]]:
    """Class -> an instance of it that some simulation runs on, and its start."""
    found: dict[type, Any] = {}
    for sim in catalog.simulations().values():
        batch = sim.make(sim.horizon["quick"], 1)
        found.setdefault(type(batch.instance), (batch.instance, batch.start))
    return found


def test_every_constant_is_sampled_or_has_a_reason():
    classes = {
        c
        for module in modules(workbench.problems)
        for _, c in inspect.getmembers(module, inspect.isclass)
        if c.__module__ == module.__name__ and hasattr(c, "COSTS") and hasattr(c, "metrics")
    }
    bases = {base for c in classes for base in c.__mro__[1:]}
    others = {c: (c(), start_of(c())) for c in classes - bases - set(simulated())}  # that no simulation uses
    for cls, (instance, start) in {**simulated(), **others}.items():
        constants, samples = instance.constants(start), instance.samples(start)
        without = constants.keys() - samples.keys() - instance.unsampled.keys()
        assert not without, f"{short(cls)} neither samples nor gives a reason for {sorted(without)}"
        assert not samples.keys() & instance.unsampled.keys(), short(cls)
        assert all(reason.strip() for reason in instance.unsampled.values()), short(cls)


@pytest.mark.parametrize("made", claimed(), ids=lambda made: made.label)
def test_a_constant_planted_wrong_is_violated(made):
    """Each constant of each instance that papers claim something of."""
    names = mistakes(made)
    assert names
    for name in names:
        assert verdict(planted(made, name)) is Verdict.VIOLATED, name


def test_assumptions_are_claimed_by_this_checker_alone():
    claims = [c for c in catalog.claims() if c.evidence == "assumptions"]
    assert all(isinstance(c, Constants) for c in claims)
    assert len({(c.key, c.experiment) for c in claims}) == len(claims)


# ------------------------------------------------------------------------------------------- the samplers

PLANE = Space((2,))
BOX = Space((2,), lambda x, xp: xp.clip(x, -1.0, 2.0))
HESSIAN = np.array([[3.0, 1.0], [1.0, -2.0]])
LARGEST = float(np.abs(np.linalg.eigvalsh(HESSIAN)).max())


def sine(x, xp):
    return xp.sin(3.0 * x)


def noisy(x, xi, xp):
    return x + Sphere(0.7)(xi, x.shape[-1], 0, xp)


@pytest.mark.parametrize(
    ("sample", "value"),
    [
        (Supremum(BOX, lambda x, xp: -sq(x - 0.3, xp)), 0.0),
        (Norm(BOX, lambda x, xp: x), np.sqrt(8.0)),
        (Norm(Space((1, 1), BOX.project), lambda x, y, xp: (x, xp.sin(y))), np.sqrt(5.0)),
        (Lipschitz(PLANE, lambda x, xp: x @ HESSIAN), LARGEST),
        (Lipschitz(PLANE, sine), 3.0),
        (Lipschitz(BOX, lambda x, xp: xp.exp(x)), np.exp(2.0)),
        (Lipschitz(Space((1, 1)), lambda x, y, xp: 5.0 * x + 2.0 * y, block=1), 2.0),
        (Lipschitz(PLANE, lambda x, xi, xp: xi.sign(1) * x + 0.5 * x, noisy=True), 1.5),
        (Lipschitz(Space((1,), None, (1.0, 2.0, 7.0)), lambda t, x, xp: xp.sin(t * x)), 7.0),
        (StronglyMonotone(Space((1, 2)), lambda x, y, xp: y @ (HESSIAN + 4.0 * np.eye(2))), None),
        (Noise(PLANE, noisy, lambda x, xp: x), 0.7),
        (Noise(PLANE, noisy, lambda x, xp: x, lower=True), 0.7),
        (Deviation(PLANE, lambda x, xi, xp: x + 0.5 * xi.normal(2), lambda x, xp: x), np.sqrt(0.5)),
        (Gap(lambda x, xp: sq(x - 1.0, xp), lambda x, xp: 2.0 * (x - 1.0), np.array([[3.0, 1.0]])), 4.0),
        (Gap(sq, lambda x, xp: 2.0 * x, np.array([[3.0, 1.0]]), lambda x, xp: xp.maximum(x, 1.0)), 8.0),
        (Distance(lambda v, xp: (v - 2.0) @ np.diag([1.0, 30.0]), np.array([[5.0, 6.0]])), 5.0),
        (Diameter(3, lambda c, xp: -xp.sign(c)), np.sqrt(12.0)),
    ],
    ids=lambda v: type(v).__name__ if not isinstance(v, float) else "",
)  # fmt: skip
def test_an_extreme_value_is_found_and_not_exceeded(sample, value):
    (found,) = extreme(sample, np.random.default_rng(1))
    value = float(np.linalg.eigvalsh(HESSIAN).min()) + 4.0 if value is None else value
    tolerance = 0.01 if isinstance(sample, Deviation) else 1e-4
    assert found == pytest.approx(value, rel=tolerance, abs=1e-9)
    assert found >= value * (1 - 1e-9) if sample.lower else found <= value + 1e-9 * abs(value)


def test_every_row_of_the_start_has_its_own_gap_and_distance():
    point = np.array([[1.0], [2.0], [-3.0]])
    gap = extreme(Gap(lambda x, xp: sq(x, xp), lambda x, xp: 2.0 * x, point), RNG)
    np.testing.assert_allclose(gap, [1.0, 4.0, 9.0], rtol=1e-12)
    np.testing.assert_allclose(extreme(Distance(lambda v, xp: v, point), RNG), [1.0, 2.0, 3.0], rtol=1e-12)


def test_what_is_no_record_is_refused():
    with pytest.raises(TypeError, match="float"):
        extreme(1.0, RNG)


# -------------------------------------------------------------------------------------------- the verdict


@dataclass
class Parabola:
    """(bend/2) |x|^2 with declared constants and records to try."""

    bend: float = 1.0
    L: Any = 1.0
    mu: Any = 1.0
    extra: Any = None

    unsampled = {"n": "a count"}  # noqa: RUF012

    def constants(self, start):
        return {"L": self.L, "mu": self.mu, "n": 3}

    def samples(self, start):
        gradient = lambda x, xp: self.bend * x  # noqa: E731
        return {
            "L": Lipschitz(PLANE, gradient),
            "mu": StronglyMonotone(PLANE, gradient),
            **(self.extra or {}),
        }


def test_a_right_instance_holds_and_says_what_is_not_sampled():
    finding = record(Parabola(), {}).finding({})
    assert finding.value == pytest.approx(1.0)
    assert finding.runs == 2
    assert "; not sampled: n; sampled at points" in finding.note
    check(Parabola(), {})


LOOSE = {"M": Norm(BOX, lambda x, xp: x, reaches=0.5)}


@pytest.mark.parametrize(
    ("instance", "derived", "expected", "shown"),
    [
        (Parabola(L=0.99), {}, Verdict.VIOLATED, "L"),
        (Parabola(mu=1.01), {}, Verdict.VIOLATED, "mu"),
        (Parabola(L=np.nan), {}, Verdict.VIOLATED, "L"),
        (Parabola(bend=-1.0), {}, Verdict.VIOLATED, "mu"),  # concave: a negative quotient is no small one
        (Parabola(bend=-1.0, mu=0.0), {}, Verdict.VIOLATED, "mu"),
        (Parabola(bend=0.0, L=0.0, mu=0.0), {}, Verdict.HOLDS, "L"),
        (Parabola(bend=1.0, L=0.0, mu=1.0), {}, Verdict.VIOLATED, "L"),
        (Parabola(L=1.1), {}, Verdict.INCONCLUSIVE, "L"),
        (Parabola(L=np.inf), {}, Verdict.INCONCLUSIVE, "L"),
        (Parabola(mu=0.9), {}, Verdict.INCONCLUSIVE, "mu"),
        (Parabola(extra=LOOSE), {"M": 4.0}, Verdict.HOLDS, "L"),
        (Parabola(extra=LOOSE), {"M": 2.8}, Verdict.VIOLATED, "M"),
        (Parabola(extra=LOOSE), {"M": 6.0}, Verdict.INCONCLUSIVE, "M"),
        (Parabola(extra=LOOSE), {}, Verdict.HOLDS, "L"),  # a sample without a value
    ],
)
def test_verdicts(instance, derived, expected, shown):
    made = record(instance, {}, derived=lambda constants: derived)
    assert verdict(made) is expected
    assert made.finding({}).note.startswith(f"{shown} is furthest")


def test_what_is_missed_is_shown_before_what_is_attained():
    """The loose constant has the smaller ratio, and does what it says."""
    made = record(Parabola(L=1.05, extra=LOOSE), {}, derived=lambda constants: {"M": 5.0})
    assert made.finding({}).note.startswith("L is furthest")


def test_noise_without_a_bound_cannot_hold():
    law, line = Gaussian(1.0), Space((1,))
    maps = (lambda x, xi, xp: x + law(xi, 1, 0, xp)), (lambda x, xp: x)
    noise = {"low": Noise(line, *maps, lower=True), "high": Noise(line, *maps)}
    assert ratios({"low": law.low, "high": law.high}, noise) == {"low": 0.0, "high": 0.0}


def test_sampling_is_reproducible():
    samples = {"L": Lipschitz(Space((3,)), lambda x, xp: sine(x, xp) * norm(xp.cos(x), xp))}
    a, b, c = (ratios({"L": 3.0}, samples, seed=s)["L"] for s in (0, 0, 1))
    assert a == b != c


def test_a_constant_of_which_nothing_is_promised_is_named():
    nothing = {"M": Norm(BOX, lambda x, xp: x, reaches=0.0)}
    made = record(Parabola(extra=nothing), {}, derived=lambda constants: {"M": 1e9})
    assert verdict(made) is Verdict.HOLDS
    assert "loose: M (0); not sampled: n; sampled" in made.finding({}).note


def test_where_nothing_is_promised_nothing_can_hold():
    nothing = {n: Lipschitz(PLANE, lambda x, xp: x, reaches=0.0) for n in ("L", "mu")}
    with pytest.raises(ValueError, match="constants of the test: no sample promises to attain its constant"):
        record(Parabola(extra=nothing), {}).finding({})
