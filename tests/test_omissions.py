"""What a call does not judge: every claim with its reason, in the document, in captions and of whole theorems."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from workbench.claims import plan
from workbench.claims.plan import Piloted, Plan
from workbench.run import catalog
from workbench.run.options import Options
from workbench.verdicts import omissions, verify
from workbench.verdicts.omissions import Omission, Reason

WHY = "decided by 1.0 standard errors only, 3.7 are wanted; about 300 runs would do"


@pytest.fixture(scope="module")
def default() -> tuple[list[Any], list[Omission]]:
    judged, left_out = verify.chosen_claims([], Options("default"))
    return judged, omissions.omissions(left_out, "default")


def test_every_claim_that_is_not_judged_has_a_reason(default: tuple[list[Any], list[Omission]]) -> None:
    judged, omitted = default
    claims = verify.claims()
    assert len(judged) + len(omitted) == len(claims)
    for o in omitted:
        planned = "default" in o.claim.profiles
        assert (o.reason in (Reason.RUNS, Reason.PILOTS)) == planned == bool(o.details)
        assert str(o).startswith(f"not judged: {o.claim.evidence}; {o.claim.experiment}: ")
        assert o.record()["id"] == o.claim.id


def with_open(monkeypatch: pytest.MonkeyPatch, *claims: Any, against: bool = False) -> None:
    """A plan that leaves these claims out of the default profile, whatever they judge."""
    ids = {c.id: WHY for c in claims}
    piloted = Piloted(open=ids, against=dict.fromkeys(ids, True) if against else {})
    made = Plan({"default": piloted})
    monkeypatch.setattr(plan, "of", lambda paper: made)
    monkeypatch.setattr(verify.plans, "check_used", lambda *_: None)


def a_rate() -> Any:
    """A rate of a theorem's own method in profile default."""
    return next(
        c
        for c in catalog.claims()
        if c.evidence == "rate" and omissions.is_of_runs(c) and "default" in c.profiles
    )


@pytest.mark.parametrize(("against", "said"), [(False, "for want of runs"), (True, "do not show it")])
def test_a_caption_names_the_curves_that_nothing_judges(
    monkeypatch: pytest.MonkeyPatch, against: bool, said: str
) -> None:
    claim = a_rate()
    with_open(monkeypatch, claim, against=against)
    options = Options("default")
    told = omissions.in_caption(omissions.of_figure(claim.paper, claim.needs, options))
    assert told.startswith("Claims about these runs that are not judged: rate of ")
    assert claim.experiment in told
    assert said in told
    # Neither a figure of other curves nor one of the user's own runs.
    assert not omissions.of_figure(claim.paper, claim.needs[:-1], options)
    assert not omissions.of_figure(claim.paper, claim.needs, Options("default", runs=5))
    assert omissions.in_caption([]) == ""


def test_a_theorem_without_a_judged_curve_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    key = a_rate().key
    claims = [c for c in catalog.claims() if c.key == key]
    with_open(monkeypatch, *(c for c in claims if omissions.is_of_runs(c)))
    told = omissions.silent([key], "default")
    assert set(told) == {key}
    assert WHY in told[key]
    with_open(monkeypatch, *(c for c in claims if omissions.is_of_runs(c) and c is not a_rate()))
    assert omissions.silent([key], "default") == {}


def test_wrong_methods_judge_no_theorem() -> None:
    sims: Mapping[str, Any] = catalog.simulations()
    wrong = [c for c in catalog.claims() if c.needs and any(sims[k].mutation for k in c.needs)]
    assert wrong
    assert not any(map(omissions.is_of_runs, wrong))


def test_a_theorem_that_nothing_could_judge() -> None:
    count: Any = SimpleNamespace(key="nobody/thm-1", needs=("nobody/sim-1",), evidence="complexity")
    assert (
        omissions.without_runs("nobody/thm-1", [count]) == "No claim about it is one that runs could decide."
    )
