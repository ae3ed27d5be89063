"""Output for readers, made from stored results and verdicts: the table of verdicts (`verdict_table`), figures
(`drawing`), the dossier in HTML (`report`), and the generated parts of a LaTeX document (`paper`).

In: lines of the verdict table (`workbench.verdicts.verify`), links of the proofs (`workbench.ledger`), figures
(`figures`), options and a store. Out: files in a folder; of the table, text on a terminal, whose sentences
(`wording`) the document shares. One figure, followed through: `drawing` compares the digest of its inputs with its
stamp, draws the figure if they differ, and writes a new stamp; `dossier` collects what a page shows, `pages` fills
the templates. Missing results are simulated by the command before it draws; a report simulates nothing.
"""
