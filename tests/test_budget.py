"""The error budget: families decide for themselves, and a new paper changes no verdict of another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from workbench.claims.claims import Custom
from workbench.evidence import Finding
from workbench.evidence.budget import FAMILIES, LEVEL, decide_by_family
from workbench.evidence.verdicts import Verdict, decide
from workbench.run.options import Options
from workbench.run.store.results import Store
from workbench.verdicts import verify


def finding(p: float) -> Finding:
    """One that holds at any level above p."""
    return Finding("rate", claimed=0.0, value=0.0, low=-1.0, high=1.0, p_if_wrong=p, p_if_right=1.0, runs=9)


def test_a_family_is_decided_as_if_it_were_alone():
    findings, families = [finding(p) for p in (1e-9, 4e-4, 1e-3, 0.2)], ["a", "b", "a", "b"]
    found = decide_by_family(findings, families)
    alone = {
        name: decide([f for f, g in zip(findings, families, strict=True) if g == name], LEVEL / len(FAMILIES))
        for name in "ab"
    }
    assert found == [alone["a"][0], alone["b"][0], alone["a"][1], alone["b"][1]]
    assert [str(d.verdict) for d in found] == ["holds", "holds", "holds", "inconclusive"]


def test_every_claim_of_the_tree_has_a_family_of_its_own_paper():
    families = {verify.family_of(c) for c in verify.claims()}
    papers = {paper for paper, _ in families}
    assert families <= {(paper, family) for paper in papers for family in FAMILIES}
    lemma = next(c for c in verify.claims() if c.evidence == "lemma")
    other = next(c for c in verify.claims() if c.evidence == "rate")
    assert verify.family_of(lemma)[1] != verify.family_of(other)[1]


def test_a_paper_with_500_claims_changes_no_verdict_of_another():
    """Some of its claims hold clearly, some are at the edge, many are noise."""
    rng = np.random.default_rng(0)
    ours = [finding(p) for p in (1e-12, 1e-6, 3e-5, 1.2e-4, 2e-3, 0.3)]
    theirs = [finding(float(p)) for p in 10.0 ** rng.uniform(-7, 0, 500)]
    before = decide_by_family(ours, [("ours", "claims")] * len(ours))
    together = decide_by_family(
        [*theirs[:250], *ours, *theirs[250:]],
        [*[("theirs", "claims")] * 250, *[("ours", "claims")] * len(ours), *[("theirs", "claims")] * 250],
    )
    after = together[250 : 250 + len(ours)]
    assert after == before
    assert {str(d.verdict) for d in before} == {"holds", "inconclusive"}
    one_pot = decide([*theirs, *ours], LEVEL)[500:]  # what it would cost to share one budget
    assert sum(d.verdict == Verdict.HOLDS for d in one_pot) < sum(d.verdict == Verdict.HOLDS for d in before)


def claims(paper: str, p_values: Sequence[float]) -> list[Custom]:
    return [
        Custom(f"{paper}/thm-1", "rate", f"{n}", lambda _, p=p: finding(p)) for n, p in enumerate(p_values)
    ]


def test_verify_keeps_the_verdicts_of_a_paper_beside_another(tmp_path: Path) -> None:
    """The same through the command's own function: whole lines, intervals included."""
    ours = claims("ours", [1e-12, 1e-6, 3e-5, 1.2e-4, 2e-3, 0.3])
    theirs = claims("theirs", list(10.0 ** np.random.default_rng(1).uniform(-7, 0, 500)))
    alone = verify.verify(ours, Options("quick"), Store(tmp_path))
    beside = verify.verify([*theirs, *ours], Options("quick"), Store(tmp_path))[500:]
    assert [line.decision for line in beside] == [line.decision for line in alone]
    assert [line.record()["verdict"] for line in beside] == [str(line.decision.verdict) for line in alone]
