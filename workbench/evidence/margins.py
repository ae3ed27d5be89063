"""By how much a finding is decided: the distance between its p-value and the level, in standard errors."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from workbench.evidence import slower_terms
from workbench.evidence.verdicts import Finding


def margins(finding: Finding, expected: str, side: float) -> tuple[float, float]:
    """How clearly a finding is decided: (margin of the expected verdict at level ``side``, margin of its condition).

    Each margin is the number of standard errors by which the finding could be less clear and still be decided: the
    t-quantile of its p-value less that of the level. Negative where it is not decided, infinite where nothing random
    enters.
    """
    p = finding.p_if_right if expected == "violated" else finding.p_if_wrong
    if finding.exact:
        return (np.inf if p == 0 else -np.inf), np.inf
    free = max(finding.runs - 1, 1)
    direction = "violated" if finding.control else "holds"
    condition = finding.p_condition if expected == direction else 0.0
    # A condition that failed has made p_if_wrong 1; what the verdict itself would have been is then not known.
    return _beyond(p, side, free), _beyond(condition, slower_terms.LEVEL, free)


def _beyond(p: float, level: float, free: int) -> float:
    if not 0 < p < 1:
        return np.inf if p == 0 else -np.inf
    return float(stdtrit(free, level) - stdtrit(free, p))
