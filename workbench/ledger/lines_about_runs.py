"""Lines of a proof about runs: in SymPy, with which they are evaluated. They are measured, never called proved."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from workbench.ledger import parser, rewriting
from workbench.ledger.parser import SyntaxFault
from workbench.ledger.proof_items import Fault
from workbench.theory.lemma import AlongTrajectory, Check, InExpectation, WithProbability

BEGIN = re.compile(r"(in every run|on average|with probability ([0-9/]+)( at each time)?): *")


def about_runs(
    text: str, key: str, common: dict[str, Any], symbols: dict[str, Any], formulas: Callable
) -> Check:
    """The check of a line such as "on average: gap <= bound on sim-sgd". Raises Fault.

    key: of the paper. common: fields of the check. symbols: of SymPy, by name. formulas: from trees to the SymPy
    expressions of the formulas that are named in them.
    """
    begin = BEGIN.match(text)
    assert begin is not None
    words, on, names = text.rpartition(" on ")
    if not on or not names_in_list(names):
        raise Fault("expected 'on' and the simulations or samplers on which the line is measured")
    try:
        left, relation, right = parser.comparison(words[begin.end() :])
    except SyntaxFault as fault:
        raise Fault(str(fault), begin.end() + fault.place) from None
    values = {**symbols, **formulas(left, right)}
    try:
        lhs, rhs = (rewriting.expression(t, frozenset(), values) for t in (left, right))
    except (KeyError, ValueError) as error:
        raise Fault(f"expected an expression that can be evaluated along runs ({error})") from None
    where = tuple(n if "/" in n else f"{key}/{n}" for n in names_in_list(names))
    fields = {**common, "lhs": lhs, "rhs": rhs, "on": where}
    if begin[1] == "in every run":
        return AlongTrajectory(**fields, relation="=" if relation == "=" else "<=")
    if relation == "=":
        raise Fault("expected <= or >= in a line on average or with a probability")
    if begin[1] == "on average":
        return InExpectation(**fields)
    probability = rewriting.expression(parser.tree(begin[2]), frozenset())
    return WithProbability(**fields, probability=probability, uniform=not begin[3])


def names_in_list(text: str, between: str = ",") -> list[str]:
    return [name.strip() for name in text.split(between) if name.strip()]
