"""Checks convergence theorems against their own algorithms. See README.md."""
