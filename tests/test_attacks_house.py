"""Attacks on claims as data: mistakes of an author that must be refused, and facts about every claim of the tree."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sympy import Symbol
from test_readings import LAW, MARKS, SIM, STUDY, THEOREM, make, power, result, tau, verdict

from workbench.claims.batches import always
from workbench.claims.claimed_exponents import Claimed, by_law
from workbench.claims.claims import Bound, Caught, Claim
from workbench.claims.oracle_calls import Count
from workbench.claims.readings import Reading
from workbench.claims.records import Batch
from workbench.claims.scaling import Scaling
from workbench.claims.views import as_recorded, at_horizons, increments, window_means
from workbench.engine import stored_constants
from workbench.engine.records import Problem
from workbench.run import catalog
from workbench.run.options import Options
from workbench.verdicts import verify

# ------------------------------------------------------------------------------------------------------ exponents


def test_a_misspelt_symbol_is_no_absent_term():
    with pytest.raises(ValueError, match="no symbol 'tua'; there are h, tau, v"):
        STUDY.readings(THEOREM, SIM, law="regret", at={"tau": 0.3, "tua": 0.3})
    with pytest.raises(ValueError, match="at tau: no symbol 'v'; there are tau"):
        STUDY.readings(THEOREM, SIM, case="at tau", at={"tau": 0.3, "v": 0.1})


def test_a_law_claims_nothing_outside_its_ranges():
    law = dataclasses.replace(LAW, ranges=(tau <= 0.5, tau >= Symbol("v", positive=True)))
    shown = STUDY.vanishing
    assert by_law(THEOREM, law, {"tau": 0.5, "v": 0.5 + 1e-16}, vanishing=shown).value == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"claimed for tau <= 0.5\d* only, not at {'tau': 0.6}"):
        by_law(THEOREM, law, {"tau": 0.6}, vanishing=shown)
    with pytest.raises(ValueError, match="claimed for tau >= v only"):
        by_law(THEOREM, law, {"tau": 0.1, "v": 0.2}, vanishing=shown)


def test_a_law_without_a_term_left_says_so():
    with pytest.raises(ValueError, match="every term is absent or forgotten"):
        by_law(THEOREM, LAW, {}, vanishing={**STUDY.vanishing, "bias": "p"}, forgets=True)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_an_exponent_is_finite(value):
    with pytest.raises(ValueError, match="must be finite"):
        STUDY.readings(THEOREM, SIM, law="regret", at={"tau": value})


@pytest.mark.parametrize("field", ["theorem", "sim", "where"])
def test_an_exponent_belongs_to_its_theorem_simulation_and_point(field):
    readings = STUDY.readings(THEOREM, SIM, [{"tau": 0.3}], law="regret")
    change = {"theorem": THEOREM, "sim": SIM, "where": {"tau": 0.1}}[field]
    for use in (readings.but, readings[0].rate):
        with pytest.raises(ValueError, match=f"another {field} has an exponent of its own"):
            use(**{field: change})
        use(**{field: change}, claimed=Claimed(0.0, "by hand"))


# ---------------------------------------------------------------------------------------------------- absent terms


def absent_of_rows(values: Any, **more: Any) -> str:
    """What a reading of the first of two grid points finds where V_T has these values."""
    held = result(
        np.concatenate([power(0.4), power(0.9)]),
        run_ids=np.tile(np.arange(24), 2),
        params={"tau": np.repeat([0.3, 0.1], 24)},
        constants={"H_T": np.zeros((1, 1)), "V_T": values},
        **more,
    )
    return verdict(STUDY.reading(THEOREM, SIM, {"tau": 0.3}, law="regret").tight(), held)


def test_the_shapes_in_which_a_quantity_may_vanish():
    assert absent_of_rows(np.zeros((1, 1))) == "holds"
    assert absent_of_rows(np.zeros((1, len(MARKS)))) == "holds"
    assert absent_of_rows(np.repeat([0.0, 1.0], 24)[:, None]) == "holds"
    assert absent_of_rows(np.repeat([[0.0], [1.0]], 24, axis=0) * np.ones(len(MARKS))) == "holds"


@pytest.mark.parametrize(
    "values",
    [
        np.full((1, 1), np.nan),
        np.full((1, 1), 1e-300),
        np.eye(1, len(MARKS), len(MARKS) - 1),  # at the last mark only
        np.repeat([1.0, 0.0], 24)[:, None],
        np.eye(48, 1, -23),  # in the last row of the point only
    ],
)
def test_a_quantity_that_does_not_vanish(values):
    with pytest.raises(ValueError, match="V_T is not 0"):
        absent_of_rows(values)


# ------------------------------------------------------------------------------------------------------------ views


def r_sum(held):
    return held.table("R_sum")


def test_a_level_under_window_means():
    """Means over (T/2, T] of a running mean 3 T^-1/2 are not 3 T^-1/2."""
    reading = STUDY.reading(THEOREM, SIM, claimed=Claimed(-0.5, "by hand"), view=window_means, metric=r_sum)
    running = 3.0 * np.exp(0.01 * np.random.default_rng(0).standard_normal((24, 1))) * MARKS**-0.5
    assert verdict(reading.level(lambda T, **_: 3.0 * T**-0.5, "level"), result(running)) == "holds"


def test_no_verdict_comes_of_too_few_marks():
    held = result(power(0.4)[:, -1:], marks=MARKS[-1:], constants={})
    for view in (as_recorded, increments, window_means):
        reading = STUDY.reading(THEOREM, SIM, claimed=Claimed(0.4, "by hand"), view=view, metric=r_sum)
        with pytest.raises((ValueError, IndexError)):
            reading.tight().finding({SIM.key: held})


def test_horizons_of_no_row_and_of_half_the_rows():
    held = result(power(0.4), params={"until": np.repeat([64.0, 256.0], 12)})
    with pytest.raises(ValueError, match="12 rows end at T = 64, not 24"):
        at_horizons(held, "R_sum", np.ones(24, bool))
    with pytest.raises(ValueError, match="need at least one array"):
        at_horizons(held, "R_sum", np.zeros(24, bool))


# ------------------------------------------------------------------------------------------------ families, scaling


def test_a_grid_point_is_found_up_to_round_off_and_none_is_dropped():
    made = STUDY.readings(THEOREM, SIM, [{"tau": t} for t in (0.1, 0.3)], law="regret")
    assert len(made.where(tau=0.1 + 0.2)) == 1
    assert len(made.where(tau=(0.1, 0.1 + 0.2))) == 2
    with pytest.raises(ValueError, match=r"no reading where tau = 0\.4"):
        made.where(tau=(0.1, 0.4))


def test_readings_beside_something_else_are_a_plain_tuple():
    made = STUDY.readings(THEOREM, SIM, [{"tau": 0.1}], law="regret")
    other = ("other",)
    assert type(made + other) is type(other + made) is tuple


def test_a_scaling_of_several_simulations_or_without_its_parameter():
    other = STUDY.simulation_from("two", "Two", "method", make, always(9), always(2))
    one, two = (STUDY.reading(THEOREM, s, {"sigma": 1.0}, case="root") for s in (SIM, other))
    with pytest.raises(ValueError, match="one simulation"):
        Scaling((one, two), "sigma", 0.5, "sigma")
    with pytest.raises(ValueError, match="one simulation"):
        Scaling((), "sigma", 0.5, "sigma")
    with pytest.raises(ValueError, match="not every grid point has a value of kappa"):
        Scaling((one,), "kappa", 0.5, "kappa")


def test_a_scaling_before_its_curve_starts():
    """Increments start at mark 2, and no view has a value between its marks."""
    for T in (1.0, 100.5):
        held = result(power(0.4, runs=4), params={"until": np.full(4, T)}, constants={})
        reading = STUDY.reading(THEOREM, SIM, {"until": T}, case="root")
        with pytest.raises(ValueError, match=f"the view has no value at T = {T:g}"):
            Scaling((reading,), "until", 0.5, "until").finding({SIM.key: held})
    with pytest.raises(ValueError, match="tol is 0; wanted a positive number"):
        Scaling((reading,), "until", 0.5, "until", tol=0.0)


# ----------------------------------------------------------------------------------------------------------- bounds


def test_a_bound_at_a_point_without_rows():
    bound = STUDY.bound(THEOREM, "printed", SIM, points=({"p": 3.0},))
    with pytest.raises(KeyError, match=r"no run where p = 3; the grid holds p = 1"):
        bound.finding({SIM.key: result(power(0.4), params={"p": np.ones(24)})})


@pytest.mark.parametrize("run_ids", [[0, 1, 2, 1, 0, 2], [0, 1, 2, 0, 1, 1], [0, 0, 1, 1, 2, 2]])
def test_a_bound_whose_points_have_their_runs_in_another_order(run_ids):
    held = result(np.ones((6, len(MARKS))), run_ids=np.array(run_ids), params={"p": np.repeat([1.0, 2.0], 3)})
    with pytest.raises(ValueError, match="differ in their noise identities"):
        STUDY.bound(THEOREM, "printed", SIM).finding({SIM.key: held})


@pytest.mark.parametrize("over", [-1.0, np.inf, np.nan])
def test_a_bound_that_says_nothing_is_refused(over):
    with pytest.raises(ValueError, match=r"must be finite and positive|is no divisor"):
        STUDY.bound(THEOREM, "printed", SIM, over=over).finding({SIM.key: result(power(0.4))})


def test_a_bound_that_is_infinite_at_the_first_mark_names_it():
    """T = 0 in the paper's count: the author must leave the mark out, and is told which."""
    held = result(np.ones((24, len(MARKS))))
    with pytest.raises(ValueError, match=rf"at mark {MARKS[0]}, with shift {-MARKS[0]} .*iterates"):
        STUDY.bound(THEOREM, "printed", SIM, shift=-int(MARKS[0])).finding({SIM.key: held})


