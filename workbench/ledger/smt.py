"""z3 as a searcher: polynomials, roots, absolute values, maxima. It settles ties that boxes cannot.

What z3 proves is also given to cvc5. A proof names the solvers that found no counter-example.
"""

from __future__ import annotations

from typing import Any

from workbench.ledger import solvers
from workbench.ledger.enclosure import Undefined
from workbench.ledger.outcome import Outcome, Reason, holds, refuted, undecided
from workbench.ledger.subboxes import point_refutes

SECOND = 0.5  # time limit of the second solver for each text, in seconds


def decide(statement: dict[str, Any], seconds: float) -> Outcome:
    """Holds, violated with a rational point, or inconclusive."""
    if hint := solvers.missing():
        return undecided("z3", hint, hint)
    try:
        texts = solvers.queries(statement)
    except solvers.NotPolynomial as reason:
        return undecided("z3", f"neither polynomial nor root: {reason}", "another checker", Reason.OUTSIDE)
    for text in texts:
        answer, solver = solvers.z3_answer(text, seconds)
        if answer == "sat" and text is texts[-1]:
            return _refuted(statement, solvers.model(solver, statement))
        if answer == "sat":
            return undecided("z3", "a root or a quotient need not exist", "a box in which it exists")
        if answer != "unsat":
            return undecided("z3", f"no answer within {seconds:g} s", "a larger budget")
        solvers.remember("z3", text, answer)
    second = solvers.answers(statement, SECOND, ["cvc5"])["cvc5"]
    if second == "sat":
        return undecided("z3", "z3 finds no counter-example, cvc5 says that there is one", "another checker")
    if second == "unsat":
        return holds("z3 and cvc5", "no counter-example exists", {"by": "solver", "names": ["z3", "cvc5"]})
    return holds(
        "z3 alone", "no counter-example exists; no answer of cvc5", {"by": "solver", "names": ["z3"]}
    )


def _refuted(statement: dict[str, Any], point: dict[str, str]) -> Outcome:
    try:
        if point_refutes(statement, point):
            return refuted("z3", point)
    except Undefined:
        pass
    return undecided("z3", f"a counter-example near {point} is not rational", "a rational point near it")
