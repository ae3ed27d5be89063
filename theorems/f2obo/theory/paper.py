"""The paper these theorems come from."""

from workbench import Paper

PAPER = Paper(
    key=__name__,
    title="Fully First-Order Algorithms for Online Non-Convex Bilevel Optimization",
    authors="Tingkai Jia, Cheng Chen",
    source="arXiv:2602.11665v2; main text L1-300, appendices B-E L383-1245",
)