@pytest.mark.parametrize("failed", [1, 12, 24])
def test_failed_rows_never_make_a_bound_hold_unseen(failed):
    values = 0.1 * np.sqrt(MARKS) * np.ones((24, 1))
    values[:failed, -1] = np.nan
    finding = STUDY.bound(THEOREM, "printed", SIM).finding({SIM.key: result(values)})
    assert f"{failed} of 24 runs failed" in finding.note
    assert finding.diverged == (failed > 1)


def test_a_probability_needs_its_delta():
    theorem = dataclasses.replace(THEOREM, probability=1 - Symbol("delta", positive=True))
    with pytest.raises(ValueError, match="the probability 1 - delta needs delta in what is known"):
        STUDY.bound(theorem, "printed", SIM).finding({SIM.key: result(power(0.4))})


# ----------------------------------------------------------------------------------------------------------- counts


def test_every_run_makes_the_listed_calls():
    calls = {"gradient": 2 * MARKS * np.ones((24, 1), int)}
    assert verdict(Count(THEOREM, SIM, "gradient", 2), result(power(0.4), calls=calls)) == "holds"
    calls["gradient"][5] -= 1  # one run does with fewer
    assert verdict(Count(THEOREM, SIM, "gradient", 2), result(power(0.4), calls=calls)) == "violated"


