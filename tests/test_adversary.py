"""The search for the worst instance of a family: admissible points, fresh noise, and stored instances that replay."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from thin import one_in

from workbench.claims import families
from workbench.claims.families import BadFound, Parameter
from workbench.engine.records import Status
from workbench.homes.papers import Home
from workbench.run import catalog
from workbench.verdicts.studies import adversary
from workbench.verdicts.studies.adversary import FRESH, GOALS, SEARCH, UsageError, Value

FAMILIES = catalog.families()
STORED = [(f, r) for f in FAMILIES for r in f.worst_instances()]
SHORT = {"horizon": 16, "runs": 3}


def test_every_paper_has_a_family_and_stored_instances():
    papers = set(catalog.papers_in_view())
    assert {f.theorem.paper.key for f in FAMILIES} == papers
    assert {f.theorem.paper.key for f, _ in STORED} == papers
    assert {(f.key, r["goal"]) for f, r in STORED} == {(f.key, g) for f in FAMILIES for g in GOALS}


@pytest.mark.parametrize(
    ("family", "record"), one_in(2, STORED, unpack=True), ids=lambda x: getattr(x, "key", "")
)
def test_a_stored_instance_replays(family, record):
    again = adversary.replay(family, record)
    assert again.value == pytest.approx(record["fresh"]["value"], rel=1e-9)
    assert again.low == pytest.approx(record["fresh"]["low"], rel=1e-9)
    assert again.high == pytest.approx(record["fresh"]["high"], rel=1e-9)


@pytest.mark.parametrize(("family", "record"), STORED, ids=lambda x: getattr(x, "key", ""))
def test_a_stored_instance_is_admissible_and_worse_than_the_usual_one(family, record):
    assert record["form"] == family.form
    sides = {p.name: (p.low, p.high) for p in family.parameters}
    assert all(sides[n][0] <= value <= sides[n][1] for n, value in record["parameters"].items())
    found, usual = record["fresh"]["value"], record["usual"]["value"]
    assert found <= usual if record["goal"] == "slack" else found >= usual
    if record["goal"] == "slack":
        assert record["fresh"]["low"] > 1  # no bound is violated


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "\xff", "[" * 5000, '{"worst_found": 1}', '{"worst_found": [{}]}',
        '{"worst_found": [{"theorem": KEY, "family": NAME}]}',
        '{"worst_found": [{"theorem": KEY, "family": NAME, "fresh": {}, "parameters": []}]}',
    ],
)  # fmt: skip
def test_a_damaged_file_of_found_instances_is_one_sentence(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = FAMILIES[0]
    monkeypatch.setattr(families, "home_of", lambda paper: Home(paper, tmp_path))
    assert family.worst_instances() == []
    named = text.replace("KEY", json.dumps(family.theorem.key)).replace("NAME", json.dumps(family.name))
    family.file.write_bytes(named.encode("latin-1"))
    with pytest.raises(BadFound, match=r"does not hold the worst instances found .* --search"):
        family.worst_instances()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.key)
def test_the_corners_of_the_box_can_be_evaluated(family):
    """The theorem admits every point of the box, or the search would avoid what it cannot evaluate."""
    for share in (0.0, 1.0):
        point = {p.name: p.at(share) for p in family.parameters}
        result = adversary._result(family, point, 8, 2, SEARCH)
        assert (result.status == Status.OK).all()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.key)
def test_fresh_noise_is_not_that_of_the_search(family):
    one, same, other = (
        adversary._result(family, family.usual, 16, 3, noise).data[family.metric][:, -1]
        for noise in (SEARCH, SEARCH, FRESH)
    )
    assert (one == same).all()
    assert (one != other).any()


# ------------------------------------------------------------------------------------- planted


@pytest.fixture
def planted(monkeypatch):
    """A family whose slack is least, 10, where every parameter is at 0.3 of its side; and the noises asked for."""
    family, asked = FAMILIES[0], []

    def value(family, goal, point, horizon, runs, noise):
        asked.append(noise)
        away = sum((p.share(point[p.name]) - 0.3) ** 2 for p in family.parameters)
        return Value(10 * math.exp(away) if goal == "slack" else -away, 0.0, 0.0, runs)

    monkeypatch.setattr(adversary, "evaluate", value)
    return family, asked


@pytest.mark.parametrize("goal", GOALS)
def test_a_planted_worst_instance_is_found(planted, goal):
    family, asked = planted
    found = adversary.search(family, goal, 600, **SHORT)
    assert all(p.share(found.point[p.name]) == pytest.approx(0.3, abs=0.06) for p in family.parameters)
    assert found.evaluations <= 600
    assert asked.count(FRESH) == 2  # the found and the usual instance, after the search
    assert asked[-2:] == [FRESH, FRESH]
    assert found.fresh.runs == adversary.MORE * SHORT["runs"]


def test_the_same_search_finds_the_same_instance(planted):
    family, _ = planted
    first, second = (adversary.search(family, "slack", 60, **SHORT).record() for _ in range(2))
    assert first == second


def test_a_point_that_cannot_be_evaluated_is_avoided(monkeypatch):
    def value(family, goal, point, horizon, runs, noise):
        name = family.parameters[0].name
        if point[name] > family.parameters[0].at(0.5):
            raise ValueError("not admissible")
        return Value(5.0, 5.0, 5.0, runs)

    monkeypatch.setattr(adversary, "evaluate", value)
    family = FAMILIES[0]
    found = adversary.search(family, "slack", 90, **SHORT)
    assert found.point[family.parameters[0].name] <= family.parameters[0].at(0.5)


def test_a_run_that_is_not_finite_is_the_worst_there_is(monkeypatch):
    real = adversary._result

    def broken(*args):
        result = real(*args)
        result.status[0] = Status.NONFINITE
        return result

    monkeypatch.setattr(adversary, "_result", broken)
    family = FAMILIES[0]
    assert adversary.evaluate(family, "slack", family.usual, 16, 3, SEARCH).value == 0.0
    assert adversary.evaluate(family, "slope", family.usual, 16, 3, SEARCH).value == float("inf")


# ------------------------------------------------------------------------------------- mistakes


def test_mistakes_are_sentences():
    family = FAMILIES[0]
    with pytest.raises(UsageError, match="needs a budget of at least"):
        adversary.search(family, "slack", 3)
    with pytest.raises(UsageError, match="needs a horizon of at least 16"):
        adversary.search(family, "slope", 200, horizon=8)
    other = next(k for k in catalog.theorems() if k not in {f.theorem.key for f in FAMILIES})
    with pytest.raises(UsageError, match="no family of instances is declared"):
        adversary.families_of([other])


@pytest.mark.parametrize("side", [(1.0, 1.0, False), (2.0, 1.0, False), (0.0, 1.0, True)])
def test_a_side_that_is_none_is_refused(side):
    with pytest.raises(ValueError, match="is no side of a box"):
        Parameter("a", *side)


@pytest.mark.parametrize("logarithmic", [False, True])
def test_shares_and_values(logarithmic):
    p = Parameter("a", 0.5, 8.0, logarithmic)
    assert (p.at(0.0), p.at(1.0)) == (0.5, 8.0)
    assert p.share(p.at(0.37)) == pytest.approx(0.37)
