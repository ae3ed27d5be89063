"""Which theorem of paper `ada_minimax` is tested on which instance, with its falsifiers and expected verdicts.

Traps, by the names that comments and tests use:

* T1: a noiseless run can hit the minimizer exactly; with 0/0 := 0 it would stay there and show slope -1, not -1/2.
* T2: g~ needs its own sample (the same sample gives S = 0 and no momentum), and must not enter the momentum.
* T3: the momentum uses alpha_t, the step alpha'_t; exchanging them has an effect only where sigma_x = 0 < sigma_y.
* T4: symmetric noise in one dimension does not reveal constant momentum; skewed noise with a large weight does.
* T5: the paper's synthetic function is flat at its minimum, so runs are faster than claimed: no witness for the rate.
* T6: the largest ratio of measured to bound over the runs says little where the bound is thousands of times too large.
* T7: TiAda converges almost linearly on noiseless quadratics; Ada-Minimax is not expected to win there.
* T8: on I2n (flat at infinity) a divergent method looks convergent; max |x_t| shows the difference.

E-labels are the errata of `workbench.theorems.ada_minimax.theory.errata`.
"""
