"""What people look at, made from stored results and verdicts: so far the drawing of figures that are out of date.

In: figures (`figures`), options and a store. Out: files in a folder. One figure on its way: `drawing` compares the
digest of all it depends on with its stamp, asks for the results it lacks, draws it and stamps it.
"""
