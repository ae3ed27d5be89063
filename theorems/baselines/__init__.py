"""Competitors in the papers' figures, with the same interface as the papers' own algorithms.

LABEL says how well the update rule is documented: C (confirmed by a public source), P (partly), GK (general knowledge).
"""