def test_a_listing_of_parts_of_calls():
    """2^16 (2 + 1e-6) is 131072.07, which is not to be rounded to what was measured."""
    with pytest.raises(ValueError, match="no whole number"):
        Count(THEOREM, SIM, "gradient", 2 + 1e-6).finding({SIM.key: result(power(0.4))})


# --------------------------------------------------------------------------------------- what a problem says of itself


def promised(values: Any, method: str = "constants") -> dict[str, np.ndarray]:
    """What a result of 3 rows and 5 marks would carry."""
    instance = SimpleNamespace(**{method: lambda given: {"c": values}})
    return stored_constants.constants(Problem(None, instance, None, {"x": np.zeros((3, 1))}), np.arange(1, 6))


@pytest.mark.parametrize(
    "values", [1, 2.5, True, np.float32(2), np.nan, np.ones((3, 1)), [[1.0]], np.ones(1)]
)
def test_numbers_and_columns_are_carried(values):
    assert promised(values)["c"].dtype == float


@pytest.mark.parametrize(
    "values",
    ["two", None, 1j, np.ones(3), np.ones(5), np.ones((3, 5)), np.ones((2, 1)), np.ones((3, 1, 1)), [[]]],
)
def test_a_constant_that_a_result_cannot_carry_is_refused(values):
    """Three numbers in a row might be three rows, three marks or a vector."""
    with pytest.raises(ValueError, match=r"constants: c is neither a number nor \(rows, 1\)"):
        promised(values)


