"""Which theorem of paper `f2obo` is tried on which instance, with which falsifiers and expected verdicts.

Regret is a sum: its slope is read off dyadic increments R(2T) - R(T), from which additive transients drop out. Traps,
by the names that comments and tests use:

* D1: an instance with a stationary point at an end of X parks a broken method there with no regret (`sine.Bias`).
* D2: with p = 0 the bias of the penalty vanishes at stationary points, and nothing is seen of sum lambda_t^-2.
* D3: inner drift of random sign leaves filtered noise only, slope tau + b in place of 2 tau + b (`sine.Drift`).
* D4: with the theorem's own K the term H_2,T is invisible, for the true contraction is four times faster than rho.
* D5: additive noise shared by y and z cancels in line 10 of Algorithm 3: the upper variance loses lambda_t^2.
* D6: a constant gamma in the single loop looks right until gamma lambda_t passes the edge of stability.

O-labels are the errata of `theorems.f2obo.errata`.
"""
