"""The paper these theorems come from."""

from workbench import Paper

PAPER = Paper(
    key=__name__,
    title="Efficient Conditional Gradient Methods for Solving Stochastic Convex Bilevel Optimization Problems",
    authors="Khanh-Hung Giang-Tran, Soroosh Shafiee, Nam Ho-Nguyen",
    source="main text L1-274, appendices A-B L339-1359",
)
