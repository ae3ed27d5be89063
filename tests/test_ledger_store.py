"""What the ledger reads back from a store, and how it prints constants."""

import json
import time
import tracemalloc
from fractions import Fraction

import pytest
from sympy import Sum, Symbol, sqrt, symbols
from sympy_lines import REAL, Inequality, integers, link, nonnegative

from workbench.evidence.verdicts import Verdict
from workbench.homes import disk
from workbench.ledger import certificate, outcomes, solvers
from workbench.ledger.brackets import Bracket, decimal
from workbench.ledger.checks import decide
from workbench.ledger.statements import statement as statement_of
from workbench.theory.record import Paper

x = Symbol("x", nonnegative=True)
N = Symbol("n", integer=True, positive=True)
PAPER = Paper("stored", "stored", "me", "draft")
FALSE = link(PAPER, "lem-1", "f", "L1", "f", (), Inequality("false", x, x**2, nonnegative(x)))
TRUE = link(PAPER, "lem-2", "t", "L2", "t", (), Inequality("true", x, x + 1, nonnegative(x)))


def rewritten(lemma, folder, **fields):
    check = lemma.checks[0]
    key = outcomes.content_key(check)
    outcomes._write(folder, lemma, check, key, decide(check))
    path = outcomes.path(folder, lemma, check, key)
    record = json.loads(certificate.unseal(disk.read(path))) | fields
    path.write_bytes(certificate.seal(json.dumps(record).encode()))
    return outcomes._read(folder, lemma, check, key)


def test_what_was_written_is_read(tmp_path):
    assert rewritten(TRUE, tmp_path).verdict == Verdict.HOLDS
    assert rewritten(FALSE, tmp_path).verdict == Verdict.VIOLATED


@pytest.mark.parametrize(
    "proof", [None, {}, {"by": "boxes"}, {"by": "boxes", "form": "difference", "tree": "v"}]
)
def test_a_verdict_that_no_certificate_shows_is_missing(proof, tmp_path):
    """A store that somebody has rewritten, seals and hashes included."""
    held = None
    if proof is not None:
        statement = decide(FALSE.checks[0]).certificate["statement"]
        held = certificate.certificate(statement, "holds", proof)
    assert rewritten(FALSE, tmp_path, verdict="holds", certificate=held) is None


@pytest.mark.parametrize(
    "value", [Fraction(1003), Fraction(1, 32), Fraction(12345678, 10007), Fraction(1, 30011)]
)
@pytest.mark.parametrize("stronger", ["smaller", "larger"])
def test_constants_are_rounded_to_the_side_with_the_same_verdict(value, stronger):
    weaker = stronger == "smaller"  # a larger value says less
    assert (Fraction(decimal(value, weaker)) - value) * (1 if weaker else -1) >= 0
    line = str(Bracket("c", Fraction(1), weaker, value, value))
    assert line == f"c = 1 can be {decimal(value, weaker)}, not {decimal(value, not weaker)}"
    assert value.denominator > 1000 or decimal(value, weaker) == str(value)


def test_the_triangle_inequality_of_the_plane_is_proved():
    """z3 answers in 0.1 s if the signs of all roots stand before their equations, and in 5 s or never otherwise."""
    a, b, c, d = symbols("a b c d", real=True)
    both = sqrt(a**2 + b**2) + sqrt(c**2 + d**2)
    triangle = Inequality("plane", sqrt((a + c) ** 2 + (b + d) ** 2), both, dict.fromkeys((a, b, c, d), REAL))
    began = time.process_time()
    assert all(solvers.z3_answer(text, 8)[0] == "unsat" for text in solvers.queries(statement_of(triangle)))
    assert time.process_time() - began < 3.0


def test_cases_are_counted_before_they_are_listed():
    k = Symbol("k", integer=True, positive=True)
    many = Inequality("many", Sum(x, (k, 1, N)), N * x, {N: integers(1, 10**7), x: nonnegative(x)[x]})
    tracemalloc.start()
    assert decide(many).note == "10000000 combinations of n"
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()
