"""Experiments of paper `ir_cg`: which theorem is tested on which instance, with which falsifiers and verdicts.

Facts behind the design; the names are those of the witnesses:

* Both bounds of a theorem cannot be attained on one instance: an inner gap of exact order sigma_t goes with an outer
  gap that is negative, of order 1. HC and FS-EXP attain the outer rate, EXP the inner one.
* The inner exponent p is attained on finite windows only: on a fixed problem the inner gap is eventually o(sigma_t).
* On HC the outer minimizer must not be the centre of the box: noise alone finds the centre.
* The error of SPIDER vanishes at refreshes: marks are read half a period away from them.
* The average of Theorems 5 and 6 forgets its start slowly, so the exponent is read from averages over (T/2, T].
* Smoothness and noise are most of the bounds of Theorem 6, and on LIN there is neither: the bounds are near at t = q.
"""
