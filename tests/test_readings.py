"""Readings and claims as data: where exponents come from, what is refused, and that claim and figure see one curve."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
from sympy import S, Symbol, log, symbols

from workbench import evidence
from workbench.claims.batches import LONG, always, named, powers, profile
from workbench.claims.claimed_exponents import Claimed, by_case, by_law, by_statement
from workbench.claims.claims import Custom, caught
from workbench.claims.competition import Competition, Method
from workbench.claims.oracle_calls import Count
from workbench.claims.rate_of_bound import exponents
from workbench.claims.readings import Reading, Readings
from workbench.claims.records import PROFILES, Batch, Simulation
from workbench.claims.scaling import Scaling
from workbench.claims.study import Study
from workbench.claims.views import as_recorded, at_horizons, calls_of, increments, iterates, window_means
from workbench.engine.records import Grid, Result
from workbench.evidence.verdicts import Verdict, decide
from workbench.run import catalog
from workbench.run.options import Options, UsageError
from workbench.theory.record import Case, Form, Law, Paper, Statement, Theorem
from workbench.verdicts import verify

T, tau, v, h = symbols("T tau v h", positive=True)
PAPER = Paper("demo", "Demo", "Nobody", "nowhere")
LAW = Law("regret", {tau: tau}, {"start": S.Zero, "bias": 1 - 2 * tau, "drift": h, "values": v}, (), "L1")
FORM = Form("printed", ((Symbol("bound"), 3 * T ** (S.One / 2)),), "L2")
THEOREM = Theorem(
    key="demo/thm-1", paper=PAPER, title="Demo", statement="", source="L1", metric="R", assumes=(), probability=S.One,
    forms=(FORM,), cases=(Case("root", {}, S.One / 2, "L1"), Case("at tau", {}, 1 - tau, "L1")), schedule={},
    generic={}, laws=(LAW,),
)  # fmt: skip
STUDY = Study(
    PAPER,
    metric="R_sum",
    view=increments,
    since=1 / 64,
    tol=0.04,
    vanishing={"drift": "H_T", "values": "V_T"},
)


def make(horizon: int, runs: int) -> Batch:
    raise AssertionError("a claim rebuilds no batch")


SIM = STUDY.simulation_from("one", "One", "method", make, powers(8, 10, 12), always(4))
MARKS = np.unique(np.round(2.0 ** np.arange(0, 16.01, 0.25))).astype(int)


def result(values: np.ndarray, **more: Any) -> Result:
    """(rows, M) of R_sum with one grid point, unless params say otherwise."""
    rows = len(values)
    fields: dict[str, Any] = {
        "marks": MARKS,
        "data": {"R_sum": values},
        "params": {},
        "run_ids": np.arange(rows),
        "status": np.zeros(rows, int),
        "failed_at": np.zeros(rows, int),
        "calls": {"gradient": 2 * MARKS[None, :]},
        "elapsed": np.linspace(0.0, 1.0, len(MARKS)),
        "constants": {"H_T": np.zeros((1, len(MARKS))), "V_T": np.zeros((1, 1))},
        **more,
    }
    return Result(**fields)


def power(exponent: float, spread: float = 0.05, runs: int = 24) -> np.ndarray:
    """(runs, M): a multiple of T^exponent for each run, on a large constant that increments forget."""
    factors = np.exp(spread * np.random.default_rng(0).standard_normal((runs, 1)))
    return factors * MARKS[None, :] ** exponent + 1000.0


def verdict(claim: Any, held: Result) -> str:
    (decision,) = decide([claim.finding({SIM.key: held})])
    return str(decision.verdict)


# ------------------------------------------------------------------------------------- where exponents come from


def test_the_largest_term_that_is_there_is_claimed():
    shown = STUDY.vanishing
    assert by_law(THEOREM, LAW, {"tau": 0.3}, vanishing=shown).value == pytest.approx(0.4)
    assert by_law(THEOREM, LAW, {"tau": 0.3, "h": 0.7}, vanishing=shown).value == pytest.approx(0.7)
    assert by_law(THEOREM, LAW, {"tau": 0.8}, vanishing=shown).value == 0.0  # the start
    assert by_law(THEOREM, LAW, {"tau": 0.8}, vanishing=shown, forgets=True).value == pytest.approx(-0.6)
    assert by_case(THEOREM, "at tau", {"tau": 0.25}).value == 0.75


def test_a_statement_has_the_exponent_of_its_formula():
    error = Statement("demo/lem-1", PAPER, "Error", 3 * h * log(T) / T ** (S.One / 2), "by hand")
    assert by_statement(error, T) == Claimed(-0.5, "demo/lem-1")


def test_a_bound_names_what_is_bounded_unless_its_study_does():
    assert STUDY.bound(THEOREM, "printed", SIM).experiment == "One; printed"
    assert STUDY.bound(THEOREM, "printed", SIM, "gap").experiment == "One; gap, printed"


def test_a_term_is_isolated_only_where_no_other_is_larger():
    shown = {**STUDY.vanishing, "bias": "p"}
    assert by_law(THEOREM, LAW, {"tau": 0.4, "h": 0.3}, "drift", shown).value == pytest.approx(0.3)
    with pytest.raises(
        ValueError, match=r"'drift' \(exponent 0.3\) cannot be isolated, because 'bias' \(0.6\) is larger"
    ):
        by_law(THEOREM, LAW, {"tau": 0.2, "h": 0.3}, "drift", shown)
    absent = by_law(THEOREM, LAW, {"tau": 0.2, "h": 0.3}, "drift", shown, absent=("bias",))
    assert absent.value == pytest.approx(0.3)
    assert absent.absent == {"bias": "p", "values": "V_T"}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"at": {"tau": 0.3}}, ValueError, "no quantity proves that the term 'drift' is absent"),
        (
            {"at": {"tau": 0.3}, "term": "drift", "vanishing": {"drift": "H", "values": "V"}},
            ValueError,
            "is absent and cannot be isolated",
        ),
        ({"at": {"tau": 0.3}, "term": "wind"}, KeyError, "wind"),
        ({"at": {"tau": 0.3}, "absent": ("wind",)}, KeyError, "wind"),
    ],
)
def test_a_law_refuses(given, error, message):
    with pytest.raises(error, match=message):
        by_law(THEOREM, LAW, **given)


def test_a_case_refuses_what_it_does_not_know():
    with pytest.raises(KeyError, match="square"):
        by_case(THEOREM, "square", {})
    with pytest.raises(ValueError, match="needs a value for tau"):
        by_case(THEOREM, "at tau", {})


def test_every_reading_of_the_tree_says_where_its_exponent_comes_from():
    readings = [c.reading for c in catalog.claims() if hasattr(c, "reading")]
    assert len(readings) > 100
    assert all(r.claimed.source and np.isfinite(r.claimed.value) for r in readings)


def test_a_term_said_to_be_absent_must_vanish_on_the_instance():
    reading = STUDY.reading(THEOREM, SIM, law="regret", at={"tau": 0.3})
    assert verdict(reading.tight(), result(power(0.4))) == "holds"
    moving = {"H_T": np.ones((1, len(MARKS))), "V_T": np.zeros((1, 1))}
    with pytest.raises(ValueError, match="'drift' is declared absent, but H_T is not 0"):
        reading.tight().finding({SIM.key: result(power(0.4), constants=moving)})
    with pytest.raises(ValueError, match="does not record H_T"):
        reading.tight().finding({SIM.key: result(power(0.4), constants={})})


def test_absent_terms_count_on_the_rows_that_are_read():
    """Another grid point may move."""
    values = np.concatenate([power(0.4), power(0.9)])
    held = result(
        values,
        run_ids=np.tile(np.arange(24), 2),
        params={"tau": np.repeat([0.3, 0.1], 24)},
        constants={"H_T": np.repeat([0.0, 1.0], 24)[:, None], "V_T": np.zeros((1, 1))},
    )
    still, moving = STUDY.readings(THEOREM, SIM, [{"tau": 0.3}, {"tau": 0.1}], law="regret")
    assert verdict(still.tight(), held) == "holds"
    with pytest.raises(ValueError, match="H_T is not 0"):
        moving.tight().finding({SIM.key: held})


# ------------------------------------------------------------------------------------------------------ verdicts


@pytest.mark.parametrize(
    ("true", "rate", "tight"),
    [(0.4, "holds", "holds"), (0.2, "holds", "violated"), (0.6, "violated", "violated")],
)
def test_verdicts_of_one_reading(true, rate, tight):
    reading = STUDY.reading(THEOREM, SIM, law="regret", at={"tau": 0.3})
    held = result(power(true))
    assert verdict(reading.rate(), held) == rate
    assert verdict(reading.tight(), held) == tight
    expected = {"holds": "violated", "violated": "holds"}[rate]
    assert verdict(reading.caught(), held) == expected
    assert reading.slope({SIM.key: held}).value == pytest.approx(true, abs=0.01)


def test_a_level_is_read_in_the_view_of_its_reading():
    """The increments of 3 T^0.4, whatever the constant below it; the knowledge of the study reaches the formula."""
    study = dataclasses.replace(STUDY, known=lambda r: {"size": 3.0})
    reading = study.reading(THEOREM, SIM, law="regret", at={"tau": 0.3})
    held = result(3.0 * (power(0.4, runs=128) - 1000.0) + 7.0)
    right = reading.level(lambda T, size, **_: size * T**0.4, "level")
    wrong = reading.level(lambda T, **_: 4.0 * T**0.4, "another level")
    assert verdict(right, held) == "holds"
    assert verdict(wrong, held) == "violated"
    assert right.experiment == "One, level"


def test_a_bound_reads_across_horizons_where_its_study_does():
    """Else it would compare rows with parameters of another horizon at every mark; other views are for slopes alone."""
    assert dataclasses.replace(STUDY, view=at_horizons).bound(THEOREM, "printed", SIM).view is at_horizons
    assert dataclasses.replace(STUDY, view=increments).bound(THEOREM, "printed", SIM).view is as_recorded


def test_the_only_form_needs_no_name():
    (form,) = THEOREM.forms
    other = dataclasses.replace(THEOREM, forms=(dataclasses.replace(form, name="derived here"),))
    assert other.form().name == "derived here"
    with pytest.raises(KeyError, match="derived here"):
        other.form("repaired")
    two = dataclasses.replace(THEOREM, forms=(*other.forms, dataclasses.replace(form, name="repaired")))
    with pytest.raises(KeyError, match="not 'printed'"):
        two.form()


def test_a_grid_without_points_is_refused():
    with pytest.raises(ValueError, match=r"Grid\(\[\{\}\], runs\)"):
        Grid([], 4)


def test_a_bound_takes_every_grid_point_and_every_run():
    bound = STUDY.bound(THEOREM, "printed", SIM)
    below = np.concatenate([2.0 * np.sqrt(MARKS)[None, :]] * 6)
    held = result(below, run_ids=np.tile(np.arange(3), 2), params={"p": np.repeat([1.0, 2.0], 3)})
    values, marks = bound.read(held, "R_sum")
    assert values.shape == (3, 2 * len(MARKS))
    assert len(marks) == 2 * len(MARKS)
    assert verdict(bound, held) == "holds"
    above = below.copy()
    above[3:, -1] *= 2.0  # at the second point, at the last mark only
    assert verdict(bound, result(above, run_ids=held.run_ids, params=held.params)) == "violated"
    assert (
        verdict(
            dataclasses.replace(bound, points=({"p": 1.0},)),
            result(above, run_ids=held.run_ids, params=held.params),
        )
        == "holds"
    )
    assert verdict(caught(dataclasses.replace(bound, over=2.0)), held) == "holds"


def test_a_bound_with_a_probability_takes_the_theorems_share():
    delta = Symbol("delta", positive=True)
    theorem = dataclasses.replace(THEOREM, probability=1 - 3 * delta)
    bound = STUDY.bound(theorem, "printed", SIM)
    assert bound.failure({"delta": 0.02}) == pytest.approx(0.06)
    assert STUDY.bound(THEOREM, "printed", SIM).failure({}) == 0.0
    assert dataclasses.replace(bound, delta=0.3).failure({}) == 0.3


def test_counts_and_customs():
    held = result(power(0.4))
    assert verdict(Count(THEOREM, SIM, "gradient", 2), held) == "holds"
    assert verdict(Count(THEOREM, SIM, "gradient", 3), held) == "violated"
    assert verdict(Count(THEOREM, SIM, "hessian", 0), held) == "holds"
    assert verdict(Count("demo/table-1", SIM, "gradient", lambda r: 2.0 * r.horizon), held) == "holds"
    own = Custom("demo/thm-1", "scaling", "own", lambda results: evidence.exponent(1, 1), (SIM.key,))
    assert (own.key, own.evidence, own.experiment, own.needs) == ("demo/thm-1", "scaling", "own", (SIM.key,))
    assert verdict(own, held) == str(Verdict.HOLDS)


def test_an_exponent_that_does_not_follow_needs_a_finding():
    follows, not_covered = exponents(THEOREM)[:2]
    assert follows.expected == "holds"
    noted = exponents(THEOREM, {("printed", "root"): "E1"})[0]
    assert (noted.expected, noted.note) == ("violated", "E1")
    with pytest.raises(ValueError, match="no such form and case"):
        exponents(THEOREM, {("printed", "square"): "E1"})
    assert not_covered.experiment == "printed, at tau"


def test_scaling_reads_each_point_where_its_rows_end():
    points = [{"sigma": s} for s in (0.1, 0.2, 0.4, 0.8)]
    values = np.concatenate([s**0.5 * power(0.0, runs=24) for s in (0.1, 0.2, 0.4, 0.8)])
    held = result(
        values, run_ids=np.tile(np.arange(24), 4), params={"sigma": np.repeat([0.1, 0.2, 0.4, 0.8], 24)}
    )
    readings = STUDY.readings(THEOREM, SIM, points, claimed=Claimed(0.0, "by hand"), view=as_recorded)
    assert verdict(Scaling(readings, "sigma", 0.5, "sigma"), held) == "holds"
    assert verdict(Scaling(readings, "sigma", 1.0, "sigma"), held) == "violated"


# ----------------------------------------------------------------------------------------------- names and families


def test_names_say_title_label_point_and_metric():
    reading = STUDY.reading(THEOREM, SIM, {"tau": 0.3, "until": 64.0}, law="regret", label=", twice")
    assert reading.in_words() == "One, twice; tau = 0.3"
    other = STUDY.reading(THEOREM, SIM, law="regret", at={"tau": 0.3}, metric=calls_of("gradient"))
    assert other.in_words() == "One; gradient calls"
    assert reading.rate(note="why", profiles=LONG).note == "why"
    assert reading.rate(profiles=LONG).profiles == LONG
    assert reading.rate().profiles == PROFILES


def test_families_choose_by_grid_point():
    made = STUDY.readings(THEOREM, SIM, [{"tau": t} for t in (0.1, 0.2, 0.3)], law="regret", profiles=LONG)
    assert [r.where["tau"] for r in made.where(tau=(0.1, 0.3))] == [0.1, 0.3]
    assert isinstance(made + made, Readings)
    assert all(r.profiles == PROFILES for r in made.every_profile())
    assert len(made.tight()) == 3
    with pytest.raises(ValueError, match="where"):
        made.where(sigma=1.0)


def test_profiles_and_names():
    assert profile(1, 2, 3) == dict(zip(PROFILES, (1, 2, 3), strict=True))
    assert always(7) == profile(7, 7, 7)
    assert named(SIM) == {"one": SIM}
    assert isinstance(SIM, Simulation)
    assert SIM.algorithm == "demo.method"
    wrong = STUDY.simulation_from("two", "Two", "baselines.sgd", make, always(1), always(2), wrong="K = 1")
    assert (wrong.kind, wrong.algorithm, wrong.chosen) == ("falsifier", "baselines.sgd", "K = 1")


# ------------------------------------------------------------------------------------------------------------ views


def test_a_competition_gives_each_method_its_simulation():
    asked = []
    methods = (Method("a", "Method A", "own", dict), Method("b", "Method B", "baselines.b", dict))
    shown = Competition(STUDY, "fig-7", methods, lambda method, horizon, runs: asked.append((method, runs)))
    sims = shown.simulations(always(9), runs=profile(1, 2, 3), chosen="data")
    assert tuple(s.key for s in sims) == shown.keys == ("demo/sim-fig-7-a", "demo/sim-fig-7-b")
    assert [s.algorithm for s in sims] == ["demo.own", "baselines.b"]
    assert (sims[0].title, sims[0].kind, sims[0].chosen) == ("Figure 7, Method A", "paper", "data")
    sims[1].make(9, 2)
    assert asked == [(methods[1], 2)]
    held = {key: result(power(1.0)) for key in shown.keys}
    assert [(m.name, r is held[shown.key(m)]) for m, r in shown.results(held)] == [("a", True), ("b", True)]


def test_views_of_a_power():
    held, mask = result(power(0.6, spread=0.0)), np.ones(24, bool)
    for view, exponent in ((increments, 0.6), (iterates(), 0.6)):
        values, marks = view(held, "R_sum", mask)
        if view is not increments:
            values = values - 1000.0
            # t = mark - 1 is one less: the power is that of t + 1
            marks = marks + 1
        found = np.log(values[0, -1] / values[0, -9]) / np.log(marks[-1] / marks[-9])
        assert found == pytest.approx(exponent, abs=1e-3)
    values, marks = iterates(first=3, period=4, phase=1)(held, "R_sum", mask)
    assert np.all(marks >= 3)
    assert np.all(marks % 4 == 1)
    running = result(np.cumsum(np.ones((2, len(MARKS))), axis=1))
    means, at = window_means(running, "R_sum", np.ones(2, bool))
    assert means.shape == (2, len(at))


def test_rows_are_read_at_their_own_horizon():
    values = np.arange(4.0)[:, None] * np.ones(len(MARKS)) + MARKS
    held = result(values, run_ids=np.tile(np.arange(2), 2), params={"until": np.repeat([64.0, 256.0], 2)})
    read, horizons = at_horizons(held, "R_sum", np.ones(4, bool))
    np.testing.assert_array_equal(horizons, [64.0, 256.0])
    np.testing.assert_array_equal(read, [[64.0, 2.0 + 256.0], [1.0 + 64.0, 3.0 + 256.0]])
    mixed = result(values, run_ids=np.arange(4) % 2, params={"until": np.full(4, 64.0)})
    with pytest.raises(ValueError, match="4 rows end at T = 64, not 2: give values for the other parameters"):
        at_horizons(mixed, "R_sum", np.ones(4, bool))


def test_a_reading_of_no_row_names_the_grid():
    reading = Reading(THEOREM, SIM, {"sigma": 3.0}, Claimed(0.0, "by hand"), "R_sum")
    held = result(power(0.4), params={"sigma": np.ones(24)})
    with pytest.raises(KeyError, match=r"no run where sigma = 3; the grid holds sigma = 1"):
        reading.curve({SIM.key: held})


def test_a_false_premise_is_no_matter_of_the_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the user's own numbers, too: one sentence, and not the advice to run longer."""
    reading = STUDY.reading(THEOREM, SIM, law="regret", at={"tau": 0.3})
    held = result(power(0.4), constants={"H_T": np.ones((1, len(MARKS))), "V_T": np.zeros((1, 1))})
    with pytest.raises(UsageError, match=r"demo/thm-1, One: .*'drift' is declared absent, but H_T is not 0"):
        verify.evaluate(reading.rate(), {SIM.key: held}, Options("quick", horizon=100, runs=2))
    short = result(power(0.4)[:, :2], marks=MARKS[:2])
    found = verify.evaluate(reading.rate(), {SIM.key: short}, Options("quick", horizon=2, runs=2))
    assert found.note.startswith("not computed")


