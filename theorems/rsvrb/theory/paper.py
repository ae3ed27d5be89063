"""The paper these theorems come from."""

from workbench import Paper

PAPER = Paper(
    key=__name__,
    title="Randomized Stochastic Variance-Reduced Methods for Multi-Task Stochastic Bilevel Optimization",
    authors="Zhishuai Guo, Quanqi Hu, Lijun Zhang, Tianbao Yang",
    source="main text L1-357, appendices A-E L359-839",
)
