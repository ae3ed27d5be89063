"""What to write instead, where a line is written as in LaTeX or on a blackboard. No statement depends on it."""

from __future__ import annotations

import re

from workbench.ledger.parser import SyntaxFault

# What is at the fault, or ends there -> what to write.
AT = {
    r"[{}]": "write ( and ) for { and }, and sum(term, i, 1, n) for a sum over i from 1 to n",
    r"\\": "commands of LaTeX are written out: sum(term, i, 1, n), sqrt(x), a/b",
    r"ln\b": "log is the natural logarithm",
    r"[\u2264\u2265\u00b7\u2212\u00d7]": "write <=, >=, * and -",
    r"[\u0370-\u03ff]": "names are written in ASCII letters, as delta",
    r"[.](?=\d)|(?<=\d)[.]": "write 1/2 for 0.5",
    r"(?<=\*)\*": "powers are written x^2",
    r"\|": "write abs(x) for |x|",
}
NUMBER_THEN_NAME = re.compile(r"\d\s*$")
CHAIN = re.compile(r"\bfor\b.*<=?\s*[A-Za-z_]\w*\s*<=?")


def with_hint(line: str, fault: SyntaxFault) -> str:
    """The sentence of a fault, and what to write instead if that is known."""
    before, after = line[: fault.place], line[fault.place :]
    hint = next((words for pattern, words in AT.items() if re.compile(pattern).match(line, fault.place)), "")
    if not hint and NUMBER_THEN_NAME.search(before) and re.match(r"[A-Za-z(]", after):
        hint = "a product needs its sign, as in 2*p"
    if not hint and CHAIN.search(line) and " for " in before:
        hint = "a domain is written x in (0, 1), or x > 0"
    return f"{fault}; {hint}" if hint else str(fault)