@pytest.mark.parametrize(
    ("kind", "metric", "view", "wrong"),
    [
        ("last iterate", "R", as_recorded, ""),
        ("last iterate", "R_mean", as_recorded, "is about a last iterate, which R_mean is not"),
        ("last iterate", lambda result: 0, increments, "a view of quantities ..._sum does not show"),
        ("best", "R_sum", increments, "is about a best, which R_sum is not"),
        ("running mean", "R_mean", window_means, ""),
        ("running mean", "R", at_horizons, "is about a running mean, which R is not"),
        ("regret", "R_sum", increments, ""),
        ("regret", "R", at_horizons, ""),
        ("regret", "R_max", as_recorded, "is about a regret, which R_max is not"),
        ("", "R_max", as_recorded, ""),
    ],
)
def test_what_is_read_is_of_the_theorems_kind(kind: str, metric: Any, view: Any, wrong: str) -> None:
    """Refused in one place, for readings and bounds."""
    about = dataclasses.replace(THEOREM, metric_kind=kind)
    study = dataclasses.replace(STUDY, metric=metric, view=view)
    makers = [lambda: study.reading(about, SIM, claimed=0.5)]
    if not view.of:
        makers.append(lambda: study.bound(about, "printed", SIM, view=view))
    for make in makers:
        if wrong:
            with pytest.raises(ValueError, match=re.escape(wrong)):
                make()
        else:
            assert make().metric == metric


def test_a_kind_of_metric_is_one_of_five() -> None:
    with pytest.raises(ValueError, match="metric_kind is 'mean'; there are last iterate, average, best,"):
        dataclasses.replace(THEOREM, metric_kind="mean")
