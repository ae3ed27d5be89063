"""Convergence theorems as data. SymPy only: no arrays, no files, nothing of the workbench."""
