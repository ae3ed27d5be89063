"""Which theorem of paper `ada_minimax` is tried on which instance, with which falsifiers and expected verdicts.

Traps, by the names that comments and tests use:

* T1: a noiseless run can hit the minimizer exactly; with 0/0 := 0 it would freeze there and show slope -1, not -1/2.
* T2: g~ needs a sample of its own (the same one gives S = 0 and no momentum), and must not enter the momentum.
* T3: the momentum uses alpha_t, the step alpha'_t; exchanging them shows only where sigma_x = 0 < sigma_y.
* T4: constant momentum cannot be told apart on symmetric noise in one dimension; skewed noise and a large weight can.
* T5: the paper's synthetic function is flat at its minimum, hence faster than claimed: no witness for the rate.
* T6: the largest ratio of measured to bound over the runs says little where the bound is thousands of times too large.
* T7: TiAda is nearly linear on noiseless quadratics; Ada-Minimax is not expected to win there.
* T8: on I2n (flat at infinity) a divergent method looks convergent; max |x_t| tells.

E-labels are the errata of `theorems.ada_minimax.errata`.
"""
