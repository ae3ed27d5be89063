"""By how much a finding is decided: the distance between its p-value and the level, in standard errors."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from workbench.evidence import slower_terms
from workbench.evidence.verdicts import Finding


def margins(finding: Finding, expected: str, side: float) -> tuple[float, float]:
    """(of the verdict that is expected, at the level ``side``; of the condition that it needs besides, if any).

    Each is the number of standard errors by which the finding could be less clear and still be decided: the t-quantile
    of its p-value less that of the level. Negative where it is not decided, infinite where nothing random enters.
    """
    p = finding.p_if_right if expected == "violated" else finding.p_if_wrong
    if finding.exact:
        return (np.inf if p == 0 else -np.inf), np.inf
    free = max(finding.runs - 1, 1)
    conditioned = "violated" if finding.reversed else "holds"
    condition = finding.p_condition if expected == conditioned else 0.0
    # A condition that failed has made p_if_wrong 1; what the verdict itself would have been is then not known.
    return _beyond(p, side, free), _beyond(condition, slower_terms.LEVEL, free)


def _beyond(p: float, level: float, free: int) -> float:
    if not 0 < p < 1:
        return np.inf if p == 0 else -np.inf
    return float(stdtrit(free, level) - stdtrit(free, p))
