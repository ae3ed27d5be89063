"""Verdicts on tables of numbers: curves that were measured somewhere else, judged by the same statistics.

`table` reads a file into curves, `claim_text` reads what is claimed of them, `judgement` gives the verdict,
`appearance` says what a table looks like and cannot tell, and `picture` draws it.
"""
