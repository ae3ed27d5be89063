"""z3 as a checker: polynomials, roots, absolute values, maxima. It settles ties that boxes cannot."""

from __future__ import annotations

from typing import Any

import z3

from workbench.ledger.certificate import point_refutes
from workbench.ledger.enclosure import Undefined
from workbench.ledger.outcome import Outcome, holds, refuted, undecided
from workbench.ledger.query import NotPolynomial, unsatisfiable


def decide(statement: dict[str, Any], seconds: float) -> Outcome:
    """Holds, violated with a rational point, or inconclusive."""
    try:
        answer = unsatisfiable(statement, seconds)
    except NotPolynomial as reason:
        return undecided("z3", f"neither polynomial nor root: {reason}", "another checker")
    except z3.Z3Exception as error:
        return undecided("z3", f"z3 gave up: {error}", "another checker")
    if answer is True:
        certificate = {"kind": "smt", "statement": statement, "seconds": seconds}
        return holds("z3", "no counter-example exists", certificate)
    if answer is None:
        return undecided("z3", f"no answer within {seconds:g} s", "a larger budget")
    try:
        if point_refutes(statement, answer):  # type: ignore[arg-type]
            return refuted("z3", statement, answer)  # type: ignore[arg-type]
    except Undefined:
        pass
    return undecided("z3", f"a counter-example near {answer} is not rational", "a rational point near it")
