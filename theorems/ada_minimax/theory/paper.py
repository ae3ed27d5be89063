"""The paper these theorems come from."""

from workbench import Paper

PAPER = Paper(
    key=__name__,
    title="Adaptive Algorithms with Sharp Convergence Rates for Stochastic Hierarchical Optimization",
    authors="Xiaochuan Gong, Jie Hao, Mingrui Liu",
    source="main text L1-282, appendices A-L L367-1450",
)
