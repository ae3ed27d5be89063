"""Which theorem of paper `f2obo` is tested on which instance, with which falsifiers and expected verdicts.

Regret is a sum: its slope is read off dyadic increments R(2T) - R(T), in which additive transients cancel. Comments and
tests refer to these pitfalls by name:

* D1: if F_t has a stationary point at an end of X, a broken method can stay there without regret (see `sine.Bias`).
* D2: with p = 0 the bias of the penalty vanishes at stationary points, so sum lambda_t^-2 cannot be observed.
* D3: inner drift of random sign leaves only filtered noise, slope tau + b in place of 2 tau + b (see `sine.Drift`).
* D4: with the theorem's own K the term H_2,T is invisible, because the true contraction is four times faster than rho.
* D5: additive noise shared by y and z cancels in line 10 of Algorithm 3: the upper variance loses lambda_t^2.
* D6: a constant gamma in the single loop looks right until gamma lambda_t exceeds the stability limit.

Labels O-1, O-2, ... are those of `workbench.theorems.f2obo.theory.errata`.
"""
