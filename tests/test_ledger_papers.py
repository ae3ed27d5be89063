"""The ledgers that ship: every exact check comes out as recorded, every erratum has its pair, every name exists."""

import pytest

from workbench.ledger import certificate, graph, outcomes, subboxes
from workbench.ledger.mutants import LEAST_RATE, kill_rate, run
from workbench.ledger.statements import statement
from workbench.run import catalog
from workbench.theory.lemma import MEASURED, Exact

LEMMAS = catalog.lemmas()
EXACT = [(x, c) for x in LEMMAS.values() for c in x.checks if not isinstance(c, MEASURED)]
PAPERS = sorted({x.paper.key for x in LEMMAS.values()})


@pytest.fixture(scope="module")
def found(certificates):
    return outcomes.ensure(EXACT, certificates), certificates


def test_every_exact_check_comes_out_as_recorded(found):
    wrong = [
        f"{x.key}, {c.name}: {found[0][x.key, c.name]}"
        for x, c in EXACT
        if found[0][x.key, c.name].verdict != c.expected
    ]
    assert wrong == []


def test_every_certificate_is_right(found):
    """The re-checker on every file, against the record's statement as it is now."""
    import json

    by_name = {(x.key, c.name): c for x, c in EXACT}
    files = list((found[1] / "ledger").glob("*.json"))
    assert len(files) == len({outcomes.content_key(c) for _, c in EXACT})
    for path in files:
        record = json.loads(certificate.unseal(path.read_bytes()))
        s = statement(by_name[record["lemma"], record["check"]])
        assert certificate.check(record["certificate"], s) == record["verdict"]


@pytest.mark.parametrize("paper", PAPERS)
def test_links_are_known_and_there_is_no_circle(paper):
    known = {f"{m.PAPER.key}/asm-{a.key}" for m in catalog.modules("theory") if hasattr(m, "PAPER")
             for a in getattr(m, "ASSUMPTIONS", ())} | set(catalog.theorems())  # fmt: skip
    graph.check_links({k: x for k, x in LEMMAS.items() if x.paper.key == paper}, known)


def test_every_measured_line_has_its_runs():
    names = set(catalog.simulations()) | set(catalog.samplers())
    missing = {n for x in LEMMAS.values() for c in x.checks if isinstance(c, MEASURED) for n in c.on} - names
    assert missing == set()


def test_every_erratum_of_a_check_is_listed():
    missing = {f"{x.paper.key}/{label}" for x in LEMMAS.values() for label in x.errata} - set(
        catalog.errata()
    )
    assert missing == set()


def kind(check):
    return check.statement["kind"] if isinstance(check, Exact) else ""


def test_the_witness_of_a_printed_line_passes_the_repaired_one(found):
    """Where printed and repaired line speak of the same variables, the counter-example separates them."""
    separated = 0
    for lemma in LEMMAS.values():
        for printed in (c for c in lemma.checks if kind(c) == "inequality" and c.expected == "violated"):
            point = found[0][lemma.key, printed.name].witness
            repairs = [
                c
                for c in lemma.checks
                if kind(c) == "inequality" and c.erratum == printed.erratum and c.expected == "holds"
                and c.statement["lhs"] == printed.statement["lhs"]
                and set(c.statement["box"]) == set(printed.statement["box"])
            ]  # fmt: skip
            for repaired in repairs:
                s = statement(repaired)
                if point and set(s["box"]) <= set(point):
                    assert not subboxes.point_refutes(s, point), (lemma.key, repaired.name)
                    separated += 1
    assert separated >= 3


def test_a_sample_of_mutants_is_refuted():
    """All of them: `workbench ledger`. Here those of a sixtieth of the lemmas."""
    found = [t for x in list(LEMMAS.values())[::60] for t in run(x, 0.7)]
    assert kill_rate(found) >= LEAST_RATE, [t for t in found if t.fate == "survived"]
