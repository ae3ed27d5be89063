"""The bounds of Lemmas 3 and 7 on the errors of the inner level's gradient estimators, as functions of t.

As in the ledger, the value recorded at t is the error at x_(t-1).
"""

from workbench import Statement

from .along_runs import t
from .constants import L_g, S, q, sigma_g
from .formulas_spider import spider
from .formulas_storm import storm_printed
from .paper import PAPER

REFRESHED = t - 1 - q / 2  # s_(t-1), for t - 1 half a period after the last full gradient

STORM_ERROR = Statement(
    PAPER.entry("lem-3-error"), PAPER, "Error of STORM, inner level", storm_printed(L_g, sigma_g),
    "Lemma 3, (14), L442-450", own=False,
)  # fmt: skip
SPIDER_ERROR = Statement(
    PAPER.entry("lem-7-error"),
    PAPER,
    "Error of SPIDER half a period after a refresh, inner level",
    spider((t - 1 - REFRESHED) / (S * t * (REFRESHED + 1))),
    "Lemma 7, (18), L622-690",
    own=False,
)
