"""Claims of `claim_text.KINDS` on measured curves: their findings, and what was seen in words."""

from __future__ import annotations

import numpy as np

from workbench import evidence
from workbench.evidence.limits import opposite
from workbench.evidence.verdicts import Finding
from workbench.report.judging.claim_text import ClaimText

SEEN = {
    "bounded": "the growth per unit of log {variable}, over the level, is",
    "diverges": "the growth per unit of log {variable}, over the level, is",
    "limit": "the mean at the end is",
    "misses": "the mean at the end is",
    "logs": "the number of logarithms that fits is",
    "logs or less": "the number of logarithms that fits is",
}

WHAT = {  # is off, where a claim would have held or been violated
    "bounded": "exponent",
    "limit": "limit (relatively)",
    "logs": "number of logarithms",
    "logs or less": "number of logarithms",
    "diverges": "growth",
    "misses": "limit",
}


def finding(claim: ClaimText, values: np.ndarray, marks: np.ndarray, tol: float | None) -> Finding:
    """The finding on curves (runs, M). tol: the growth that counts as none, or how near to a limit is reached."""
    if claim.relation in ("bounded", "diverges"):
        bounded = evidence.bounded(values, marks, *(() if tol is None else (tol,)))
        return opposite(bounded) if claim.relation == "diverges" else bounded
    if claim.relation in ("limit", "misses"):
        tends = evidence.limit(values, marks, claim.to, claim.within if tol is None else tol)
        return opposite(tends) if claim.relation == "misses" else tends
    or_less = claim.relation == "logs or less"
    return evidence.logarithmic(values, marks, claim.exponent, claim.log_power, or_less=or_less)
