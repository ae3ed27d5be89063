"""The paper these theorems come from."""

from workbench import Paper

PAPER = Paper(
    key=__name__,
    title="BiAdam: Fast Adaptive Bilevel Optimization Methods",
    authors="Feihu Huang, Junyi Li, Shangqian Gao",
    source="submission to ICLR 2023 (also arXiv:2106.11396); main text L1-89, appendix L91-132",
)