def test_a_drift_has_a_value_at_each_mark():
    assert promised(np.ones(5), "drift")["c"].shape == (1, 5)
    with pytest.raises(ValueError, match=r"drift: c is neither a number nor \(rows, 1\) nor \(M,\)"):
        promised(np.ones(4), "drift")


# -------------------------------------------------------------------------------------------- every claim of the tree


def inside(claim: Any) -> Claim:
    return inside(claim.claim) if isinstance(claim, Caught) else claim


def readings() -> Iterator[Reading]:
    for claim in map(inside, catalog.claims()):
        if isinstance(claim, Scaling):
            yield from claim.readings
        elif hasattr(claim, "reading"):
            yield claim.reading


@cache
def batch(key: str) -> Batch:
    sim = catalog.simulations()[key]
    return sim.make(sim.horizon["quick"], 2)


def test_every_exponent_is_that_of_a_law_or_case_of_its_own_theorem():
    derived = 0
    for r in readings():
        if isinstance(r.theorem, str):
            continue
        kind, _, rest = r.claimed.source.partition(" ")
        if kind == "law":
            assert r.theorem.law(rest.partition(", term ")[0]).terms, r.claimed.source
        elif kind == "case":
            assert r.theorem.case(rest) in r.theorem.cases, r.claimed.source
        derived += kind in ("law", "case")
    assert derived > 20  # an empty walk would pass everything


def test_a_symbol_named_like_a_grid_parameter_is_that_parameter_of_the_algorithm():
    """Instances have letters of their own, such as the exponents a and b of what drifts."""
    compared = 0
    for r in readings():
        kind, _, rest = r.claimed.source.partition(" ")
        if kind not in ("law", "case") or isinstance(r.theorem, str):
            continue
        law = kind == "law"
        claimed = r.theorem.law(rest.partition(", term ")[0]) if law else r.theorem.case(rest)
        terms = claimed.terms.values() if law else [claimed.claimed]
        taken = {s.name for t in terms for s in t.free_symbols} & r.where.keys()
        made = batch(r.sim.key)
        for name in taken:
            steps = np.broadcast_to(getattr(made.steps, name), (made.grid.rows, 1))
            np.testing.assert_array_equal(steps, made.grid[name], err_msg=f"{r.sim.key}: {name}")
            compared += 1
    assert compared


def test_every_counted_resource_is_one_that_its_instance_has():
    """A misspelt one is never called, and a listing of 0 would hold."""
    counted = 0
    for claim in map(inside, catalog.claims()):
        quantity = claim.metric if isinstance(claim, Bound) else getattr(claim, "reading", claim)
        names = [claim.resource] if isinstance(claim, Count) else []
        metric = getattr(quantity, "metric", quantity)
        if callable(metric) and metric.__name__.endswith(" calls"):
            names.append(metric.__name__.removesuffix(" calls"))
        for name in names:
            (sim,) = claim.needs
            assert any(name in costs for costs in batch(sim).instance.COSTS.values()), (claim.key, name)
            counted += 1
    assert counted


@pytest.mark.parametrize("paper", sorted({c.key.split("/")[0] for c in verify.claims()}))
def test_a_paper_alone_is_decided_like_the_paper_among_all(paper):
    """The same claims in the same order, hence the same families."""
    alone = [c for part in verify.chosen_claims([paper], Options("full")) for c in part]
    among = [
        c
        for part in verify.chosen_claims([], Options("full"))
        for c in part
        if verify.family_of(c)[0] == paper
    ]
    assert list(map(id, alone)) == list(map(id, among))
