"""Which theorem of paper `ir_cg` is tried on which instance, with which falsifiers and expected verdicts.

What to keep in mind, by the names that comments use:

* Both bounds of a theorem cannot be attained on one instance: an inner gap of exact order sigma_t goes with an outer
  gap that is negative, of order 1. HC and FS-EXP show the outer rate, EXP the inner one.
* The inner exponent p is attained on windows only: on a fixed problem the inner gap is o(sigma_t) in the end.
* On HC the outer minimizer must not be the centre of the box: noise alone finds the centre.
* The error of SPIDER vanishes at refreshes: marks are read half a period away from them.
* The average of Theorems 5 and 6 remembers its start; the exponent is read off averages over (T/2, T].
"""
