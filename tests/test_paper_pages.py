"""The page README.md of every shipped paper: it names its theorems, and the errata that refute a statement."""

from __future__ import annotations

import re

import pytest

from workbench.homes import papers
from workbench.run import catalog

PAPERS = [home for home in papers.homes() if home.key != papers.COMPETITORS]


@pytest.mark.parametrize("home", PAPERS, ids=lambda home: home.key)
def test_the_page_names_what_the_paper_claims_and_what_is_wrong(home: papers.Home) -> None:
    page = (home.path / "README.md").read_text()
    own = [key.removeprefix(f"{home.key}/") for key in catalog.theorems() if key.startswith(f"{home.key}/")]
    assert [name for name in own if f"`{name}`" not in page] == []
    refuted = {
        check.erratum
        for key, lemma in catalog.lemmas().items()
        for check in lemma.checks
        if key.startswith(f"{home.key}/") and check.expected == "violated" and check.shows == "statement"
    }
    assert [label for label in refuted if not re.search(rf"\b{label}\b", page)] == []
    paper = catalog.papers_in_view()[home.key]
    assert paper.authors in page
    assert paper.title in " ".join(page.split())
    assert "profile `default`" in page  # where its numbers come from
    assert len(page.splitlines()) < 80
