"""Output for readers, made from stored results and verdicts: so far, drawing the figures that are out of date.

In: figures (`figures`), options and a store. Out: files in a folder. One figure, followed through: `drawing` compares
the digest of its inputs with its stamp, draws the figure if they differ, and writes a new stamp. Missing results are
simulated by the command before it draws.
"""
