"""Competitors in the papers' figures, same contract as the papers' own algorithms.

LABEL says how sure the update rule is: C (confirmed from public source), P (partly), GK (general knowledge).
"""
