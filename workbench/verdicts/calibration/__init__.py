"""Calibration of the checker itself on planted curves, whose truth is known.

In: the number of repeats and a seed. Out: false-alarm rates and power per scenario, with binomial limits. One scenario,
followed through: `planted` draws data sets with a known exponent, level or bound, together with the kind of evidence
that must detect it, and `adversaries` those that once fooled the checker; `calibrate` decides them with
`workbench.evidence.verdicts.decide`, as `verify` does, and counts. `sizes` measures the test of a mean alone, from so
many samples that its error rate at the level of a family is seen.
"""
