"""By how much a finding is decided: the distance between its p-value and the level, in standard errors."""

from __future__ import annotations

import numpy as np

from workbench.evidence.distributions import student_quantile
from workbench.evidence.verdicts import Finding


def margin(finding: Finding, expected: str, side: float) -> float:
    """The number of standard errors by which a finding could be less clear and still be decided as expected.

    The t-quantile of its p-value less that of the level ``side``. Negative where it is not decided, infinite where
    nothing random enters.
    """
    p = finding.p_if_right if expected == "violated" else finding.p_if_wrong
    if finding.exact or not 0 < p < 1:
        return np.inf if p == 0 else -np.inf
    free = max(finding.runs - 1, 1)
    return student_quantile(free, side) - student_quantile(free, p)
