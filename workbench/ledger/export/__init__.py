"""Exact lines in other languages: theorems of Lean 4 with Mathlib's names (`lean`), LaTeX for an appendix (`latex`).

Both are written from the trees of a statement, those that the re-checker judged, and pass no algebra system.
"""
