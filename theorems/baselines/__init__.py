"""Competitors in the papers' figures, with the same interface as the papers' own algorithms.

LABEL says how well the update rule is documented: C (confirmed by a public source), P (partly), GK (general knowledge).
AUTHORS names a version of the authors' code with which a baseline was compared: its rule, restated in
``tests/test_authors_rules.py``, from the same starts without noise. DIFFERENCE is the largest one in ten iterations, in
units of the largest coordinate of x; 0.0 stands for rounding, up to 1e-14.
"""
