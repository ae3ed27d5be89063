"""How claims, notes and constants are shown: no name of Python is left over, and no two claims look alike."""

import re

import pytest

from workbench.homes import papers
from workbench.report.quantities import CALLS, display_name, for_readers, symbols, title_of
from workbench.run import catalog
from workbench.theory.notation import pieces
from workbench.verdicts import verify


def code(text: str) -> list[str]:
    """Names with an underscore that would not be typeset."""
    return re.findall(r"\w+_\w+", "".join(what for kind, what, _ in pieces(text) if kind == "text"))


def shipped():
    return [c for c in verify.claims() if c.key.split("/")[0] in papers.built_in()]


def test_no_name_of_python_is_left_over():
    assert not {found for claim in shipped() for found in code(display_name(claim))}
    assert not {found for shown in CALLS.values() for found in code(shown)}


def test_no_parameter_of_the_grid_is_left_over():
    shown = " ".join(map(display_name, shipped()))
    assert not re.findall(r"\b(?:case|part|mix|weight|exponent) = |\d\.\d{5,}", shown)


def test_claims_that_differ_are_shown_differently():
    before = {(c.key, c.evidence, c.experiment) for c in shipped()}
    assert len({(c.key, c.evidence, display_name(c)) for c in shipped()}) == len(before)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("on A; evaluation_f", "on A; evaluations of f"),
        ("evaluation_f calls per run", "evaluations of f per run"),
        ("change of the gradient", "change of the gradient"),
        ("Table 2; gradient", "Table 2; gradients"),
        ("tau = 0.166667, omega = 0", "tau = 1/6, omega = 0"),
        ("p = 0.123456", "p = 0.123456"),
        ("`gradient_x` and a_gradient_x", "`gradient_x` and a_gradient_x"),
    ],
)
def test_names(text, shown):
    assert for_readers(text) == shown
    assert for_readers(shown) == shown


def test_names_of_a_paper(monkeypatch):
    shown = {"gap": "F(x_t) - F_opt", "case = 0": "on D", "case = 0.5": "on both", "weight = ": "alpha = "}
    monkeypatch.setattr("workbench.report.quantities._shown_as", lambda: {"a-paper": shown})
    assert for_readers("on A; weight = 0.3, gap", "a-paper") == "on A; alpha = 0.3, F(x_t) - F_opt"
    assert for_readers("case = 0, case = 0.5, case = 05, case = 0.25", "a-paper") == (
        "on D, on both, case = 05, case = 0.25"
    )
    assert for_readers("gaps, last_gap, gap", "another") == "gaps, last_gap, gap"


def test_a_statement_has_its_title():
    statements = {c.reading.claimed.source for c in catalog.claims() if hasattr(c, "reading")}
    keys = {name for name in statements if re.fullmatch(r"[\w-]+/[\w.-]+", name)}
    assert keys
    assert not {key for key in keys if title_of(key) == key}
    assert title_of("case rate") == "case rate"


def test_constants_of_every_paper():
    found = symbols()
    assert {t.paper.key for t in catalog.theorems().values()} <= found.keys()
    assert all(latex for known in found.values() for latex in known.values())
