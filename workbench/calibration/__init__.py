"""The checker itself, tested on curves whose truth is known because we planted it.

In: the number of repeats and a seed. Out: false-alarm rates and power per scenario, with binomial limits. One scenario
on its way: `planted` draws data sets with a known exponent, level or bound and the kind of evidence that must find it;
`calibrate` decides them with `workbench.evidence.verdicts.decide`, as `verify` would, and counts.
"""
